<?php
/** Sets a new shop up, each step in a process of its own: `php setup.php install|activate|configure '{…}'` in the folder of WordPress. */

declare(strict_types=1);

[, $step, $json] = $argv;
$given = json_decode($json, true, 16, JSON_THROW_ON_ERROR);
$_SERVER['HTTP_HOST'] = parse_url($given['url'], PHP_URL_HOST) . ':' . parse_url($given['url'], PHP_URL_PORT);
$_SERVER['REQUEST_METHOD'] = 'GET';
if ($step === 'install') {
    define('WP_INSTALLING', true);
}
require getcwd() . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';

if ($step === 'install') {
    wp_install('Padaria Aurora', 'admin', 'admin@example.com', true, '', 'a password of the shop');
    update_option('permalink_structure', '');
}
if ($step === 'activate') {
    foreach (['woocommerce/woocommerce.php', 'vintem-woocommerce/vintem-woocommerce.php'] as $plugin) {
        $fault = activate_plugin($plugin);
        if (is_wp_error($fault)) {
            throw new RuntimeException($fault->get_error_message());
        }
    }
}
if ($step === 'configure') {
    configure($given);
}

function configure(array $given): void
{
    WC_Install::create_pages();
    foreach ([
        'woocommerce_currency' => 'BRL',
        'woocommerce_default_country' => 'BR:SP',
        'woocommerce_calc_taxes' => 'no',
        'woocommerce_enable_guest_checkout' => 'yes',
        'woocommerce_coming_soon' => 'no',
        'woocommerce_ship_to_countries' => 'disabled',
        'woocommerce_task_list_hidden' => 'yes',
    ] as $name => $value) {
        update_option($name, $value);
    }
    useOrderTables();
    update_option('woocommerce_vintem_settings', [
        'enabled' => 'yes',
        'api_url' => $given['apiUrl'],
        'api_key' => $given['apiKey'],
        'webhook_secret' => $given['webhookSecret'],
    ]);
    $product = new WC_Product_Simple();
    $product->set_name('Café em grãos');
    $product->set_regular_price('0.29');
    $product->save();
    // The checkout of short codes and the checkout block, each on a page of its own.
    $page = static fn(string $title, string $content): int => wp_insert_post(
        ['post_type' => 'page', 'post_status' => 'publish', 'post_title' => $title, 'post_content' => $content],
    );
    $classic = $page('Classic', '[woocommerce_checkout]');
    $fields = '<!-- wp:woocommerce/checkout-fields-block --><div class="wp-block-woocommerce-checkout-fields-block"></div><!-- /wp:woocommerce/checkout-fields-block -->';
    $totals = '<!-- wp:woocommerce/checkout-totals-block --><div class="wp-block-woocommerce-checkout-totals-block"></div><!-- /wp:woocommerce/checkout-totals-block -->';
    $block = $page('Block', '<!-- wp:woocommerce/checkout --><div class="wp-block-woocommerce-checkout alignwide wc-block-checkout is-loading">' . $fields . $totals . '</div><!-- /wp:woocommerce/checkout -->');
    update_option('woocommerce_checkout_page_id', $classic);
    echo json_encode(['product' => $product->get_id(), 'classic' => $classic, 'block' => $block]);
}

/** Orders in tables of their own. A new shop of today has them; an older WooCommerce has to be told. */
function useOrderTables(): void
{
    wc_get_container()->get(Automattic\WooCommerce\Internal\DataStores\Orders\DataSynchronizer::class)->create_database_tables();
    update_option('woocommerce_feature_custom_order_tables_enabled', 'yes');
    update_option('woocommerce_custom_orders_table_enabled', 'yes');
    update_option('woocommerce_custom_orders_table_data_sync_enabled', 'no');
}

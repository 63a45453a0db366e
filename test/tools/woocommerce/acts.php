<?php
/** For the test's shop alone, in wp-content/mu-plugins: what its administrator does, and what its database has, by calls with a token. */

declare(strict_types=1);

use Automattic\WooCommerce\Utilities\OrderUtil;

// No shop of a test writes to anybody.
add_filter('pre_wp_mail', '__return_true');

add_action('wp_loaded', static function (): void {
    if (!defined('SHOP_TEST_TOKEN') || ($_GET['shop-test'] ?? '') !== SHOP_TEST_TOKEN) {
        return;
    }
    $asked = json_decode((string) file_get_contents('php://input'), true);
    wp_set_current_user(1);
    wp_send_json(shop_test_act($asked['act'], $asked));
});

function shop_test_act(string $act, array $asked): array
{
    return match ($act) {
        'order' => shop_test_order(wc_get_order($asked['id'])),
        'make' => shop_test_make($asked),
        'pay' => shop_test_pay($asked['id']),
        'refund' => shop_test_refund($asked),
        'status' => ['is' => wc_get_order($asked['id'])->update_status($asked['status'])],
        'total' => shop_test_total($asked),
        'unpaid' => ['may' => apply_filters('woocommerce_cancel_unpaid_order', true, wc_get_order($asked['id']))],
        'set' => ['is' => update_option($asked['name'], $asked['value'])],
        'storage' => shop_test_storage($asked['inOwnTables']),
        'get' => ['value' => get_option($asked['name'])],
        'page' => shop_test_page(),
        'save' => shop_test_save($asked['fields']),
        'gateway' => rest_do_request(new WP_REST_Request('GET', '/wc/v3/payment_gateways/vintem'))->get_data(),
        'put' => shop_test_put($asked['settings']),
        'logs' => ['text' => shop_test_logs()],
        'translate' => shop_test_translate($asked['locale'], $asked['text']),
        'features' => shop_test_features(),
        'uninstall' => shop_test_uninstall(),
    };
}

function shop_test_order(WC_Order $order): array
{
    return [
        'id' => $order->get_id(),
        'key' => $order->get_order_key(),
        'status' => $order->get_status(),
        'total' => $order->get_total(),
        'method' => $order->get_payment_method(),
        'transaction' => $order->get_transaction_id(),
        'isPaid' => $order->get_date_paid() !== null,
        'record' => json_decode((string) $order->get_meta('_vintem'), true),
        'notes' => array_values(array_filter(
            array_map(static fn($note): string => $note->content, wc_get_order_notes(['order_id' => $order->get_id(), 'orderby' => 'date_created', 'order' => 'ASC'])),
            static fn(string $note): bool => !str_starts_with($note, 'Email "'),
        )),
        'refunds' => array_map(static fn($refund): string => (string) $refund->get_amount(), $order->get_refunds()),
        'inOwnTables' => OrderUtil::custom_orders_table_usage_is_enabled(),
    ];
}

function shop_test_make(array $asked): array
{
    $order = wc_create_order();
    $order->set_currency($asked['currency'] ?? 'BRL');
    $products = wc_get_products(['limit' => 1]);
    $order->add_product($products[0], $asked['quantity']);
    $order->set_address(['first_name' => 'Ana', 'last_name' => 'Souza', 'email' => $asked['email'] ?? 'ana@example.com', 'country' => 'BR', 'phone' => '11 98765-4321'] + ($asked['address'] ?? []), 'billing');
    foreach ($asked['meta'] ?? [] as $name => $value) {
        $order->update_meta_data($name, $value);
    }
    $order->set_payment_method('vintem');
    $order->calculate_totals();
    $order->save();
    return shop_test_order($order);
}

function shop_test_pay(int $id): array
{
    try {
        return WC()->payment_gateways()->payment_gateways()['vintem']->process_payment($id);
    } catch (Exception $fault) {
        return ['result' => 'failure', 'message' => $fault->getMessage()];
    }
}

function shop_test_refund(array $asked): array
{
    $made = wc_create_refund(['order_id' => $asked['id'], 'amount' => $asked['amount'], 'reason' => $asked['reason'] ?? '', 'refund_payment' => $asked['byHand'] ?? true]);
    return is_wp_error($made) ? ['error' => $made->get_error_message()] : ['amount' => (string) $made->get_amount()];
}

function shop_test_total(array $asked): array
{
    $order = wc_get_order($asked['id']);
    $order->set_total($asked['total']);
    $order->save();
    return shop_test_order($order);
}

/** WooCommerce itself changes this only while all orders are in both places. */
function shop_test_storage(bool $inOwnTables): array
{
    global $wpdb;
    $name = 'woocommerce_custom_orders_table_enabled';
    $wpdb->update($wpdb->options, ['option_value' => $inOwnTables ? 'yes' : 'no'], ['option_name' => $name]);
    wp_cache_flush();
    return ['is' => get_option($name)];
}

function shop_test_page(): array
{
    ob_start();
    WC()->payment_gateways()->payment_gateways()['vintem']->admin_options();
    return ['html' => ob_get_clean()];
}

function shop_test_save(array $fields): array
{
    $gateway = WC()->payment_gateways()->payment_gateways()['vintem'];
    $posted = [];
    foreach ($fields as $name => $value) {
        $posted['woocommerce_vintem_' . $name] = $value;
    }
    require_once WC_ABSPATH . 'includes/admin/class-wc-admin-settings.php';
    $gateway->set_post_data($posted);
    $gateway->process_admin_options();
    ob_start();
    WC_Admin_Settings::show_messages();
    return ['messages' => ob_get_clean()];
}

function shop_test_put(array $settings): array
{
    $request = new WP_REST_Request('PUT', '/wc/v3/payment_gateways/vintem');
    $request->set_body_params(['settings' => $settings]);
    return ['status' => rest_do_request($request)->get_status()];
}

function shop_test_logs(): string
{
    global $wpdb;
    $files = glob(WP_CONTENT_DIR . '/uploads/wc-logs/*.log') ?: [];
    $rows = $wpdb->get_col("select message from {$wpdb->prefix}woocommerce_log");
    return implode("\n", [...array_map('file_get_contents', $files), ...$rows]);
}

function shop_test_translate(string $locale, string $text): array
{
    switch_to_locale($locale);
    add_filter('determine_locale', $fix = static fn(): string => $locale);
    $found = __($text, 'vintem-woocommerce');
    remove_filter('determine_locale', $fix);
    return ['text' => $found];
}

function shop_test_features(): array
{
    $all = Automattic\WooCommerce\Utilities\FeaturesUtil::get_compatible_features_for_plugin('vintem-woocommerce/vintem-woocommerce.php');
    return ['compatible' => $all['compatible'], 'incompatible' => $all['incompatible']];
}

function shop_test_uninstall(): array
{
    require_once ABSPATH . 'wp-admin/includes/plugin.php';
    deactivate_plugins('vintem-woocommerce/vintem-woocommerce.php');
    uninstall_plugin('vintem-woocommerce/vintem-woocommerce.php');
    wp_cache_flush();
    return ['settings' => get_option('woocommerce_vintem_settings'), 'secrets' => get_option('vintem_woocommerce_secrets')];
}

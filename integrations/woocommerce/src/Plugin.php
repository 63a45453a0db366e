<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\PaymentMethodRegistry;
use Automattic\WooCommerce\Utilities\FeaturesUtil;

/** Where the plug-in is attached to WordPress and WooCommerce. */
final class Plugin
{
    public const VERSION = '0.1.0';

    private static string $file = '';

    public static function start(string $file): void
    {
        self::$file = $file;
        add_filter('gettext_vintem-woocommerce', [Translations::class, 'translate'], 10, 2);
        add_action('before_woocommerce_init', [self::class, 'declareFeatures']);
        add_filter('woocommerce_payment_gateways', static fn(array $all): array => [...$all, Gateway::class]);
        add_action('woocommerce_blocks_payment_method_type_registration', [self::class, 'registerBlock']);
        add_action('woocommerce_api_' . Webhook::ENDPOINT, [Webhook::class, 'answer']);
        add_action('template_redirect', [PayerReturn::class, 'follow'], 5);
        add_action('woocommerce_order_status_cancelled', [Cancellation::class, 'cancelPayment']);
        add_filter('woocommerce_cancel_unpaid_order', [Cancellation::class, 'mayBeCanceled'], 10, 2);
        add_filter('pre_update_option_' . Settings::OPTION, [Settings::class, 'keepSecrets']);
        add_filter('plugin_action_links_' . plugin_basename($file), [self::class, 'addLinks']);
    }

    /** WooCommerce asks each plug-in whether it works with orders in tables of their own, and with the checkout block. */
    public static function declareFeatures(): void
    {
        foreach (['custom_order_tables', 'cart_checkout_blocks'] as $feature) {
            FeaturesUtil::declare_compatibility($feature, self::$file, true);
        }
    }

    public static function registerBlock(PaymentMethodRegistry $registry): void
    {
        $registry->register(new BlocksMethod());
    }

    /**
     * @param array<string> $links
     * @return array<string>
     */
    public static function addLinks(array $links): array
    {
        $url = admin_url('admin.php?page=wc-settings&tab=checkout&section=' . Gateway::ID);
        return ['<a href="' . esc_url($url) . '">' . esc_html__('Settings', 'vintem-woocommerce') . '</a>', ...$links];
    }

    /** The address of a file of the plug-in. */
    public static function url(string $path): string
    {
        return plugins_url($path, self::$file);
    }
}

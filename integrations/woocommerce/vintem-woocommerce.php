<?php
/**
 * Plugin Name: Vintem for WooCommerce
 * Description: Orders are paid on Vintem's hosted checkout, by every method that you have there. Signed webhooks, refunds, checkout block.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * WC requires at least: 7.8
 * WC tested up to: 11.0
 * License: MIT
 * Text Domain: vintem-woocommerce
 */

declare(strict_types=1);

use Vintem\WooCommerce\Plugin;

defined('ABSPATH') || exit;

spl_autoload_register(static function (string $class): void {
    $prefix = 'Vintem\\WooCommerce\\';
    if (!str_starts_with($class, $prefix)) {
        return;
    }
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
    if (is_file($file)) {
        require $file;
    }
});

Plugin::start(__FILE__);

<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** The payment method in the checkout block. */
final class BlocksMethod extends AbstractPaymentMethodType
{
    /** @var string */
    protected $name = Gateway::ID;

    public function initialize(): void
    {
    }

    public function is_active(): bool
    {
        return self::gateway()?->is_available() ?? false;
    }

    /** @return array<string> */
    public function get_payment_method_script_handles(): array
    {
        $needs = ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'];
        wp_register_script('vintem-blocks', Plugin::url('assets/blocks.js'), $needs, Plugin::VERSION, true);
        return ['vintem-blocks'];
    }

    /** @return array<string, mixed> */
    public function get_payment_method_data(): array
    {
        $gateway = self::gateway();
        return [
            'title' => $gateway?->get_title() ?? '',
            'description' => $gateway?->get_description() ?? '',
            'supports' => array_values(array_filter($gateway?->supports ?? [], static fn(string $feature): bool => $feature === 'products')),
        ];
    }

    private static function gateway(): ?Gateway
    {
        $gateway = WC()->payment_gateways()->payment_gateways()[Gateway::ID] ?? null;
        return $gateway instanceof Gateway ? $gateway : null;
    }
}

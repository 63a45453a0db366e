<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

/** The fields of the settings page. */
final class Fields
{
    /** @return array<string, array<string, mixed>> */
    public static function all(): array
    {
        return [
            'enabled' => [
                'title' => __('Enable', 'vintem-woocommerce'),
                'type' => 'checkbox',
                'label' => __('Offer Vintem at the checkout', 'vintem-woocommerce'),
                'default' => 'no',
            ],
            'title' => [
                'title' => __('Title', 'vintem-woocommerce'),
                'type' => 'text',
                'description' => __('What the customer chooses.', 'vintem-woocommerce'),
                'default' => __('Pix, card and more', 'vintem-woocommerce'),
                'desc_tip' => true,
            ],
            'description' => [
                'title' => __('Description', 'vintem-woocommerce'),
                'type' => 'textarea',
                'default' => __('You choose how to pay on the next page.', 'vintem-woocommerce'),
            ],
            'api_url' => [
                'title' => __('Address of the API', 'vintem-woocommerce'),
                'type' => 'text',
                'placeholder' => 'https://pay.example.com',
                'default' => '',
            ],
            'api_key' => [
                'title' => __('API key', 'vintem-woocommerce'),
                'type' => 'vintem_secret',
                'description' => __('With the permissions payments:read and payments:write.', 'vintem-woocommerce'),
                'default' => '',
            ],
            'webhook_secret' => [
                'title' => __('Webhook secret', 'vintem-woocommerce'),
                'type' => 'vintem_secret',
                /* translators: %s: address of the shop for webhooks */
                'description' => sprintf(__('Begins with whsec_. Both, separated by a space, while you rotate it. Events come to %s.', 'vintem-woocommerce'), '<code>' . esc_html(Webhook::url()) . '</code>'),
                'default' => '',
            ],
            'checkout' => [
                'title' => __('Checkout template', 'vintem-woocommerce'),
                'type' => 'text',
                'description' => __('The template of the page, as the dashboard calls it.', 'vintem-woocommerce'),
                'default' => 'default',
            ],
            'methods' => [
                'title' => __('Payment methods', 'vintem-woocommerce'),
                'type' => 'multiselect',
                'class' => 'wc-enhanced-select',
                'description' => __('None means all that the template offers.', 'vintem-woocommerce'),
                'options' => Settings::METHODS,
                'default' => [],
            ],
            'minutes_to_pay' => [
                'title' => __('Minutes to pay', 'vintem-woocommerce'),
                'type' => 'number',
                'description' => __('Empty: as long as the shop holds the stock, otherwise a day. A boleto and a bank transfer need days.', 'vintem-woocommerce'),
                'custom_attributes' => ['min' => '5', 'max' => '43200', 'step' => '1'],
                'default' => '',
            ],
            'paid_status' => [
                'title' => __('Status of a paid order', 'vintem-woocommerce'),
                'type' => 'select',
                'options' => [
                    '' => __('As WooCommerce decides', 'vintem-woocommerce'),
                    'processing' => __('Processing', 'vintem-woocommerce'),
                    'completed' => __('Completed', 'vintem-woocommerce'),
                ],
                'default' => '',
            ],
        ];
    }
}

<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use Exception;
use InvalidArgumentException;
use WC_Admin_Settings;
use WC_Order;
use WC_Payment_Gateway;
use WP_Error;

/** The payment method of WooCommerce. */
final class Gateway extends WC_Payment_Gateway
{
    public const ID = 'vintem';

    public function __construct()
    {
        $this->id = self::ID;
        $this->has_fields = false;
        $this->method_title = 'Vintem';
        $this->method_description = __('Your customers pay on the hosted checkout of your own Vintem.', 'vintem-woocommerce');
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title') ?: __('Pix, card and more', 'vintem-woocommerce');
        $this->description = $this->get_option('description');
        add_action('woocommerce_update_options_payment_gateways_' . self::ID, [$this, 'process_admin_options']);
        add_filter('woocommerce_payment_complete_order_status', [self::class, 'statusOncePaid'], 10, 3);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = Fields::all();
    }

    /** Without its settings it cannot take money, so the toggle in the list leads to them. */
    public function needs_setup(): bool
    {
        return !Settings::isComplete();
    }

    public function is_available(): bool
    {
        return parent::is_available()
            && Settings::isComplete()
            && Settings::isSafe(Webhook::url())
            && Money::takes(get_woocommerce_currency());
    }

    /**
     * @param int $order_id
     * @return array{result: string, redirect: string}
     */
    public function process_payment($order_id): array
    {
        try {
            return ['result' => 'success', 'redirect' => Payments::pageOf((int) $order_id)];
        } catch (Problem | InvalidArgumentException $fault) {
            Log::warn("order {$order_id} could not be paid: {$fault->getMessage()}");
            /* translators: %s: reason */
            wc_get_order($order_id)?->add_order_note(sprintf(__('The payment was rejected by Vintem: %s', 'vintem-woocommerce'), $fault->getMessage()));
            throw new Exception(esc_html__('This order cannot be paid this way. Choose another way to pay, or write to the shop.', 'vintem-woocommerce'));
        } catch (Unanswered $fault) {
            Log::warn("order {$order_id}: {$fault->getMessage()}");
            throw new Exception(esc_html__('The payment could not be started. Please try again in a moment.', 'vintem-woocommerce'));
        }
    }

    /**
     * @param int $order_id
     * @param string|float|null $amount
     * @param string $reason
     */
    public function process_refund($order_id, $amount = null, $reason = ''): bool|WP_Error
    {
        return Refunds::make((int) $order_id, $amount, (string) $reason);
    }

    /** @param WC_Order $order */
    public function can_refund_order($order): bool
    {
        return parent::can_refund_order($order) && $order->get_transaction_id() !== '';
    }

    public function process_admin_options(): bool
    {
        $saved = parent::process_admin_options();
        Connection::report();
        return $saved;
    }

    /** A field whose saved value is never sent to a page. */
    public function generate_vintem_secret_html(string $key, array $data): string
    {
        $saved = Settings::hasSecret($key) ? __('Saved. Type a new one to replace it.', 'vintem-woocommerce') : '';
        unset($this->settings[$key]);
        return $this->generate_text_html($key, ['type' => 'password', 'placeholder' => $saved] + $data);
    }

    public function validate_vintem_secret_field(string $key, mixed $value): string
    {
        $text = is_string($value) ? trim(wp_unslash($value)) : '';
        $secrets = preg_split('/[\s,]+/', $text, -1, PREG_SPLIT_NO_EMPTY) ?: [];
        if ($key === 'webhook_secret' && array_filter($secrets, static fn(string $each): bool => !Signature::isSecret($each)) !== []) {
            WC_Admin_Settings::add_error(__('A webhook secret begins with whsec_. It was not saved.', 'vintem-woocommerce'));
            return '';
        }
        return $text;
    }

    public function validate_api_url_field(string $key, mixed $value): string
    {
        $url = rtrim(esc_url_raw(is_string($value) ? trim($value) : ''), '/');
        if ($url !== '' && !Settings::isSafe($url)) {
            WC_Admin_Settings::add_error(__('The address of the API begins with https://. It was not saved.', 'vintem-woocommerce'));
            return Settings::apiUrl();
        }
        return $url;
    }

    public static function statusOncePaid(mixed $status, mixed $orderId, mixed $order = null): mixed
    {
        $isOurs = $order instanceof WC_Order && $order->get_payment_method() === self::ID;
        return $isOurs && Settings::paidStatus() !== '' ? Settings::paidStatus() : $status;
    }
}

<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use Throwable;
use WC_Order;

/** The payer is back from the page. That proves nothing, so the API is asked, and the page of the order shows what is true. */
final class PayerReturn
{
    private const CALL_SECONDS = 5;

    public static function follow(): void
    {
        if (!is_wc_endpoint_url('order-received')) {
            return;
        }
        $order = wc_get_order(absint(get_query_var('order-received')));
        $key = isset($_GET['key']) && is_string($_GET['key']) ? sanitize_text_field(wp_unslash($_GET['key'])) : '';
        if (!$order instanceof WC_Order || !hash_equals($order->get_order_key(), $key)) {
            return;
        }
        $paymentId = OrderRecord::of($order)->lastAttempt()['paymentId'] ?? null;
        if ($order->get_payment_method() !== Gateway::ID || $order->get_date_paid() !== null || $paymentId === null) {
            return;
        }
        try {
            OrderSync::follow($paymentId, Api::ofSettings(self::CALL_SECONDS), false);
        } catch (Throwable $fault) {
            // The webhook brings it.
            Log::warn("payment {$paymentId}: {$fault->getMessage()}");
        }
    }
}

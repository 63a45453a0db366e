<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use WC_Order;

/** An order that is cancelled can no longer be paid, and an order that can still be paid is not cancelled for lack of time. */
final class Cancellation
{
    private const OVER = ['PAID', 'EXPIRED', 'FAILED', 'CANCELED'];

    /** Cancels the open payment of an order that was cancelled. */
    public static function cancelPayment(int $orderId): void
    {
        if (wc_get_order($orderId)?->get_payment_method() !== Gateway::ID) {
            return;
        }
        OrderLock::with($orderId, static function (WC_Order $order): void {
            $record = OrderRecord::of($order);
            $id = $record->lastAttempt()['paymentId'] ?? null;
            if ($id === null || in_array($record->seenOf($id)['status'], self::OVER, true)) {
                return;
            }
            try {
                OrderSync::apply($order, $record, self::end(Api::ofSettings(), $id), isReplaced: true);
                $record->save();
            } catch (Problem | Unanswered $fault) {
                Log::warn("payment {$id} was not canceled: {$fault->getMessage()}");
                /* translators: %s: id of the payment */
                $order->add_order_note(sprintf(__('The payment %s could not be canceled and can still be paid: cancel it in Vintem.', 'vintem-woocommerce'), $id));
            }
        });
    }

    /** Whether WooCommerce may cancel an order that was not paid in time. */
    public static function mayBeCanceled(mixed $may, mixed $order): mixed
    {
        if (!$may || !$order instanceof WC_Order || $order->get_payment_method() !== Gateway::ID) {
            return $may;
        }
        $record = OrderRecord::of($order);
        $attempt = $record->lastAttempt();
        if (!isset($attempt['paymentId'], $attempt['expiresAt'])) {
            return $may;
        }
        $isOver = in_array($record->seenOf($attempt['paymentId'])['status'], self::OVER, true);
        return $isOver || strtotime($attempt['expiresAt']) <= time();
    }

    /**
     * Cancels a payment, or returns it as it is when it is over already.
     *
     * @return array<string, mixed>
     */
    public static function end(Api $api, string $id): array
    {
        try {
            return $api->cancelPayment($id);
        } catch (Problem $problem) {
            $payment = $api->payment($id);
            if (in_array($payment['status'], self::OVER, true)) {
                return $payment;
            }
            throw $problem;
        }
    }
}

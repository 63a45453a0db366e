<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use WC_Order;

/**
 * Carries what is true of a payment over to its order. The truth is what the API answers, never what an event says. Each version of a
 * payment counts once, and an older one never: so events may come late, twice and in any order.
 */
final class OrderSync
{
    /** What a person has to decide about, when the payment is complete. */
    private const TO_DECIDE = ['OVERPAID', 'LATE', 'DUPLICATE'];
    private const OVER = ['EXPIRED', 'FAILED', 'CANCELED'];
    /** Where nobody has sent anything yet, so that holding the order stops something. */
    private const CAN_BE_HELD = ['pending', 'failed', 'cancelled', 'processing', 'on-hold'];

    /**
     * Reads the payment, and carries it over to the order that it was made for. `$withMoneyBack`: its refunds and disputes too. Does nothing
     * about a payment that is not of an order of this shop.
     */
    public static function follow(string $paymentId, Api $api, bool $withMoneyBack): void
    {
        $payment = $api->payment($paymentId);
        $of = is_array($payment['metadata'] ?? null) ? $payment['metadata'] : [];
        if (($of['wooSite'] ?? null) !== Payments::site() || !is_int($of['wooOrderId'] ?? null) || !is_int($of['wooAttempt'] ?? null)) {
            return;
        }
        OrderLock::with($of['wooOrderId'], static function (WC_Order $order) use ($payment, $of, $api, $withMoneyBack): void {
            $record = OrderRecord::of($order);
            if (!$record->isOurs($of['wooAttempt'], $payment['id'], $payment['expiresAt'] ?? null)) {
                return;
            }
            self::apply($order, $record, $payment);
            if ($withMoneyBack) {
                MoneyBack::apply($order, $record, $payment['id'], $api);
            }
            $record->save();
        });
    }

    /**
     * For a caller that has locked the order, and saves the record. `$isReplaced`: the order's state is the caller's affair, and a payment
     * that ends unpaid does not change it.
     *
     * @param array<string, mixed> $payment
     */
    public static function apply(WC_Order $order, OrderRecord $record, array $payment, bool $isReplaced = false): void
    {
        $seen = $record->seenOf($payment['id']);
        if ($payment['version'] <= $seen['version']) {
            return;
        }
        $new = array_diff($payment['exceptions'], $seen['exceptions']);
        $isChanged = $payment['status'] !== $seen['status'];
        if ($isChanged && $payment['status'] === 'PAID') {
            self::paid($order, $payment);
        } elseif ($isChanged && $payment['status'] === 'APPROVED') {
            self::hold($order, __('The card was authorized, and the amount is not captured yet. Capture it in Vintem.', 'vintem-woocommerce'));
        } elseif ($isChanged && in_array($payment['status'], self::OVER, true) && !$isReplaced) {
            self::ended($order, $payment, ($record->lastAttempt()['paymentId'] ?? null) === $payment['id']);
        }
        foreach ($new as $exception) {
            self::hold($order, Notes::exception($exception, $payment));
        }
        $received = $payment['amountReceived'];
        if ($new === [] && $received > ($seen['received'] ?? 0) && in_array($payment['status'], self::OVER, true)) {
            self::hold($order, Notes::afterEnd($payment));
        }
        $record->see($payment['id'], [
            'version' => $payment['version'],
            'status' => $payment['status'],
            'exceptions' => $payment['exceptions'],
            'received' => $received,
        ]);
    }

    /**
     * Stops the order until a person has decided, and says why. What is completed or refunded stays as it is, with the note.
     */
    public static function hold(WC_Order $order, string $note): void
    {
        if ($order->has_status(self::CAN_BE_HELD) && !$order->has_status('on-hold')) {
            $order->update_status('on-hold', $note);
            return;
        }
        $order->add_order_note($note);
    }

    /** @param array<string, mixed> $payment */
    private static function paid(WC_Order $order, array $payment): void
    {
        $id = $payment['id'];
        if ($order->get_date_paid() !== null) {
            if ($order->get_transaction_id() !== $id) {
                self::hold($order, Notes::second($payment));
            }
            return;
        }
        $isWhole = $payment['currency'] === $order->get_currency()
            && $payment['amount'] === Money::toMinor($order->get_total('edit'), $order->get_currency());
        $toDecide = array_intersect(self::TO_DECIDE, $payment['exceptions']) !== [];
        if ($isWhole && !$toDecide && !$order->has_status('cancelled')) {
            self::setMethod($order);
            $order->payment_complete($id);
        }
        if ($order->get_date_paid() !== null) {
            return;
        }
        self::setMethod($order);
        $order->set_transaction_id($id);
        $order->set_date_paid(time());
        self::hold($order, $isWhole ? Notes::paidButHeld($payment) : Notes::otherAmount($payment));
        $order->save();
    }

    /** The customer may have chosen another method meanwhile. Refunds go by the one that was used. */
    private static function setMethod(WC_Order $order): void
    {
        if ($order->get_payment_method() !== Gateway::ID || $order->get_payment_method_title() === '') {
            $order->set_payment_method(WC()->payment_gateways()->payment_gateways()[Gateway::ID]);
        }
    }

    /** @param array<string, mixed> $payment */
    private static function ended(WC_Order $order, array $payment, bool $isLast): void
    {
        if (!$isLast || $payment['amountReceived'] > 0 || $order->get_date_paid() !== null || !$order->has_status('pending')) {
            return;
        }
        $order->update_status($payment['status'] === 'CANCELED' ? 'cancelled' : 'failed', Notes::ended($payment));
    }
}

<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use InvalidArgumentException;
use WC_Order;
use WP_Error;

/**
 * Refunds that WooCommerce asks for. WooCommerce deletes its record of a refund that did not succeed, and asks again as for another one. So each
 * refund is stored with its key before its call, and one whose answer was lost is settled, by the same key, before any other is made.
 */
final class Refunds
{
    public static function make(int $orderId, mixed $amount, string $reason): bool|WP_Error
    {
        try {
            return OrderLock::with($orderId, static fn(WC_Order $order): bool => self::locked($order, $amount, $reason));
        } catch (Problem $problem) {
            return new WP_Error('vintem_' . $problem->problem, $problem->getMessage());
        } catch (InvalidArgumentException | RefusedRefund $fault) {
            return new WP_Error('vintem_refused', $fault->getMessage());
        } catch (Unanswered $fault) {
            Log::warn("refund of order {$orderId}: {$fault->getMessage()}");
            return new WP_Error('vintem_unanswered', __('Vintem did not answer, so the refund may have been made. Refund the same amount again: it is never made twice.', 'vintem-woocommerce'));
        }
    }

    private static function locked(WC_Order $order, mixed $amount, string $reason): bool
    {
        $paymentId = $order->get_transaction_id();
        if ($paymentId === '') {
            throw new RefusedRefund(__('The order was not paid by Vintem.', 'vintem-woocommerce'));
        }
        $wanted = Money::toMinor($amount ?? $order->get_remaining_refund_amount(), $order->get_currency());
        if ($wanted <= 0) {
            throw new RefusedRefund(__('The amount must be above zero.', 'vintem-woocommerce'));
        }
        $record = OrderRecord::of($order);
        $api = Api::ofSettings();
        if (self::settleLost($order, $record, $api, $wanted)) {
            return true;
        }
        $refund = $record->addRefund($paymentId, $wanted, mb_substr(trim($reason), 0, 140));
        $record->save();
        $made = self::send($order, $record, $api, $refund);
        $order->add_order_note(Notes::refund($made));
        return true;
    }

    /**
     * Learns the end of a refund whose answer was lost. Returns whether it is the wanted one, which WooCommerce then records. One of another
     * amount has to be recorded first.
     */
    private static function settleLost(WC_Order $order, OrderRecord $record, Api $api, int $wanted): bool
    {
        foreach ($record->refunds() as $asked) {
            if ($asked['state'] === RefundState::OPEN) {
                try {
                    self::send($order, $record, $api, $asked);
                } catch (Problem) {
                    // It was never made, and is not to be made now.
                    continue;
                }
                $record->endRefund($asked['n'], RefundState::UNRECORDED);
                $record->save();
            } elseif ($asked['state'] !== RefundState::UNRECORDED) {
                continue;
            }
            if ($asked['amount'] !== $wanted) {
                $sum = Money::toDecimal($asked['amount'], $order->get_currency());
                /* translators: %s: amount */
                throw new RefusedRefund(sprintf(__('An earlier refund of %1$s was made whose answer was lost. Refund %1$s first: no money moves again, and WooCommerce records it.', 'vintem-woocommerce'), $sum));
            }
            $record->endRefund($asked['n'], RefundState::MADE);
            $record->save();
            return true;
        }
        return false;
    }

    /**
     * @param array{n: int, paymentId: string, amount: int, reason: string} $refund
     * @return array<string, mixed>
     */
    private static function send(WC_Order $order, OrderRecord $record, Api $api, array $refund): array
    {
        $key = $record->key('refund', $refund['n']);
        $body = [
            'amount' => $refund['amount'],
            ...($refund['reason'] === '' ? [] : ['reason' => $refund['reason']]),
            'metadata' => [MoneyBack::REFUND_KEY => $key, 'wooOrderId' => $order->get_id()],
        ];
        try {
            $made = $api->refund($refund['paymentId'], $body, $key);
        } catch (Problem $problem) {
            $record->endRefund($refund['n'], RefundState::REFUSED);
            $record->save();
            throw $problem;
        }
        $record->endRefund($refund['n'], RefundState::MADE, $made['id']);
        $seen = $record->seenOf($refund['paymentId']);
        $record->see($refund['paymentId'], ['refunds' => $seen['refunds'] + [$made['id'] => $made['status']]]);
        $record->save();
        return $made;
    }
}

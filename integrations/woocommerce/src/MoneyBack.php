<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use WC_Order;

/** Refunds and disputes of a payment, also those that began elsewhere: each step is one note of the order. */
final class MoneyBack
{
    public const REFUND_KEY = 'wooRefund';

    /** For a caller that has locked the order, and saves the record. */
    public static function apply(WC_Order $order, OrderRecord $record, string $paymentId, Api $api): void
    {
        $seen = $record->seenOf($paymentId);
        foreach (array_reverse($api->refundsOf($paymentId)) as $refund) {
            $before = $seen['refunds'][$refund['id']] ?? null;
            if ($before === null) {
                self::meet($order, $record, $refund);
            }
            if ($before !== $refund['status'] && ($before !== null || $refund['status'] !== 'PENDING')) {
                $order->add_order_note(Notes::refund($refund));
            }
            $seen['refunds'][$refund['id']] = $refund['status'];
        }
        foreach (array_reverse($api->disputesOf($paymentId)) as $dispute) {
            if (($seen['disputes'][$dispute['id']] ?? null) === $dispute['status']) {
                continue;
            }
            $note = Notes::dispute($dispute);
            $dispute['status'] === 'OPEN' ? OrderSync::hold($order, $note) : $order->add_order_note($note);
            $seen['disputes'][$dispute['id']] = $dispute['status'];
        }
        $record->see($paymentId, $seen);
    }

    /**
     * A refund that is seen for the first time: one of ours whose answer was lost, or one that began elsewhere.
     *
     * @param array<string, mixed> $refund
     */
    private static function meet(WC_Order $order, OrderRecord $record, array $refund): void
    {
        foreach ($record->refunds() as $asked) {
            if (($refund['metadata'][self::REFUND_KEY] ?? null) !== $record->key('refund', $asked['n'])) {
                continue;
            }
            if ($asked['state'] === RefundState::OPEN) {
                $record->endRefund($asked['n'], RefundState::UNRECORDED, $refund['id']);
                $order->add_order_note(Notes::unrecorded($refund));
            }
            return;
        }
        $order->add_order_note(Notes::foreignRefund($refund));
    }
}

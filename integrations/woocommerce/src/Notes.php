<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

/** The notes that the shop's people read in an order. */
final class Notes
{
    /** @param array<string, mixed> $payment */
    public static function exception(string $exception, array $payment): string
    {
        $arrived = Money::show($payment['amountReceived'], $payment['currency']);
        $due = Money::show($payment['amount'], $payment['currency']);
        return match ($exception) {
            /* translators: 1: amount that arrived, 2: amount of the order */
            'UNDERPAID' => sprintf(__('Underpaid: %1$s of %2$s arrived. Do not send the goods. The payer can pay the rest on the same page.', 'vintem-woocommerce'), $arrived, $due),
            /* translators: 1: amount that arrived, 2: amount of the order */
            'OVERPAID' => sprintf(__('Overpaid: %1$s arrived for %2$s. Refund the difference in Vintem, then go on with the order.', 'vintem-woocommerce'), $arrived, $due),
            'LATE' => __('Paid late: money arrived after the time to pay was over. Check the stock, then go on with the order or refund it.', 'vintem-woocommerce'),
            /* translators: 1: amount that arrived in all, 2: amount of the order */
            'DUPLICATE' => sprintf(__('Paid again after it was paid: %1$s arrived in all for %2$s. Refund the rest in Vintem, then go on with the order.', 'vintem-woocommerce'), $arrived, $due),
            /* translators: %s: name of an exception, such as OVERPAID */
            default => sprintf(__('Something is unusual about the money of this payment: %s. See it in Vintem.', 'vintem-woocommerce'), $exception),
        };
    }

    /** @param array<string, mixed> $payment */
    public static function afterEnd(array $payment): string
    {
        /* translators: 1: amount, 2: id of the payment */
        return sprintf(__('%1$s arrived for the payment %2$s after it had ended. Refund it in Vintem, or take it for the order.', 'vintem-woocommerce'), Money::show($payment['amountReceived'], $payment['currency']), $payment['id']);
    }

    /** @param array<string, mixed> $payment */
    public static function second(array $payment): string
    {
        /* translators: 1: amount, 2: id of the payment */
        return sprintf(__('The order was paid already, and now a second time: %1$s by the payment %2$s. Refund one of the two in Vintem.', 'vintem-woocommerce'), Money::show($payment['amountReceived'], $payment['currency']), $payment['id']);
    }

    /** @param array<string, mixed> $payment */
    public static function paidButHeld(array $payment): string
    {
        /* translators: 1: amount, 2: id of the payment */
        return sprintf(__('Paid: %1$s by the payment %2$s. The order waits, because somebody has to look at it first.', 'vintem-woocommerce'), Money::show($payment['amountReceived'], $payment['currency']), $payment['id']);
    }

    /** @param array<string, mixed> $payment */
    public static function otherAmount(array $payment): string
    {
        /* translators: 1: amount, 2: id of the payment */
        return sprintf(__('Paid: %1$s by the payment %2$s, but the order now has another total. Compare them before you send the goods.', 'vintem-woocommerce'), Money::show($payment['amountReceived'], $payment['currency']), $payment['id']);
    }

    /** @param array<string, mixed> $payment */
    public static function ended(array $payment): string
    {
        return match ($payment['status']) {
            'EXPIRED' => __('The time to pay is over. The payer can start again from the order.', 'vintem-woocommerce'),
            'CANCELED' => __('The payment was canceled.', 'vintem-woocommerce'),
            default => __('The payment failed. The payer can start again from the order.', 'vintem-woocommerce'),
        };
    }

    /** @param array<string, mixed> $refund */
    public static function refund(array $refund): string
    {
        $amount = Money::show($refund['amount'], $refund['currency']);
        if ($refund['status'] === 'FAILED') {
            /* translators: 1: amount, 2: id of the refund, 3: reason */
            return sprintf(__('The refund of %1$s (%2$s) failed: %3$s The money is still with you. Delete the refund here, and refund again.', 'vintem-woocommerce'), $amount, $refund['id'], $refund['failureMessage'] ?? $refund['failureCode'] ?? '');
        }
        if ($refund['status'] === 'COMPLETED') {
            /* translators: 1: amount, 2: id of the refund */
            return sprintf(__('The refund of %1$s (%2$s) has reached the payer.', 'vintem-woocommerce'), $amount, $refund['id']);
        }
        return ($refund['approvalRequired'] ?? false) === true
            /* translators: 1: amount, 2: id of the refund */
            ? sprintf(__('The refund of %1$s (%2$s) waits for the approval of a second person in Vintem.', 'vintem-woocommerce'), $amount, $refund['id'])
            /* translators: 1: amount, 2: id of the refund */
            : sprintf(__('The refund of %1$s (%2$s) is on its way.', 'vintem-woocommerce'), $amount, $refund['id']);
    }

    /** @param array<string, mixed> $refund */
    public static function foreignRefund(array $refund): string
    {
        /* translators: 1: amount, 2: id of the refund */
        return sprintf(__('A refund of %1$s (%2$s) was made outside of WooCommerce. Record it here with "Refund manually".', 'vintem-woocommerce'), Money::show($refund['amount'], $refund['currency']), $refund['id']);
    }

    /** @param array<string, mixed> $refund */
    public static function unrecorded(array $refund): string
    {
        /* translators: 1: amount, 2: id of the refund */
        return sprintf(__('A refund of %1$s (%2$s) whose answer was lost has been made. Refund the same amount here: no money moves again, and WooCommerce records it.', 'vintem-woocommerce'), Money::show($refund['amount'], $refund['currency']), $refund['id']);
    }

    /** @param array<string, mixed> $dispute */
    public static function dispute(array $dispute): string
    {
        $amount = Money::show($dispute['amount'], $dispute['currency']);
        return match ($dispute['status']) {
            /* translators: 1: amount, 2: id of the dispute, 3: reason, 4: date */
            'OPEN' => sprintf(__('The payer disputes %1$s (%2$s). Reason: %3$s. Evidence is due by %4$s, in Vintem.', 'vintem-woocommerce'), $amount, $dispute['id'], $dispute['reason'] ?? '—', $dispute['evidenceDueAt'] ?? '—'),
            /* translators: 1: amount, 2: id of the dispute */
            'WON' => sprintf(__('The dispute about %1$s (%2$s) is won: the money is yours again.', 'vintem-woocommerce'), $amount, $dispute['id']),
            /* translators: 1: amount, 2: id of the dispute */
            default => sprintf(__('The dispute about %1$s (%2$s) is lost: the money is with the payer.', 'vintem-woocommerce'), $amount, $dispute['id']),
        };
    }
}

<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use WC_Order;

/** The payment of an order: one at a time, made once, also when an answer is lost. */
final class Payments
{
    private const OPEN = ['PENDING', 'WAITING_PAYMENT'];

    /** Where to send the payer: to the page of the order's payment, or to the order when it is paid already. */
    public static function pageOf(int $orderId): string
    {
        return OrderLock::with($orderId, static function (WC_Order $order): string {
            $record = OrderRecord::of($order);
            $api = Api::ofSettings();
            $body = PaymentBody::of($order);
            $hash = hash('sha256', Json::write($body));
            $last = $record->lastAttempt();
            if (isset($last['paymentId'])) {
                $page = self::resume($order, $record, $api, $last['paymentId'], $last['hash'] === $hash);
                if ($page !== null) {
                    return $page;
                }
                $last = null;
            }
            // An attempt whose answer was lost is sent again, unless the order has changed: then nobody has its page.
            $attempt = $last !== null && $last['hash'] === $hash ? $last : $record->addAttempt($hash);
            $record->save();
            $body['metadata'] = self::metadata($order, $attempt['n']);
            $payment = self::create($api, $body, $record->key('pay', $attempt['n']));
            $record->isOurs($attempt['n'], (string) $payment['id'], $payment['expiresAt'] ?? null);
            $record->save();
            return self::url($payment);
        });
    }

    /** The page of a payment that can still be paid; null when another one is needed. */
    private static function resume(WC_Order $order, OrderRecord $record, Api $api, string $id, bool $isSame): ?string
    {
        try {
            $payment = $api->payment($id);
        } catch (Problem $problem) {
            if ($problem->status === 404) {
                return null;
            }
            throw $problem;
        }
        $isOpen = in_array($payment['status'], self::OPEN, true);
        if ($isOpen && !$isSame && $payment['amountReceived'] === 0) {
            $payment = Cancellation::end($api, $id);
            $isOpen = false;
        }
        OrderSync::apply($order, $record, $payment, isReplaced: true);
        $record->save();
        if ($isOpen) {
            return self::url($payment);
        }
        return $order->get_date_paid() !== null ? $order->get_checkout_order_received_url() : null;
    }

    /**
     * What the form would ask for anyway must not lose the sale: a refused field of the payer is left out.
     *
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    private static function create(Api $api, array $body, string $key): array
    {
        try {
            return $api->createPayment($body, $key);
        } catch (Problem $problem) {
            $refused = [];
            foreach ($problem->pointers as $pointer) {
                $refused[] = explode('/', ltrim($pointer, '/'))[0];
            }
            $ofPayer = array_filter($refused, static fn(string $field): bool => str_starts_with($field, 'customer'));
            if ($refused === [] || $ofPayer !== $refused) {
                throw $problem;
            }
            return $api->createPayment(array_diff_key($body, array_flip($refused)), $key);
        }
    }

    /**
     * How a webhook's payment finds its order.
     *
     * @return array<string, string|int>
     */
    private static function metadata(WC_Order $order, int $attempt): array
    {
        return [
            'wooOrderId' => $order->get_id(),
            'wooOrderNumber' => (string) $order->get_order_number(),
            'wooSite' => self::site(),
            'wooAttempt' => $attempt,
        ];
    }

    /** This shop, told apart from others of the same merchant. */
    public static function site(): string
    {
        return (string) get_option('home');
    }

    /** @param array<string, mixed> $payment */
    private static function url(array $payment): string
    {
        $url = $payment['checkoutUrl'] ?? null;
        if (!is_string($url)) {
            throw new Unanswered('the payment has no page');
        }
        return $url;
    }
}

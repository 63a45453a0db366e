<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use WC_Order;

/** The body that creates the payment of an order. The same order gives the same body. */
final class PaymentBody
{
    private const ITEMS_BYTES = 15_000;

    /** @return array<string, mixed> */
    public static function of(WC_Order $order): array
    {
        $currency = $order->get_currency();
        $amount = Money::toMinor($order->get_total('edit'), $currency);
        $methods = Settings::methods();
        $items = self::items($order, $amount, $currency);
        return [
            'amount' => $amount,
            'currency' => $currency,
            'checkout' => Settings::checkout(),
            ...($methods === [] ? [] : ['paymentMethods' => $methods]),
            'expiresIn' => Settings::secondsToPay(),
            /* translators: 1: number of the order, 2: name of the shop */
            'description' => self::cut(sprintf(__('Order %1$s, %2$s', 'vintem-woocommerce'), $order->get_order_number(), get_bloginfo('name')), 140),
            'webhookUrl' => Webhook::url(),
            ...self::pages($order),
            ...($items === [] ? [] : ['items' => $items]),
            ...Payer::of($order),
        ];
    }

    /** @return array<string, string> */
    private static function pages(WC_Order $order): array
    {
        $pages = [
            'returnUrl' => esc_url_raw($order->get_checkout_order_received_url()),
            // There the payer finds the order, and comes to the same page again.
            'cancelUrl' => esc_url_raw($order->get_checkout_payment_url()),
        ];
        return array_filter($pages, static fn(string $url): bool => Settings::isSafe($url));
    }

    /**
     * What the payer reads. None where they would not add up to the amount, which the API refuses.
     *
     * @return list<array{name: string, quantity: int, amount: int}>
     */
    private static function items(WC_Order $order, int $amount, string $currency): array
    {
        $items = [];
        $sum = 0;
        foreach ($order->get_items(['line_item', 'shipping', 'fee']) as $item) {
            $total = self::withTax($item->get_total(), $item->get_total_tax(), $currency);
            $quantity = (int) $item->get_quantity();
            $divides = $quantity > 0 && $quantity <= 1_000_000 && $total % $quantity === 0 && (string) $quantity === (string) $item->get_quantity();
            $name = $item->get_name() . ($divides || $quantity === 1 ? '' : ' × ' . $item->get_quantity());
            $items[] = ['name' => self::line($name), 'quantity' => $divides ? $quantity : 1, 'amount' => $divides ? intdiv($total, $quantity) : $total];
            $sum += $total;
        }
        $fits = $sum === $amount && strlen(Json::write($items)) <= self::ITEMS_BYTES;
        return $fits && !in_array('', array_column($items, 'name'), true) ? $items : [];
    }

    private static function withTax(mixed $total, mixed $tax, string $currency): int
    {
        return Money::toMinor($total === '' ? '0' : $total, $currency) + Money::toMinor($tax === '' ? '0' : $tax, $currency);
    }

    private static function line(string $name): string
    {
        return self::cut(trim((string) preg_replace('/[\x00-\x1f\x7f]|\xc2[\x80-\x9f]/', ' ', wp_strip_all_tags($name))), 120);
    }

    private static function cut(string $text, int $length): string
    {
        return mb_substr($text, 0, $length);
    }
}

<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use WC_Data_Store;
use WC_Order;

/** One request at a time works on an order: a webhook, a payer who is back and an administrator may come at the same moment. */
final class OrderLock
{
    private const WAIT_SECONDS = 10;

    /**
     * Runs the work with the order as it is in the database now. The lock ends with the connection, so a process that dies leaves none. The
     * same request may take it again.
     *
     * @template Result
     * @param callable(WC_Order): Result $work
     * @return Result
     */
    public static function with(int $orderId, callable $work): mixed
    {
        global $wpdb;
        $name = 'vintem_' . substr(hash('sha256', DB_NAME . '|' . $wpdb->prefix . '|' . $orderId), 0, 40);
        $held = $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $name, self::WAIT_SECONDS));
        if ((string) $held !== '1') {
            throw new Unanswered("another request still works on order {$orderId}");
        }
        try {
            return $work(self::read($orderId));
        } finally {
            $wpdb->query($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $name));
        }
    }

    private static function read(int $orderId): WC_Order
    {
        clean_post_cache($orderId);
        // Of orders in tables of their own. Other stores have no such method, and the call does nothing.
        WC_Data_Store::load('order')->clear_cached_data([$orderId]);
        $order = wc_get_order($orderId);
        if (!$order instanceof WC_Order) {
            throw new UnknownOrder("there is no order {$orderId}");
        }
        $order->read_meta_data(true);
        return $order;
    }
}

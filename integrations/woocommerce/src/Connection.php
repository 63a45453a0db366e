<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use WC_Admin_Settings;

/** What the administrator reads after saving: whether the key works, and what it is of. */
final class Connection
{
    private const SCOPES = ['payments:read', 'payments:write'];

    public static function report(): void
    {
        if (!Settings::isSafe(Webhook::url())) {
            WC_Admin_Settings::add_error(__('Vintem sends events to https addresses only. Until the shop has one, nobody can pay this way.', 'vintem-woocommerce'));
        }
        if (!Money::takes(get_woocommerce_currency())) {
            /* translators: %s: list of currencies */
            WC_Admin_Settings::add_error(sprintf(__('Vintem takes %s. In another currency nobody can pay this way.', 'vintem-woocommerce'), implode(', ', Money::currencies())));
        }
        if (!Settings::isComplete()) {
            WC_Admin_Settings::add_error(__('The address of the API, the key and the webhook secret are all needed.', 'vintem-woocommerce'));
            return;
        }
        try {
            $me = Api::ofSettings()->me();
        } catch (Problem $problem) {
            /* translators: %s: reason */
            WC_Admin_Settings::add_error(sprintf(__('Vintem rejects the key: %s', 'vintem-woocommerce'), $problem->getMessage()));
            return;
        } catch (Unanswered) {
            WC_Admin_Settings::add_error(__('Vintem did not answer at the address of the API.', 'vintem-woocommerce'));
            return;
        }
        $missing = array_diff(self::SCOPES, $me['key']['scopes'] ?? []);
        if ($missing !== []) {
            /* translators: %s: list of scopes */
            WC_Admin_Settings::add_error(sprintf(__('The key lacks %s.', 'vintem-woocommerce'), implode(', ', $missing)));
            return;
        }
        $mode = $me['merchant']['mode'] ?? '';
        /* translators: %s: name of the merchant */
        $text = $mode === 'SANDBOX' ? __('Connected to %s, in a sandbox: no real money moves.', 'vintem-woocommerce') : __('Connected to %s.', 'vintem-woocommerce');
        WC_Admin_Settings::add_message(sprintf($text, $me['merchant']['name'] ?? ''));
    }
}

<?php
/** Deletes the settings and the key. Orders, their notes and what is stored with them stay: they are the shop's books. */

declare(strict_types=1);

defined('WP_UNINSTALL_PLUGIN') || exit;

delete_option('woocommerce_vintem_settings');
delete_option('vintem_woocommerce_secrets');

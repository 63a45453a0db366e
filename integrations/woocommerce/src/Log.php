<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

/** WooCommerce → Status → Logs, source `vintem`. Ids and reasons only: never a key, a secret, a body or who the payer is. */
final class Log
{
    public static function warn(string $message): void
    {
        wc_get_logger()->warning($message, ['source' => 'vintem']);
    }
}

<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use RuntimeException;

/** The API refused a call: nothing happened, and the key of the call is free. */
final class Problem extends RuntimeException
{
    /** @param list<string> $pointers the fields that were refused, as JSON pointers */
    public function __construct(
        public readonly int $status,
        public readonly string $problem,
        string $detail,
        public readonly array $pointers = [],
    ) {
        parent::__construct($detail);
    }
}

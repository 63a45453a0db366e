<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

/** How far a refund that WooCommerce asked for has come. */
final class RefundState
{
    /** Its call is under way, or its answer was lost. */
    public const OPEN = 'open';
    /** Vintem has it, and WooCommerce has it on record. */
    public const MADE = 'made';
    /** Vintem has it, and WooCommerce deleted its record because the answer was lost. */
    public const UNRECORDED = 'unrecorded';
    public const REFUSED = 'refused';
}

<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use RuntimeException;

/** A refund that is not asked for, with the reason for the administrator. */
final class RefusedRefund extends RuntimeException
{
}

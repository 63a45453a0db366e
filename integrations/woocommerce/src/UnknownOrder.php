<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use RuntimeException;

/** The shop has no such order, or it was deleted. */
final class UnknownOrder extends RuntimeException
{
}

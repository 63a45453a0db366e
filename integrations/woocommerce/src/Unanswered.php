<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use RuntimeException;

/** A call without an answer that says what happened. It may have been carried out: it is sent again with the same key, never with another. */
final class Unanswered extends RuntimeException
{
}

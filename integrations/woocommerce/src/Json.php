<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

/** JSON that this plug-in writes and reads: objects only. */
final class Json
{
    /** @param array<mixed> $value */
    public static function write(array $value): string
    {
        return json_encode(
            $value,
            JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE,
        );
    }

    /** @return array<string, mixed>|null null for what is no object */
    public static function read(string $text): ?array
    {
        $value = json_decode($text, true, 64);
        return is_array($value) && ($value === [] || !array_is_list($value)) ? $value : null;
    }
}

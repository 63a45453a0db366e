<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use InvalidArgumentException;

/** WooCommerce counts in decimals of the currency, Vintem in integers of minor units. Between them is text, never arithmetic on floats. */
final class Money
{
    /** How many decimals a currency has in Vintem's amounts. */
    private const EXPONENTS = ['BRL' => 2, 'EUR' => 2, 'USD' => 2, 'USDT' => 2];

    /** The largest integer that JSON holds exactly in every language. */
    private const MOST = 9_007_199_254_740_991;

    public static function takes(string $currency): bool
    {
        return isset(self::EXPONENTS[$currency]);
    }

    /** @return list<string> */
    public static function currencies(): array
    {
        return array_keys(self::EXPONENTS);
    }

    /**
     * An amount of WooCommerce in minor units. More decimals than the currency has, such as of taxes, are rounded half away from zero. The
     * amount may be below zero, as a discount is. Throws for what is no amount, or for more than the API takes.
     */
    public static function toMinor(mixed $amount, string $currency): int
    {
        $text = self::textOf($amount);
        if (preg_match('/^(-?)(\d+)(?:\.(\d*))?$/', $text, $parts) !== 1) {
            throw new InvalidArgumentException("{$text} is no amount");
        }
        $exponent = self::exponent($currency);
        $fraction = str_pad($parts[3] ?? '', $exponent + 1, '0');
        $digits = ltrim($parts[2] . substr($fraction, 0, $exponent), '0');
        if (strlen($digits) > strlen((string) self::MOST)) {
            throw new InvalidArgumentException("{$text} {$currency} is too much");
        }
        $minor = (int) $digits + ($fraction[$exponent] >= '5' ? 1 : 0);
        if ($minor > self::MOST) {
            throw new InvalidArgumentException("{$text} {$currency} is too much");
        }
        return $parts[1] === '-' ? -$minor : $minor;
    }

    /** 4990 of BRL is `49.90`. */
    public static function toDecimal(int $minor, string $currency): string
    {
        $exponent = self::exponent($currency);
        $digits = str_pad(ltrim((string) $minor, '-'), $exponent + 1, '0', STR_PAD_LEFT);
        $sign = $minor < 0 ? '-' : '';
        $whole = substr($digits, 0, strlen($digits) - $exponent);
        return $sign . $whole . ($exponent === 0 ? '' : '.' . substr($digits, -$exponent));
    }

    /** For people: `BRL 49.90`, and the other way round where the currency is unknown here. */
    public static function show(int $minor, string $currency): string
    {
        return self::takes($currency) ? $currency . ' ' . self::toDecimal($minor, $currency) : "{$minor} {$currency}";
    }

    private static function exponent(string $currency): int
    {
        return self::EXPONENTS[$currency] ?? throw new InvalidArgumentException("Vintem does not take {$currency}");
    }

    /** A number of an extension is read by its shortest text, which is what somebody wrote: 0.29 is `0.29`. */
    private static function textOf(mixed $amount): string
    {
        if (is_string($amount) || is_int($amount)) {
            return trim((string) $amount);
        }
        return is_float($amount) ? var_export($amount, true) : get_debug_type($amount);
    }
}

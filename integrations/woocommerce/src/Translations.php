<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

/** The plug-in's own texts in Portuguese and Spanish. A translation that WordPress has already found, such as one of the shop, stays. */
final class Translations
{
    private const FILES = ['pt' => 'pt_BR', 'es' => 'es_ES'];

    /** @var array<string, array<string, string>> */
    private static array $loaded = [];

    public static function translate(string $translation, string $text): string
    {
        if ($translation !== $text) {
            return $translation;
        }
        return self::of(substr(determine_locale(), 0, 2))[$text] ?? $text;
    }

    /** @return array<string, string> */
    private static function of(string $language): array
    {
        if (!isset(self::FILES[$language])) {
            return [];
        }
        return self::$loaded[$language] ??= require dirname(__DIR__) . '/languages/' . self::FILES[$language] . '.php';
    }
}

<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

/** Signatures of webhooks, by Standard Webhooks 1.0.0. */
final class Signature
{
    private const TOLERANCE_SECONDS = 300;

    /**
     * Whether one of the secrets signed these bytes at a time near `$now`.
     *
     * @param array<string, string> $headers by their names in small letters
     * @param list<string> $secrets `whsec_…`
     */
    public static function holds(string $body, array $headers, array $secrets, int $now): bool
    {
        $id = $headers['webhook-id'] ?? '';
        $timestamp = $headers['webhook-timestamp'] ?? '';
        if ($id === '' || preg_match('/^\d{1,12}$/', $timestamp) !== 1) {
            return false;
        }
        if (abs($now - (int) $timestamp) > self::TOLERANCE_SECONDS) {
            return false;
        }
        $given = explode(' ', $headers['webhook-signature'] ?? '');
        foreach (self::keysOf($secrets) as $key) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "{$id}.{$timestamp}.{$body}", $key, true));
            foreach ($given as $signature) {
                if (hash_equals($expected, $signature)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether this text is a secret that a webhook can be signed with. */
    public static function isSecret(string $secret): bool
    {
        return self::keysOf([$secret]) !== [];
    }

    /**
     * @param list<string> $secrets
     * @return list<string>
     */
    private static function keysOf(array $secrets): array
    {
        $keys = [];
        foreach ($secrets as $secret) {
            $key = base64_decode(str_starts_with($secret, 'whsec_') ? substr($secret, strlen('whsec_')) : $secret, true);
            if (is_string($key) && strlen($key) >= 16) {
                $keys[] = $key;
            }
        }
        return $keys;
    }
}

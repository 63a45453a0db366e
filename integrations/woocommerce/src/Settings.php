<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

/**
 * What the shop has set. The key and the webhook secret stand in an option of their own, which no page and no API shows. Constants in
 * wp-config.php come before both.
 */
final class Settings
{
    public const OPTION = 'woocommerce_vintem_settings';
    private const SECRETS = 'vintem_woocommerce_secrets';
    private const SECRET_FIELDS = ['api_key', 'webhook_secret'];

    /** The methods that a shop can offer, with what the payer knows them by. */
    public const METHODS = [
        'PIX' => 'Pix',
        'CREDIT_CARD' => 'Card',
        'BOLETO' => 'Boleto',
        'CRYPTO' => 'USDT',
        'SEPA_TRANSFER' => 'SEPA',
        'MULTIBANCO' => 'Multibanco',
        'MB_WAY' => 'MB WAY',
        'IDEAL' => 'iDEAL',
        'BANCONTACT' => 'Bancontact',
        'BIZUM' => 'Bizum',
        'PARTNER_PAY' => 'Partner Pay',
    ];

    public static function apiUrl(): string
    {
        return rtrim(self::constant('VINTEM_API_URL') ?? self::text('api_url'), '/');
    }

    public static function apiKey(): string
    {
        return self::constant('VINTEM_API_KEY') ?? self::secret('api_key');
    }

    /** @return list<string> more than one while it is rolled */
    public static function webhookSecrets(): array
    {
        $text = self::constant('VINTEM_WEBHOOK_SECRET') ?? self::secret('webhook_secret');
        return preg_split('/[\s,]+/', $text, -1, PREG_SPLIT_NO_EMPTY) ?: [];
    }

    public static function checkout(): string
    {
        return self::text('checkout') ?: 'default';
    }

    /** @return list<string> none means all of the template */
    public static function methods(): array
    {
        $chosen = self::all()['methods'] ?? [];
        return array_values(array_intersect(array_keys(self::METHODS), is_array($chosen) ? $chosen : []));
    }

    /** `processing` or `completed`; an empty text leaves it to WooCommerce. */
    public static function paidStatus(): string
    {
        return self::text('paid_status');
    }

    /** How long the payer has: as long as the shop holds the stock, otherwise a day. */
    public static function secondsToPay(): int
    {
        $minutes = (int) self::text('minutes_to_pay');
        $held = 'yes' === get_option('woocommerce_manage_stock') ? (int) get_option('woocommerce_hold_stock_minutes') : 0;
        $seconds = 60 * ($minutes ?: $held);
        return $seconds === 0 ? 86_400 : max(300, min($seconds, 2_592_000));
    }

    public static function isComplete(): bool
    {
        return self::isSafe(self::apiUrl()) && self::apiKey() !== '' && self::webhookSecrets() !== [];
    }

    /** Whether an address may carry a key or an event: https, or this machine. */
    public static function isSafe(string $url): bool
    {
        return preg_match('#^(https://[^/]+|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)(/|\?|$)#', $url) === 1;
    }

    /** Whether a value was saved, for a field whose value is never shown. */
    public static function hasSecret(string $field): bool
    {
        return self::secret($field) !== '';
    }

    /**
     * Takes the secrets out of what is about to be stored, whichever page or API asks for it. An empty field keeps the saved value.
     */
    public static function keepSecrets(mixed $settings): mixed
    {
        if (!is_array($settings)) {
            return $settings;
        }
        $saved = self::secrets();
        foreach (self::SECRET_FIELDS as $field) {
            $value = $settings[$field] ?? '';
            if (is_string($value) && trim($value) !== '') {
                $saved[$field] = trim($value);
            }
            $settings[$field] = '';
        }
        update_option(self::SECRETS, $saved, false);
        return $settings;
    }

    private static function secret(string $field): string
    {
        $value = self::secrets()[$field] ?? '';
        return is_string($value) ? $value : '';
    }

    /** @return array<string, mixed> */
    private static function secrets(): array
    {
        $saved = get_option(self::SECRETS, []);
        return is_array($saved) ? $saved : [];
    }

    private static function constant(string $name): ?string
    {
        $value = defined($name) ? constant($name) : null;
        return is_string($value) && $value !== '' ? $value : null;
    }

    private static function text(string $field): string
    {
        $value = self::all()[$field] ?? '';
        return is_string($value) ? trim($value) : '';
    }

    /** @return array<string, mixed> */
    private static function all(): array
    {
        $settings = get_option(self::OPTION, []);
        return is_array($settings) ? $settings : [];
    }
}

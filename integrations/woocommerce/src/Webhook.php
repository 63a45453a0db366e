<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use Throwable;

/**
 * The address for Vintem's events. What an event says is never believed: it names a payment, and the API is asked about it. Any answer but 2xx
 * makes Vintem send the event again.
 */
final class Webhook
{
    /** WooCommerce calls the action `woocommerce_api_vintem_webhook` for it. */
    public const ENDPOINT = 'vintem_webhook';

    private const BYTES_MAX = 1_048_576;
    /** Vintem waits fifteen seconds for the answer, and an event of a refund needs three calls. */
    private const CALL_SECONDS = 4;

    /** With a query, so that it works whatever the permalinks are. */
    public static function url(): string
    {
        return add_query_arg('wc-api', self::ENDPOINT, home_url('/'));
    }

    public static function answer(): never
    {
        $status = self::statusFor((string) ($_SERVER['REQUEST_METHOD'] ?? ''));
        nocache_headers();
        status_header($status);
        exit;
    }

    private static function statusFor(string $method): int
    {
        if ($method !== 'POST') {
            return 405;
        }
        $body = (string) file_get_contents('php://input', false, null, 0, self::BYTES_MAX + 1);
        if (strlen($body) > self::BYTES_MAX) {
            return 413;
        }
        $secrets = Settings::webhookSecrets();
        if ($secrets === []) {
            Log::warn('an event came, and no webhook secret is set');
            return 503;
        }
        if (!Signature::holds($body, self::headers(), $secrets, time())) {
            Log::warn('a webhook was refused: its signature or its time is wrong');
            return 400;
        }
        $event = Json::read($body);
        return $event === null ? 400 : self::statusOf($event);
    }

    /** @param array<string, mixed> $event */
    private static function statusOf(array $event): int
    {
        $type = is_string($event['type'] ?? null) ? $event['type'] : '';
        $data = is_array($event['data'] ?? null) ? $event['data'] : [];
        $isMoneyBack = preg_match('/^(refund|dispute)\./', $type) === 1;
        $paymentId = $data[$isMoneyBack ? 'paymentId' : 'id'] ?? null;
        if (!is_string($paymentId) || (!$isMoneyBack && !str_starts_with($type, 'payment.'))) {
            return 204;
        }
        try {
            OrderSync::follow($paymentId, Api::ofSettings(self::CALL_SECONDS), $isMoneyBack);
            return 204;
        } catch (UnknownOrder $fault) {
            Log::warn("payment {$paymentId}: {$fault->getMessage()}");
            return 204;
        } catch (Throwable $fault) {
            Log::warn("payment {$paymentId}: {$fault->getMessage()}");
            return $fault instanceof Problem && $fault->status === 404 ? 204 : 503;
        }
    }

    /** @return array<string, string> */
    private static function headers(): array
    {
        $headers = [];
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            $value = $_SERVER['HTTP_' . strtoupper(str_replace('-', '_', $name))] ?? '';
            $headers[$name] = is_string($value) ? $value : '';
        }
        return $headers;
    }
}

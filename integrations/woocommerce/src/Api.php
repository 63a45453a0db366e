<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

/** Calls of Vintem's API over WordPress's own client. Neither the key nor a body is ever logged. */
final class Api
{
    private const TIMEOUT_SECONDS = 12;

    public function __construct(
        private readonly string $url,
        #[\SensitiveParameter] private readonly string $key,
        private readonly int $timeout = self::TIMEOUT_SECONDS,
    ) {
    }

    public static function ofSettings(?int $timeout = null): self
    {
        return new self(Settings::apiUrl(), Settings::apiKey(), $timeout ?? self::TIMEOUT_SECONDS);
    }

    /** @return array<string, mixed> */
    public function payment(string $id): array
    {
        return $this->call('GET', '/v1/payments/' . rawurlencode($id));
    }

    /**
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    public function createPayment(array $body, string $key): array
    {
        return $this->call('POST', '/v1/payments', $body, $key);
    }

    /** @return array<string, mixed> */
    public function cancelPayment(string $id): array
    {
        return $this->call('POST', '/v1/payments/' . rawurlencode($id) . '/cancel', []);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    public function refund(string $paymentId, array $body, string $key): array
    {
        return $this->call('POST', '/v1/payments/' . rawurlencode($paymentId) . '/refunds', $body, $key);
    }

    /** @return list<array<string, mixed>> the newest first */
    public function refundsOf(string $paymentId): array
    {
        return $this->all('/v1/refunds', $paymentId);
    }

    /** @return list<array<string, mixed>> the newest first */
    public function disputesOf(string $paymentId): array
    {
        return $this->all('/v1/disputes', $paymentId);
    }

    /** @return array<string, mixed> who the key belongs to */
    public function me(): array
    {
        return $this->call('GET', '/v1/me');
    }

    /** @return list<array<string, mixed>> */
    private function all(string $path, string $paymentId): array
    {
        $found = [];
        $cursor = [];
        do {
            $query = http_build_query(['paymentId' => $paymentId, 'limit' => 100] + $cursor);
            $page = $this->call('GET', "{$path}?{$query}");
            $found = [...$found, ...($page['data'] ?? [])];
            $cursor = isset($page['nextCursor']) ? ['cursor' => $page['nextCursor']] : [];
        } while ($cursor !== []);
        return $found;
    }

    /**
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     */
    private function call(string $method, string $path, ?array $body = null, ?string $key = null): array
    {
        $headers = ['apikey' => $this->key, 'accept' => 'application/json'];
        if ($body !== null) {
            $headers['content-type'] = 'application/json';
        }
        if ($key !== null) {
            $headers['idempotency-key'] = $key;
        }
        $answer = wp_remote_request($this->url . $path, [
            'method' => $method,
            'headers' => $headers,
            'timeout' => $this->timeout,
            'redirection' => 0,
            'user-agent' => 'vintem-woocommerce/' . Plugin::VERSION,
            ...($body === null ? [] : ['body' => $body === [] ? '{}' : Json::write($body)]),
        ]);
        if (is_wp_error($answer)) {
            throw new Unanswered('no answer: ' . $answer->get_error_message());
        }
        return self::read((int) wp_remote_retrieve_response_code($answer), wp_remote_retrieve_body($answer));
    }

    /** @return array<string, mixed> */
    private static function read(int $status, string $text): array
    {
        $body = Json::read($text);
        if ($status >= 200 && $status < 300 && $body !== null) {
            return $body;
        }
        $isRefusal = $status >= 400 && $status < 500 && $status !== 408 && $status !== 429;
        if (!$isRefusal || !is_string($body['code'] ?? null)) {
            throw new Unanswered("the answer {$status} does not say what happened");
        }
        $pointers = array_column(is_array($body['errors'] ?? null) ? $body['errors'] : [], 'pointer');
        throw new Problem($status, $body['code'], (string) ($body['detail'] ?? $body['code']), $pointers);
    }
}

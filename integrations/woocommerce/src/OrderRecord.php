<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use WC_Order;

/**
 * What the plug-in stores with an order: the attempts to pay it, what it has seen of each payment, and its refunds. An attempt and a refund
 * are stored before the call that makes them, so that after a lost answer the same key is sent again.
 */
final class OrderRecord
{
    private const META = '_vintem';

    /**
     * @param list<array{n: int, hash: string, paymentId?: string, expiresAt?: string}> $attempts
     * @param array<string, array<string, mixed>> $seen by the payment's id
     * @param list<array{n: int, paymentId: string, amount: int, reason: string, state: string, refundId?: string}> $refunds
     */
    private function __construct(
        private readonly WC_Order $order,
        private array $attempts,
        private array $seen,
        private array $refunds,
    ) {
    }

    public static function of(WC_Order $order): self
    {
        $stored = Json::read((string) $order->get_meta(self::META)) ?? [];
        return new self($order, $stored['attempts'] ?? [], $stored['seen'] ?? [], $stored['refunds'] ?? []);
    }

    public function save(): void
    {
        $stored = ['attempts' => $this->attempts, 'seen' => $this->seen, 'refunds' => $this->refunds];
        $this->order->update_meta_data(self::META, Json::write($stored));
        $this->order->save();
    }

    /** @return array{n: int, hash: string, paymentId?: string, expiresAt?: string}|null */
    public function lastAttempt(): ?array
    {
        return $this->attempts === [] ? null : $this->attempts[count($this->attempts) - 1];
    }

    /** @return array{n: int, hash: string} */
    public function addAttempt(string $hash): array
    {
        return $this->attempts[] = ['n' => count($this->attempts) + 1, 'hash' => $hash];
    }

    /** Whether this attempt made, or may have made, this payment. Notes the payment when its answer was lost. */
    public function isOurs(int $attempt, string $paymentId, ?string $expiresAt): bool
    {
        if (!isset($this->attempts[$attempt - 1])) {
            return false;
        }
        $this->attempts[$attempt - 1]['paymentId'] ??= $paymentId;
        if ($this->attempts[$attempt - 1]['paymentId'] !== $paymentId) {
            return false;
        }
        if ($expiresAt !== null) {
            $this->attempts[$attempt - 1]['expiresAt'] = $expiresAt;
        }
        return true;
    }

    /** @return array{version: int, status: string, exceptions: list<string>, refunds: array<string, string>, disputes: array<string, string>} */
    public function seenOf(string $paymentId): array
    {
        $nothing = ['version' => 0, 'status' => 'PENDING', 'exceptions' => [], 'refunds' => [], 'disputes' => []];
        return ($this->seen[$paymentId] ?? []) + $nothing;
    }

    /** @param array<string, mixed> $change */
    public function see(string $paymentId, array $change): void
    {
        $this->seen[$paymentId] = $change + $this->seenOf($paymentId);
    }

    /** @return list<array{n: int, paymentId: string, amount: int, reason: string, state: string, refundId?: string}> */
    public function refunds(): array
    {
        return $this->refunds;
    }

    /** @return array{n: int, paymentId: string, amount: int, reason: string, state: string} */
    public function addRefund(string $paymentId, int $amount, string $reason): array
    {
        $refund = ['n' => count($this->refunds) + 1, 'paymentId' => $paymentId, 'amount' => $amount, 'reason' => $reason];
        return $this->refunds[] = $refund + ['state' => RefundState::OPEN];
    }

    public function endRefund(int $n, string $state, ?string $refundId = null): void
    {
        $this->refunds[$n - 1]['state'] = $state;
        if ($refundId !== null) {
            $this->refunds[$n - 1]['refundId'] = $refundId;
        }
    }

    /** The key of a call for this order. No other order has it, in no other shop and after no restore. */
    public function key(string $kind, int $n): string
    {
        $own = substr(hash('sha256', $this->order->get_order_key()), 0, 16);
        return "woo-{$kind}-{$this->order->get_id()}-{$n}-{$own}";
    }
}

// A rail without a chain: payments get a made-up address, and the test decides when money arrives.
import type { AttemptId, ConnectionId, PaymentId } from '#/kernel/id.ts'
import type { Money } from '#/kernel/money.ts'
import { hourMs } from '#/kernel/time.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Rail } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'

const connection = 'a1-test' as ConnectionId

export function testRail(): Rail {
  return {
    method: 'CRYPTO',
    lifetimeMs: hourMs,
    opens: { at: 'CREATION' },
    route: ({ currency, metadata }) => {
      if (currency !== 'USDT' && currency !== 'USD') {
        return { ok: false, code: 'currency_not_supported', detail: 'USDT or USD.', pointer: '/currency' }
      }
      const network = metadata?.['cryptoNetwork'] ?? 'BSC'
      if (network !== 'BSC') return { ok: false, code: 'network_not_supported', detail: 'BSC.' }
      return { ok: true, connection, currency }
    },
    read: () => [],
    arrival: () => ({ at: 'PROVIDER' }),
    record: {
      from: 'TABLES',
      describe: async (_sql, refs) => new Map(refs.map(({ paymentId }) => [paymentId, fieldsOf(paymentId)])),
      deposits: async () => ({ data: [] }),
      findByTx: async () => [],
    },
  }
}

function fieldsOf(paymentId: PaymentId): Readonly<Record<string, unknown>> {
  return {
    cryptoAddress: `0x${paymentId.replaceAll('-', '')}00000000`,
    cryptoAmount: '12340000000000000000',
    cryptoNetwork: 'BSC',
    cryptoCurrency: 'USDT',
    depositCount: 0,
    deposits: [],
  }
}

/** The receipt of final money. `nth` distinguishes transfers. */
export function arrival(
  payment: Pick<Payment, 'merchantId' | 'id'>,
  attemptId: AttemptId,
  amount: Money,
  nth: number,
): Receipt {
  const txHash = `0x${payment.id.replaceAll('-', '')}${nth.toString(16).padStart(32, '0')}`
  return {
    method: 'CRYPTO',
    attempt: { merchantId: payment.merchantId, paymentId: payment.id, id: attemptId },
    connection,
    providerRef: `${txHash}:0`,
    outcome: 'paid',
    occurrence: 1,
    amount,
    happenedAt: new Date(),
    evidence: Buffer.from(txHash),
    txHash,
  }
}

// How much of a payment can still go back, as the server counts it.
import type { Dispute, Payment } from '../../api/generated.ts'

type Sums = Pick<Payment, 'amountReceived' | 'amountRefunded' | 'amountRefundPending'>

/** What came, is not on its way back, and is not taken, or about to be, by a dispute. */
export function refundable(
  { amountReceived, amountRefunded, amountRefundPending }: Sums,
  disputes: readonly Pick<Dispute, 'status' | 'amount'>[],
): bigint {
  const disputed = disputes
    .filter(({ status }) => status !== 'WON')
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const left = BigInt(amountReceived) - BigInt(amountRefunded) - BigInt(amountRefundPending) - disputed
  return left > 0n ? left : 0n
}

// What "net" means, on every screen and in every report (GLOSSARY.md).
import type { Dispute, Payment, PaymentShare } from '../api/generated.ts'

/** The parts of a net amount. What went is positive. */
export type NetParts = {
  /** Without the shares that sub-accounts have. */
  readonly gross: bigint
  readonly fees: bigint
  readonly refunds: bigint
  readonly disputes: bigint
}

/** Gross less fees, refunds and disputes. */
export function netOf({ gross, fees, refunds, disputes }: NetParts): bigint {
  return gross - fees - refunds - disputes
}

/** The parts of a payment's net amount; `shares`: what its sub-accounts have after what went back. */
export function netPartsOf(
  { amountReceived, amountRefunded, fee }: Pick<Payment, 'amountReceived' | 'amountRefunded' | 'fee'>,
  others: {
    readonly disputes: readonly Pick<Dispute, 'status' | 'amount' | 'fee'>[]
    readonly shares: readonly Pick<PaymentShare, 'amountCredited' | 'fee'>[]
  },
): NetParts & { readonly shares: bigint } {
  const sum = (amounts: readonly (number | bigint)[]) =>
    amounts.reduce<bigint>((total, amount) => total + BigInt(amount), 0n)
  const shares = sum(others.shares.map(({ amountCredited }) => amountCredited))
  return {
    gross: BigInt(amountReceived) - shares,
    // What a sub-account paid of the operator's fee is not the platform's.
    fees:
      BigInt(fee) + sum(others.disputes.map((each) => each.fee)) - sum(others.shares.map((each) => each.fee)),
    refunds: BigInt(amountRefunded),
    // The money of a dispute that was won is back.
    disputes: sum(others.disputes.flatMap(({ status, amount }) => (status === 'WON' ? [] : [amount]))),
    shares,
  }
}

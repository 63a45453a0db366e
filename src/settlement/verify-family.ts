// What is read of a payment before it is settled again: its receipts, its refunds and disputes, and what all of them moved.
import type { RetoldDispute } from '#/disputes/verify-queries.ts'
import type { RetoldRefund } from '#/refunds/verify-queries.ts'
import type { PaymentRow, ReceiptRow, TransferRow } from './verify-queries.ts'
import type { Step, Unexplained } from './verify-transfer.ts'

/** Where final money of a connection arrives: the name of the account. */
export type ArrivalOf = (connection: string, currency: string) => string

export type Family = {
  readonly payment: PaymentRow
  /** In the order of their ordinals. */
  readonly receipts: readonly ReceiptRow[]
  readonly refunds: readonly RetoldRefund[]
  readonly disputes: readonly RetoldDispute[]
  /** All transfers whose subject is the payment, one of its refunds, or one of its disputes. */
  readonly transfersOf: (subject: string) => readonly TransferRow[]
  readonly arrivalOf: ArrivalOf
  /** Whether this wallet is the payment's merchant's, in this currency. */
  readonly ownsWallet: (walletId: string, currency: string) => boolean
}

/** What a fault calls a receipt. */
export function receiptName({
  connection,
  providerRef,
  outcome,
  occurrence,
}: {
  readonly connection: string
  readonly providerRef: string
  readonly outcome: string
  readonly occurrence: number
}): string {
  return `receipt ${outcome} ${providerRef} (${occurrence}) of ${connection}`
}

/** A change of a sum of the payment, and the transfer that it came with. */
export type Change = { readonly number: bigint; readonly minor: bigint }

/**
 * The steps by which money is taken out of a merchant's wallets: the one that was credited, the currency's others, and
 * what is missing as a debt. Others are as many as were taken from; each must be another one of the merchant.
 */
export function takingSteps(
  { payment, ownsWallet }: Family,
  unexplained: Unexplained,
  from: {
    readonly ordinal: number
    readonly walletId: string
    readonly currency: string
    readonly kind: string
  },
): readonly Step[] {
  const { ordinal, walletId, currency, kind } = from
  const held = `wallet:${walletId}:held`
  const used = new Set([walletId])
  const others = [...unexplained.values()].flatMap(({ step, debit }): readonly Step[] => {
    const [, name] = /^\d+\.(hold-\d+)$/.exec(step) ?? []
    if (name === undefined || step !== `${ordinal}.${name}`) return []
    const [, other = ''] = /^wallet:(.+):available$/.exec(debit ?? '') ?? []
    const isAnother = !used.has(other) && ownsWallet(other, currency)
    used.add(other)
    return [{ name, kind, debit: isAnother ? `${debit}` : "another of the merchant's wallets", credit: held }]
  })
  return [
    { name: 'hold', kind, debit: `wallet:${walletId}:available`, credit: held },
    ...others,
    { name: 'owe', kind: 'OWED', debit: `receivable:${payment.merchantId}:${currency}`, credit: held },
  ]
}

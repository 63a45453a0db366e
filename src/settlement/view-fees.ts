// Our fees on the money of a batch of receipts: each payment keeps the fee rule that was in force when it was created.
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { FeeRule, FeeRuleNow } from '#/merchants/fee.ts'
import { selectFeeRules, selectPastFeeRules } from '#/merchants/queries.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { Placed } from './placed.ts'

export type FeeRules = {
  /** By merchant, method and currency. */
  readonly inForce: ReadonlyMap<string, FeeRuleNow>
  /** Rules that are not in force any more, by the same and the instant of the payment. */
  readonly past: ReadonlyMap<string, FeeRule>
}

export async function loadFeeRules(
  { tx }: Pick<Batch, 'tx'>,
  placed: readonly Placed[],
  loadingPayments: Promise<ReadonlyMap<PaymentId, Payment>>,
): Promise<FeeRules> {
  const merchantIds = [...new Set(placed.map(({ attempt }) => attempt.merchantId))]
  const [rules, payments] = await Promise.all([selectFeeRules(tx, merchantIds), loadingPayments])
  const inForce = new Map(rules.map((rule) => [feeKey(rule), rule]))
  const older = olderPayments(placed, payments, inForce)
  const past = older.length === 0 ? [] : await selectPastFeeRules(tx, older)
  return { inForce, past: new Map(past.map(({ at, ...rule }) => [pastFeeKey(rule, at), rule])) }
}

/** The receipts of payments that are older than the rule in force. */
function olderPayments(
  placed: readonly Placed[],
  payments: ReadonlyMap<PaymentId, Payment>,
  inForce: FeeRules['inForce'],
) {
  return placed.flatMap(({ outcome, method, amount: { currency }, attempt: { merchantId, paymentId } }) => {
    const at = payments.get(paymentId)?.createdAt
    const rule = outcome === 'paid' ? inForce.get(feeKey({ merchantId, method, currency })) : undefined
    if (at === undefined || rule === undefined || rule.validFrom <= at) return []
    return [{ merchantId, method, currency, at }]
  })
}

/** The fee rule that was in force when the payment was created. */
export function feeRuleOf(
  { inForce, past }: FeeRules,
  { amount: { currency }, method }: Receipt,
  { merchantId, createdAt }: Payment,
): FeeRule | undefined {
  const rule = inForce.get(feeKey({ merchantId, method, currency }))
  return rule === undefined || rule.validFrom <= createdAt ? rule : past.get(pastFeeKey(rule, createdAt))
}

type Charged = { readonly merchantId: MerchantId; readonly method: string; readonly currency: Currency }

function feeKey({ merchantId, method, currency }: Charged): string {
  return `${merchantId}/${method}/${currency}`
}

function pastFeeKey(rule: Charged, at: Date): string {
  return `${feeKey(rule)}/${at.getTime()}`
}

// Compares the sums of a payment in each currency with its receipts and transfers. Pure.
import { readMoney } from '#/payments/money.ts'
import type { PaymentRow, ReceiptRow } from './queries.ts'
import type { Family } from './replay.ts'
import { unreleasedOf } from './taking.ts'

/** What was received in one currency by one method, and our fee. */
export type MethodSums = { readonly received: bigint; readonly fee: bigint }

export type MoneySums = {
  /** By `methodKey`. */
  readonly methods: ReadonlyMap<string, MethodSums>
  /** Refunded, by currency. */
  readonly refunded: ReadonlyMap<string, bigint>
  /** The receipt that completed the amount; undefined unless the payment is PAID. */
  readonly completing: ReceiptRow | undefined
}

export function methodKey({ currency, method }: Pick<ReceiptRow, 'currency' | 'method'>): string {
  return `${method} in ${currency}`
}

/** The outcomes that bring money, or announce it, to a wallet. */
const bringing: readonly string[] = ['seen', 'authorised', 'paid']

/** The wallet for a currency. Old payments have one wallet and no sums by currency. */
export function walletIn(
  { money, walletId }: Pick<PaymentRow, 'money' | 'walletId'>,
  currency: string,
): string | null {
  return money === null ? walletId : (money.find((each) => each.currency === currency)?.walletId ?? null)
}

/** What is wrong with the sums of the payment, as sentences without their subject. */
export function faultsOfMoney(family: Family, sums: MoneySums): readonly string[] {
  const { payment, receipts } = family
  const arriving = receipts.filter(({ outcome }) => bringing.includes(outcome))
  return payment.money === null
    ? faultsOfOneWallet(payment, arriving)
    : [...faultsOfEach(family, arriving, sums), ...faultsOfShown(payment, arriving, sums)]
}

function faultsOfOneWallet(payment: PaymentRow, arriving: readonly ReceiptRow[]): readonly string[] {
  const [first] = arriving
  if (payment.walletId === null) return first === undefined ? [] : ['has no wallet, but money came']
  if (first === undefined) return ['has a wallet, but no money came']
  if (payment.walletCurrency === null)
    return [`names wallet ${payment.walletId}, which its merchant does not have`]
  return payment.walletCurrency === first.currency
    ? []
    : [`names a wallet in ${payment.walletCurrency} for ${first.currency}`]
}

function faultsOfEach(
  family: Family,
  arriving: readonly ReceiptRow[],
  { methods, refunded }: MoneySums,
): readonly string[] {
  const { payment, ownsWallet } = family
  const faults: string[] = []
  const came = new Set(arriving.map(({ currency }) => currency))
  const listed = new Set<string>()
  for (const money of readMoney(payment.money ?? [], payment)) {
    const { currency, walletId } = money
    const differs = (what: string, is: bigint, expected: bigint) => {
      if (is !== expected) faults.push(`says ${what} ${is} in ${currency}, but its receipts make ${expected}`)
    }
    if (listed.has(currency)) faults.push(`says twice what it has in ${currency}`)
    if (!came.has(currency)) faults.push(`has a wallet in ${currency}, but no money came in it`)
    if (!ownsWallet(walletId, currency))
      faults.push(`names wallet ${walletId}, which its merchant does not have in ${currency}`)
    listed.add(currency)
    differs('not released', money.unreleasedMinor, unreleasedOf(family, walletId).now)
    differs('refunded', money.refundedMinor, refunded.get(currency) ?? 0n)
    const byMethod = new Map(
      money.methods.map((each) => [methodKey({ currency, method: each.method }), each]),
    )
    for (const [key, is] of byMethod) {
      differs(`received by ${key}`, is.receivedMinor, methods.get(key)?.received ?? 0n)
      differs(`fee of ${key}`, is.feeMinor, methods.get(key)?.fee ?? 0n)
    }
    for (const key of methods.keys())
      if (key.endsWith(` in ${currency}`) && !byMethod.has(key))
        faults.push(`does not say what came by ${key}`)
  }
  for (const currency of came)
    if (!listed.has(currency)) faults.push(`has no wallet in ${currency}, but money came`)
  return faults
}

/** The record must show the wallet of the completing receipt, or else of the last one. */
function faultsOfShown(
  payment: PaymentRow,
  arriving: readonly ReceiptRow[],
  { completing }: MoneySums,
): readonly string[] {
  const last = payment.status === 'PAID' ? completing : arriving.at(-1)
  if (last === undefined) return []
  const expected = walletIn(payment, last.currency)
  return payment.walletId === expected
    ? []
    : [`shows wallet ${payment.walletId}, but its money in ${last.currency} is in ${expected}`]
}

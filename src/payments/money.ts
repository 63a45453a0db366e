// What a payment has in each currency of the books. A payment in USD can receive USDT on chain and USD by card: each goes to a wallet of
// its own, and unreleased money, refunds and our fees are counted separately.
import type { WalletId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Method } from '#/rails/method.ts'
import type { MethodMoney, Payment, PaymentMoney } from './payment.ts'

/** The payment's money in this currency; undefined when no receipt in it came. */
export function moneyIn({ money }: Pick<Payment, 'money'>, currency: Currency): PaymentMoney | undefined {
  return money.find((each) => each.currency === currency)
}

/** The same, or zero in this wallet. */
export function moneyOr(
  payment: Pick<Payment, 'money'>,
  currency: Currency,
  walletId: WalletId,
): PaymentMoney {
  const none = { currency, walletId, unreleasedMinor: 0n, refundedMinor: 0n, methods: [] }
  return moneyIn(payment, currency) ?? none
}

/** The payment with `changed` in place of its money in that currency. Its own columns are the sums over all currencies. */
export function withMoney(payment: Payment, changed: PaymentMoney): Payment {
  const others = payment.money.filter(({ currency }) => currency !== changed.currency)
  return withAllMoney(payment, [...others, changed])
}

/** The same for all currencies at once. */
export function withAllMoney(payment: Payment, money: readonly PaymentMoney[]): Payment {
  return {
    ...payment,
    money,
    unreleasedMinor: money.reduce((sum, each) => sum + each.unreleasedMinor, 0n),
    refundedMinor: money.reduce((sum, each) => sum + each.refundedMinor, 0n),
  }
}

/** The money that came by the method. */
export function methodIn({ methods }: PaymentMoney, method: Method): MethodMoney {
  return methods.find((each) => each.method === method) ?? { method, receivedMinor: 0n, feeMinor: 0n }
}

/** Adds what arrived by a method, and our fee on it. */
export function withArrived(
  money: PaymentMoney,
  method: Method,
  { arrived, fee }: { readonly arrived: bigint; readonly fee: bigint },
): PaymentMoney {
  const before = methodIn(money, method)
  const others = money.methods.filter((each) => each.method !== method)
  const now = { method, receivedMinor: before.receivedMinor + arrived, feeMinor: before.feeMinor + fee }
  return { ...money, methods: [...others, now] }
}

/** All that came in the currency. */
export function receivedOf({ methods }: PaymentMoney): bigint {
  return methods.reduce((sum, { receivedMinor }) => sum + receivedMinor, 0n)
}

/** The columns of a payment that are the sums over all its money. */
type Sums = Pick<Payment, 'receivedMinor' | 'refundedMinor' | 'unreleasedMinor' | 'feeMinor'>

/**
 * The content of the column: only what the payment's sums do not contain, so that the two never contradict each other. With one
 * currency and one method the sums contain everything. Numbers are text, because some readers take JSON numbers as floats.
 */
export type KeptMoney = readonly {
  readonly currency: Currency
  readonly walletId: WalletId
  readonly unreleased?: string
  readonly refunded?: string
  readonly methods: readonly { readonly method: Method; readonly received?: string; readonly fee?: string }[]
}[]

/** The text of the column; undefined for a payment without money. */
export function keptMoney(money: readonly PaymentMoney[]): string | undefined {
  if (money.length === 0) return undefined
  const isOne = money.length === 1
  const kept: KeptMoney = money.map(({ currency, walletId, unreleasedMinor, refundedMinor, methods }) => ({
    currency,
    walletId,
    ...(isOne ? {} : { unreleased: `${unreleasedMinor}`, refunded: `${refundedMinor}` }),
    methods: methods.map(({ method, receivedMinor, feeMinor }) => ({
      method,
      ...(isOne && methods.length === 1 ? {} : { received: `${receivedMinor}`, fee: `${feeMinor}` }),
    })),
  }))
  return JSON.stringify(kept)
}

/** Reads the column, together with the payment's sums. */
export function readMoney(kept: KeptMoney, sums: Sums): readonly PaymentMoney[] {
  return kept.map(({ currency, walletId, unreleased, refunded, methods }) => ({
    currency,
    walletId,
    unreleasedMinor: minorOf(unreleased, sums.unreleasedMinor),
    refundedMinor: minorOf(refunded, sums.refundedMinor),
    methods: methods.map(({ method, received, fee }) => ({
      method,
      receivedMinor: minorOf(received, sums.receivedMinor),
      feeMinor: minorOf(fee, sums.feeMinor),
    })),
  }))
}

function minorOf(text: string | undefined, sum: bigint): bigint {
  return text === undefined ? sum : BigInt(text)
}

// What a payment has in each currency of the books. A payment in USD can receive USDT on chain and USD by card: each goes to
// a wallet of its own, and what is not released, given back and kept as our fee is counted apart.
import type { Method } from '#/rails/words.ts'
import type { WalletId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { MethodMoney, Payment, PaymentMoney } from './payment.ts'

/** What the payment has in this currency; absent when no word of any came. */
export function moneyIn({ money }: Pick<Payment, 'money'>, currency: Currency): PaymentMoney | undefined {
  return money.find((each) => each.currency === currency)
}

/** The same, or nothing yet in this wallet. */
export function moneyOr(
  payment: Pick<Payment, 'money'>,
  currency: Currency,
  walletId: WalletId,
): PaymentMoney {
  const none = { currency, walletId, unreleasedMinor: 0n, refundedMinor: 0n, methods: [] }
  return moneyIn(payment, currency) ?? none
}

/** The payment with this instead of what it had in the currency. Its own columns are the sums over all currencies. */
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

/** What came by the method until now. */
export function methodIn({ methods }: PaymentMoney, method: Method): MethodMoney {
  return methods.find((each) => each.method === method) ?? { method, receivedMinor: 0n, feeMinor: 0n }
}

/** The money with what came now by a method, and our fee of it. */
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
 * As the column keeps it: what the sums do not say. They are all there is to say of one currency and one method, so two
 * places never contradict each other. Numbers are text, because JSON's are floats for some readers.
 */
export type KeptMoney = readonly {
  readonly currency: Currency
  readonly walletId: WalletId
  readonly unreleased?: string
  readonly refunded?: string
  readonly methods: readonly { readonly method: Method; readonly received?: string; readonly fee?: string }[]
}[]

/** The text of the column; absent for a payment without money. */
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

/** What the column says, with the sums beside it. */
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

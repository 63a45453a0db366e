// The accounts that a receipt moves money between.
import type { Receipt } from '#/rails/words.ts'
import type { Mode } from '#/kernel/mode.ts'
import { must } from '#/kernel/check.ts'
import type { WalletId } from '#/kernel/id.ts'
import * as chart from '#/ledger/chart.ts'
import type * as recipes from '#/ledger/recipes.ts'
import { moneyIn } from '#/payments/money.ts'
import type { Payment } from '#/payments/payment.ts'
import type { ReceiptAccounts } from './placed.ts'
import { isRefund } from './related.ts'
import { isOfHeld, mayTakeBack, railOf, walletKey, type View } from './view.ts'

/** Whose money a receipt is about: a payment's, or what was credited to a merchant out of suspense. */
type Owner = Pick<Payment, 'merchantId' | 'mode' | 'money'>

/** The accounts of a receipt of this payment. */
export function accountsOf(view: View, receipt: Receipt, payment: Owner): ReceiptAccounts {
  const { mode, merchantId } = payment
  const {
    connection,
    amount: { currency },
  } = receipt
  const walletId = walletOf(view, receipt, payment)
  const key = `${walletId}/${currency}/${connection}/${isRefund(receipt)}`
  const known = view.accounts.get(key)
  if (known !== undefined) return known
  const made: ReceiptAccounts = {
    seen: chart.seen(mode, connection, currency),
    pending: chart.walletPending(mode, walletId, currency),
    available: chart.walletAvailable(mode, walletId, currency),
    held: chart.walletHeld(mode, walletId, currency),
    fees: chart.fees(mode, currency),
    receivable: chart.receivable(mode, merchantId, currency),
    arrival: arrivalAccount(view, receipt, mode),
  }
  view.accounts.set(key, made)
  return made
}

/** Where money is taken back from: the wallet that was credited, and then the currency's others from the oldest on. */
function sourcesOf(view: View, receipt: Receipt, payment: Owner): readonly chart.AccountSpec[] {
  const { currency } = receipt.amount
  const own = walletOf(view, receipt, payment)
  const all = view.allWallets.get(walletKey(payment.merchantId, currency)) ?? []
  const order = [own, ...all.filter((walletId) => walletId !== own)]
  return order.map((walletId) => chart.walletAvailable(payment.mode, walletId, currency))
}

/** Where money of this payment is taken from: what is its own and not released yet, the wallets, and a debt. */
export function takenFrom(view: View, receipt: Receipt, payment: Owner): recipes.TakenFrom {
  const { pending, receivable } = accountsOf(view, receipt, payment)
  const minor = moneyIn(payment, receipt.amount.currency)?.unreleasedMinor ?? 0n
  return {
    sources: sourcesOf(view, receipt, payment),
    receivable,
    ...(minor === 0n ? {} : { unreleased: { pending, minor } }),
  }
}

/** Where money lies that fits no attempt. Its connection says whose mode it is; absent: not even the connection is ours. */
export function suspenseOf(view: View, receipt: Receipt) {
  const mode = view.modes.get(receipt.connection)
  if (mode === undefined) return undefined
  return {
    mode,
    arrival: arrivalAccount(view, receipt, mode),
    suspense: chart.suspense(mode, receipt.connection, receipt.amount.currency),
  }
}

/** All money of one payment in one currency is credited to one wallet: the default one when the first word of it came. */
export function walletOf(
  view: View,
  receipt: Receipt,
  payment: Pick<Payment, 'merchantId' | 'money'>,
): WalletId {
  const { currency } = receipt.amount
  const chosen =
    moneyIn(payment, currency)?.walletId ?? view.wallets.get(walletKey(payment.merchantId, currency))
  return must(chosen, 'a currency without a default wallet gets one when the batch is loaded')
}

/** Everything that deciding this receipt may look at. */
export function accountList(view: View, receipt: Receipt): readonly chart.AccountSpec[] {
  const placed = view.placed.get(receipt)
  const payment = placed && view.payments.get(placed.attempt.paymentId)
  if (payment === undefined) {
    const found = suspenseOf(view, receipt)
    const credited = view.credited.get(receipt)
    const taken =
      credited === undefined
        ? []
        : [...Object.values(accountsOf(view, receipt, credited)), ...sourcesOf(view, receipt, credited)]
    return [...(found === undefined ? [] : [found.arrival, found.suspense]), ...taken]
  }
  const { held, ...incoming } = accountsOf(view, receipt, payment)
  return [
    ...Object.values(incoming),
    ...(isOfHeld(receipt) ? [held] : []),
    ...(mayTakeBack(receipt) ? sourcesOf(view, receipt, payment) : []),
  ]
}

function arrivalAccount(view: View, receipt: Receipt, mode: Mode): chart.AccountSpec {
  const arrival = railOf(view, receipt).arrival(receipt.connection)
  return arrival.at === 'PROVIDER'
    ? chart.provider(mode, receipt.connection, receipt.amount.currency)
    : chart.coins(mode, arrival.chain, arrival.token, isRefund(receipt) ? 'hot' : 'deposit')
}

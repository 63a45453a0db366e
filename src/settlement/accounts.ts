// The accounts that a receipt may move money between. One table says which those are for each outcome: what it makes is loaded
// before anything is decided, and handed to what decides, which makes none of its own. So nothing is posted that was not loaded.
import type { Outcome, Receipt } from '#/rails/words.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { ConnectionId, PaymentId } from '#/kernel/id.ts'
import * as chart from '#/ledger/chart.ts'
import type * as recipes from '#/ledger/recipes.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Rails } from '#/rails/rail.ts'
import { isRefund } from './related.ts'
import { paymentOf, railOf, type Placement } from './placement.ts'
import { walletOf, walletsToTakeFrom, type Wallets } from './view-wallets.ts'

/** Of money that comes in, or does not after all. */
export type IncomingAccounts = recipes.IncomingAccounts & { readonly arrival: chart.AccountSpec }

/** Of money that was set aside to go back. */
export type HeldAccounts = IncomingAccounts & { readonly held: chart.AccountSpec }

/** Of money that is taken back: also from the currency's other wallets. */
export type TakenAccounts = HeldAccounts & { readonly sources: readonly chart.AccountSpec[] }

export type Accounts = IncomingAccounts | HeldAccounts | TakenAccounts

/** The accounts of an outcome. Whatever is heard of a dispute first opens it, so any word of one may take money. */
export type AccountsOf<Kind extends Outcome> = Kind extends 'refunded' | `dispute_${string}`
  ? TakenAccounts
  : Kind extends 'refund_failed'
    ? HeldAccounts
    : IncomingAccounts

/** What a batch must know to name the accounts of its receipts. */
export type AccountsGround = {
  readonly rails: Rails
  readonly placement: Placement
  /** Whose money a connection moves: of receipts that fit no attempt. */
  readonly modes: ReadonlyMap<ConnectionId, Mode>
  readonly payments: ReadonlyMap<PaymentId, Payment>
  readonly wallets: Wallets
  /** What was named before, by wallet and connection. */
  readonly accounts: Map<string, IncomingAccounts>
}

/** Whose money a receipt is about: a payment's, or what was credited to a merchant out of suspense. */
type Owner = Pick<Payment, 'merchantId' | 'mode' | 'money'>

const makers: {
  readonly [Kind in Outcome]: (view: AccountsGround, receipt: Receipt, owner: Owner) => AccountsOf<Kind>
} = {
  seen: incomingAccounts,
  orphaned: incomingAccounts,
  authorised: incomingAccounts,
  voided: incomingAccounts,
  paid: incomingAccounts,
  declined: incomingAccounts,
  refunded: takenAccounts,
  refund_failed: heldAccounts,
  dispute_opened: takenAccounts,
  dispute_taken: takenAccounts,
  dispute_won: takenAccounts,
  dispute_lost: takenAccounts,
}

/** The accounts of a receipt with this outcome, of this payment. */
export function accountsOf<Kind extends Outcome>(
  outcome: Kind,
  view: AccountsGround,
  receipt: Receipt,
  payment: Owner,
): AccountsOf<Kind> {
  return makers[outcome](view, receipt, payment)
}

/** Whether a receipt may take money out of the merchant's wallets. */
export function mayTakeBack({ outcome }: Receipt): boolean {
  return makers[outcome] === takenAccounts
}

/** Everything that deciding this receipt may post to. */
export function accountList(view: AccountsGround, receipt: Receipt): readonly chart.AccountSpec[] {
  const payment = paymentOf(view, receipt)
  if (payment !== undefined) return listOf(accountsOf(receipt.outcome, view, receipt, payment))
  const suspense = suspenseOf(view, receipt)
  const credited = view.placement.credited.get(receipt)
  return [
    ...(suspense === undefined ? [] : [suspense.arrival, suspense.suspense]),
    ...(credited === undefined ? [] : listOf(takenAccounts(view, receipt, credited))),
  ]
}

function listOf(accounts: Accounts): readonly chart.AccountSpec[] {
  return Object.values(accounts).flat()
}

/** Where money of a payment is taken from: what is its own and not released yet, the wallets, and a debt. */
export function takenFrom(
  { sources, receivable, pending }: TakenAccounts,
  unreleasedMinor: bigint,
): recipes.TakenFrom {
  return {
    sources,
    receivable,
    ...(unreleasedMinor === 0n ? {} : { unreleased: { pending, minor: unreleasedMinor } }),
  }
}

/** Where money lies that fits no attempt. Its connection says whose mode it is; absent: not even the connection is ours. */
export function suspenseOf(view: AccountsGround, receipt: Receipt) {
  const mode = view.modes.get(receipt.connection)
  if (mode === undefined) return undefined
  return {
    mode,
    arrival: arrivalAccount(view, receipt, mode),
    suspense: chart.suspense(mode, receipt.connection, receipt.amount.currency),
  }
}

function incomingAccounts(view: AccountsGround, receipt: Receipt, owner: Owner): IncomingAccounts {
  const { mode, merchantId } = owner
  const {
    connection,
    amount: { currency },
  } = receipt
  const walletId = walletOf(view.wallets, receipt, owner)
  // Of a flood of receipts of one wallet all have the same accounts.
  const key = `${walletId}/${currency}/${connection}/${isRefund(receipt)}`
  const known = view.accounts.get(key)
  if (known !== undefined) return known
  const made: IncomingAccounts = {
    seen: chart.seen(mode, connection, currency),
    pending: chart.walletPending(mode, walletId, currency),
    available: chart.walletAvailable(mode, walletId, currency),
    fees: chart.fees(mode, currency),
    receivable: chart.receivable(mode, merchantId, currency),
    arrival: arrivalAccount(view, receipt, mode),
  }
  view.accounts.set(key, made)
  return made
}

function heldAccounts(view: AccountsGround, receipt: Receipt, owner: Owner): HeldAccounts {
  const walletId = walletOf(view.wallets, receipt, owner)
  const held = chart.walletHeld(owner.mode, walletId, receipt.amount.currency)
  return { ...incomingAccounts(view, receipt, owner), held }
}

/** Also of a dispute about money that was credited out of suspense, which has no payment. */
export function takenAccounts(view: AccountsGround, receipt: Receipt, owner: Owner): TakenAccounts {
  const sources = walletsToTakeFrom(view.wallets, receipt, owner).map((walletId) =>
    chart.walletAvailable(owner.mode, walletId, receipt.amount.currency),
  )
  return { ...heldAccounts(view, receipt, owner), sources }
}

function arrivalAccount(view: AccountsGround, receipt: Receipt, mode: Mode): chart.AccountSpec {
  const arrival = railOf(view, receipt).arrival(receipt.connection)
  return arrival.at === 'PROVIDER'
    ? chart.provider(mode, receipt.connection, receipt.amount.currency)
    : chart.coins(mode, arrival.chain, arrival.token, isRefund(receipt) ? 'hot' : 'deposit')
}

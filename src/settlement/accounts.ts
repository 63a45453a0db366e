// The accounts that a receipt may move money between. One table names them for each outcome. They are loaded before anything is
// decided. The decision gets them as an argument and posts to no other account, so every account that it posts to was loaded.
import type { ConnectionId, PaymentId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch } from '#/ledger/kind.ts'
import type * as recipes from '#/ledger/recipes.ts'
import { recipientsOf, splitAccounts, type Splits } from '#/payments/book-shares.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { loadParents, parentDebt, repayParent, type Debtor, type Parents } from '#/wallets/parent-debt.ts'
import { paymentOf, railOf, type Placement } from './placement.ts'
import { isRefund } from './related.ts'
import { walletOf, walletsToDebit, type Wallets } from './view-wallets.ts'

/** For money that arrives, or was announced and does not arrive. */
export type IncomingAccounts = recipes.IncomingAccounts & {
  readonly arrival: chart.AccountSpec
  /** What the merchant owes its parent, if it is a sub-account. */
  readonly owes: chart.AccountSpec
}

/** For money that was set aside to be refunded. */
export type HeldAccounts = IncomingAccounts & { readonly held: chart.AccountSpec }

/** For money that is debited from the merchant: also from the currency's other wallets. */
export type DebitAccounts = HeldAccounts & { readonly sources: readonly chart.AccountSpec[] }

export type Accounts = IncomingAccounts | HeldAccounts | DebitAccounts

/** The accounts of an outcome. The first receipt of a dispute opens it, whatever its outcome, so each may debit the merchant. */
export type AccountsOf<Kind extends Outcome> = Kind extends 'refunded' | `dispute_${string}`
  ? DebitAccounts
  : Kind extends 'refund_failed'
    ? HeldAccounts
    : IncomingAccounts

/** What a batch must know to name the accounts of its receipts. */
export type AccountsGround = {
  readonly rails: Rails
  readonly placement: Placement
  /** The modes of the connections, for receipts that fit no attempt. */
  readonly modes: ReadonlyMap<ConnectionId, Mode>
  readonly payments: ReadonlyMap<PaymentId, Payment>
  readonly wallets: Wallets
  /** The splits of those payments that have one. */
  readonly splits: Splits
  /** Accounts that were made for earlier receipts, by wallet and connection. */
  readonly accounts: Map<string, IncomingAccounts>
}

/** The owner of a receipt's money: a payment, or a merchant to whom money was credited out of suspense. */
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
  refunded: debitAccounts,
  refund_failed: heldAccounts,
  dispute_opened: debitAccounts,
  dispute_taken: debitAccounts,
  dispute_won: debitAccounts,
  dispute_lost: debitAccounts,
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

/** Whether a receipt may debit the merchant's wallets. */
export function mayDebit({ outcome }: Receipt): boolean {
  return makers[outcome] === debitAccounts
}

/** All accounts that the decision about this receipt may post to. */
export function accountList(view: AccountsGround, receipt: Receipt): readonly chart.AccountSpec[] {
  const payment = paymentOf(view, receipt)
  if (payment !== undefined) {
    const receiptAccounts = listOf(accountsOf(receipt.outcome, view, receipt, payment))
    const split = view.splits.get(payment.id)
    return split === undefined ? receiptAccounts : [...receiptAccounts, ...splitAccounts(split, payment.mode)]
  }
  const suspense = suspenseOf(view, receipt)
  const credited = view.placement.credited.get(receipt)
  return [
    ...(suspense === undefined ? [] : [suspense.arrival, suspense.suspense]),
    ...(credited === undefined ? [] : listOf(debitAccounts(view, receipt, credited))),
  ]
}

/**
 * Loads all accounts to which decisions about these receipts may post. Returns the parents of those sub-accounts that may repay
 * theirs.
 */
export async function loadAccounts(
  batch: Pick<Batch, 'tx' | 'books' | 'at'>,
  view: AccountsGround,
  receipts: readonly Receipt[],
): Promise<Parents> {
  await batch.books.load(receipts.flatMap((receipt) => accountList(view, receipt)))
  const debtors = new Map<string, Debtor>()
  for (const receipt of receipts) {
    const owner = paymentOf(view, receipt) ?? view.placement.credited.get(receipt)
    if (owner === undefined) continue
    const debtor = { ...owner, currency: receipt.amount.currency }
    debtors.set(parentDebt(debtor).key, debtor)
  }
  return loadParents(batch, [...debtors.values()], recipientsOf(view.splits))
}

/** What the receipt left available to a sub-account repays its parent. Posted after everything else that the receipt does. */
export function parentRepaid(
  view: AccountsGround & { readonly parents: Parents },
  receipt: Receipt,
  owner: Owner,
  occasion: recipes.Occasion,
  batch: Pick<Batch, 'books'>,
): ReturnType<typeof repayParent> {
  if (view.parents.of.size === 0) return []
  const { merchantId } = owner
  const { available } = incomingAccounts(view, receipt, owner)
  return repayParent(view.parents, batch, occasion, {
    merchantId,
    available,
    currency: receipt.amount.currency,
  })
}

function listOf(accounts: Accounts): readonly chart.AccountSpec[] {
  return Object.values(accounts).flat()
}

/** The accounts that are debited for a payment: its unreleased money first, then the wallets, then the merchant's debt. */
export function debitSources(
  { sources, receivable, pending }: DebitAccounts,
  unreleasedMinor: bigint,
): recipes.DebitSources {
  return {
    sources,
    receivable,
    ...(unreleasedMinor === 0n ? {} : { unreleased: { pending, minor: unreleasedMinor } }),
  }
}

/** The accounts of money that fits no attempt, in the mode of its connection. Undefined: the connection is unknown too. */
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
  // Thousands of receipts of one wallet share the same accounts.
  const key = `${walletId}/${currency}/${connection}/${isRefund(receipt)}`
  const existing = view.accounts.get(key)
  if (existing !== undefined) return existing
  const made: IncomingAccounts = {
    seen: chart.seen(mode, connection, currency),
    pending: chart.walletPending(mode, walletId, currency),
    available: chart.walletAvailable(mode, walletId, currency),
    fees: chart.fees(mode, currency),
    receivable: chart.receivable(mode, merchantId, currency),
    owes: parentDebt({ mode, merchantId, currency }),
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

/** `owner` is no payment when a dispute is about money that was credited out of suspense. */
export function debitAccounts(view: AccountsGround, receipt: Receipt, owner: Owner): DebitAccounts {
  const sources = walletsToDebit(view.wallets, receipt, owner).map((walletId) =>
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

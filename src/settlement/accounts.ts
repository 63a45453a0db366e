// The accounts that a receipt may move money between. One table names them for each outcome. They are loaded before anything is
// decided. The decision gets them as an argument and posts to no other account, so every account that it posts to was loaded.
import type { ConnectionId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch } from '#/ledger/kind.ts'
import type * as recipes from '#/ledger/recipes.ts'
import { recipientsOf, splitAccounts } from '#/payments/book-shares.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { loadParents, parentDebt, type Debtor, type Parents } from '#/wallets/parent-debt.ts'
import type { Draft } from './draft.ts'
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

/** The accounts of an outcome. The first receipt of a dispute opens it, whatever its outcome, so each may debit the merchant. */
export type AccountsOf<Kind extends Outcome> = Kind extends 'refunded' | `dispute_${string}`
  ? DebitAccounts
  : Kind extends 'refund_failed'
    ? HeldAccounts
    : IncomingAccounts

/** What a batch must know to name the accounts of its receipts. */
export type AccountFacts = {
  readonly rails: Rails
  readonly placement: Placement
  /** The modes of the connections, for receipts that fit no attempt. */
  readonly modes: ReadonlyMap<ConnectionId, Mode>
  readonly wallets: Wallets
}

/** The owner of a receipt's money: a payment, or a merchant to whom money was credited out of suspense. */
type Owner = Pick<Payment, 'merchantId' | 'mode' | 'money'>

const makers: {
  readonly [Kind in Outcome]: (facts: AccountFacts, receipt: Receipt, owner: Owner) => AccountsOf<Kind>
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
  facts: AccountFacts,
  receipt: Receipt,
  payment: Owner,
): AccountsOf<Kind> {
  return makers[outcome](facts, receipt, payment)
}

/** Whether a receipt may debit the merchant's wallets. */
export function mayDebit({ outcome }: Receipt): boolean {
  return makers[outcome] === debitAccounts
}

/** All accounts that the decision about this receipt may post to. */
export function accountList(
  facts: AccountFacts,
  draft: Pick<Draft, 'payments' | 'splits'>,
  receipt: Receipt,
): readonly chart.AccountSpec[] {
  const payment = paymentOf(facts, draft, receipt)
  if (payment !== undefined) {
    const receiptAccounts = listOf(accountsOf(receipt.outcome, facts, receipt, payment))
    const split = draft.splits.get(payment.id)
    return split === undefined ? receiptAccounts : [...receiptAccounts, ...splitAccounts(split, payment.mode)]
  }
  const suspense = suspenseOf(facts, receipt)
  const credited = facts.placement.credited.get(receipt)
  return [
    ...(suspense === undefined ? [] : [suspense.arrival, suspense.suspense]),
    ...(credited === undefined ? [] : listOf(debitAccounts(facts, receipt, credited))),
  ]
}

/**
 * Loads all accounts to which decisions about these receipts may post. Returns the parents of those sub-accounts that may repay
 * theirs.
 */
export async function loadAccounts(
  batch: Pick<Batch, 'tx' | 'books' | 'at'>,
  facts: AccountFacts,
  draft: Pick<Draft, 'payments' | 'splits'>,
  receipts: readonly Receipt[],
): Promise<Parents> {
  await batch.books.load(receipts.flatMap((receipt) => accountList(facts, draft, receipt)))
  const debtors = new Map<string, Debtor>()
  for (const receipt of receipts) {
    const owner = paymentOf(facts, draft, receipt) ?? facts.placement.credited.get(receipt)
    if (owner === undefined) continue
    const debtor = { ...owner, currency: receipt.amount.currency }
    debtors.set(parentDebt(debtor).key, debtor)
  }
  return loadParents(batch, [...debtors.values()], recipientsOf(draft.splits))
}

function listOf(accounts: AccountsOf<Outcome>): readonly chart.AccountSpec[] {
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
export function suspenseOf(facts: AccountFacts, receipt: Receipt) {
  const mode = facts.modes.get(receipt.connection)
  if (mode === undefined) return undefined
  return {
    mode,
    arrival: arrivalAccount(facts, receipt, mode),
    suspense: chart.suspense(mode, receipt.connection, receipt.amount.currency),
  }
}

export function incomingAccounts(facts: AccountFacts, receipt: Receipt, owner: Owner): IncomingAccounts {
  const { mode, merchantId } = owner
  const { connection } = receipt
  const { currency } = receipt.amount
  const walletId = walletOf(facts.wallets, receipt, owner)
  return {
    seen: chart.seen(mode, connection, currency),
    pending: chart.walletPending(mode, walletId, currency),
    fees: chart.fees(mode, currency),
    arrival: arrivalAccount(facts, receipt, mode),
    ...creditAccounts({ mode, merchantId, currency }, walletId),
  }
}

/** For money that becomes available in a wallet, and repays what its owner owes. */
export function creditAccounts({ mode, merchantId, currency }: Debtor, walletId: WalletId) {
  return {
    available: chart.walletAvailable(mode, walletId, currency),
    receivable: chart.receivable(mode, merchantId, currency),
    owes: parentDebt({ mode, merchantId, currency }),
  }
}

export function heldAccounts(facts: AccountFacts, receipt: Receipt, owner: Owner): HeldAccounts {
  const walletId = walletOf(facts.wallets, receipt, owner)
  const held = chart.walletHeld(owner.mode, walletId, receipt.amount.currency)
  return { ...incomingAccounts(facts, receipt, owner), held }
}

/** `owner` is no payment when a dispute is about money that was credited out of suspense. */
export function debitAccounts(facts: AccountFacts, receipt: Receipt, owner: Owner): DebitAccounts {
  const sources = walletsToDebit(facts.wallets, receipt, owner).map((walletId) =>
    chart.walletAvailable(owner.mode, walletId, receipt.amount.currency),
  )
  return { ...heldAccounts(facts, receipt, owner), sources }
}

function arrivalAccount(facts: AccountFacts, receipt: Receipt, mode: Mode): chart.AccountSpec {
  const arrival = railOf(facts, receipt).arrival(receipt.connection)
  return arrival.at === 'PROVIDER'
    ? chart.provider(mode, receipt.connection, receipt.amount.currency)
    : chart.coins(mode, arrival.chain, arrival.token, isRefund(receipt) ? 'hot' : 'deposit')
}

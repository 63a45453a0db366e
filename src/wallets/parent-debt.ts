// What a sub-account owes its platform is repaid by whatever becomes available to it, after its debt to the operator: its own payments,
// what is released, refunds and withdrawals that end badly, disputes that are won. Shares and transfers from the platform repay it
// in steps of their own (ledger/share-recipes.ts). A sub-account repays in every state and under every freeze: no money leaves the
// installation by it.
// What a CLOSED sub-account would keep after that goes on to its parent (passed-on.ts).
// Inspected by audit/settlement/parent-debt.ts.
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { minOf, type Currency } from '#/kernel/money.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { Occasion } from '#/ledger/recipe-parts.ts'
import { parentRepaid, type ParentAccounts } from '#/ledger/share-recipes.ts'
import { receiverIn } from '#/merchants/account-state.ts'
import { selectParentsOf } from '#/merchants/sub-account-queries.ts'
import { passOn, type Passed } from './passed-on.ts'
import { selectDefaultWallets } from './queries.ts'

/** A merchant that may be a sub-account, in one currency. */
export type Debtor = { readonly merchantId: MerchantId; readonly mode: Mode; readonly currency: Currency }

/** The parent of a sub-account in one currency. `takesAll`: the sub-account is closed, and what comes for it is the parent's. */
type Parent = {
  readonly id: MerchantId
  readonly walletId: WalletId
  readonly accounts: ParentAccounts
  readonly mode: Mode
  readonly takesAll: boolean
}

/** The parents of those that owe theirs something, or are closed, by sub-account and currency. */
export type Parents = {
  readonly of: ReadonlyMap<string, Parent>
  readonly at: Date
}

/** The account that says whether a merchant owes a parent anything. It is loaded with the merchant's other accounts. */
export function parentDebt({ mode, merchantId, currency }: Debtor): chart.AccountSpec {
  return chart.owes(mode, merchantId, currency)
}

/**
 * Loads the parents of those debtors that owe theirs something, that may come to owe it in this batch (the recipients of its shares), or
 * that are closed. Their `parentDebt` must be loaded.
 */
export async function loadParents(
  { tx, books, at }: Pick<Batch, 'tx' | 'books' | 'at'>,
  debtors: readonly Debtor[],
  recipients: ReadonlySet<string> = new Set(),
): Promise<Parents> {
  const none: Parents = { of: new Map(), at }
  if (debtors.length === 0) return none
  const owing = new Set(
    debtors
      .filter((each) => recipients.has(each.merchantId) || books.balance(parentDebt(each)) > 0n)
      .map(({ merchantId }) => merchantId),
  )
  const found = await selectParentsOf(
    tx,
    [...new Set(debtors.map(({ merchantId }) => merchantId))],
    [...owing],
  )
  if (found.length === 0) return none
  const rows = new Map(found.map((each) => [each.id, each]))
  const named = debtors.flatMap((debtor) => {
    const row = rows.get(debtor.merchantId)
    return row === undefined ? [] : [{ debtor, ...row, merchantId: row.parentId, currency: debtor.currency }]
  })
  const wallets = await selectDefaultWallets(tx, named)
  const walletOf = new Map(wallets.map((each) => [keyOf(each), each.id]))
  const of = new Map<string, Parent>()
  for (const { debtor, parentId, state, currency } of named) {
    const walletId = walletOf.get(keyOf({ merchantId: parentId, currency }))
    if (walletId === undefined) continue
    const { mode } = debtor
    const accounts: ParentAccounts = {
      available: chart.walletAvailable(mode, walletId, currency),
      receivable: chart.receivable(mode, parentId, currency),
      owes: parentDebt(debtor),
      owed: chart.owed(mode, parentId, currency),
    }
    const takesAll = receiverIn(state) === 'PARENT'
    of.set(keyOf(debtor), { id: parentId, walletId, accounts, mode, takesAll })
  }
  await books.load([...of.values()].flatMap(({ accounts }) => Object.values(accounts)))
  return { of, at }
}

/**
 * The postings with which what is available in this wallet repays the parent, up to the debt; of a closed sub-account all the rest goes on
 * to the parent. Posted after everything else that an event does: as no money was available beside the debt, or in a closed account,
 * before, what is available now is what the event left free.
 */
export function repayParent(
  { of, at }: Parents,
  { books }: { readonly books: Pick<Batch['books'], 'balance' | 'accepts'> },
  occasion: Occasion,
  { available, ...debtor }: Omit<Debtor, 'mode'> & { readonly available: chart.AccountSpec },
  prefix?: 'release-',
): Passed {
  const parent = of.get(keyOf(debtor))
  if (parent === undefined || !Object.values(parent.accounts).every((account) => books.accepts(account)))
    return { postings: [], passed: [] }
  const { accounts, mode, takesAll } = parent
  const free = books.balance(available)
  const minor = minOf(books.balance(accounts.owes), free)
  const repaid = minor === 0n ? [] : parentRepaid(occasion, { available, parent: accounts }, minor, prefix)
  if (!takesAll) return { postings: repaid, passed: [] }
  const { merchantId, currency } = debtor
  const from = { merchantId, walletId: chart.walletOf(available), available }
  const to = { merchantId: parent.id, walletId: parent.walletId, accounts }
  const passing = { mode, currency, sourceId: occasion.subject, from, to, at }
  const { postings, passed } = passOn(passing, free - minor)
  return { postings: [...repaid, ...postings], passed }
}

function keyOf({ merchantId, currency }: Omit<Debtor, 'mode'>): string {
  return `${merchantId}/${currency}`
}

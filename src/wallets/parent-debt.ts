// What a sub-account owes its platform is repaid by whatever becomes available to it, after its debt to the operator: its own payments,
// what is released, refunds and withdrawals that end badly, disputes that are won. Shares and transfers from the platform repay it
// in steps of their own (ledger/share-recipes.ts). A sub-account repays in every state and under every freeze: no money leaves the
// installation by it.
// Inspected by audit/settlement/parent-debt.ts.
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { minOf, type Currency } from '#/kernel/money.ts'
import type { Posting } from '#/ledger/apply.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { Occasion } from '#/ledger/recipe-parts.ts'
import { parentRepaid, type ParentAccounts } from '#/ledger/share-recipes.ts'
import { selectParents } from '#/merchants/sub-account-queries.ts'
import { selectDefaultWallets } from './queries.ts'

/** A merchant that may be a sub-account, in one currency. */
export type Debtor = { readonly merchantId: MerchantId; readonly mode: Mode; readonly currency: Currency }

/** The accounts of the parents of those that owe theirs something, by sub-account and currency. */
export type Parents = ReadonlyMap<string, ParentAccounts>

/** The account that says whether a merchant owes a parent anything. It is loaded with the merchant's other accounts. */
export function parentDebt({ mode, merchantId, currency }: Debtor): chart.AccountSpec {
  return chart.owes(mode, merchantId, currency)
}

/**
 * Loads the parents of those debtors that owe theirs something, or that may come to owe it in this batch: the recipients of its shares.
 * Their `parentDebt` must be loaded. Without such a debtor this makes no query.
 */
export async function loadParents(
  { tx, books }: Pick<Batch, 'tx' | 'books'>,
  debtors: readonly Debtor[],
  recipients: ReadonlySet<string> = new Set(),
): Promise<Parents> {
  const owing = debtors.filter(
    (each) => recipients.has(each.merchantId) || books.balance(parentDebt(each)) > 0n,
  )
  if (owing.length === 0) return new Map()
  const found = await selectParents(tx, [...new Set(owing.map(({ merchantId }) => merchantId))])
  const parentOf = new Map(found.map(({ id, parentId }) => [id, parentId]))
  const owed = owing.flatMap((debtor) => {
    const parentId = parentOf.get(debtor.merchantId)
    return parentId === undefined ? [] : [{ debtor, parentId, currency: debtor.currency }]
  })
  const wallets = await selectDefaultWallets(
    tx,
    owed.map(({ parentId, currency }) => ({ merchantId: parentId, currency })),
  )
  const walletOf = new Map(wallets.map((each) => [keyOf(each), each.id]))
  const parents = new Map(
    owed.flatMap(({ debtor, parentId, currency }) => {
      const walletId = walletOf.get(keyOf({ merchantId: parentId, currency }))
      if (walletId === undefined) return []
      const { mode } = debtor
      const accounts: ParentAccounts = {
        available: chart.walletAvailable(mode, walletId, currency),
        receivable: chart.receivable(mode, parentId, currency),
        owes: parentDebt(debtor),
        owed: chart.owed(mode, parentId, currency),
      }
      return [[keyOf(debtor), accounts] as const]
    }),
  )
  await books.load([...parents.values()].flatMap((accounts) => Object.values(accounts)))
  return parents
}

/**
 * The postings with which what is available in this wallet repays the parent, up to the debt. Posted after everything else that an
 * event does: as no money was available beside the debt before, what is available now is what the event left free.
 */
export function repayParent(
  parents: Parents,
  { books }: { readonly books: Pick<Batch['books'], 'balance' | 'accepts'> },
  occasion: Occasion,
  { available, ...debtor }: Omit<Debtor, 'mode'> & { readonly available: chart.AccountSpec },
  prefix?: 'release-',
): readonly Posting[] {
  const parent = parents.get(keyOf(debtor))
  if (parent === undefined || !Object.values(parent).every((account) => books.accepts(account))) return []
  const minor = minOf(books.balance(parent.owes), books.balance(available))
  return minor === 0n ? [] : parentRepaid(occasion, { available, parent }, minor, prefix)
}

function keyOf({ merchantId, currency }: Omit<Debtor, 'mode'>): string {
  return `${merchantId}/${currency}`
}

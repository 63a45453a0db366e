// What a CLOSED sub-account still has goes on to its parent: money that came before what comes for a closed one went on by itself. The operator
// orders it (operator/pass-on-kept.ts), and it goes as everything else does that goes on (passed-on.ts).
// Inspected by audit/wallets.ts and audit/settlement/sums.ts.
import { invariant } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import * as chart from '#/ledger/chart.ts'
import { runnable, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import { receiverIn } from '#/merchants/account-state.ts'
import type { FreezeScope } from '#/merchants/freeze.ts'
import { selectFreezes } from '#/merchants/queries.ts'
import { selectSubAccountsAmong } from '#/merchants/sub-account-queries.ts'
import type { SubAccount, SubAccountState } from '#/merchants/sub-account.ts'
import { stopOf } from '#/money-out/gate.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { OwnTransfer } from './own-transfer.ts'
import { loadParents, parentDebt, repayParent, type Parents } from './parent-debt.ts'
import { passingOn, type PassedOn } from './passed-on.ts'
import { selectWalletsOf } from './queries.ts'
import type { Wallet } from './wallet.ts'

export type KeptItem = { readonly merchantId: MerchantId }

export type KeptVerdict =
  /** `transfers`: as the parent has them. `left`: currencies in which it still has money, because the parent has no wallet. */
  | {
      readonly kind: 'passed_on'
      readonly transfers: readonly OwnTransfer[]
      readonly remaining: readonly Currency[]
    }
  | { readonly kind: 'not_found' | 'nothing' | 'frozen' }
  | { readonly kind: 'not_closed'; readonly state: SubAccountState }
  /**
   * - `no_wallet`: its parent has no wallet in these currencies.
   * - `in_debt`: it owes something in these currencies. No debt stays beside available money, so the books are wrong.
   */
  | { readonly kind: 'no_wallet' | 'in_debt'; readonly currencies: readonly Currency[] }

type View = {
  readonly accounts: ReadonlyMap<MerchantId, SubAccount>
  readonly wallets: ReadonlyMap<MerchantId, readonly Wallet[]>
  readonly freezes: readonly FreezeScope[]
  readonly parents: Parents
}

/** Passes on what is available in all wallets of closed sub-accounts, as a kind of work for the ledger lane. */
export const passOnKeptKind: RunnableKind<KeptItem, KeptVerdict, EventDraft> = runnable(
  passingOn<KeptItem, View, never, KeptVerdict, EventDraft>({
    name: 'pass on what a closed sub-account has',
    load,
    decide,
    write: () => Promise.resolve(),
  }),
)

async function load(
  { tx, books, at }: Pick<Batch, 'tx' | 'books' | 'at'>,
  items: readonly KeptItem[],
): Promise<View> {
  const ids = [...new Set(items.map(({ merchantId }) => merchantId))]
  const [found, owned] = await Promise.all([selectSubAccountsAmong(tx, ids), selectWalletsOf(tx, ids)])
  const accounts = new Map(found.map((account) => [account.id, account]))
  const freezes = await selectFreezes(tx, [...ids, ...found.map(({ parentId }) => parentId)])
  const debtors = owned.flatMap(({ merchantId, currency }) => {
    const account = accounts.get(merchantId)
    return account === undefined ? [] : [{ merchantId, mode: account.mode, currency }]
  })
  await books.load([
    ...debtors.flatMap((debtor) => [parentDebt(debtor), debtOf(debtor)]),
    ...owned.flatMap((wallet) => {
      const account = accounts.get(wallet.merchantId)
      return account === undefined ? [] : [availableOf(account, wallet)]
    }),
  ])
  const parents = await loadParents({ tx, books, at }, debtors)
  return { accounts, wallets: Map.groupBy(owned, ({ merchantId }) => merchantId), freezes, parents }
}

function decide(
  { accounts, wallets, freezes, parents }: View,
  { merchantId }: KeptItem,
  { books }: Pick<Batch, 'books'>,
): Ruling<never, KeptVerdict, EventDraft> & { readonly passed?: PassedOn } {
  const account = accounts.get(merchantId)
  if (account === undefined) return { verdict: { kind: 'not_found' } }
  const { mode, parentId, state } = account
  if (receiverIn(state) !== 'PARENT') return { verdict: { kind: 'not_closed', state } }
  const isStopped = [merchantId, parentId].some(
    (id) => stopOf({ freezes }, { way: 'TAKEN', merchantId: id }) !== undefined,
  )
  if (isStopped) return { verdict: { kind: 'frozen' } }
  const full = (wallets.get(merchantId) ?? []).filter(
    (wallet) => books.balance(availableOf(account, wallet)) > 0n,
  )
  if (full.length === 0) return { verdict: { kind: 'nothing' } }
  const owing = full.filter(({ currency }) =>
    [parentDebt, debtOf].some((debt) => books.balance(debt({ merchantId, mode, currency })) > 0n),
  )
  if (owing.length > 0) return { verdict: { kind: 'in_debt', currencies: currenciesOf(owing) } }
  const passed = full.flatMap((wallet) => {
    const { currency } = wallet
    // Nothing is owed, so all of it goes on: the record whose money it was is the account itself.
    const occasion = { subject: merchantId, ordinal: 1, cause: sha256(merchantId) }
    const debtor = { merchantId, currency, available: availableOf(account, wallet) }
    const repaid = repayParent(parents, { books }, occasion, debtor)
    invariant(books.post(repaid.postings).ok, 'what is kept can be passed on')
    return repaid.passed
  })
  const transfers = passed.flatMap(({ rows }) => rows.filter((row) => row.merchantId === parentId))
  const still = full.filter((wallet) => books.balance(availableOf(account, wallet)) > 0n)
  const remaining = currenciesOf(still)
  if (transfers.length === 0) return { verdict: { kind: 'no_wallet', currencies: remaining } }
  return { verdict: { kind: 'passed_on', transfers, remaining }, passed }
}

function currenciesOf(wallets: readonly Wallet[]): readonly Currency[] {
  return [...new Set(wallets.map(({ currency }) => currency))]
}

function availableOf({ mode }: SubAccount, { id, currency }: Wallet): chart.AccountSpec {
  return chart.walletAvailable(mode, id, currency)
}

/** What it owes the operator. */
function debtOf({ mode, merchantId, currency }: Parameters<typeof parentDebt>[0]): chart.AccountSpec {
  return chart.receivable(mode, merchantId, currency)
}

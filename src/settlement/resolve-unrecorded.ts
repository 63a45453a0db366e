// Two people decide whose money left unrecorded. It is decided once, in the transaction that moves the money:
// - a merchant's: the merchant is debited as for a dispute;
// - nobody's: the operator bears the loss;
// - the provider has it again.
// Inspected by audit/settlement/unrecorded.ts.
import { given } from '#/kernel/given.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import { sha256 } from '#/kernel/secret.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch, Closed, RunnableKind } from '#/ledger/kind.ts'
import type { Occasion } from '#/ledger/recipes.ts'
import * as recipes from '#/ledger/unrecorded-recipes.ts'
import { selectMerchant } from '#/merchants/queries.ts'
import type { AuditEntry } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { pureKind, type Decided, type Reading } from '#/wallets/pure-kind.ts'
import { selectDefaultWallets, selectWalletIds } from '#/wallets/queries.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './unrecorded-queries.ts'
import type { Unrecorded, UnrecordedDecision, UnrecordedId } from './unrecorded-queries.ts'
import { sentAccounts } from './unrecorded.ts'
import { walletKey } from './view-wallets.ts'

export type UnrecordedItem = {
  readonly id: UnrecordedId
  readonly note: string
  /** Who decided, written in the transaction of the decision. */
  readonly audit: AuditEntry
} & (
  | { readonly resolution: 'WRITTEN_OFF' }
  | { readonly resolution: 'RETURNED' }
  | { readonly resolution: 'CHARGED'; readonly merchantId: MerchantId }
)

export type UnrecordedVerdict =
  | { readonly kind: 'resolved'; readonly unrecorded: Unrecorded }
  /** It was decided before. */
  | { readonly kind: 'already'; readonly unrecorded: Unrecorded }
  | { readonly kind: 'not_found' | 'unknown_merchant' }
  /** It is a refund of another merchant's payment. */
  | { readonly kind: 'other_merchant'; readonly unrecorded: Unrecorded }
  | { readonly kind: 'other_mode'; readonly unrecorded: Unrecorded; readonly mode: Mode }
  | { readonly kind: 'no_wallet'; readonly unrecorded: Unrecorded }
  /** The return of coins cannot be recorded here: coins that come back are found coins. */
  | { readonly kind: 'no_return'; readonly unrecorded: Unrecorded }
  /** An account that it would move is in another currency. */
  | { readonly kind: 'unbookable'; readonly unrecorded: Unrecorded }

type View = {
  readonly unrecorded: Map<UnrecordedId, Unrecorded>
  readonly modes: ReadonlyMap<MerchantId, Mode>
  /** The wallets of a merchant in a currency, the default one first. */
  readonly wallets: ReadonlyMap<string, readonly WalletId[]>
}

type Change = { readonly decision: UnrecordedDecision; readonly audit: AuditEntry }

/** A decision about money that left unrecorded, as a kind of work for the ledger lane. */
export const unrecordedKind: RunnableKind<UnrecordedItem, UnrecordedVerdict, EventDraft> = pureKind<
  UnrecordedItem,
  View,
  Change,
  UnrecordedVerdict
>({
  name: 'resolve what left unrecorded',
  load,
  decide,
  keep({ unrecorded }, { verdict }) {
    if (verdict.kind === 'resolved') unrecorded.set(verdict.unrecorded.id, verdict.unrecorded)
  },
  async write({ tx, at }, changes) {
    const decisions = changes.map(({ decision }) => decision)
    await queries.writeUnrecordedDecisions(tx, decisions, at)
    await writeAudit(
      tx,
      changes.map(({ audit }) => audit),
    )
  },
})

async function load({ tx, books }: Batch, items: readonly UnrecordedItem[]): Promise<View> {
  const rows = await queries.selectUnrecordedById(
    tx,
    items.map(({ id }) => id),
  )
  const merchantIds = [...new Set(items.flatMap((item) => merchantOf(item) ?? []))]
  const currencies = [...new Set(rows.map(({ currency }) => currency))]
  const walletKeys = merchantIds.flatMap((merchantId) =>
    currencies.map((currency) => ({ merchantId, currency })),
  )
  const [merchants, first, all] = await Promise.all([
    Promise.all(merchantIds.map((id) => selectMerchant(tx, id))),
    walletKeys.length === 0 ? [] : selectDefaultWallets(tx, walletKeys),
    walletKeys.length === 0 ? [] : selectWalletIds(tx, walletKeys),
  ])
  const wallets = Map.groupBy([...first, ...all], walletKey)
  const view: View = {
    unrecorded: new Map(rows.map((row) => [row.id, row])),
    modes: new Map(merchants.flatMap((each) => (each === undefined ? [] : [[each.id, each.mode] as const]))),
    wallets: new Map([...wallets].map(([key, each]) => [key, [...new Set(each.map(({ id }) => id))]])),
  }
  await books.load(
    items.flatMap((item) => {
      const row = view.unrecorded.get(item.id)
      return row === undefined ? [] : accountList(view, row, item)
    }),
  )
  return view
}

function decide(
  view: Closed<View>,
  item: UnrecordedItem,
  { books, at }: Reading,
): Decided<Change, UnrecordedVerdict> {
  const unrecorded = view.unrecorded.get(item.id)
  if (unrecorded === undefined) return { verdict: { kind: 'not_found' } }
  if (unrecorded.resolution !== null) return { verdict: { kind: 'already', unrecorded } }
  if (item.resolution === 'RETURNED' && unrecorded.chain !== null)
    return { verdict: { kind: 'no_return', unrecorded } }
  const merchantId = merchantOf(item)
  if (merchantId !== undefined) {
    const mode = view.modes.get(merchantId)
    if (mode === undefined) return { verdict: { kind: 'unknown_merchant' } }
    if (mode !== unrecorded.mode) return { verdict: { kind: 'other_mode', unrecorded, mode } }
    if (unrecorded.merchantId !== null && unrecorded.merchantId !== merchantId)
      return { verdict: { kind: 'other_merchant', unrecorded } }
    if (walletsOf(view, unrecorded, merchantId).length === 0)
      return { verdict: { kind: 'no_wallet', unrecorded } }
  }
  if (!accountList(view, unrecorded, item).every((each) => books.accepts(each)))
    return { verdict: { kind: 'unbookable', unrecorded } }
  return resolve(view, unrecorded, item, at)
}

function resolve(
  view: Closed<View>,
  unrecorded: Unrecorded,
  item: UnrecordedItem,
  resolvedAt: Date,
): Decided<Change, UnrecordedVerdict> {
  const { id, amountMinor } = unrecorded
  const { resolution, note, audit } = item
  const [walletId] = item.resolution === 'CHARGED' ? walletsOf(view, unrecorded, item.merchantId) : []
  const decision = { id, resolution, ...given({ walletId }), note }
  // The bytes behind these transfers are the decision as its row keeps it.
  const occasion = { subject: id, ordinal: 2, cause: sha256(canonicalJson(decision)) }
  const after: Unrecorded = { ...unrecorded, resolution, resolvedAt, walletId: walletId ?? null, note }
  return {
    verdict: { kind: 'resolved', unrecorded: after },
    change: { decision, audit },
    postings: postingsOf(view, unrecorded, item, { occasion, minor: amountMinor }),
  }
}

function postingsOf(
  view: Closed<View>,
  unrecorded: Unrecorded,
  item: UnrecordedItem,
  { occasion, minor }: { readonly occasion: Occasion; readonly minor: bigint },
) {
  const accounts = sentAccounts(unrecorded)
  switch (item.resolution) {
    case 'CHARGED': {
      const from = debitedOf(view, unrecorded, item.merchantId)
      return recipes.unrecordedCharged(occasion, { ...from, unrecorded: accounts.unrecorded }, minor)
    }
    case 'WRITTEN_OFF':
      return recipes.unrecordedLost(occasion, { ...accounts, loss: lossOf(unrecorded) }, minor)
    case 'RETURNED':
      return recipes.unrecordedReturned(occasion, accounts, minor)
  }
}

/** All accounts that the decision may move. */
function accountList(
  view: Closed<View>,
  unrecorded: Unrecorded,
  item: UnrecordedItem,
): readonly chart.AccountSpec[] {
  const sent = Object.values(sentAccounts(unrecorded))
  if (item.resolution === 'WRITTEN_OFF') return [...sent, lossOf(unrecorded)]
  if (item.resolution === 'RETURNED') return sent
  const { sources, receivable } = debitedOf(view, unrecorded, item.merchantId)
  return [...sent, ...sources, receivable]
}

function debitedOf(view: Closed<View>, unrecorded: Unrecorded, merchantId: MerchantId) {
  const { mode, currency } = unrecorded
  return {
    sources: walletsOf(view, unrecorded, merchantId).map((id) => chart.walletAvailable(mode, id, currency)),
    receivable: chart.receivable(mode, merchantId, currency),
  }
}

function lossOf({ mode, currency }: Unrecorded): chart.AccountSpec {
  return chart.cost(mode, 'loss', currency)
}

function merchantOf(item: UnrecordedItem): MerchantId | undefined {
  return item.resolution === 'CHARGED' ? item.merchantId : undefined
}

function walletsOf(
  { wallets }: Closed<View>,
  { currency }: Unrecorded,
  merchantId: MerchantId,
): readonly WalletId[] {
  return wallets.get(walletKey({ merchantId, currency })) ?? []
}

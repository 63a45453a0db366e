// Money that fits no attempt is in suspense until a person decides whose it is. It is decided once: the transaction that moves
// the money also writes the decision to its row.
// Inspected by audit/settlement/suspense.ts.
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { Id, MerchantId, WalletId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import { sha256 } from '#/kernel/secret.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch, Closed, RunnableKind } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import type { AuditEntry } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { Rails } from '#/rails/rail.ts'
import { loadParents, type Parents } from '#/wallets/parent-debt.ts'
import { pureKind, type Decided, type Reading } from '#/wallets/pure-kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { creditAccounts } from './accounts.ts'
import * as queries from './queries.ts'
import type { Unmatched } from './queries.ts'
import { loadOwners, walletKey, type Owners } from './view-wallets.ts'

/** The money is credited to a merchant's default wallet of the currency; or the operator has returned it at the provider. */
export type ResolveItem = {
  readonly id: Id<'unmatched'>
  /** Absent: it was returned. */
  readonly merchantId?: MerchantId
  readonly note?: string
  /** Who decided, written in the transaction of the decision. */
  readonly audit?: AuditEntry
}

export type ResolveVerdict =
  | { readonly kind: 'resolved'; readonly unmatched: Unmatched; readonly walletId?: WalletId }
  | { readonly kind: 'not_found' | 'unknown_merchant' }
  /** It was decided before. */
  | { readonly kind: 'already'; readonly unmatched: Unmatched }
  /** The receipt is not about money that came. */
  | { readonly kind: 'no_money'; readonly unmatched: Unmatched }
  /** The provider reports that it went back, or is about to: it cannot be credited. */
  | { readonly kind: 'went_back'; readonly unmatched: Unmatched }
  | { readonly kind: 'other_mode'; readonly unmatched: Unmatched; readonly mode: Mode }
  | { readonly kind: 'no_wallet'; readonly unmatched: Unmatched }
  /** An account that it would move is in another currency, or this process knows no rail of its method. */
  | { readonly kind: 'unbookable'; readonly unmatched: Unmatched }

export type ResolveKind = RunnableKind<ResolveItem, ResolveVerdict, EventDraft>

type View = Owners & {
  readonly rails: Rails
  readonly unmatched: Map<Id<'unmatched'>, Unmatched>
  readonly parents: Parents
}

type Ground = Omit<Closed<View>, 'parents'>

type Change = { readonly resolved: queries.Resolved; readonly audit: AuditEntry | undefined }

/** A person's decision about money in suspense, as a kind of work for the ledger lane. */
export function resolveKind(rails: Rails): ResolveKind {
  return pureKind<ResolveItem, View, Change, ResolveVerdict>({
    name: 'resolve suspense',
    load: (batch, items) => load(batch, rails, items),
    decide,
    keep({ unmatched }, { verdict }) {
      if (verdict.kind === 'resolved') unmatched.set(verdict.unmatched.id, verdict.unmatched)
    },
    async write({ tx, at }, changes) {
      await queries.writeResolved(
        tx,
        changes.map(({ resolved }) => resolved),
        at,
      )
      await writeAudit(
        tx,
        changes.flatMap(({ audit }) => audit ?? []),
      )
    },
  })
}

async function load(batch: Batch, rails: Rails, items: readonly ResolveItem[]): Promise<View> {
  const { tx, books } = batch
  const rows = await queries.selectUnmatchedById(
    tx,
    items.map(({ id }) => id),
  )
  const merchantIds = items.flatMap(({ merchantId }) => merchantId ?? [])
  const owners = await loadOwners(tx, merchantIds, [...new Set(rows.map(({ currency }) => currency))])
  const view = { rails, unmatched: new Map(rows.map((row) => [row.id, row])), ...owners }
  await books.load(items.flatMap((item) => accountList(view, item)))
  const debtors = items.flatMap((item) => {
    const unmatched = view.unmatched.get(item.id)
    if (unmatched === undefined || accountList(view, item).length === 0) return []
    const { mode, currency } = unmatched
    const { merchantId } = item
    return merchantId === undefined || !view.defaults.has(walletKey({ merchantId, currency }))
      ? []
      : [{ merchantId, mode, currency }]
  })
  return { ...view, parents: await loadParents(batch, debtors) }
}

function decide(
  view: Closed<View>,
  item: ResolveItem,
  { books, at }: Reading,
): Decided<Change, ResolveVerdict> {
  const { merchantId, note, audit } = item
  const unmatched = view.unmatched.get(item.id)
  if (unmatched === undefined) return { verdict: { kind: 'not_found' } }
  if (unmatched.resolution !== null) return { verdict: { kind: 'already', unmatched } }
  if (unmatched.outcome !== 'paid' || unmatched.amountMinor === 0n)
    return { verdict: { kind: 'no_money', unmatched } }
  const accounts = accountList(view, item)
  if (accounts.length === 0 || !accounts.every((account) => books.accepts(account)))
    return { verdict: { kind: 'unbookable', unmatched } }
  if (merchantId === undefined) return resolve(view, unmatched, { resolution: 'RETURNED', note, audit }, at)

  const mode = view.modes.get(merchantId)
  if (mode === undefined) return { verdict: { kind: 'unknown_merchant' } }
  if (mode !== unmatched.mode) return { verdict: { kind: 'other_mode', unmatched, mode } }
  if (unmatched.reportedSince.length > 0) return { verdict: { kind: 'went_back', unmatched } }
  const walletId = view.defaults.get(walletKey({ ...unmatched, merchantId }))
  if (walletId === undefined) return { verdict: { kind: 'no_wallet', unmatched } }
  return resolve(view, unmatched, { resolution: 'CREDITED', merchantId, walletId, note, audit }, at)
}

type Decision = { readonly note: string | undefined; readonly audit: AuditEntry | undefined } & (
  | { readonly resolution: 'RETURNED' }
  | { readonly resolution: 'CREDITED'; readonly merchantId: MerchantId; readonly walletId: WalletId }
)

function resolve(
  view: Closed<View>,
  unmatched: Unmatched,
  decision: Decision,
  resolvedAt: Date,
): Decided<Change, ResolveVerdict> {
  const { id, amountMinor, currency } = unmatched
  const { resolution, note, audit } = decision
  const accounts = suspenseOf(view, unmatched)
  const wallet = decision.resolution === 'CREDITED' ? { walletId: decision.walletId } : {}
  const resolved = { id, resolution, ...wallet, ...given({ note }) }
  const after: Unmatched = {
    ...unmatched,
    resolution,
    resolvedAt,
    walletId: wallet.walletId ?? null,
    note: note ?? null,
  }
  const ruling = {
    verdict: { kind: 'resolved' as const, unmatched: after, ...wallet },
    change: { resolved, audit },
  }
  // The bytes behind these transfers are the decision as its row keeps it.
  const occasion: recipes.Occasion = { subject: id, ordinal: 2, cause: sha256(canonicalJson(resolved)) }
  if (decision.resolution === 'RETURNED')
    return { ...ruling, postings: recipes.suspenseReturned(occasion, accounts, amountMinor) }
  const { merchantId, walletId } = decision
  const credited = creditAccounts({ ...unmatched, merchantId }, walletId)
  return {
    ...ruling,
    postings: recipes.unsuspended(occasion, { ...accounts, ...credited }, amountMinor),
    repays: { parents: view.parents, occasion, merchantId, currency, available: credited.available },
  }
}

function accountList(view: Ground, { id, merchantId }: ResolveItem): readonly chart.AccountSpec[] {
  const unmatched = view.unmatched.get(id)
  if (unmatched === undefined || !view.rails.has(unmatched.method)) return []
  const walletId = merchantId && view.defaults.get(walletKey({ ...unmatched, merchantId }))
  return [
    ...Object.values(suspenseOf(view, unmatched)),
    ...(merchantId === undefined || walletId === undefined
      ? []
      : Object.values(creditAccounts({ ...unmatched, merchantId }, walletId))),
  ]
}

function suspenseOf({ rails }: Ground, { mode, method, connection, currency }: Unmatched) {
  const arrival = must(rails.get(method), `no rail for ${method}`).arrival(connection)
  return {
    arrival:
      arrival.at === 'PROVIDER'
        ? chart.provider(mode, connection, currency)
        : chart.coins(mode, arrival.chain, arrival.token, 'deposit'),
    suspense: chart.suspense(mode, connection, currency),
  }
}

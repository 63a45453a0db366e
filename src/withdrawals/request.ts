// START HERE. A merchant withdraws money: wallet, funds and limits are decided under the lane's lock (accept.ts), and the amount is
// held in the same transaction. Nothing is sent yet.
// Inspected by audit/withdrawals.ts.
import type { Tx } from '#/db/client.ts'
import { insertValues } from '#/finding/queries.ts'
import { hexOfUuid, type ApiKeyId, type MerchantId, type WithdrawalId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import { isSameCall } from '#/kernel/same-call.ts'
import { sha256 } from '#/kernel/secret.ts'
import { runnable, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import { noteSpent } from '#/money-out/facts.ts'
import type { PayoutRouting } from '#/rails/payout-rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import {
  accept,
  balancesIn,
  holdOf,
  loadRules,
  outgoingOf,
  wantedBy,
  type Rules,
  type WithdrawalRefusal,
} from './accept.ts'
import * as limitQueries from './limit-queries.ts'
import { spentOf } from './limits.ts'
import * as queries from './queries.ts'
import { withdrawalEvent, type Withdrawal, type WithdrawalRequest } from './withdrawal.ts'

export type WithdrawalItem = {
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly id: WithdrawalId
  readonly request: WithdrawalRequest
  readonly idempotencyKey?: string
  readonly requestedBy: ApiKeyId
  /** The payout rail's answer about the destination. Used only if no earlier withdrawal has this idempotency key. */
  readonly routing: PayoutRouting
  /** Of the call. */
  readonly trace?: string | undefined
}

export type WithdrawalVerdict =
  | { readonly kind: 'created'; readonly withdrawal: Withdrawal }
  | { readonly kind: 'replayed'; readonly withdrawal: Withdrawal }
  /** The key created this withdrawal before, with another body. */
  | { readonly kind: 'conflict'; readonly withdrawal: Withdrawal }
  | WithdrawalRefusal

export type WithdrawalKind = RunnableKind<WithdrawalItem, WithdrawalVerdict, EventDraft>

type View = { readonly byKey: Map<string, queries.StoredWithdrawalKey>; readonly rules: Rules }

/** Accepts withdrawals, as a kind of work for the ledger lane. */
export function withdrawalKind(): WithdrawalKind {
  return runnable<WithdrawalItem, View, queries.NewWithdrawal, WithdrawalVerdict, EventDraft>({
    name: 'accept a withdrawal',
    bytesOf: () => 1_536,
    load,
    decide,
    write: ({ tx }, withdrawals) => writeAccepted(tx, withdrawals),
  })
}

/** Writes withdrawals that were accepted. Those that wait for nobody are due at once. */
export async function writeAccepted(tx: Tx, withdrawals: readonly queries.NewWithdrawal[]): Promise<void> {
  const ready = withdrawals.filter((withdrawal) => withdrawal.status === 'PENDING')
  await Promise.all([
    insertIndexed(tx, withdrawals),
    ready.length > 0 && queries.insertDue(tx, ready),
    // Always counted, so that a limit that is set during the day includes the earlier withdrawals.
    limitQueries.addSpent(tx, withdrawals.map(spentOf)),
  ])
}

/** Writes them, and indexes the metadata of merchants that find by it. */
async function insertIndexed(tx: Tx, withdrawals: readonly queries.NewWithdrawal[]): Promise<void> {
  const keyed = await queries.insertWithdrawals(tx, withdrawals)
  const indexed = withdrawals.filter(({ id, request }) => keyed.has(id) && request.metadata !== undefined)
  if (indexed.length > 0) await insertValues(tx, 'WITHDRAWAL', indexed)
}

async function load(batch: Batch, items: readonly WithdrawalItem[]): Promise<View> {
  const keyed = items.filter(({ idempotencyKey }) => idempotencyKey !== undefined)
  const references = [...new Set(keyed.map(referenceOf))]
  const [stored, rules] = await Promise.all([
    references.length === 0 ? [] : queries.selectByKeys(batch.tx, references),
    loadRules(
      batch,
      items.map(({ merchantId, mode, requestedBy, request, routing }) => ({
        merchantId,
        mode,
        requestedBy,
        way: 'WITHDRAWAL' as const,
        ...wantedBy(request, routing),
      })),
      references,
    ),
  ])
  return {
    byKey: new Map(stored.map((each) => [`${each.withdrawal.merchantId}/${each.key}`, each])),
    rules,
  }
}

type Decided = Ruling<queries.NewWithdrawal, WithdrawalVerdict, EventDraft>

function decide({ byKey, rules }: View, item: WithdrawalItem, batch: Pick<Batch, 'books' | 'at'>): Decided {
  const { merchantId, mode, request, idempotencyKey, trace } = item
  const fingerprint = sha256(canonicalJson(request))
  const earlier = idempotencyKey === undefined ? undefined : byKey.get(`${merchantId}/${idempotencyKey}`)
  if (earlier !== undefined) {
    const isSame = isSameCall(earlier.fingerprint, (spell) => sha256(canonicalJson(spell(request))))
    const kind = isSame ? 'replayed' : 'conflict'
    return { verdict: { kind, withdrawal: earlier.withdrawal } }
  }
  const accepted = accept(
    rules,
    { ...item, way: 'WITHDRAWAL' },
    { ...item, reference: referenceOf(item) },
    {
      balancesOf: balancesIn(batch, mode),
      spentMinor: (key) => rules.facts.spent.get(key) ?? 0n,
      at: batch.at,
    },
  )
  if (accepted.kind !== 'accepted') return { verdict: accepted }
  const { withdrawal } = accepted
  // The wallet has the funds, so this fails only when one of its accounts is in another currency.
  if (!batch.books.post(holdOf(withdrawal, fingerprint)).ok) return { verdict: { kind: 'not_spendable' } }
  if (idempotencyKey !== undefined)
    byKey.set(`${merchantId}/${idempotencyKey}`, { key: idempotencyKey, fingerprint, withdrawal })
  noteSpent(rules.facts, outgoingOf(withdrawal))
  return {
    verdict: { kind: 'created', withdrawal },
    change: { ...withdrawal, idempotencyKey, fingerprint, trace },
    events: createdEvents(withdrawal),
  }
}

/** The events of a withdrawal that was accepted. */
export function createdEvents(withdrawal: Withdrawal): readonly EventDraft[] {
  const created = withdrawalEvent('withdrawal.created', withdrawal)
  return withdrawal.status === 'PENDING_APPROVAL'
    ? [created, withdrawalEvent('withdrawal.approval_required', withdrawal)]
    : [created]
}

/**
 * Our reference at the provider, fixed before the first call. It is derived from the merchant's own key: even if all our data
 * were lost, the same request would get the same reference, and the provider would treat it as the same payout. When it is known that the
 * money has left, the request is refused (accept.ts).
 */
function referenceOf({
  merchantId,
  idempotencyKey,
  id,
}: Pick<WithdrawalItem, 'merchantId' | 'idempotencyKey' | 'id'>): string {
  if (idempotencyKey === undefined) return hexOfUuid(id)
  return sha256(canonicalJson({ merchantId, idempotencyKey })).toString('hex').slice(0, 32)
}

// A merchant requests a batch of withdrawals: all are accepted and held in one transaction, or none is.
// Inspected by audit/withdrawals.ts.
import type { ApiKeyId, MerchantId, WalletId, WithdrawalBatchId, WithdrawalId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import { inChecksum, isSameCall, type Spell } from '#/kernel/same-call.ts'
import { sha256 } from '#/kernel/secret.ts'
import { runnable, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import { batchKey, countedLimits } from '#/money-out/facts.ts'
import { isBatchLarge } from '#/money-out/gate.ts'
import type { PayoutRouting } from '#/rails/payout-rail.ts'
import type { Wallet } from '#/wallets/wallet.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import {
  accept,
  balancesIn,
  holdOf,
  loadRules,
  outgoingOf,
  wantedBy,
  type Present,
  type Rules,
  type Wanted,
  type WithdrawalRefusal,
} from './accept.ts'
import * as batchQueries from './batch-queries.ts'
import type { WithdrawalBatch } from './batch.ts'
import type { NewWithdrawal } from './queries.ts'
import { createdEvents, writeAccepted } from './request.ts'
import type { Withdrawal, WithdrawalRequest } from './withdrawal.ts'

export type BatchItem = {
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly id: WithdrawalBatchId
  readonly idempotencyKey: string
  readonly requestedBy: ApiKeyId
  /** Of the call. */
  readonly trace?: string | undefined
  /** In the order of the request; `routing` is the payout rail's answer about each destination. */
  readonly withdrawals: readonly {
    readonly id: WithdrawalId
    readonly request: WithdrawalRequest
    readonly routing: PayoutRouting
  }[]
}

/** A withdrawal of a batch that is not accepted, by its place in the batch. */
export type RefusedPlace = { readonly place: number; readonly refusal: WithdrawalRefusal }

export type BatchVerdict =
  | { readonly kind: 'created' | 'replayed' | 'conflict'; readonly batch: WithdrawalBatch }
  /** Nothing was held. Every withdrawal that is not accepted is listed. */
  | { readonly kind: 'refused'; readonly places: readonly RefusedPlace[] }

export type BatchKind = RunnableKind<BatchItem, BatchVerdict, EventDraft>

type View = { readonly byKey: Map<string, batchQueries.NewBatch>; readonly rules: Rules }
type Change = { readonly batch: batchQueries.NewBatch; readonly withdrawals: readonly NewWithdrawal[] }

/** Accepts batches of withdrawals, as a kind of work for the ledger lane. */
export function withdrawalBatchKind(): BatchKind {
  return runnable<BatchItem, View, Change, BatchVerdict, EventDraft>({
    name: 'accept a batch of withdrawals',
    bytesOf: ({ withdrawals }) => 512 + 1_536 * withdrawals.length,
    weightOf: ({ withdrawals }) => 5_632 * withdrawals.length,
    load,
    decide,
    async write({ tx }, changes) {
      await batchQueries.insertBatches(
        tx,
        changes.map(({ batch }) => batch),
      )
      await writeAccepted(
        tx,
        changes.flatMap(({ withdrawals }) => withdrawals),
      )
    },
  })
}

async function load(batch: Batch, items: readonly BatchItem[]): Promise<View> {
  const references = items.flatMap((item) => item.withdrawals.map((_, place) => referenceOf(item, place)))
  const [stored, rules] = await Promise.all([
    batchQueries.selectBatchesByKey(batch.tx, items),
    loadRules(batch, items.flatMap(wantedOf), references),
  ])
  return { byKey: new Map(stored.map((each) => [keyOf(each), each])), rules }
}

function wantedOf({ merchantId, mode, requestedBy, withdrawals }: BatchItem): readonly Wanted[] {
  const who = { merchantId, mode, requestedBy, way: 'BATCH' as const }
  return withdrawals.map(({ request, routing }) => ({ ...who, ...wantedBy(request, routing) }))
}

type Decided = Ruling<Change, BatchVerdict, EventDraft>

function decide({ byKey, rules }: View, item: BatchItem, batch: Pick<Batch, 'books' | 'at'>): Decided {
  const fingerprintOf = (spell: Spell) =>
    sha256(canonicalJson(item.withdrawals.map(({ request }) => spell(request))))
  const fingerprint = fingerprintOf(inChecksum)
  const earlier = byKey.get(keyOf(item))
  if (earlier !== undefined) {
    const kind = isSameCall(earlier.fingerprint, fingerprintOf) ? 'replayed' : 'conflict'
    return { verdict: { kind, batch: earlier } }
  }
  const { accepted, refused, spent } = acceptAll(rules, item, batch)
  if (refused.length > 0) return { verdict: { kind: 'refused', places: refused } }
  const waits = needsApproval(rules, accepted)
  const withdrawals = accepted.map((each): NewWithdrawal => ({
    ...each,
    ...(waits ? { status: 'PENDING_APPROVAL' as const } : {}),
    idempotencyKey: undefined,
    fingerprint: sha256(canonicalJson(each.request)),
    trace: item.trace,
  }))
  const held = batch.books.post(withdrawals.flatMap((each) => holdOf(each, each.fingerprint)))
  // The wallets have the funds, so this fails only when an account is in another currency.
  if (!held.ok)
    return { verdict: { kind: 'refused', places: [{ place: 0, refusal: { kind: 'not_spendable' } }] } }
  const { merchantId, id, idempotencyKey, requestedBy } = item
  const made = { merchantId, id, idempotencyKey, requestedBy, count: withdrawals.length, createdAt: batch.at }
  byKey.set(keyOf(item), { ...made, fingerprint })
  for (const [key, minor] of spent) rules.facts.spent.set(key, minor)
  return {
    verdict: { kind: 'created', batch: made },
    change: { batch: { ...made, fingerprint }, withdrawals },
    events: withdrawals.flatMap(createdEvents),
  }
}

/** Decides about each withdrawal as if those before it were held already. */
function acceptAll(rules: Rules, item: BatchItem, batch: Pick<Batch, 'books' | 'at'>) {
  const inBooks = balancesIn(batch, item.mode)
  const debits = new Map<WalletId, bigint>()
  const spent = new Map<string, bigint>()
  const present: Present = {
    balancesOf: (wallet: Wallet) => {
      const { availableMinor, heldMinor } = inBooks(wallet)
      const debit = debits.get(wallet.id) ?? 0n
      return { availableMinor: availableMinor - debit, heldMinor: heldMinor + debit }
    },
    spentMinor: (key) => spent.get(key) ?? rules.facts.spent.get(key) ?? 0n,
    at: batch.at,
  }
  const accepted: Withdrawal[] = []
  const refused: RefusedPlace[] = []
  for (const [place, requested] of item.withdrawals.entries()) {
    const asked = { ...requested, reference: referenceOf(item, place) }
    const verdict = accept(rules, { ...item, way: 'BATCH' }, asked, present)
    if (verdict.kind !== 'accepted') {
      refused.push({ place, refusal: verdict })
      continue
    }
    const { withdrawal } = verdict
    const { walletId, amountMinor, feeMinor } = withdrawal
    debits.set(walletId, (debits.get(walletId) ?? 0n) + amountMinor + feeMinor)
    for (const { key } of countedLimits(rules.facts, outgoingOf(withdrawal)))
      spent.set(key, present.spentMinor(key) + amountMinor)
    accepted.push({ ...withdrawal, batch: { id: item.id, place } })
  }
  return { accepted, refused, spent }
}

/**
 * Whether the whole batch waits for a second person: when one of its withdrawals needs one, or when all withdrawals of one type
 * and currency together do, as one withdrawal of their sum would.
 */
function needsApproval(rules: Rules, withdrawals: readonly Withdrawal[]): boolean {
  if (withdrawals.some(({ status }) => status === 'PENDING_APPROVAL')) return true
  const groups = Map.groupBy(withdrawals.map(outgoingOf), batchKey)
  return [...groups.values()].some((all) => {
    const sumMinor = all.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    return all.slice(0, 1).some((first) => isBatchLarge(rules.facts, first, sumMinor))
  })
}

/** Derived from the merchant's own key and the place in the batch: see request.ts. */
function referenceOf({ merchantId, idempotencyKey }: BatchItem, place: number): string {
  return sha256(canonicalJson({ merchantId, batch: idempotencyKey, place }))
    .toString('hex')
    .slice(0, 32)
}

function keyOf({ merchantId, idempotencyKey }: Pick<BatchItem, 'merchantId' | 'idempotencyKey'>): string {
  return `${merchantId}/${idempotencyKey}`
}

// A merchant requests a batch of withdrawals: all are accepted and held in one transaction, or none is.
// Inspected by audit/withdrawals.ts.
import type { WalletId, WithdrawalBatchId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { inChecksum, isSameCall, type Spell } from '#/kernel/same-call.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Batch, Closed, RunnableKind } from '#/ledger/kind.ts'
import { batchKey, noteSpent } from '#/money-out/facts.ts'
import { isBatchLarge } from '#/money-out/gate.ts'
import { pureKind, type DecidedOrElse, type Reading } from '#/wallets/pure-kind.ts'
import type { Wallet } from '#/wallets/wallet.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import {
  accept,
  acceptanceOf,
  balancesIn,
  keepAccepted,
  loadRules,
  outgoingOf,
  wantedBy,
  writeAccepted,
  type Requested,
  type Requester,
  type Rules,
  type WithdrawalRefusal,
} from './accept.ts'
import * as batchQueries from './queries.ts'
import type { NewWithdrawal } from './queries.ts'
import type { WithdrawalBatch, Withdrawal } from './withdrawal.ts'

export type BatchItem = Omit<Requester, 'way'> & {
  readonly id: WithdrawalBatchId
  readonly idempotencyKey: string
  /** Of the call. */
  readonly trace?: string | undefined
  /** In the order of the request. */
  readonly withdrawals: readonly Omit<Requested, 'reference'>[]
}

/** A withdrawal of a batch that is not accepted, by its place in the batch. */
export type RefusedPlace = { readonly place: number; readonly refusal: WithdrawalRefusal }

export type BatchVerdict =
  | {
      readonly kind: 'created'
      readonly batch: WithdrawalBatch
      readonly withdrawals: readonly Withdrawal[]
    }
  | { readonly kind: 'replayed'; readonly batch: WithdrawalBatch }
  | { readonly kind: 'conflict'; readonly batch: WithdrawalBatch }
  /** Nothing was held. Every withdrawal that is not accepted is listed. */
  | { readonly kind: 'refused'; readonly places: readonly RefusedPlace[] }

export type BatchKind = RunnableKind<BatchItem, BatchVerdict, EventDraft>

type View = Rules & { readonly byKey: Map<string, batchQueries.NewBatch> }
type Change = { readonly batch: batchQueries.NewBatch; readonly withdrawals: readonly NewWithdrawal[] }

/** Accepts batches of withdrawals, as a kind of work for the ledger lane. */
export function withdrawalBatchKind(): BatchKind {
  return pureKind<BatchItem, View, Change, BatchVerdict>({
    name: 'accept a batch of withdrawals',
    bytesOf: ({ withdrawals }) => 512 + 1_536 * withdrawals.length,
    weightOf: ({ withdrawals }) => 5_632 * withdrawals.length,
    load,
    decide,
    keep(view, { change: { batch, withdrawals } }) {
      keepAccepted(view, withdrawals)
      view.byKey.set(keyOf(batch), batch)
    },
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
  const wanted = items.flatMap((item) =>
    item.withdrawals.map((each) => wantedBy({ ...item, way: 'BATCH' }, each)),
  )
  const references = items.flatMap((item) => item.withdrawals.map((_, place) => referenceOf(item, place)))
  const [stored, rules] = await Promise.all([
    batchQueries.selectBatchesByKey(batch.tx, items),
    loadRules(batch, wanted, references),
  ])
  return { ...rules, byKey: new Map(stored.map((each) => [keyOf(each), each])) }
}

function decide(
  view: Closed<View>,
  item: BatchItem,
  { books, at }: Reading,
): DecidedOrElse<Change, BatchVerdict> {
  const fingerprintOf = (spell: Spell) =>
    sha256(canonicalJson(item.withdrawals.map(({ request }) => spell(request))))
  const earlier = view.byKey.get(keyOf(item))
  if (earlier !== undefined) {
    const kind = isSameCall(earlier.fingerprint, fingerprintOf) ? 'replayed' : 'conflict'
    return { verdict: { kind, batch: earlier } }
  }
  const { accepted, refused } = acceptAll(view, item, { books, at })
  if (refused.length > 0) return { verdict: { kind: 'refused', places: refused } }
  const waits = needsApproval(view, accepted)
  const withdrawals = accepted.map((each): NewWithdrawal => ({
    ...each,
    ...(waits ? { status: 'PENDING_APPROVAL' as const } : {}),
    idempotencyKey: undefined,
    fingerprint: sha256(canonicalJson(each.request)),
    trace: item.trace,
  }))
  const { merchantId, id, idempotencyKey, requestedBy } = item
  const batch = { merchantId, id, idempotencyKey, requestedBy, count: withdrawals.length, createdAt: at }
  return {
    verdict: { kind: 'created', batch, withdrawals },
    change: { batch: { ...batch, fingerprint: fingerprintOf(inChecksum) }, withdrawals },
    ...acceptanceOf(withdrawals),
    // The wallets have the funds, so the books refuse only an account in another currency.
    orElse: () => ({
      verdict: { kind: 'refused', places: [{ place: 0, refusal: { kind: 'not_spendable' } }] },
    }),
  }
}

/** Decides about each withdrawal as if those before it were held already. */
function acceptAll(view: Closed<View>, item: BatchItem, { books, at }: Reading) {
  const inBooks = balancesIn({ books }, item.mode)
  const debits = new Map<WalletId, bigint>()
  const rules = { ...view, spent: new Map(view.spent) }
  const balancesOf = (wallet: Wallet) => {
    const { availableMinor, heldMinor } = inBooks(wallet)
    const debit = debits.get(wallet.id) ?? 0n
    return { availableMinor: availableMinor - debit, heldMinor: heldMinor + debit }
  }
  const accepted: Withdrawal[] = []
  const refused: RefusedPlace[] = []
  for (const [place, each] of item.withdrawals.entries()) {
    const requested = { ...each, reference: referenceOf(item, place) }
    const verdict = accept(rules, { ...item, way: 'BATCH' }, requested, balancesOf, at)
    if (verdict.kind !== 'accepted') {
      refused.push({ place, refusal: verdict })
      continue
    }
    const { withdrawal } = verdict
    const { walletId, amountMinor, feeMinor } = withdrawal
    debits.set(walletId, (debits.get(walletId) ?? 0n) + amountMinor + feeMinor)
    noteSpent(rules.spent, rules.facts, outgoingOf(withdrawal))
    accepted.push({ ...withdrawal, batch: { id: item.id, place } })
  }
  return { accepted, refused }
}

/**
 * Whether the whole batch waits for a second person: when one of its withdrawals needs one, or when all withdrawals of one type
 * and currency together do, as one withdrawal of their sum would.
 */
function needsApproval({ facts }: Closed<View>, withdrawals: readonly Withdrawal[]): boolean {
  if (withdrawals.some(({ status }) => status === 'PENDING_APPROVAL')) return true
  const groups = Map.groupBy(withdrawals.map(outgoingOf), batchKey)
  return [...groups.values()].some((all) => {
    const sumMinor = all.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    return all.slice(0, 1).some((first) => isBatchLarge(facts, first, sumMinor))
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

// START HERE. A merchant withdraws money: wallet, funds and limits are decided under the lane's lock (accept.ts), and the amount is
// held in the same transaction. Nothing is sent yet.
// Inspected by audit/withdrawals.ts.
import { hexOfUuid } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { isSameCall } from '#/kernel/same-call.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Batch, Closed, RunnableKind } from '#/ledger/kind.ts'
import { pureKind, type DecidedOrElse, type Reading } from '#/wallets/pure-kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import {
  accept,
  acceptanceOf,
  balancesIn,
  keepAccepted,
  loadRules,
  wantedBy,
  writeAccepted,
  type Requested,
  type Requester,
  type Rules,
  type WithdrawalRefusal,
} from './accept.ts'
import * as queries from './queries.ts'
import type { Withdrawal } from './withdrawal.ts'

/** The payout rail's answer about the destination is used only if no earlier withdrawal has this idempotency key. */
export type WithdrawalItem = Omit<Requester, 'way'> &
  Omit<Requested, 'reference'> & {
    readonly idempotencyKey?: string
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

type View = Rules & {
  readonly byKey: Map<string, Pick<queries.StoredWithdrawalKey, 'fingerprint' | 'withdrawal'>>
}

/** Accepts withdrawals, as a kind of work for the ledger lane. */
export function withdrawalKind(): WithdrawalKind {
  return pureKind<WithdrawalItem, View, queries.NewWithdrawal, WithdrawalVerdict>({
    name: 'accept a withdrawal',
    bytesOf: () => 1_536,
    load,
    decide,
    keep(view, { change }) {
      keepAccepted(view, [change])
      if (change.idempotencyKey !== undefined)
        view.byKey.set(keyOf(change), { ...change, withdrawal: change })
    },
    write: ({ tx }, withdrawals) => writeAccepted(tx, withdrawals),
  })
}

async function load(batch: Batch, items: readonly WithdrawalItem[]): Promise<View> {
  const keyed = items.filter(({ idempotencyKey }) => idempotencyKey !== undefined)
  const references = [...new Set(keyed.map(referenceOf))]
  const [stored, rules] = await Promise.all([
    references.length === 0 ? [] : queries.selectByKeys(batch.tx, references),
    loadRules(
      batch,
      items.map((item) => wantedBy({ ...item, way: 'WITHDRAWAL' }, item)),
      references,
    ),
  ])
  return {
    ...rules,
    byKey: new Map(stored.map((each) => [`${each.withdrawal.merchantId}/${each.key}`, each])),
  }
}

function decide(
  view: Closed<View>,
  item: WithdrawalItem,
  { books, at }: Reading,
): DecidedOrElse<queries.NewWithdrawal, WithdrawalVerdict> {
  const { mode, request, idempotencyKey, trace } = item
  const earlier = idempotencyKey === undefined ? undefined : view.byKey.get(keyOf(item))
  if (earlier !== undefined) {
    const isSame = isSameCall(earlier.fingerprint, (spell) => sha256(canonicalJson(spell(request))))
    return { verdict: { kind: isSame ? 'replayed' : 'conflict', withdrawal: earlier.withdrawal } }
  }
  const requested = { ...item, reference: referenceOf(item) }
  const accepted = accept(view, { ...item, way: 'WITHDRAWAL' }, requested, balancesIn({ books }, mode), at)
  if (accepted.kind !== 'accepted') return { verdict: accepted }
  const { withdrawal } = accepted
  const change = { ...withdrawal, idempotencyKey, fingerprint: sha256(canonicalJson(request)), trace }
  return {
    verdict: { kind: 'created', withdrawal },
    change,
    ...acceptanceOf([change]),
    // The wallet has the funds, so the books refuse only an account in another currency.
    orElse: () => ({ verdict: { kind: 'not_spendable' } }),
  }
}

type Keyed = Pick<queries.NewWithdrawal, 'merchantId' | 'idempotencyKey'>
function keyOf({ merchantId, idempotencyKey }: Partial<Keyed>): string {
  return `${merchantId}/${idempotencyKey}`
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

// A sub-account gives and revokes a transfer grant, in the lane that also takes by it: so a transfer is decided wholly before a
// revocation or wholly after it. Only the sub-account's own keys and members may do so: a grant that the parent's keys could
// give would be no consent.
// Inspected by audit/transfers.ts.
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountFromJson } from '#/kernel/money.ts'
import { runnable, type Batch, type RunnableKind } from '#/ledger/kind.ts'
import { selectSubAccountsAmong } from '#/merchants/sub-account-queries.ts'
import type { SubAccount, SubAccountState } from '#/merchants/sub-account.ts'
import { loadParentsKeys } from '#/money-out/facts.ts'
import { stopOf } from '#/money-out/gate.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import {
  grantFingerprint,
  grantRecord,
  grantStatus,
  type GrantRequest,
  type TransferGrant,
  type TransferGrantId,
} from './transfer-grant.ts'
import * as queries from './transfer-queries.ts'

type Asker = { readonly merchantId: MerchantId; readonly mode: Mode; readonly keyId: ApiKeyId }

export type GiveGrantItem = Asker & {
  readonly id: TransferGrantId
  readonly request: GrantRequest
  readonly idempotencyKey?: string
}

type Refused =
  /** The merchant is no sub-account. */
  | { readonly kind: 'no_parent' }
  /** The key is one of the parent's, or was made by one of them. */
  | { readonly kind: 'parents_key' }

export type GiveGrantVerdict =
  | { readonly kind: 'created' | 'replayed'; readonly grant: TransferGrant; readonly now: Date }
  /** The key gave this grant before, with another request. */
  | { readonly kind: 'conflict'; readonly grant: TransferGrant }
  /** Another grant is ACTIVE in this currency. */
  | { readonly kind: 'stands'; readonly grant: TransferGrant }
  /** It would be expired already. */
  | { readonly kind: 'past' }
  /** The sub-account gives no grants in its state. */
  | { readonly kind: 'sub_account_state'; readonly state: SubAccountState }
  | Refused

type GiveView = {
  readonly parents: ReadonlyMap<MerchantId, Pick<SubAccount, 'parentId' | 'state'>>
  readonly parentsKeys: ReadonlySet<ApiKeyId>
  readonly byKey: Map<string, { readonly grant: TransferGrant; readonly fingerprint: Buffer }>
  readonly newest: Map<string, TransferGrant>
}

/** Gives grants, as a kind of work for the ledger lane. */
export const giveGrantKind: RunnableKind<GiveGrantItem, GiveGrantVerdict, EventDraft> = runnable<
  GiveGrantItem,
  GiveView,
  queries.NewGrant,
  GiveGrantVerdict,
  EventDraft
>({
  name: 'give a transfer grant',
  load: loadGiving,
  decide(view, { merchantId, mode, id, request, keyId, idempotencyKey }, { at, now }) {
    const account = view.parents.get(merchantId)
    if (account === undefined) return { verdict: { kind: 'no_parent' } }
    const { parentId, state } = account
    if (view.parentsKeys.has(keyId)) return { verdict: { kind: 'parents_key' } }
    const fingerprint = grantFingerprint(request)
    const key = `${merchantId}/${idempotencyKey ?? ''}`
    const earlier = idempotencyKey === undefined ? undefined : view.byKey.get(key)
    if (earlier !== undefined) {
      const kind = earlier.fingerprint.equals(fingerprint) ? 'replayed' : 'conflict'
      return { verdict: { kind, grant: earlier.grant, now } }
    }
    if (stopOf({ freezes: [] }, { way: 'GRANT', merchantId, account: state }) !== undefined)
      return { verdict: { kind: 'sub_account_state', state } }
    const place = `${merchantId}/${request.currency}`
    const other = view.newest.get(place)
    if (other !== undefined && grantStatus(other, now) === 'ACTIVE')
      return { verdict: { kind: 'stands', grant: other } }
    const { currency, maxAmount, expiresAt, description = null } = request
    const grant: TransferGrant = {
      merchantId,
      id,
      parentId,
      mode,
      currency,
      maxMinor: maxAmount === undefined ? null : amountFromJson(maxAmount),
      takenMinor: 0n,
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
      description,
      givenBy: keyId,
      version: 1,
      createdAt: at,
      revokedAt: null,
    }
    if (grantStatus(grant, now) !== 'ACTIVE') return { verdict: { kind: 'past' } }
    view.newest.set(place, grant)
    if (idempotencyKey !== undefined) view.byKey.set(key, { grant, fingerprint })
    return {
      verdict: { kind: 'created', grant, now },
      change: { ...grant, fingerprint, idempotencyKey },
      events: eventsOf('transfer_grant.created', grant, now),
    }
  },
  write: ({ tx }, grants) => queries.insertGrants(tx, grants),
})

async function loadGiving({ tx }: Batch, items: readonly GiveGrantItem[]): Promise<GiveView> {
  const keys = items.flatMap(({ merchantId, idempotencyKey }) =>
    idempotencyKey === undefined ? [] : [{ merchantId, key: idempotencyKey }],
  )
  const places = items.map(({ merchantId, request }) => ({ merchantId, currency: request.currency }))
  const [askers, stored, newest] = await Promise.all([
    loadAskers(tx, items),
    keys.length === 0 ? [] : queries.selectGrantsByKey(tx, keys),
    queries.selectNewestGrants(tx, places),
  ])
  return {
    ...askers,
    byKey: new Map(
      stored.map(({ key, fingerprint, ...grant }) => [`${grant.merchantId}/${key}`, { grant, fingerprint }]),
    ),
    newest: new Map(newest.map((grant) => [`${grant.merchantId}/${grant.currency}`, grant])),
  }
}

async function loadAskers(tx: Batch['tx'], items: readonly Omit<RevokeGrantItem, 'id'>[]) {
  const [parents, parentsKeys] = await Promise.all([
    selectSubAccountsAmong(tx, [...new Set(items.map(({ merchantId }) => merchantId))]),
    loadParentsKeys(
      tx,
      items.flatMap(({ merchantId, keyId }) => (keyId === undefined ? [] : [{ merchantId, id: keyId }])),
    ),
  ])
  return { parents: new Map(parents.map((account) => [account.id, account])), parentsKeys }
}

/** Without `keyId` the operator ends it, because nobody of the sub-account does: see operator/close-sub-account.ts. */
export type RevokeGrantItem = Omit<Asker, 'keyId'> & {
  readonly id: TransferGrantId
  readonly keyId: ApiKeyId | undefined
}

export type RevokeGrantVerdict =
  | { readonly kind: 'revoked' | 'was_revoked'; readonly grant: TransferGrant; readonly now: Date }
  | { readonly kind: 'not_found' }
  | Refused

type RevokeView = Pick<GiveView, 'parents' | 'parentsKeys'> & { readonly grants: Map<string, TransferGrant> }

/** Revokes grants, as a kind of work for the ledger lane. What was taken by them stays taken. */
export const revokeGrantKind: RunnableKind<RevokeGrantItem, RevokeGrantVerdict, EventDraft> = runnable<
  RevokeGrantItem,
  RevokeView,
  TransferGrant,
  RevokeGrantVerdict,
  EventDraft
>({
  name: 'revoke a transfer grant',
  async load({ tx }, items) {
    const [askers, grants] = await Promise.all([loadAskers(tx, items), queries.selectGrants(tx, items)])
    return { ...askers, grants: new Map(grants.map((grant) => [`${grant.merchantId}/${grant.id}`, grant])) }
  },
  decide(view, { merchantId, id, keyId }, { at, now }) {
    const place = `${merchantId}/${id}`
    const grant = view.grants.get(place)
    if (grant === undefined) return { verdict: { kind: 'not_found' } }
    if (keyId !== undefined && view.parentsKeys.has(keyId)) return { verdict: { kind: 'parents_key' } }
    if (grant.revokedAt !== null) return { verdict: { kind: 'was_revoked', grant, now } }
    const revoked = { ...grant, revokedAt: at, version: grant.version + 1 }
    view.grants.set(place, revoked)
    return {
      verdict: { kind: 'revoked', grant: revoked, now },
      change: revoked,
      events: eventsOf('transfer_grant.revoked', revoked, now),
    }
  },
  write: ({ tx }, grants) => queries.updateGrants(tx, grants),
})

/** Notifies both: the sub-account, whose consent it is, and the parent, which may take by it. */
function eventsOf(
  type: 'transfer_grant.created' | 'transfer_grant.revoked',
  grant: TransferGrant,
  now: Date,
): readonly EventDraft[] {
  const { id: resourceId, merchantId, parentId, mode } = grant
  return [
    { merchantId, mode, type, resourceId, data: grantRecord(grant, 'SUB_ACCOUNT', now) },
    { merchantId: parentId, mode, type, resourceId, data: grantRecord(grant, 'PARENT', now) },
  ]
}

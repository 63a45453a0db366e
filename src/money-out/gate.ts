// START HERE. The gate for money that leaves: one pure decision over the facts of facts.ts, asked when money is requested, when it is approved
// and each time before it is sent. No way out has a rule of its own: ways.ts says which rules each way asks.
import type { Sql } from '#/db/client.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import { mayStart } from '#/merchants/account-state.ts'
import { isFrozen, isFrozenAltogether } from '#/merchants/freeze.ts'
import { selectFreezes } from '#/merchants/queries.ts'
import { selectAccountsOut } from '#/merchants/sub-account-queries.ts'
import type { SubAccountState } from '#/merchants/sub-account.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import { batchKey, countedLimits, type Expected, type Facts, type Outgoing } from './facts.ts'
import {
  railMost,
  stillWithinLimits,
  stricter,
  withinLimits,
  type LimitRefusal,
  type LimitVerdict,
} from './limits.ts'
import { outsideOf } from './own-destinations.ts'
import { actOf, isAsked, ways, type Way } from './ways.ts'

/** `account`: its merchant's account may pay out nothing now. That is no freeze: a query that claims what is due does not know it. */
export type Stop =
  | { readonly ok: false; readonly reason: 'frozen' }
  | { readonly ok: false; readonly reason: 'account' }

export type GateVerdict = LimitVerdict | Stop

/** Where it is decided. */
export type Moment = {
  /** What its day has before it, by the keys of `countedLimits`. */
  readonly spent: ReadonlyMap<string, bigint>
  /** It was accepted before, and is part of its day's sum. */
  readonly isCounted?: boolean
}

/** Whether this money may leave to this place, and whether a second person is needed for it. */
export function mayLeave(facts: Facts, outgoing: Outgoing, moment: Moment): GateVerdict {
  const { way, merchantId, type } = outgoing
  const isBack = goesBack(outgoing)
  const stop = stopOf(facts, { way, merchantId, rail: type, isBack, requestedBy: outgoing.requestedBy })
  if (stop !== undefined) return stop
  const outside = outsideOf(facts.own, { ...outgoing, destination: outgoing.place })
  if (outside !== undefined) return outside
  const isListed = isInList(facts, outgoing)
  // Nobody looks at what a schedule pays, so its place is always one of the list.
  if (way === 'SCHEDULE' && !isListed) return unlisted
  if (isAsked(way, 'asker') && !isListed && !isBack && isByParent(facts, merchantId, outgoing.requestedBy))
    return unlisted
  // A refund to a place that is not listed waits, and is not refused: payers are on no list.
  const waits = ways[way].list === 'waits'
  const verdict = stricter(
    countedLimits(facts, outgoing).map(({ limit: inForce, set, key, isParents }) => {
      // What goes back to who paid it is no payout, so nothing is suggested for it.
      const limit = isBack ? set : inForce
      // The parent's list of destinations is its own.
      const applied = limit && (isParents || waits) ? { ...limit, listedOnly: false } : limit
      const state = { spentMinor: moment.spent.get(key) ?? 0n, isListed }
      return moment.isCounted === true
        ? stillWithinLimits(applied, outgoing, state)
        : withinLimits(applied, outgoing.amountMinor, state)
    }),
  )
  if (!verdict.ok) return verdict
  const isLarge = isBatchLarge(facts, outgoing, facts.batches.get(batchKey(outgoing)) ?? 0n)
  return { ok: true, needsApproval: verdict.needsApproval || isLarge || (waits && !isListed && !isBack) }
}

/** What a refusal of the gate is called in the answer to a request. */
export function refusalOf(
  refusal: GateVerdict & { readonly ok: false },
): { readonly kind: 'frozen' } | { readonly kind: 'limited'; readonly limit: LimitRefusal } {
  return refusal.reason === 'frozen' || refusal.reason === 'account'
    ? { kind: 'frozen' }
    : { kind: 'limited', limit: refusal }
}

const unlisted = { ok: false, reason: 'destination' } as const

/** What stops money of this merchant whatever its amount and place. `rail`: absent where it moves in the books alone. */
export function stopOf(
  facts: Pick<Facts, 'freezes'> & Partial<Facts>,
  {
    way,
    merchantId,
    rail,
    isBack = false,
    requestedBy,
    account: given,
  }: {
    readonly way: Way
    readonly merchantId: MerchantId
    /** The state of the sub-account of which it is, where the facts do not have it. */
    readonly account?: SubAccountState
    readonly rail?: string
    /** It goes back to who paid it: neither the state of the account nor the parent's freeze has to do with that payer. */
    readonly isBack?: boolean
    readonly requestedBy?: ApiKeyId | undefined
  },
): Stop | undefined {
  const { freezes, parents = none.parents, parentsKeys = none.parentsKeys } = facts
  const isStopped = (id: MerchantId) =>
    rail === undefined ? isFrozenAltogether(freezes, id) : isFrozen(freezes, { merchantId: id, rail })
  if (isAsked(way, 'freeze') && isStopped(merchantId)) return { ok: false, reason: 'frozen' }
  if (!isAsked(way, 'account')) return undefined
  const account = (facts.accounts ?? none.accounts).get(merchantId)
  const act = isBack ? 'refund' : actOf[way]
  if (act !== undefined && !mayStart(given ?? account?.state, act)) return { ok: false, reason: 'account' }
  if (isBack) return undefined
  const parentId = parents.get(merchantId)
  const asksFrozen =
    parentId !== undefined &&
    isByParent({ parents, parentsKeys }, merchantId, requestedBy) &&
    isStopped(parentId)
  return asksFrozen || account?.isIndebted === true ? { ok: false, reason: 'account' } : undefined
}

const none: Pick<Facts, 'accounts' | 'parents' | 'parentsKeys'> = {
  accounts: new Map(),
  parents: new Map(),
  parentsKeys: new Set(),
}

/** A refund that goes to the sender of the very piece of which it is. One cent from an address allows no refund of other money to it. */
function goesBack({ way, payer, place }: Outgoing): boolean {
  return way === 'REFUND_SENT' && payer !== undefined && payer === place
}

/** Whether the place is on its merchant's list. */
function isInList(
  { listed }: Pick<Facts, 'listed'>,
  {
    merchantId,
    type,
    place,
  }: { readonly merchantId: MerchantId; readonly type: PayoutType; readonly place: string },
): boolean {
  return listed.has(`${merchantId}/${type}/${place}`)
}

/**
 * Whether the parent asks, by a key of its own or a key that it made. It may pay out for its sub-account, but only to places of which the
 * operator knows that they pay the sub-account, and to payers. Otherwise it could take the money without a transfer grant (decision 132).
 */
function isByParent(
  { parents, parentsKeys }: Pick<Facts, 'parents' | 'parentsKeys'>,
  merchantId: MerchantId,
  key: ApiKeyId | undefined,
): boolean {
  return key !== undefined && parents.has(merchantId) && parentsKeys.has(key)
}

/**
 * Whether what was asked for at once comes to more than the amount above which a second person is needed, of the merchant or of its parent.
 * Otherwise a large amount in many parts would need nobody.
 */
export function isBatchLarge(facts: Facts, of: Expected, sumMinor: bigint): boolean {
  return countedLimits(facts, of).some(({ limit }) => {
    const above = limit?.approvalAboveMinor ?? undefined
    return above !== undefined && sumMinor > above
  })
}

/** The most that its rail and the limits of the merchant and of its parent leave for one payout now. */
export function mostAllowed(facts: Facts, of: Expected, { spent }: Moment): bigint {
  const caps = countedLimits(facts, of).flatMap(({ limit, key }) => {
    const { eachMinor = null, dayMinor = null } = limit ?? {}
    const leftToday = dayMinor === null ? null : dayMinor - (spent.get(key) ?? 0n)
    return [eachMinor, leftToday].flatMap((cap) => cap ?? [])
  })
  return caps.reduce((lowest, cap) => (cap < lowest ? cap : lowest), railMost[of.type])
}

// The last look, right before a call to a provider: between the decision under the lane's lock and the call, money may have been frozen, or the
// account stopped.

/** Whether money of this merchant may not leave by this way and rail at this moment. */
export async function isStoppedNow(
  sql: Sql,
  of: { readonly way: Way; readonly merchantId: MerchantId; readonly rail: string },
): Promise<boolean> {
  const [freezes, accounts] = await Promise.all([
    selectFreezes(sql, [of.merchantId]),
    isAsked(of.way, 'account') ? selectAccountsOut(sql, [of.merchantId]) : [],
  ])
  return stopOf({ freezes, accounts: new Map(accounts.map((each) => [each.id, each])) }, of) !== undefined
}

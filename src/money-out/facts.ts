// What the gate has to know about money that is to leave. The one loader: for requests, for approvals and for what is about to be sent.
import type { Tx } from '#/db/client.ts'
import type { ApiKeyId, MerchantId, WithdrawalBatchId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { dayOf } from '#/kernel/time.ts'
import type { FreezeScope } from '#/merchants/freeze.ts'
import { selectFreezes, selectParentsKeys } from '#/merchants/queries.ts'
import { selectAccountsOut, selectParents } from '#/merchants/sub-account-queries.ts'
import type { SubAccountState } from '#/merchants/sub-account.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import { limitInForce, type Limit } from './limits.ts'
import {
  loadOwnDestinations,
  noOwnDestinations,
  type OwnDestinations,
  type PlaceOut,
} from './own-destinations.ts'
import { selectDestinations, selectLimits, selectSpentOn, selectBatchSums } from './queries.ts'
import type { Way } from './ways.ts'

/** Money that we are to send to a place that somebody named. */
export type Outgoing = {
  readonly way: Way
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly type: PayoutType
  readonly currency: Currency
  readonly amountMinor: bigint
  /** It counts to the day of this instant. */
  readonly createdAt: Date
  /** The address, account or key, as lists of destinations have it. */
  readonly place: string
  readonly requestedBy: ApiKeyId | undefined
  /** Of a refund: who sent the piece of which it is, if the rail knows. */
  readonly payer?: string | undefined
  /** Of a withdrawal that was accepted with others. */
  readonly batchId?: WithdrawalBatchId | undefined
}

/** What is known of it before it is chosen where it goes. `place`: as it was requested, or as it will be chosen, where that is known. */
export type Expected = Omit<Outgoing, 'amountMinor' | 'place'> & { readonly place?: string | undefined }

/** What of a sub-account decides about money out of it. `isIndebted`: it owes its parent, which is repaid before anything leaves. */
export type AccountFacts = { readonly state: SubAccountState; readonly isIndebted: boolean }

export type Facts = {
  /** Those that apply to the merchants and their parents. */
  readonly freezes: readonly FreezeScope[]
  /** Those of the merchants that are sub-accounts, as merchants/account-state.ts judges them. */
  readonly accounts: ReadonlyMap<MerchantId, AccountFacts>
  /** The parents of the merchants that are sub-accounts. */
  readonly parents: ReadonlyMap<MerchantId, MerchantId>
  /** Of the keys that ask for sub-accounts, those that are not the sub-account's own: see selectParentsKeys. */
  readonly parentsKeys: ReadonlySet<ApiKeyId>
  /** Those that the operator has set: see `countedLimits` for what is in force. */
  readonly limits: ReadonlyMap<string, Limit>
  /** The sums that were accepted, by `countedLimits`: those of a parent include its sub-accounts'. */
  readonly spent: ReadonlyMap<string, bigint>
  /** By merchant, type and destination. */
  readonly listed: ReadonlySet<string>
  /** Those of the places that are ours. */
  readonly own: OwnDestinations
  /** What the batch of an accepted withdrawal comes to, by batch, type and currency. */
  readonly batches: ReadonlyMap<string, bigint>
}

/**
 * Loads what the gate has to know. `merchantIds`: further merchants, of whom only freezes are asked. Without money to a named place this is one
 * query.
 */
export async function loadFacts(
  tx: Tx,
  outgoing: readonly Expected[],
  merchantIds: readonly MerchantId[] = [],
): Promise<Facts> {
  const owners = [...new Set(outgoing.map(({ merchantId }) => merchantId))]
  const all = [...new Set([...owners, ...merchantIds])]
  if (owners.length === 0)
    return { ...nothing(), freezes: all.length === 0 ? [] : await selectFreezes(tx, all) }
  const [accounts, found, own] = await Promise.all([
    selectAccountsOut(tx, owners),
    selectParents(tx, owners),
    loadOwnDestinations(tx, outgoing.flatMap(placesOf)),
  ])
  const parents = new Map(found.map(({ id, parentId }) => [id, parentId]))
  const families = [...new Set([...all, ...parents.values()])]
  const [freezes, limits] = await Promise.all([selectFreezes(tx, families), selectLimits(tx, families)])
  const asking = new Map(
    outgoing.flatMap(({ merchantId, requestedBy: id }) =>
      parents.has(merchantId) && id !== undefined ? [[`${merchantId}/${id}`, { merchantId, id }]] : [],
    ),
  )
  const ofSubAccounts = [...asking.values()]
  const needsList = ofSubAccounts.length > 0 || limits.length > 0 || outgoing.some(isByList)
  const batched = outgoing.filter(
    ({ batchId, mode }) => batchId !== undefined && (limits.length > 0 || mode === 'LIVE'),
  )
  const [spent, listed, parentsKeys, sums] = await Promise.all([
    limits.length === 0
      ? []
      : selectSpentOn(
          tx,
          outgoing.flatMap((each) => countedFor({ parents }, each)),
        ),
    needsList ? selectDestinations(tx, owners) : [],
    ofSubAccounts.length === 0 ? new Set<ApiKeyId>() : loadParentsKeys(tx, ofSubAccounts),
    batched.length === 0 ? [] : selectBatchSums(tx, batched),
  ])
  return {
    freezes,
    accounts: new Map(accounts.map((each) => [each.id, each])),
    parents,
    parentsKeys,
    limits: new Map(limits.map((limit) => [limitKey(limit), limit])),
    spent: new Map(spent.map((each) => [`${limitKey(each)}/${each.day}`, each.minor])),
    listed: new Set(listed.map((each) => `${each.merchantId}/${each.type}/${each.destination}`)),
    own,
    batches: new Map(sums.map((each) => [batchKey(each), each.minor])),
  }
}

function nothing(): Facts {
  return {
    freezes: [],
    accounts: new Map(),
    parents: new Map(),
    parentsKeys: new Set(),
    limits: new Map(),
    spent: new Map(),
    listed: new Set(),
    own: noOwnDestinations,
    batches: new Map(),
  }
}

/** Where it may go: where it is asked to, and back to who paid. */
function placesOf({ type, place, payer }: Expected): readonly PlaceOut[] {
  return [place, payer].flatMap((destination) => (destination === undefined ? [] : [{ type, destination }]))
}

/** Those of these keys that count as the parent's. The lineage of a key decides it. */
export function loadParentsKeys(
  tx: Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly id: ApiKeyId }[],
): Promise<ReadonlySet<ApiKeyId>> {
  return selectParentsKeys(tx, keys)
}

/** Whether the list decides for every merchant, and not only where a limit says so. */
function isByList({ way }: Expected): boolean {
  return way === 'SCHEDULE' || way === 'REFUND_SENT'
}

/** What it counts to: the day of its merchant, then that of the parent. */
function countedFor(
  { parents }: Pick<Facts, 'parents'>,
  { merchantId, type, currency, createdAt }: Expected,
): readonly {
  readonly merchantId: MerchantId
  readonly type: PayoutType
  readonly currency: Currency
  readonly day: string
}[] {
  const counted = { merchantId, type, currency, day: dayOf(createdAt) }
  const parentId = parents.get(merchantId)
  return [counted, ...(parentId === undefined ? [] : [{ ...counted, merchantId: parentId }])]
}

/**
 * The limits to which it counts, as they are in force: the merchant's own first and then its parent's, each with the key of its day's sum.
 * `set`: what the operator has set of it.
 */
export function countedLimits(
  facts: Pick<Facts, 'parents' | 'limits'>,
  outgoing: Expected,
): readonly {
  readonly limit: Limit | undefined
  readonly set: Limit | undefined
  readonly key: string
  readonly isParents: boolean
}[] {
  return countedFor(facts, outgoing).map((counted, index, all) => {
    const set = facts.limits.get(limitKey(counted))
    const owner = { mode: outgoing.mode, isSubAccount: index < all.length - 1 }
    return {
      limit: limitInForce(set, { ...counted, ...owner }),
      set,
      key: `${limitKey(counted)}/${counted.day}`,
      isParents: index > 0,
    }
  })
}

/** Adds it to the sums of its day, for later items of the batch. The table has it as the merchant's own: its readers add up families. */
export function noteSpent(
  spent: Map<string, bigint>,
  facts: Pick<Facts, 'parents' | 'limits'>,
  outgoing: Outgoing,
): void {
  for (const { key } of countedLimits(facts, outgoing))
    spent.set(key, (spent.get(key) ?? 0n) + outgoing.amountMinor)
}

/** The key of what a merchant's limit counts. */
function limitKey({ merchantId, type, currency }: Pick<Limit, 'merchantId' | 'type' | 'currency'>): string {
  return `${merchantId}/${type}/${currency}`
}

/** The key of a batch's sum. */
export function batchKey({
  batchId,
  type,
  currency,
}: Pick<Outgoing, 'batchId' | 'type' | 'currency'>): string {
  return `${batchId}/${type}/${currency}`
}

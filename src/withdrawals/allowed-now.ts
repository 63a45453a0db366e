// What the operator's rules allow now, for withdrawals that were accepted before. Since then money may have been frozen, a
// limit lowered, or a destination removed from the list. Read under the lane's lock, when a withdrawal is approved and each
// time before it is sent.
import type { Tx } from '#/db/client.ts'
import type { ApiKeyId } from '#/kernel/id.ts'
import { isFrozen, type FreezeScope } from '#/merchants/freeze.ts'
import { selectFreezes } from '#/merchants/freeze-queries.ts'
import { selectParentsKeys } from '#/merchants/key-queries.ts'
import { selectClosedTills, selectParents } from '#/merchants/sub-account-queries.ts'
import { spentOf, stillWithinLimits, stricter, type Limit, type LimitVerdict } from './limits.ts'
import * as limitQueries from './limit-queries.ts'
import { loadOwnDestinations, outsideOf, type PlaceOut } from './own-destinations.ts'
import type { Withdrawal } from './withdrawal.ts'

export type AllowedNow = {
  isFrozen(withdrawal: Withdrawal): boolean
  /** Why no rule of an operator can let it leave: see own-destinations.ts. */
  outside(withdrawal: Withdrawal): (LimitVerdict & { readonly ok: false }) | undefined
  limits(withdrawal: Withdrawal): LimitVerdict
}

/** Loads the rules that apply to these withdrawals. */
export async function loadAllowedNow(tx: Tx, withdrawals: readonly Withdrawal[]): Promise<AllowedNow> {
  const merchantIds = [...new Set(withdrawals.map(({ merchantId }) => merchantId))]
  const none: { freezes: readonly FreezeScope[]; limits: readonly Limit[] } = { freezes: [], limits: [] }
  const [freezes, closed, found] =
    merchantIds.length === 0
      ? [none.freezes, none.freezes, []]
      : await Promise.all([
          selectFreezes(tx, merchantIds),
          selectClosedTills(tx, merchantIds),
          selectParents(tx, merchantIds),
        ])
  const parentOf = new Map(found.map(({ id, parentId }) => [id, parentId]))
  const families = [...new Set([...merchantIds, ...parentOf.values()])]
  const limits = families.length === 0 ? none.limits : await limitQueries.selectLimits(tx, families)
  // What a withdrawal counts to: its merchant's own day, and that of the parent.
  const countedFor = (withdrawal: Withdrawal) => {
    const parentId = parentOf.get(withdrawal.merchantId)
    return [withdrawal, ...(parentId === undefined ? [] : [{ ...withdrawal, merchantId: parentId }])]
  }
  const ofSubAccounts = withdrawals.filter(({ merchantId }) => parentOf.has(merchantId))
  const keys = ofSubAccounts.map(({ merchantId, requestedBy: id }) => ({ merchantId, id }))
  const [spent, listed, own, parentsKeys] = await Promise.all([
    limits.length === 0 ? [] : limitQueries.selectSpentOn(tx, withdrawals.flatMap(countedFor).map(spentOf)),
    limits.length === 0 && keys.length === 0 ? [] : limitQueries.selectDestinations(tx, merchantIds),
    loadOwnDestinations(tx, withdrawals.map(placeOf)),
    keys.length === 0 ? new Set<ApiKeyId>() : selectParentsKeys(tx, keys),
  ])
  const limitOf = new Map(limits.map((limit) => [limitKey(limit), limit]))
  const spentOn = new Map(spent.map((each) => [`${limitKey(each)}/${each.day}`, each.minor]))
  const isListed = new Set(listed.map((each) => `${each.merchantId}/${each.type}/${each.destination}`))
  return {
    isFrozen: ({ merchantId, type }) => isFrozen([...freezes, ...closed], { merchantId, rail: type }),
    outside: (withdrawal) => outsideOf(own, { ...placeOf(withdrawal), amountMinor: withdrawal.amountMinor }),
    limits: (withdrawal) => {
      const { merchantId, type, destination, requestedBy } = withdrawal
      const isInList = isListed.has(`${merchantId}/${type}/${destination.text}`)
      // What a parent requests for its sub-account goes to listed destinations alone, as when it was accepted.
      if (!isInList && parentOf.has(merchantId) && parentsKeys.has(requestedBy))
        return { ok: false, reason: 'destination' }
      const verdicts = countedFor(withdrawal).map((counted, index) => {
        const limit = limitOf.get(limitKey(counted))
        // The parent's list of destinations is its own.
        const applied = index === 0 || limit === undefined ? limit : { ...limit, listedOnly: false }
        return stillWithinLimits(applied, withdrawal, {
          spentMinor: spentOn.get(`${limitKey(counted)}/${spentOf(counted).day}`) ?? 0n,
          isListed: isInList,
        })
      })
      return stricter(verdicts)
    },
  }
}

/** Where it is to go. */
export function placeOf({ type, destination }: Pick<Withdrawal, 'type' | 'destination'>): PlaceOut {
  return { type, destination: destination.text }
}

function limitKey({ merchantId, type, currency }: Pick<Limit, 'merchantId' | 'type' | 'currency'>): string {
  return `${merchantId}/${type}/${currency}`
}

// What the operator's rules allow now, for withdrawals that were accepted before: since then money may have been frozen, a limit
// lowered, a destination taken off the list. Read under the lane's lock, when one is approved and each time before it is sent.
import type { Tx } from '#/db/client.ts'
import { isFrozen, type FreezeScope } from '#/merchants/freeze.ts'
import { selectFreezes } from '#/merchants/freeze-queries.ts'
import { spentOf, stillWithinLimits, type Limit, type LimitVerdict } from './limits.ts'
import * as limitQueries from './limit-queries.ts'
import type { Withdrawal } from './withdrawal.ts'

export type AllowedNow = {
  isFrozen(withdrawal: Withdrawal): boolean
  limits(withdrawal: Withdrawal): LimitVerdict
}

/** Loads the rules that apply to these withdrawals. */
export async function loadAllowedNow(tx: Tx, withdrawals: readonly Withdrawal[]): Promise<AllowedNow> {
  const merchantIds = [...new Set(withdrawals.map(({ merchantId }) => merchantId))]
  const none: { freezes: readonly FreezeScope[]; limits: readonly Limit[] } = { freezes: [], limits: [] }
  const [freezes, limits] =
    merchantIds.length === 0
      ? [none.freezes, none.limits]
      : await Promise.all([selectFreezes(tx, merchantIds), limitQueries.selectLimits(tx, merchantIds)])
  const [spent, listed] =
    limits.length === 0
      ? [[], []]
      : await Promise.all([
          limitQueries.selectSpentOn(tx, withdrawals.map(spentOf)),
          limitQueries.selectDestinations(tx, merchantIds),
        ])
  const limitOf = new Map(limits.map((limit) => [limitKey(limit), limit]))
  const spentOn = new Map(spent.map((each) => [`${limitKey(each)}/${each.day}`, each.minor]))
  const isListed = new Set(listed.map((each) => `${each.merchantId}/${each.type}/${each.destination}`))
  return {
    isFrozen: ({ merchantId, type }) => isFrozen(freezes, { merchantId, rail: type }),
    limits: (withdrawal) => {
      const { merchantId, type, destination } = withdrawal
      return stillWithinLimits(limitOf.get(limitKey(withdrawal)), withdrawal, {
        spentMinor: spentOn.get(`${limitKey(withdrawal)}/${spentOf(withdrawal).day}`) ?? 0n,
        isListed: isListed.has(`${merchantId}/${type}/${destination.text}`),
      })
    },
  }
}

function limitKey({ merchantId, type, currency }: Pick<Limit, 'merchantId' | 'type' | 'currency'>): string {
  return `${merchantId}/${type}/${currency}`
}

// Reconciles payouts: periodically queries connections that send money for a list of what they sent. This ends payouts that no
// look-up has ended, and finds payouts that came back after they were paid.
import type { DueWorker } from '#/jobs/worker.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { dayMs, hourMs, minuteMs } from '#/kernel/time.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import type { ListedPayout, PayoutRail, PayoutRails } from '#/rails/payout-rail.ts'
import { selectByReferences } from '#/withdrawals/queries.ts'
import type { WithdrawalSenderDeps } from '#/withdrawals/send.ts'
import type { Withdrawal } from '#/withdrawals/withdrawal.ts'
import { createPassWorker, runPasses, type Pass, type Round } from './reconcile.ts'

export type PayoutReconcilerDeps = Pick<WithdrawalSenderDeps, 'sql' | 'log' | 'settle'> & {
  readonly rails: PayoutRails
  readonly connections: Pick<ConnectionBook, 'all' | 'find'>
  /** The time between two passes over the recent past. */
  readonly periodMs: number
}

/** Providers list a payout by when it was requested; a PIX may come back for 90 days. */
function passes(periodMs: number): readonly Pass[] {
  return [
    { name: 'recent', everyMs: periodMs, backMs: 15 * minuteMs },
    { name: 'day', everyMs: 15 * minuteMs, backMs: dayMs },
    { name: 'week', everyMs: 6 * hourMs, backMs: 7 * dayMs },
    { name: 'returned', everyMs: dayMs, backMs: 100 * dayMs },
  ]
}

/** Reconciles connections that send, when their passes are due. A rail whose payouts cannot be listed has no passes. */
export function createPayoutReconcilers(deps: PayoutReconcilerDeps): readonly DueWorker[] {
  return listing(deps).map((round) => createPassWorker(deps, round))
}

/** Runs the due passes once. Returns how many payouts differed from what we knew. */
export async function reconcilePayouts(deps: PayoutReconcilerDeps): Promise<number> {
  const found = await Promise.all(listing(deps).map((round) => runPasses(deps, round())))
  return found.reduce((sum, each) => sum + each, 0)
}

/** The rounds of the rails whose payouts can be listed. */
function listing(deps: PayoutReconcilerDeps): readonly (() => Round)[] {
  return [...deps.rails.values()].flatMap((rail) => {
    const { list, connectionMethod } = rail
    if (list === undefined || connectionMethod === undefined) return []
    return () => ({
      connections: deps.connections.all(connectionMethod).map(({ id }) => id),
      passes: passes(deps.periodMs),
      settle: async (connection, span) => {
        let count = 0
        for await (const page of list(connection, span))
          count += await settlePage(deps, rail, connection, page)
        return count
      },
    })
  })
}

async function settlePage(
  { sql, log, settle }: PayoutReconcilerDeps,
  { type }: PayoutRail,
  connection: ConnectionId,
  page: readonly ListedPayout[],
): Promise<number> {
  if (page.length === 0) return 0
  const existing = await selectByReferences(
    sql,
    type,
    page.map(({ reference }) => reference),
  )
  const byReference = new Map(existing.map((withdrawal) => [withdrawal.reference, withdrawal]))
  let found = 0
  for (const { reference, result } of page) {
    const withdrawal = byReference.get(reference)
    if (withdrawal === undefined) {
      // Money left by a reference in our format that is not in the database: the database may be an older copy.
      log.error({ connection, reference }, 'a provider has a payout that is unknown here')
      continue
    }
    if (!changes(withdrawal, result)) continue
    // Two passes at the same time may find the same payout: only one of them settles it.
    const verdict = await settle(withdrawal, result)
    if (verdict === 'settled' || verdict === 'reversed') found += 1
  }
  return found
}

/** Whether the result differs from what we know. The sender itself queries payouts that are only under way. */
function changes({ status, returnedMinor }: Withdrawal, result: ListedPayout['result']): boolean {
  switch (result.state) {
    case 'sent':
      return false
    case 'done':
      return status !== 'COMPLETED'
    case 'refused':
      return status !== 'FAILED'
    case 'returned':
      return status !== 'COMPLETED' || result.returned > returnedMinor
  }
}

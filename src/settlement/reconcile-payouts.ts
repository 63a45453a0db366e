// Looking for what became of payouts: connections that send are asked again and again what they sent. It ends what no look-up
// has ended yet, and finds what came back after it had been paid.
import type { ConnectionBook } from '#/rails/words.ts'
import type { DueWorker } from '#/jobs/worker.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { hourMs, minuteMs } from '#/kernel/time.ts'
import type { ListedPayout, PayoutRail, PayoutRails } from '#/rails/payout-rail.ts'
import { selectByReferences } from '#/withdrawals/queries.ts'
import type { WithdrawalSenderDeps } from '#/withdrawals/send.ts'
import type { Withdrawal } from '#/withdrawals/withdrawal.ts'
import { createPassWorker, dayMs, runPasses, type Pass, type Round } from './reconcile.ts'

export type PayoutReconcilerDeps = Pick<WithdrawalSenderDeps, 'sql' | 'log' | 'settle'> & {
  readonly rails: PayoutRails
  readonly connections: Pick<ConnectionBook, 'all' | 'find'>
  /** Between two passes over the recent past. */
  readonly periodMs: number
}

/** Providers list a payout by when it was asked for; a PIX may come back for 90 days. */
function passes(periodMs: number): readonly Pass[] {
  return [
    { name: 'recent', everyMs: periodMs, backMs: 15 * minuteMs },
    { name: 'day', everyMs: 15 * minuteMs, backMs: dayMs },
    { name: 'week', everyMs: 6 * hourMs, backMs: 7 * dayMs },
    { name: 'returned', everyMs: dayMs, backMs: 100 * dayMs },
  ]
}

/** Reconciles connections that send, as their passes become due. A rail that cannot be listed has none. */
export function createPayoutReconcilers(deps: PayoutReconcilerDeps): readonly DueWorker[] {
  return listing(deps).map((round) => createPassWorker(deps, round))
}

/** Takes the passes that are due once. Answers how many payouts turned out to be other than we knew. */
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
  const known = await selectByReferences(
    sql,
    type,
    page.map(({ reference }) => reference),
  )
  const byReference = new Map(known.map((withdrawal) => [withdrawal.reference, withdrawal]))
  let found = 0
  for (const { reference, result } of page) {
    const withdrawal = byReference.get(reference)
    if (withdrawal === undefined) {
      // Money left by a reference of our kind, and nothing here knows of it: perhaps the database is an older copy.
      log.error({ connection, reference }, 'a provider has a payout that is unknown here')
      continue
    }
    if (!tellsMore(withdrawal, result)) continue
    // Two passes at the same time find the same.
    const verdict = await settle(withdrawal, result)
    if (verdict === 'settled' || verdict === 'reversed') found += 1
  }
  return found
}

/** Whether the result is other than what we know. Of what is only under way the sender asks by itself. */
function tellsMore({ status, returnedMinor }: Withdrawal, result: ListedPayout['result']): boolean {
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

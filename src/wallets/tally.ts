// The tally: after every `every` entries of a wallet's available account, a mark holds the sums of all that ever came in and
// went out up to there, by kind. A worker writes the marks after the ledger lane, which does not know of them. Reports read the
// last mark and the few entries after it, so they are exact however late the worker is.
// Inspected by audit/wallets.ts.
import type { Sql } from '#/db/client.ts'
import { maxOf, minOf } from '#/kernel/money.ts'
import * as queries from './tally-queries.ts'
import type { Movement, Total } from './tally-queries.ts'

/** Entries between two marks. A report reads up to this many row by row, for each wallet and each edge of a span. */
const every = 32

/** Whether enough transfers came since the last step. */
export const isTallyDue = queries.isTallyDue(every)

/** The most transfers of one step, and how many accounts are read together. */
const stepTransfers = 10_000n
const accountsAtOnce = 200

export type TallyOptions = {
  readonly sql: Sql
  /** For tests: marks close together, steps of a few transfers. */
  readonly every?: number
  readonly stepTransfers?: bigint
}

/**
 * Writes the marks of the next transfers and moves the watermark. Returns whether there is more to do at once. Two workers at the same
 * time write nothing twice: the watermark moves once.
 */
export async function tallyStep(options: TallyOptions): Promise<boolean> {
  const { sql, every: span = every, stepTransfers: most = stepTransfers } = options
  const { watermark, head } = await queries.selectProgress(sql)
  // Marks lie further apart than that, so waiting for more transfers delays no mark.
  if (head - watermark < BigInt(span)) return false
  const step = { after: watermark, upTo: minOf(watermark + most, head) }
  const due = await queries.selectDue(sql, step, span)
  const marks: Total[] = []
  for (let first = 0; first < due.length; first += accountsAtOnce) {
    const some = due.slice(first, first + accountsAtOnce)
    const [totals, movements] = await Promise.all([
      queries.selectMarks(sql, some),
      queries.selectMovements(sql, some, step.upTo),
    ])
    marks.push(...marksOf(totals, movements, span))
  }
  return (await queries.writeMarks(sql, step, marks)) && step.upTo < head
}

/**
 * The marks that follow the last ones (`totals`): one after every `span` movements of each account. `movements` must be in the
 * order of accounts and time. Each mark has one total for each kind that the account has had.
 */
export function marksOf(
  totals: readonly Total[],
  movements: readonly Movement[],
  span: number,
): readonly Total[] {
  const totalsOf = Map.groupBy(totals, ({ account }) => account)
  const marks: Total[] = []
  for (const [account, ofAccount] of Map.groupBy(movements, (movement) => movement.account)) {
    const running = new Map((totalsOf.get(account) ?? []).map((total) => [total.kind, total]))
    for (const [index, { transfer, kind, minor }] of ofAccount.entries()) {
      const before = running.get(kind) ?? { count: 0n, inflow: 0n, outflow: 0n }
      running.set(kind, {
        account,
        transfer,
        kind,
        count: before.count + 1n,
        inflow: before.inflow + maxOf(minor, 0n),
        outflow: before.outflow + maxOf(-minor, 0n),
      })
      if ((index + 1) % span === 0) for (const total of running.values()) marks.push({ ...total, transfer })
    }
  }
  return marks
}

// The report of one month: what moved on each wallet, as the statement shows it, and what came and went by method.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { addMs } from '#/kernel/time.ts'
import { spansOf, startOfDay } from '#/wallets/calendar.ts'
import { movementsByWallet, type WalletMovement } from '#/wallets/reports.ts'
import { selectProgress, selectTotals } from './overview-queries.ts'
import { figuresOf, type SpanFigures } from './overview.ts'

export type MonthReport = {
  /** The month in the time zone: from its first instant to before the last. */
  readonly from: Date
  readonly to: Date
  readonly wallets: readonly WalletMovement[]
  /** Of the month's days in UTC, and everything before `asOf`. */
  readonly byMethod: Pick<SpanFigures, 'paid' | 'refunded' | 'withdrawn'>
  readonly asOf: Date
}

/**
 * `month`: such as 2026-11. Undefined when there is no such month. Its cost depends on the numbers of wallets, days and methods, not on how
 * much moved.
 */
export async function monthReport(
  sql: Sql,
  owner: { readonly id: MerchantId; readonly mode: Mode },
  { month, zone }: { readonly month: string; readonly zone: string },
): Promise<MonthReport | undefined> {
  const [own, inUtc] = [monthIn(month, zone), monthIn(month, 'UTC')]
  if (own === undefined || inUtc === undefined) return undefined
  // Before the figures, so that they hold at least what it says.
  const progress = await selectProgress(sql, owner.id)
  const [wallets, totals] = await Promise.all([
    movementsByWallet(sql, owner, own),
    selectTotals(sql, owner.id, { ...inUtc, middle: inUtc.from }),
  ])
  const { paid, refunded, withdrawn } = figuresOf(totals, [], inUtc.from, inUtc.to)
  return { ...own, wallets, byMethod: { paid, refunded, withdrawn }, asOf: progress.asOf }
}

function monthIn(month: string, zone: string): { readonly from: Date; readonly to: Date } | undefined {
  const from = startOfDay(`${month}-01`, zone)
  if (from === undefined) return undefined
  const [span] = spansOf({ interval: 'MONTH', zone }, { from, to: addMs(from, 1) }, 1)
  const { from: first, to } = must(span, 'an instant lies in a month')
  return { from: first, to }
}

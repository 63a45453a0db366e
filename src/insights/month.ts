// The report of one month: what moved on each wallet, as the statement shows it, and the same by method.
import type { Sql } from '#/db/client.ts'
import { inSnapshot } from '#/db/inspection.ts'
import { invariant, must } from '#/kernel/check.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { addMs } from '#/kernel/time.ts'
import { spansOf, startOfDay } from '#/wallets/calendar.ts'
import { movementsByWallet, type WalletMovement } from '#/wallets/reports.ts'
import { shownKind, statementScope, type StatementKind } from '#/wallets/statement.ts'
import { selectMovedByMethod } from './overview-queries.ts'

export type MonthReport = {
  /** The month in the time zone: from its first instant to before the last. */
  readonly from: Date
  readonly to: Date
  readonly wallets: readonly (WalletMovement & {
    /**
     * The movements of `byKind` again, each with its method: the method of a payment, or the type of a withdrawal; absent for movements
     * without one. The whole list is absent when the month has more than `methodsMax` movements.
     */
    readonly byMethod?: readonly MethodMovement[]
  })[]
}

export type MethodMovement = WalletMovement['byKind'][number] & { readonly method?: string }

/** Months with more movements are not shown by method: each movement is looked up. A statement's file has them all. */
export const methodsMax = 100_000n

type Owner = { readonly id: MerchantId; readonly mode: Mode }
type Span = { readonly from: Date; readonly to: Date }

/**
 * `month`: such as 2026-11. Undefined when there is no such month. Its cost depends on the number of wallets, and on how much moved, up to
 * `most` movements.
 */
export async function monthReport(
  sql: Sql,
  owner: Owner,
  { month, zone }: { readonly month: string; readonly zone: string },
  most = methodsMax,
): Promise<MonthReport | undefined> {
  const span = monthIn(month, zone)
  if (span === undefined) return undefined
  const wallets = await movementsByWallet(sql, owner, span)
  const count = wallets.flatMap(({ byKind }) => byKind).reduce((sum, each) => sum + each.count, 0n)
  if (count > most) return { ...span, wallets }
  const moved = await movementsByMethod(sql, owner, span)
  return {
    ...span,
    wallets: wallets.map((each) => ({ ...each, byMethod: moved.get(each.wallet.id) ?? [] })),
  }
}

/** What moved on each wallet, by the kinds of the statement and by method. */
async function movementsByMethod(
  sql: Sql,
  owner: Owner,
  span: Span,
): Promise<ReadonlyMap<WalletId, readonly MethodMovement[]>> {
  const scope = await statementScope(sql, owner, span)
  invariant(scope !== 'unknown_wallet', 'no wallet was named')
  const { accounts, names, range } = scope
  const walletOf = new Map(accounts.map(({ id, name }) => [id, must(names.get(name), 'its wallet').id]))
  const rows = await inSnapshot(sql, (tx) =>
    selectMovedByMethod(tx, owner.id, [...walletOf.keys()], {
      after: range.first,
      upTo: range.before.transfer - 1n,
    }),
  )
  const shown = rows.map(({ account, kind, method, ...sums }) => ({
    walletId: must(walletOf.get(account), 'its wallet'),
    kind: shownKind(kind) as StatementKind,
    ...(method === null ? {} : { method }),
    ...sums,
  }))
  // Several kinds of the books may be one kind of the statement.
  const merged = Map.groupBy(shown, ({ walletId, kind, method = '' }) => `${walletId} ${kind} ${method}`)
  const sums = [...merged.values()].map((same) =>
    same.reduce((sum, each) => ({
      ...sum,
      count: sum.count + each.count,
      inflow: sum.inflow + each.inflow,
      outflow: sum.outflow + each.outflow,
    })),
  )
  const ofWallets = Map.groupBy(sums, ({ walletId }) => walletId)
  return new Map(
    [...ofWallets].map(([id, movements]) => [id, movements.map(({ walletId: _walletId, ...each }) => each)]),
  )
}

function monthIn(month: string, zone: string): Span | undefined {
  const from = startOfDay(`${month}-01`, zone)
  if (from === undefined) return undefined
  const [span] = spansOf({ interval: 'MONTH', zone }, { from, to: addMs(from, 1) }, 1)
  const { from: first, to } = must(span, 'an instant lies in a month')
  return { from: first, to }
}

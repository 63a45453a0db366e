// A callback may name payouts. It is only a hint: the provider is queried now instead of later.
import type { Sql } from '#/db/client.ts'
import type { Method } from '#/rails/method.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import type { Signal } from '#/rails/receipt.ts'
import { hastenDue } from '#/withdrawals/due-queries.ts'

export type PayoutWakeUpDeps = {
  readonly sql: Sql
  readonly rails: PayoutRails
  /** Called when there is a withdrawal whose provider is to be queried. */
  readonly onReady: () => void
}

export async function wakeForPayouts(
  { sql, rails, onReady }: PayoutWakeUpDeps,
  signal: Signal & { readonly method: Method },
): Promise<void> {
  for (const rail of rails.values()) {
    const references = rail.type === signal.method ? (rail.hints?.(signal) ?? []) : []
    if (references.length === 0) continue
    if ((await hastenDue(sql, rail.type, references)) > 0) onReady()
  }
}

// Where the money of a payment came from, for whoever decides where a refund goes that we send ourselves.
import type { Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import type { Destination } from '#/rails/payout-rail.ts'
import type { Rails } from '#/rails/rail.ts'
import { selectPieces } from './queries.ts'

/** Money of a payment that can still go back. */
export type Sent = {
  readonly method: Method
  /** How much of it is neither refunded nor disputed. */
  readonly leftMinor: bigint
  /** Absent: its rail does not know. */
  readonly sender?: Destination
}

/** At most this many are listed. */
const sentMax = 100

/** The newest money of a payment that came by rails which send refunds themselves, and who sent it. */
export async function listSenders(sql: Sql, rails: Rails, ref: PaymentRef): Promise<readonly Sent[]> {
  const sending = (await selectPieces(sql, [ref])).filter(
    ({ method, leftMinor }) => leftMinor > 0n && rails.get(method)?.refunds?.sendersOf !== undefined,
  )
  const pieces = sending.toSorted((a, b) => b.ordinal - a.ordinal).slice(0, sentMax)
  const senders = new Map<string, Destination>()
  for (const [method, group] of Map.groupBy(pieces, (each) => each.method)) {
    const found = await rails.get(method)?.refunds?.sendersOf?.(sql, group)
    for (const [paidRef, sender] of found ?? []) senders.set(`${method}/${paidRef}`, sender)
  }
  return pieces.map(({ method, paidRef, leftMinor }) => {
    const sender = senders.get(`${method}/${paidRef}`)
    return { method, leftMinor, ...given({ sender }) }
  })
}

// Where the money of a payment came from, for whoever decides where a refund goes that we send ourselves.
import type { Sql, Tx } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import type { Destination } from '#/rails/payout-rail.ts'
import type { Rails } from '#/rails/rail.ts'
import { selectPieces, type Piece } from './queries.ts'

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
  const senders = await loadSenders(sql, rails, pieces)
  return pieces.map((piece) => {
    const { method, leftMinor } = piece
    return { method, leftMinor, ...given({ sender: senderOf(senders, piece) }) }
  })
}

type Named = Pick<Piece, 'connection' | 'paidRef'>

/** The senders of pieces, where their rails know them. */
export type Senders = ReadonlyMap<string, Destination>

export async function loadSenders(
  sql: Sql | Tx,
  rails: Rails,
  all: readonly (Named & { readonly method: Method })[],
): Promise<Senders> {
  const senders = new Map<string, Destination>()
  for (const [method, pieces] of Map.groupBy(all, (each) => each.method)) {
    const found = await rails.get(method)?.refunds?.sendersOf?.(sql, pieces)
    for (const piece of pieces) {
      const sender = found?.get(piece.paidRef)
      if (sender !== undefined) senders.set(keyOf(piece), sender)
    }
  }
  return senders
}

/** Who sent this piece, if its rail knows. */
export function senderOf(senders: Senders, piece: Named): Destination | undefined {
  return senders.get(keyOf(piece))
}

function keyOf({ connection, paidRef }: Named): string {
  return `${connection}/${paidRef}`
}

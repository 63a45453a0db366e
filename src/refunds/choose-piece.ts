// Which money goes back. One refund is of one piece, since a provider gives back no more than it took with one payment; a
// merchant says with an address that the money of the chain is meant. Pure.
import type { Method } from '#/rails/words.ts'
import { addMs } from '#/kernel/time.ts'
import { amountFromJson } from '#/kernel/money.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Piece } from './queries.ts'
import type { RefundRequest } from './refund.ts'

/** What of a payment can go back by one method. */
export type Left = {
  readonly method: Method
  readonly refundableMinor: bigint
  /** The most that one refund can give back. */
  readonly atOnceMinor: bigint
}

export type Choice =
  | { readonly ok: true; readonly piece: Piece; readonly minor: bigint }
  /** No single piece of the money that is meant has enough. `left`: all that can go back, by any method. */
  | {
      readonly ok: false
      readonly refundableMinor: bigint
      readonly atOnceMinor: bigint
      readonly left: readonly Left[]
    }

/**
 * The piece that a refund is of. With an address only what came by CRYPTO is meant, without one only the rest. Of the pieces
 * that have enough left: one that came when the payment was PAID already first, then the newest.
 */
export function choosePiece(
  pieces: readonly Piece[],
  rails: Rails,
  request: Pick<RefundRequest, 'amount' | 'cryptoAddress'>,
  at: Date,
): Choice {
  const open = pieces.filter((piece) => piece.leftMinor > 0n && isInWindow(rails, piece, at))
  const meant = open.filter(({ method }) => isMeant(method, request))
  const { refundableMinor, atOnceMinor } = sumOf(meant)
  const minor = request.amount === undefined ? refundableMinor : amountFromJson(request.amount)
  const fitting = minor === 0n ? [] : meant.filter(({ leftMinor }) => leftMinor >= minor)
  const [piece] = fitting.toSorted(byTurn)
  if (piece !== undefined) return { ok: true, piece, minor }
  const left = [...Map.groupBy(open, ({ method }) => method)]
    .map(([method, own]) => ({ method, ...sumOf(own) }))
    .toSorted((a, b) => (a.method < b.method ? -1 : 1))
  return { ok: false, refundableMinor, atOnceMinor, left }
}

/** Whether money by this method is what the merchant means. */
export function isMeant(method: Method, { cryptoAddress }: Pick<RefundRequest, 'cryptoAddress'>): boolean {
  return (method === 'CRYPTO') === (cryptoAddress !== undefined)
}

/**
 * Whether the rail that the money came by can still give it back. A window does not hold its end: exactly then it is over, as
 * a payment that expires at an instant is late from that instant on.
 */
function isInWindow(rails: Rails, { method, happenedAt }: Piece, at: Date): boolean {
  const refunds = rails.get(method)?.refunds
  if (refunds === undefined) return false
  return refunds.windowMs === undefined || at < addMs(happenedAt, refunds.windowMs)
}

function sumOf(pieces: readonly Piece[]): Omit<Left, 'method'> {
  return {
    refundableMinor: pieces.reduce((sum, { leftMinor }) => sum + leftMinor, 0n),
    atOnceMinor: pieces.reduce((most, { leftMinor }) => (leftMinor > most ? leftMinor : most), 0n),
  }
}

/** When two happened at the same instant, the one that we heard of last is the newer. */
function byTurn(a: Piece, b: Piece): number {
  if (a.isDuplicate !== b.isDuplicate) return a.isDuplicate ? -1 : 1
  return b.happenedAt.getTime() - a.happenedAt.getTime() || b.ordinal - a.ordinal
}

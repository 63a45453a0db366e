// Chooses the piece that a refund returns. One refund is of one piece, because a provider refunds at most the amount of one of
// its payments. A request with an address is for money of the chain, a request with an account for bank transfers. Pure.
import { amountFromJson, maxOf } from '#/kernel/money.ts'
import { addMs } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Piece } from './queries.ts'
import type { RefundRequest } from './refund.ts'

/** What can be refunded of a payment's money of one method. */
export type Remaining = {
  readonly method: Method
  readonly refundableMinor: bigint
  /** The most that one refund can return. */
  readonly atOnceMinor: bigint
}

export type Choice =
  | { readonly ok: true; readonly piece: Piece; readonly minor: bigint }
  /** No single piece that the request allows has enough. `left`: all that can be refunded, by any method. */
  | {
      readonly ok: false
      readonly refundableMinor: bigint
      readonly atOnceMinor: bigint
      readonly remaining: readonly Remaining[]
    }

/**
 * The piece of a refund. A request with an address allows only pieces by CRYPTO, a request with an account only pieces by
 * SEPA_TRANSFER, and a request with neither all but CRYPTO. Among the pieces that have enough left, a duplicate, which came
 * when the payment was PAID already, is first, then the newest.
 */
export function choosePiece(
  pieces: readonly Piece[],
  rails: Rails,
  request: Pick<RefundRequest, 'amount'> & Named,
  at: Date,
): Choice {
  const open = pieces.filter((piece) => piece.leftMinor > 0n && isInWindow(rails, piece, at))
  const meant = open.filter(({ method }) => isAllowed(method, request))
  const { refundableMinor, atOnceMinor } = sumOf(meant)
  const minor = request.amount === undefined ? refundableMinor : amountFromJson(request.amount)
  const fitting = minor === 0n ? [] : meant.filter(({ leftMinor }) => leftMinor >= minor)
  const [piece] = fitting.toSorted(byTurn)
  if (piece !== undefined) return { ok: true, piece, minor }
  const remaining = [...Map.groupBy(open, ({ method }) => method)]
    .map(([method, ofMethod]) => ({ method, ...sumOf(ofMethod) }))
    .toSorted((a, b) => (a.method < b.method ? -1 : 1))
  return { ok: false, refundableMinor, atOnceMinor, remaining }
}

/** Where a request wants the money to go. */
type Named = Pick<RefundRequest, 'cryptoAddress' | 'iban' | 'beneficiary'>

/** Whether the request allows money of this method. */
export function isAllowed(method: Method, { cryptoAddress, iban, beneficiary }: Named): boolean {
  const namesAccount = iban !== undefined || beneficiary !== undefined
  if ((method === 'CRYPTO') !== (cryptoAddress !== undefined)) return false
  return !namesAccount || method === 'SEPA_TRANSFER'
}

/**
 * Whether the piece's rail can still refund it. The window does not include its last instant, just as money that comes at the
 * instant of a payment's expiry is late.
 */
function isInWindow(rails: Rails, { method, happenedAt, movedMs }: Piece, at: Date): boolean {
  const refunds = rails.get(method)?.refunds
  if (refunds === undefined) return false
  return refunds.windowMs === undefined || at < addMs(happenedAt, refunds.windowMs - movedMs)
}

function sumOf(pieces: readonly Piece[]): Omit<Remaining, 'method'> {
  return {
    refundableMinor: pieces.reduce((sum, { leftMinor }) => sum + leftMinor, 0n),
    atOnceMinor: pieces.reduce((most, { leftMinor }) => maxOf(most, leftMinor), 0n),
  }
}

/** If two happened at the same instant, the one that was recorded last is newer. */
function byTurn(a: Piece, b: Piece): number {
  if (a.isDuplicate !== b.isDuplicate) return a.isDuplicate ? -1 : 1
  return b.happenedAt.getTime() - a.happenedAt.getTime() || b.ordinal - a.ordinal
}

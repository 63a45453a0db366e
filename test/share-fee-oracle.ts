// What the fee payer of a split has paid of our fee, computed in the laws of shares from the terms and the receipts alone.
import assert from 'node:assert/strict'
import type { Payment } from '#/payments/payment.ts'
import type { Share } from '#/payments/shares.ts'
import type { Line } from './line.ts'

/** The law's fee: 0.07 and 1 %, by every method. */
export const lawFee = { fixedMinor: 7n, ratePpm: 10_000n } as const
const feeOn = (came: number) => 7 + Math.floor(came / 100)

type Piece = { readonly method: string; readonly minor: number; readonly isDuplicate: boolean }

/** Each share's exact amount of a base. */
export type ExactShare = (index: number, base: number) => number

/**
 * A fee payer has paid at most the fees on the money that is shared; and exactly them, as far as its share could pay them piece by piece, if
 * no money went back. Nobody else has paid a fee.
 */
export async function checkFees(
  { sql }: Pick<Line, 'sql'>,
  { id, request, amountMinor }: Payment,
  shares: readonly Share[],
  exact: ExactShare,
): Promise<void> {
  const payer = shares.findIndex(({ subAccountId }) => subAccountId === request.feePayer)
  for (const [index, { feeMinor }] of shares.entries()) assert.ok(index === payer || feeMinor === 0n)
  const feeMinor = shares[payer]?.feeMinor
  if (feeMinor === undefined) return
  const pieces = await sql<Piece[]>`
    select method, booked_minor::float8 as minor, is_duplicate as "isDuplicate"
      from receipt
      join attempt on attempt.merchant_id = receipt.merchant_id and attempt.id = attempt_id
     where receipt.payment_id = ${id} and outcome = 'paid'
     order by ordinal`
  const shared = pieces.filter(({ isDuplicate }) => !isDuplicate)
  const terms = Object.values(Object.groupBy(shared, ({ method }) => method)).map((group = []) =>
    feeOn(group.reduce((sum, { minor }) => sum + minor, 0)),
  )
  const most = terms.reduce((sum, each) => sum + each, 0)
  assert.ok(feeMinor <= BigInt(most), `a fee of ${feeMinor}, and the terms make at most ${most}`)
  const [back] = await sql<{ is: boolean }[]>`
    select exists (select from refund where payment_id = ${id})
           or exists (select from dispute where payment_id = ${id}) as is`
  if (back?.is !== false) return
  const paid = paidPieceByPiece(shared, Number(amountMinor), shares.length, payer, exact)
  if (paid !== undefined) assert.equal(feeMinor, BigInt(paid))
}

/** Undefined: a piece brought cents that earlier ones had left, so the cents of its fee are not exactly known. */
function paidPieceByPiece(
  pieces: readonly Piece[],
  amount: number,
  count: number,
  payer: number,
  exact: ExactShare,
): number | undefined {
  const [came, charged, got] = [
    new Map<string, number>(),
    new Map<string, number>(),
    Array<number>(count).fill(0),
  ]
  let [all, fees, paid] = [0, 0, 0]
  for (const { method, minor } of pieces) {
    all += minor
    const given = got.map((before, index) => {
      // Below a ten-thousandth of a cent a float is not exact.
      const now = Math.floor(exact(index, Math.min(all, amount)) + 1e-4)
      got[index] = now
      return now - before
    })
    const sum = given.reduce((total, each) => total + each, 0)
    if (sum > minor) return undefined
    const byMethod = (came.get(method) ?? 0) + minor
    came.set(method, byMethod)
    const due = Math.min(feeOn(byMethod) - (charged.get(method) ?? 0), minor)
    const fee = Math.min(due, minor - sum + (given[payer] ?? 0))
    charged.set(method, (charged.get(method) ?? 0) + fee)
    fees += fee
    paid += Math.min(fees - paid, given[payer] ?? 0)
  }
  return paid
}

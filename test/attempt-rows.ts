// Rows of attempts and of what belongs to them, for tests of statements (bare-rows.ts).
import type { Tx } from '#/db/client.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Attempt } from '#/rails/words.ts'
import { bareId, beside } from './bare-rows.ts'

export const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
export const [wanted, other] = [bareId(11) as PaymentId, bareId(12) as PaymentId]
export const [first, second, third] = [21, 22, 23].map((number) => bareId(number)) as [
  AttemptId,
  AttemptId,
  AttemptId,
]
export const connection = 'a1-acme' as ConnectionId
/** Before this century, a time that is past, and one after it that is past too. */
export const before2000 = '1999-01-01T00:00:00Z'
export const past = '2020-01-01T00:00:00Z'
export const later = new Date('2020-02-01T00:00:00Z')

/** A row of the table `attempt`. */
export const kept = {
  merchant_id: ours,
  id: first,
  payment_id: wanted,
  method: 'CREDIT_CARD',
  connection,
  amount_minor: 1,
  currency: 'BRL',
}
export const attempt: Attempt = {
  id: first,
  merchantId: ours,
  paymentId: wanted,
  method: 'CREDIT_CARD',
  connection,
  amount: { minor: 1n, currency: 'BRL' },
}
export const claim = { id: first, connection, number: 3 }
/** A row that belongs to the attempt, such as its check. */
export const of = { merchant_id: ours, attempt_id: first, connection, due_at: past }
/** Changes that make such a row one of another attempt. */
export const elsewhere = [{ merchant_id: theirs }, { attempt_id: second }] as const

/** The merchants and ids of the attempts whose rows in this table meet a condition, in order. */
export async function idsOf(tx: Tx, table: string, condition: string): Promise<readonly string[]> {
  const column = table === 'attempt' ? 'id' : 'attempt_id'
  const rows = await tx.unsafe<{ id: string }[]>(
    `select merchant_id || ' ' || ${column} as id from ${table} where ${condition} order by 1`,
  )
  return rows.map(({ id }) => id)
}
export const named = (merchantId: string, id: string) => `${merchantId} ${id}`

export const payments = [
  { merchant_id: ours, id: wanted, trace: 'trace of it', expires_at: past },
  { merchant_id: ours, id: other, trace: 'another trace', expires_at: before2000 },
  { merchant_id: theirs, id: wanted, trace: 'a trace of theirs' },
]
export const attempts = [
  kept,
  ...beside(
    kept,
    { id: second, payment_id: other, amount_minor: 2 },
    { merchant_id: theirs, amount_minor: 3 },
  ),
]

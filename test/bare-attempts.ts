// Attempts of a test's own rows: one that a statement is asked about, and those beside it.
import type { Tx } from '#/db/client.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { bareId, beside } from './bare-rows.ts'

export const [ours, theirs] = [1, 2].map(bareId) as [MerchantId, MerchantId]
export const [wanted, other] = [11, 12].map(bareId) as [PaymentId, PaymentId]
export const [first, second, third] = [21, 22, 23].map(bareId) as [AttemptId, AttemptId, AttemptId]
export const [bank, elsewhere] = ['bank', 'elsewhere'] as [ConnectionId, ConnectionId]
export const ref = { merchantId: ours, paymentId: wanted }
export const key = { merchantId: ours, id: first }
const day = (number: number) => new Date(Date.UTC(2020, 0, number))
export const [earlier, at, later] = [day(1), day(2), day(3)] as const

export const attempt = {
  merchant_id: ours,
  id: first,
  payment_id: wanted,
  method: 'PIX',
  connection: bank,
  amount_minor: 100,
  currency: 'BRL',
}
/** The attempt, another of its payment, one of another payment, and one of another merchant under the same id. */
export const tries = [
  attempt,
  ...beside(attempt, { id: second }, { id: third, payment_id: other }, { merchant_id: theirs }),
]
const payment = { merchant_id: ours, id: wanted, trace: 'wanted', expires_at: at }
export const payments = [payment, ...beside(payment, { id: other, trace: 'other' }, { merchant_id: theirs })]
export const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

/** A row of a table that has one for each attempt. */
export const rowOf = (row: Readonly<Record<string, unknown>> = {}) => ({
  merchant_id: ours,
  attempt_id: first,
  connection: bank,
  due_at: at,
  ...row,
})
/** That of the attempt, of another attempt, and of that of another merchant. */
export const rowsOf = (row: Readonly<Record<string, unknown>>) => [
  rowOf(row),
  ...beside(rowOf(row), { attempt_id: second }, { merchant_id: theirs }),
]
/** Whose rows are as the condition says, as `merchant attempt`. */
export async function where(tx: Tx, table: string, condition: string): Promise<readonly string[]> {
  const id = table === 'attempt' ? 'id' : 'attempt_id'
  const rows = await tx.unsafe<{ row: string }[]>(
    `select case merchant_id when '${ours}' then 'ours ' else 'theirs ' end || right(${id}::text, 2) as row
       from ${table} where ${condition} order by 1`,
  )
  return rows.map(({ row }) => row)
}
export const claimOf = (number: number) => ({ id: first, connection: bank, number, trace: null })
export const asAttempt = {
  id: first,
  merchantId: ours,
  paymentId: wanted,
  method: 'PIX',
  connection: bank,
  amount: { minor: 100n, currency: 'BRL' },
} as const

/** A moment as a condition of SQL has it. */
export const text = (moment: Date) => `'${moment.toISOString()}'`

export const receipt = {
  merchant_id: ours,
  payment_id: wanted,
  attempt_id: first,
  connection: bank,
  outcome: 'paid',
  provider_ref: 'one',
  ordinal: 1,
}

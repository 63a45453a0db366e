// What a list adds to its rows, so that its reader saves a call for each: loaded for the whole page at once.
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { describePayments } from '#/payments/describe.ts'
import { selectPayments } from '#/payments/queries.ts'
import { paymentRecord, type PaymentRecord } from '#/payments/record.ts'
import type { HttpDeps } from './deps.ts'

type OfPayment = { readonly merchantId: MerchantId; readonly paymentId?: PaymentId }

type Expanded = { of(row: OfPayment): { readonly payment?: PaymentRecord } }

/** The payments of these rows, as a list of payments shows them. Without `expand`: nothing. */
export async function expandPayments(
  { sql, rails }: Pick<HttpDeps, 'sql' | 'rails'>,
  expand: 'payment' | undefined,
  rows: readonly OfPayment[],
): Promise<Expanded> {
  if (expand === undefined || rows.length === 0) return { of: () => ({}) }
  const refs = rows.flatMap(({ merchantId, paymentId }) =>
    paymentId === undefined ? [] : [[paymentId, { merchantId, paymentId }] as const],
  )
  const payments = await selectPayments(sql, [...new Map(refs).values()])
  const described = await describePayments(sql, rails, payments, 'brief')
  const records = new Map(payments.map((each) => [each.id, paymentRecord(each, described.of(each))]))
  return {
    of({ paymentId }) {
      const payment = paymentId === undefined ? undefined : records.get(paymentId)
      return payment === undefined ? {} : { payment }
    },
  }
}

// Who sent the money of a payment: for the step in which a person chooses where a refund goes.
import { Type as T } from 'typebox'
import { paymentMethod } from '#/contract/words.ts'
import { noSuch } from '#/kernel/error.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { amountToJson } from '#/kernel/money.ts'
import { sum } from '#/kernel/schema.ts'
import { selectPayments } from '#/payments/queries.ts'
import { listSenders } from '#/refunds/rules.ts'
import { memberRoute, type DashboardRoute } from './route.ts'

const get = memberRoute({
  route: 'GET /payments/{id}/senders',
  permission: 'payments:read',
  operationId: 'listSenders',
  summary:
    'Who sent the money of a payment that can still go back, where we send its refunds ourselves; the newest first, at most 100',
  answer: T.Object(
    {
      senders: T.Array(
        T.Object(
          {
            method: paymentMethod,
            refundable: sum('What of this money can still go back.'),
            iban: T.Optional(T.String({ description: 'The account, if the bank said it.' })),
            beneficiary: T.Optional(T.String({ description: 'Its holder, if the bank said it.' })),
            cryptoAddress: T.Optional(T.String({ description: 'The address, on a chain.' })),
          },
          { title: 'Sender' },
        ),
      ),
    },
    { title: 'Senders' },
  ),
  async handle({ http }, { caller, id }) {
    const ref = { merchantId: caller.merchant.id, paymentId: id as PaymentId }
    const [payment] = await selectPayments(http.sql, [ref])
    if (payment === undefined) throw noSuch('payment')
    const sent = await listSenders(http.sql, http.rails, ref)
    return {
      senders: sent.map(({ method, leftMinor, sender }) => ({
        method,
        refundable: amountToJson(leftMinor),
        ...sender?.fields,
      })),
    }
  },
})

export const senderRoutes: readonly DashboardRoute[] = [get]

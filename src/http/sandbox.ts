// The sandbox's payer, for merchants without money.
import { AppError } from '#/kernel/error.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { selectPayments } from '#/payments/queries.ts'
import { Type as T } from 'typebox'
import { sandboxScenarios } from './deps.ts'
import { route, type Route } from './route.ts'
import { amountIn, oneOf, uuid } from './schemas.ts'

const scenario = oneOf(
  sandboxScenarios,
  'exact: what was asked for. under, over: less, more. twice: two transfers of it. late: after the payment expired. reorged: the block leaves the chain and the transfer comes back.',
)

const pay = route({
  method: 'POST',
  path: '/v1/sandbox/payments/{id}/pay',
  scope: 'sandbox',
  operationId: 'paySandboxPayment',
  summary: 'Pay a payment of the sandbox',
  description: 'Only for merchants of the sandbox. The payment changes a moment later, as it would live.',
  status: 202,
  answer: T.Object({ paymentId: uuid(), scenario: oneOf(sandboxScenarios), txHashes: T.Array(T.String()) }),
  problems: ['invalid_state', 'provider_unavailable'],
  body: T.Object(
    { amount: T.Optional(amountIn), scenario: T.Optional(scenario) },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  async handle({ sandbox, sql }, { merchant, id, body }) {
    if (sandbox === undefined || merchant.mode !== 'SANDBOX') throw unknown()
    const [found] = await selectPayments(sql, [{ merchantId: merchant.id, paymentId: id as PaymentId }])
    if (found === undefined) throw unknown()
    const { amount, scenario = 'exact' } = body
    const wish = { scenario, ...(amount === undefined ? {} : { amount: BigInt(amount) }) }
    return { record: await sandbox.pay(merchant.id, found.id, wish) }
  },
})

function unknown(): AppError {
  return new AppError('not_found', 'There is no such payment in a sandbox.')
}

export const sandboxRoutes: readonly Route[] = [pay]

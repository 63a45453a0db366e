// The sandbox's payer, for merchants without money.
import type { Method } from '#/rails/words.ts'
import { AppError } from '#/kernel/error.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { amountFromJson } from '#/kernel/money.ts'
import { selectPayments } from '#/payments/queries.ts'
import { cryptoScenarios } from '#/rails/crypto/sandbox.ts'
import { cardScenarios } from '#/sandbox/pay-card.ts'
import { partnerScenarios } from '#/sandbox/pay-partner.ts'
import { pixScenarios } from '#/sandbox/pay-pix.ts'
import { Type as T } from 'typebox'
import { route, type Route } from './route.ts'
import { about, amountIn, documented, oneOf, paymentMethod, uuid, when } from './schema-words.ts'

const scenarios = [...new Set([...cryptoScenarios, ...pixScenarios, ...cardScenarios, ...partnerScenarios])]

const scenario = oneOf(
  'SandboxScenario',
  scenarios,
  'exact: what was asked for. under, over: less, more. twice: two payments of it. late: after the payment expired. CRYPTO: reorged: the block leaves the chain and the transfer comes back. PIX: lost_webhook, repeated_webhook: the bank’s callback is lost, or comes three times. med: the payer’s bank takes it back. CREDIT_CARD: success, decline, insufficient_funds; challenge: with 3-D Secure; dispute: its holder wants the money back. PARTNER_PAY: confirm, refuse.',
)

/** Which scenarios each method has, when the body names one. Those of a method without `exact` have to be named. */
function scenarioByMethod([first, ...others]: readonly (readonly [Method, readonly string[]])[]): Readonly<
  Record<string, object>
> {
  if (first === undefined) return {}
  const [method, names] = first
  return when(
    { required: ['method'], properties: { method: { const: method } } },
    {
      properties: { scenario: { pattern: `^(${names.join('|')})$` } },
      ...(names.includes('exact') ? {} : { required: ['scenario'] }),
    },
    scenarioByMethod(others),
  )
}

const pay = route({
  method: 'POST',
  path: '/v1/sandbox/payments/{id}/pay',
  scope: 'sandbox',
  operationId: 'paySandboxPayment',
  summary: 'Pay a payment of the sandbox',
  description: 'Only for merchants of the sandbox. The payment changes a moment later, as it would live.',
  status: 202,
  answer: T.Object(
    {
      paymentId: uuid(),
      scenario,
      txHashes: T.Optional(T.Array(T.String(), { description: 'CRYPTO: the transactions that were sent.' })),
      endToEndIds: T.Optional(T.Array(T.String(), { description: 'PIX: the names of what was paid.' })),
    },
    { title: 'SandboxPaymentResult', description: 'How the sandbox’s payer pays.' },
  ),
  problems: ['invalid_state', 'method_not_available', 'provider_unavailable'],
  body: documented(
    T.Object(
      {
        amount: T.Optional(amountIn),
        scenario: T.Optional(scenario),
        method: T.Optional(
          about(paymentMethod, 'Of a checkout: what the payer chooses. Required until a method was chosen.'),
        ),
      },
      { title: 'PaySandboxPaymentRequest', additionalProperties: false },
    ),
    scenarioByMethod([
      ['CRYPTO', cryptoScenarios],
      ['PIX', pixScenarios],
      ['CREDIT_CARD', cardScenarios],
      ['PARTNER_PAY', partnerScenarios],
    ]),
  ),
  bodyOptional: true,
  async handle({ sandbox, sql }, { merchant, id, body }) {
    if (sandbox === undefined || merchant.mode !== 'SANDBOX') throw unknown()
    const [found] = await selectPayments(sql, [{ merchantId: merchant.id, paymentId: id as PaymentId }])
    if (found === undefined) throw unknown()
    const { amount, scenario = 'exact', method } = body
    const wish = {
      scenario,
      ...(amount === undefined ? {} : { amount: amountFromJson(amount) }),
      ...(method === undefined ? {} : { method }),
    }
    return { record: await sandbox.pay(merchant.id, found.id, wish) }
  },
})

function unknown(): AppError {
  return new AppError('not_found', 'There is no such payment in a sandbox.')
}

export const sandboxRoutes: readonly Route[] = [pay]

// The sandbox's payer, for merchants without money.
import { Type as T } from 'typebox'
import { about, documented, paymentMethod, when } from '#/contract/words.ts'
import { noSuch } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { amountFromJson } from '#/kernel/money.ts'
import { amountIn, oneOf, uuid } from '#/kernel/schema.ts'
import { selectPayments } from '#/payments/queries.ts'
import { sandbox } from '#/people/concern.ts'
import type { Repertoire } from '#/rails/descriptor.ts'
import { anyScenarios, descriptors } from '#/rails/methods.ts'
import * as examples from './example-records.ts'
import { route, type Route } from './route.ts'

const repertoires = descriptors.flatMap(({ method, sandbox }) =>
  sandbox === undefined ? [] : [[method, sandbox] as const],
)

/** The common ones in plain words, then each method's own. */
const meanings = [
  'exact: the amount. under, over: less, more. twice: two payments of it. late: after the payment expired. expire: nobody pays, and it expires now, by whatever method or before one is chosen.',
  ...repertoires.map(([method, { meaning }]) => `${method}: ${meaning}`),
]

const scenario = oneOf(
  'SandboxScenario',
  [...new Set([...repertoires.flatMap(([, { scenarios }]) => scenarios), ...anyScenarios])],
  meanings.join(' '),
)

/** The scenarios of each method, for a body that names one. A method without `exact` requires a scenario. */
function scenarioByMethod([first, ...others]: readonly (readonly [string, Repertoire])[]): Readonly<
  Record<string, object>
> {
  if (first === undefined) return {}
  const [method, { scenarios: names }] = first
  return when(
    { required: ['method'], properties: { method: { const: method } } },
    {
      properties: { scenario: { pattern: `^(${[...names, ...anyScenarios].join('|')})$` } },
      ...(names.includes('exact') ? {} : { required: ['scenario'] }),
    },
    scenarioByMethod(others),
  )
}

const pay = route({
  route: 'POST /v1/sandbox/payments/{id}/pay',
  scope: 'sandbox',
  audit: { action: 'sandbox.pay', subjectOf: ({ id }) => `payment:${id}` },
  starts: 'payer',
  concern: sandbox,
  operationId: 'paySandboxPayment',
  summary: 'Pay a payment of the sandbox',
  description: 'Only for merchants of the sandbox. The payment changes a moment later, as it would live.',
  status: 202,
  answer: T.Object(
    {
      paymentId: uuid(),
      scenario,
      txHashes: T.Optional(T.Array(T.String(), { description: 'CRYPTO: the transactions that were sent.' })),
      endToEndIds: T.Optional(
        T.Array(T.String(), { description: 'PIX: the end-to-end ids of what was paid.' }),
      ),
    },
    { title: 'SandboxPaymentResult', description: 'How the sandbox’s payer pays.' },
  ),
  example: { paymentId: examples.ids.payment, scenario: 'exact', txHashes: [examples.txHash] },
  problems: ['invalid_state', 'method_not_available', 'provider_unavailable'],
  body: documented(
    T.Object(
      {
        amount: T.Optional(amountIn),
        scenario: T.Optional(scenario),
        method: T.Optional(
          about(
            paymentMethod,
            'Of a checkout: what the payer chooses. Required until a method was chosen, but for `expire`.',
          ),
        ),
      },
      { title: 'PaySandboxPaymentRequest', additionalProperties: false },
    ),
    scenarioByMethod(repertoires),
  ),
  exampleBody: { scenario: 'exact' },
  bodyOptional: true,
  async handle({ sandbox, sql }, { merchant, id, body }, { beside }) {
    if (sandbox === undefined || merchant.mode !== 'SANDBOX') throw noSuch('payment in a sandbox')
    const [found] = await selectPayments(sql, [{ merchantId: merchant.id, paymentId: id as PaymentId }])
    if (found === undefined) throw noSuch('payment in a sandbox')
    const { amount, scenario = 'exact', method } = body
    const simulation = {
      scenario,
      ...(amount === undefined ? {} : { amount: amountFromJson(amount) }),
      ...given({ method }),
      beforePaying: async () => beside?.(sql),
    }
    return { record: await sandbox.pay(merchant.id, found.id, simulation) }
  },
})

export const sandboxRoutes: readonly Route[] = [pay]

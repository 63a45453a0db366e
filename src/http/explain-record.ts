// The shapes of explanations, and their records.
import { Type as T } from 'typebox'
import { deliveryStatus, eventType } from '#/contract/events.ts'
import type { Of } from '#/contract/record.ts'
import { about, currency, paymentMethod } from '#/contract/words.ts'
import { type Explanation } from '#/explain/explain.ts'
import { attemptsCounted } from '#/explain/queries.ts'
import { causes } from '#/explain/sentences.ts'
import { accountRoles, stepKinds, type Step } from '#/explain/step.ts'
import { locales } from '#/kernel/language.ts'
import { amountToJson, type Money } from '#/kernel/money.ts'
import { instant, oneOf, signedSum, sum, uuid, whole } from '#/kernel/schema.ts'
import { outcomes } from '#/rails/receipt.ts'
import { writeCursor } from './query.ts'

export const language = oneOf('Language', locales, 'A language of our texts.')
const explainedKind = oneOf('ExplainedKind', ['PAYMENT', 'REFUND', 'WITHDRAWAL'], 'What is explained.')
const stepKind = oneOf(
  'StepKind',
  stepKinds,
  'OBSERVATION: what a chain showed. PROVIDER_ANSWER: what a provider reported. STATE_CHANGE: what became of a record. LEDGER: a transfer in the books. DELIVERY: an event on its way to your server.',
)
const stepCause = oneOf(
  'StepCause',
  causes,
  'What happened. New ones may be added: show `text` for those that you do not know.',
)
const role = oneOf(
  'AccountRole',
  accountRoles,
  'Whose balance changed. AVAILABLE, PENDING and HELD: of one of your wallets. RECEIVABLE: what you owe. FEES: the operator’s fees. OUTSIDE: at the payer, the recipient or the provider.',
)

const entry = T.Object(
  {
    account: role,
    walletId: T.Optional(uuid('The wallet, if the balance is one of a wallet.')),
    amount: signedSum('The change of the balance.'),
  },
  { title: 'StepEntry', description: 'One entry in the books.' },
)

const delivery = T.Object(
  {
    id: uuid(),
    url: T.String(),
    status: deliveryStatus,
    endpointId: T.Optional(uuid('Absent: it goes to the URL of its payment or withdrawal.')),
    attempts: whole(
      0,
      attemptsCounted,
      `How often it was tried; ${attemptsCounted} means at least that many.`,
    ),
    responseStatus: T.Optional(whole(0, 999, 'The HTTP status of the last answer.')),
    error: T.Optional(T.String({ description: 'Why the last attempt got no answer.' })),
  },
  { title: 'StepDelivery', description: 'How a delivery of an event stands.' },
)

const step = T.Object(
  {
    at: instant('When it was learned or done.'),
    kind: stepKind,
    cause: stepCause,
    text: T.String({ description: 'The step as one sentence.' }),
    amount: T.Optional(sum('The amount that it is about.')),
    currency: T.Optional(currency),
    received: T.Optional(sum('What had come by then and had not gone back.')),
    missing: T.Optional(sum('What was still missing.')),
    authorised: T.Optional(sum('The whole amount of the authorisation.')),
    fee: T.Optional(sum('Your fee for the withdrawal.')),
    returned: T.Optional(sum('All that had come back by then.')),
    method: T.Optional(paymentMethod),
    outcome: T.Optional(
      oneOf('ReportedOutcome', outcomes, 'What was reported, when nothing was booked for it.'),
    ),
    providerRef: T.Optional(T.String({ description: 'The provider’s name of what it reported.' })),
    endToEndId: T.Optional(T.String()),
    txHash: T.Optional(T.String()),
    happenedAt: T.Optional(instant('When it happened by the provider’s clock.')),
    status: T.Optional(T.String({ description: 'The status of the record after the change.' })),
    code: T.Optional(T.String({ description: 'Why it failed.' })),
    message: T.Optional(T.String()),
    keyId: T.Optional(uuid('The API key that decided.')),
    refundId: T.Optional(uuid('The refund that it is about.')),
    disputeId: T.Optional(uuid('The dispute that it is about.')),
    eventId: T.Optional(uuid('The event that announced it.')),
    eventType: T.Optional(about(eventType, 'The type of the event.')),
    from: T.Optional(about(role, 'Where the money was.')),
    to: T.Optional(about(role, 'Where it went.')),
    entries: T.Optional(T.Array(entry, { minItems: 2, maxItems: 2 })),
    delivery: T.Optional(delivery),
  },
  { title: 'Step', description: 'Something that happened. What does not apply is absent.' },
)

export const explanation = T.Object(
  {
    id: uuid(),
    kind: explainedKind,
    status: T.String({ description: 'The status of the record, as its own GET shows it.' }),
    language,
    summary: T.String({ description: 'How it stands, as one sentence.' }),
    steps: T.Array(step),
    truncated: T.Optional(
      T.Boolean({
        description:
          'true: the payment has more than 100 refunds or more than 100 disputes, and the explanation follows the oldest 100 of each.',
      }),
    ),
    nextCursor: T.Optional(
      T.String({ description: 'Send it as `cursor` for the next page; absent on the last.' }),
    ),
  },
  { title: 'Explanation', description: 'What happened to a record, in order.' },
)

/** The answer's fields about an explanation. */
export function explanationRecord({ status, summary, steps, isTruncated, next }: Explanation) {
  return {
    status,
    summary,
    steps: steps.map(stepRecord),
    ...(isTruncated ? { truncated: true } : {}),
    ...(next === undefined ? {} : { nextCursor: writeCursor(next) }),
  }
}

/** Amounts are written in minor units, with one currency for the step. */
function stepRecord({ at, kind, cause, text, facts }: Step & { readonly text: string }): Of<typeof step> {
  const fields = Object.entries(facts).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    if (isMoney(value))
      return [
        [name, amountToJson(value.minor)],
        ['currency', value.currency],
      ]
    if (name !== 'entries') return [[name, value]]
    const entries = 'entries' in facts ? facts.entries : []
    return [[name, entries.map(({ minor, ...place }) => ({ ...place, amount: amountToJson(minor) }))]]
  })
  return { at: at.toISOString(), kind, cause, text, ...Object.fromEntries(fields) }
}

function isMoney(value: unknown): value is Money {
  return typeof value === 'object' && value !== null && 'minor' in value && 'currency' in value
}

// The bodies that are sent to webhook URLs: an event with its resource, one shape for each type.
import { Type as T, type TSchema } from 'typebox'
import { uuid } from '#/kernel/schema.ts'
import { dispute } from './disputes.ts'
import { erasedAt, eventFrame, eventTypes } from './events.ts'
import { payment } from './payments.ts'
import { refund } from './refunds.ts'
import { serviceRestore } from './service-restore.ts'
import { share } from './shares.ts'
import { transfer, transferGrant } from './transfers.ts'
import { wallet } from './wallets.ts'
import { webhookEndpoint } from './webhook-endpoints.ts'
import { withdrawal } from './withdrawals.ts'
import { pascal } from './words.ts'

type EventType = (typeof eventTypes)[number]

/** When each type of event is announced. */
export const eventMeanings: Readonly<Record<EventType, string>> = {
  'payment.waiting': 'The payer can pay now, after a PENDING: a method was chosen in a checkout.',
  'payment.approved': 'The card is authorised, and you have not captured it.',
  'payment.completed':
    'The full amount is final: the payment is PAID. Also when it had expired and the money came late.',
  'payment.expired': 'Its time is over, and the amount is not on its way.',
  'payment.failed':
    'Its provider ended it and nothing can follow: the payment is FAILED. Not when its creation already answered so.',
  'payment.canceled': 'You canceled it.',
  'payment.underpaid': 'Money came and the amount is not reached; the payment still waits.',
  'payment.received_after_close':
    'Money came that changes no status: after PAID, after CANCELED, or a part after EXPIRED.',
  'refund.created': 'A refund was requested, and its amount set aside.',
  'refund.completed': 'The money went back.',
  'refund.failed': 'It could not go back, or came back: it is in the wallet again.',
  'dispute.opened': 'The payer’s bank wants the money back: it is held.',
  'dispute.won': 'You keep the money; also after dispute.lost, when it is reinstated.',
  'dispute.lost': 'It went back to the payer.',
  'withdrawal.created': 'A withdrawal was accepted and its amount set aside.',
  'withdrawal.approval_required': 'A person has to approve it.',
  'withdrawal.processing': 'It is being sent.',
  'withdrawal.completed': 'It arrived.',
  'withdrawal.failed': 'It did not arrive, and the amount is back.',
  'withdrawal.canceled': 'It was canceled before it was sent.',
  'withdrawal.returned': 'It had arrived and came back.',
  'wallet.created': 'A wallet was created. No webhookUrl belongs to a wallet: only endpoints get it.',
  'transfer.completed':
    'Money moved between two wallets: both yours, or one of a sub-account or your parent, which gets an event of its own. With `sourceId` it came for a sub-account that is closed, and went on to its parent. No webhookUrl belongs to it: only endpoints get it.',
  'transfer_grant.created':
    'A sub-account let its parent take money by transfer. Both get it: the sub-account and the parent.',
  'transfer_grant.revoked':
    'The sub-account ended a transfer grant, or the operator did, when closing the sub-account. Both get it.',
  'share.credited':
    'You are a sub-account, and a share of a payment, or more of one, came to you, or a part that waited for a settlement delay can be withdrawn now. `data` shows all that it is now; `amountPending` of it still waits.',
  'share.returned': 'A share, or a part of one, went back by a refund or a dispute.',
  'webhook_endpoint.disabled':
    'We disabled a webhook endpoint because it only failed. Your other endpoints get it.',
  'webhook_endpoint.ping': 'You pinged a webhook endpoint. It alone gets it.',
  'service.restored':
    'The operator restored the service to an earlier moment. What was answered between `lostFrom` and `lostTo` may be lost, and events with numbers between `lastSequence` and `firstSequence` will not come. Only endpoints get it.',
}

const resources = {
  payment,
  refund,
  dispute,
  withdrawal,
  wallet,
  transfer,
  transfer_grant: transferGrant,
  share,
  webhook_endpoint: webhookEndpoint,
  service: serviceRestore,
} as const

/** Those that may tell of a payer. */
const erasable: readonly (keyof typeof resources)[] = ['payment', 'refund', 'dispute']

/** The whole body of the events of each type. */
export const eventShapes = Object.fromEntries(eventTypes.map((type) => [type, eventOf(type)])) as Readonly<
  Record<EventType, TSchema>
>

/** Any event; `type` distinguishes them: what a receiver of webhooks reads. */
export const webhookEvent: TSchema = T.Unsafe({
  title: 'WebhookEvent',
  description: 'What is sent to webhook URLs. New types may be added: ignore those that you do not know.',
  oneOf: Object.values(eventShapes),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      eventTypes.map((type) => [type, `#/components/schemas/${pascal(type)}Event`]),
    ),
  },
})

function eventOf(type: EventType): TSchema {
  const family = type.slice(0, type.indexOf('.')) as keyof typeof resources
  return T.Object(
    {
      id: uuid('The same in every attempt, and in the header webhook-id.'),
      type: T.Literal(type),
      ...eventFrame,
      ...(erasable.includes(family) && { erasedAt }),
      data: resources[family],
    },
    { title: `${pascal(type)}Event`, description: eventMeanings[type] },
  )
}

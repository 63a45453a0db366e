// The catalogue of events: every type, when it is announced, since which version, and an example. `GET /v1/event-types` answers it.
import { Type as T } from 'typebox'
import { eventTypes, event } from '#/contract/events.ts'
import type { Of } from '#/contract/record.ts'
import { eventMeanings } from '#/contract/webhook-events.ts'
import { listOf } from '#/contract/words.ts'
import { type EventType } from '#/webhooks/event.ts'
import * as records from './example-records.ts'
import * as splits from './example-splits.ts'
import * as webhooks from './example-webhooks.ts'
import { route, type Route } from './route.ts'

type Json = Readonly<Record<string, unknown>>

/** The version of Vintem that first announced each type. */
const sinceVersion: Readonly<Record<EventType, string>> = {
  'payment.waiting': '0.1.0',
  'payment.approved': '0.1.0',
  'payment.completed': '0.1.0',
  'payment.expired': '0.1.0',
  'payment.failed': '0.1.0',
  'payment.canceled': '0.1.0',
  'payment.underpaid': '0.1.0',
  'payment.received_after_close': '0.1.0',
  'refund.created': '0.1.0',
  'refund.completed': '0.1.0',
  'refund.failed': '0.1.0',
  'dispute.opened': '0.1.0',
  'dispute.won': '0.1.0',
  'dispute.lost': '0.1.0',
  'withdrawal.created': '0.1.0',
  'withdrawal.approval_required': '0.1.0',
  'withdrawal.processing': '0.1.0',
  'withdrawal.completed': '0.1.0',
  'withdrawal.failed': '0.1.0',
  'withdrawal.canceled': '0.1.0',
  'withdrawal.returned': '0.1.0',
  'wallet.created': '0.1.0',
  'transfer.completed': '0.1.0',
  'transfer_grant.created': '0.1.0',
  'transfer_grant.revoked': '0.1.0',
  'share.credited': '0.1.0',
  'share.returned': '0.1.0',
  'webhook_endpoint.disabled': '0.1.0',
  'webhook_endpoint.ping': '0.1.0',
  'service.restored': '0.1.0',
}

const { captured, dispute, paid, pendingRefund, pendingWithdrawal, refund, withdrawal } = records
const { paidAt, txHash } = records
const unpaid = { ...records.canceled, status: 'WAITING_PAYMENT' }
const partly = {
  ...unpaid,
  amountReceived: 600,
  netAmount: 600,
  exceptions: ['UNDERPAID'],
  walletId: paid.walletId,
  depositCount: 1,
  deposits: [{ txHash, amount: '6000000000000000000', confirmations: 12, final: true, at: paidAt }],
  onchainTxHash: txHash,
}
const approved = {
  ...without(captured, 'paidAt', 'walletId'),
  status: 'APPROVED',
  amountReceived: 0,
  netAmount: 0,
  version: 3,
}
const completedWithdrawal = { ...withdrawal, version: 3 }

/** The resource of an example of each type. */
const resources: Readonly<Record<EventType, Json>> = {
  'payment.waiting': unpaid,
  'payment.approved': approved,
  'payment.completed': { ...paid, onchainTxHash: txHash },
  'payment.expired': { ...unpaid, status: 'EXPIRED' },
  'payment.failed': {
    ...unpaid,
    status: 'FAILED',
    lastError: { code: 'card_declined', message: 'The card was declined.' },
  },
  'payment.canceled': records.canceled,
  'payment.underpaid': partly,
  'payment.received_after_close': {
    ...partly,
    status: 'CANCELED',
    exceptions: ['UNDERPAID', 'LATE'],
    version: 3,
  },
  'refund.created': pendingRefund,
  'refund.completed': refund,
  'refund.failed': { ...pendingRefund, status: 'FAILED', failureCode: 'insufficient_balance', version: 2 },
  'dispute.opened': dispute,
  'dispute.won': { ...dispute, status: 'WON', closedAt: '2026-11-22T10:00:00.000Z', version: 2 },
  'dispute.lost': { ...dispute, status: 'LOST', closedAt: '2026-11-22T10:00:00.000Z', version: 2 },
  'withdrawal.created': pendingWithdrawal,
  'withdrawal.approval_required': { ...pendingWithdrawal, status: 'PENDING_APPROVAL' },
  'withdrawal.processing': { ...pendingWithdrawal, status: 'PROCESSING', version: 2 },
  'withdrawal.completed': completedWithdrawal,
  'withdrawal.failed': {
    ...pendingWithdrawal,
    status: 'FAILED',
    failureCode: 'recipient_not_found',
    failureMessage: 'The recipient’s key is not known.',
    version: 3,
  },
  'withdrawal.canceled': { ...pendingWithdrawal, status: 'CANCELED', version: 2 },
  'withdrawal.returned': { ...completedWithdrawal, amountReturned: withdrawal.amount, version: 4 },
  'wallet.created': records.reserve,
  'transfer.completed': records.transfer,
  'transfer_grant.created': splits.grant,
  'transfer_grant.revoked': { ...splits.grant, status: 'REVOKED', revokedAt: paidAt, version: 2 },
  'share.credited': splits.share,
  'share.returned': { ...splits.share, amountCredited: 1666, version: 3 },
  'webhook_endpoint.disabled': webhooks.disabledEndpoint,
  'webhook_endpoint.ping': webhooks.endpoint,
  'service.restored': webhooks.restore,
}

/** The body of an event of this type. */
export function eventExample(type: EventType): Of<typeof event> {
  return { ...records.event, mode: 'SANDBOX', type, data: resources[type] }
}

/** Every type with its example, in the order in which they are listed. */
const eventCatalogue = eventTypes.map((type) => ({
  type,
  description: eventMeanings[type],
  since: sinceVersion[type],
  example: eventExample(type),
}))

function without(record: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

const catalogued = T.Object(
  {
    type: event.properties.type,
    description: T.String({ description: 'When it is announced.' }),
    since: T.String({ description: 'The version of Vintem that first announced it.', examples: ['0.1.0'] }),
    example: event,
  },
  { title: 'CataloguedEventType', description: 'A type of event.' },
)

const list = route({
  route: 'GET /v1/event-types',
  operationId: 'listEventTypes',
  summary: 'List the types of events',
  description: 'All of them, each with an example of the body that is sent. Every key may call it.',
  answer: listOf(catalogued),
  example: { data: eventCatalogue.filter(({ type }) => type === 'payment.completed') },
  handle: async () => ({ record: { data: eventCatalogue } }),
})

export const eventTypeRoutes: readonly Route[] = [list]

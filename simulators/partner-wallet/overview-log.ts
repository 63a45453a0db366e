// The log's texts for events.
import { inWords, type LogLine, type Words } from '../kit/log.ts'
import type { EventStore } from './event-store.ts'
import type { Happening } from './events.ts'
import { fixed } from './money.ts'
import { coins } from './pay-texts.ts'

export function logOf(eventStore: EventStore): readonly LogLine[] {
  return inWords(eventStore.recent(), wordsOf)
}

function wordsOf(event: Happening): Words | undefined {
  switch (event.type) {
    case 'merchant.created':
      return [`Merchant ${event.name}`, `${event.merchantId}`]
    case 'key.created':
      return ['A key for a merchant', `${event.merchantId}`]
    case 'merchant.webhook':
      return ['Webhooks go to', event.url]
    case 'merchant.suspended':
      return [event.suspended ? 'Merchant suspended' : 'Merchant back', `${event.merchantId}`]
    case 'merchant.balance':
      return [`Merchant has ${amount(event.balance)}`, `${event.merchantId}`]
    case 'order.created':
      return [`Order of ${amount(event.terms.amount)}`, event.prepayId]
    case 'orders.moved':
      return undefined
    case 'order.begun':
      return ['The payer began', event.prepayId]
    case 'order.short':
      return ['The payer has too little money', event.prepayId]
    case 'order.paid':
      return ['Order paid', event.prepayId]
    case 'order.ended':
      return [
        { merchant: 'Order closed', payer: 'Order refused', clock: 'Order expired' }[event.by],
        event.prepayId,
      ]
    case 'refund.requested':
      return [`${amount(event.amount)} to go back`, event.refundRequestId]
    case 'refund.ended':
      return [
        event.status === 'REFUND_SUCCESS' ? 'Refund done' : 'Refund failed',
        event.refund.split('\n')[1] ?? '',
      ]
    case 'modes.set':
      return [`Webhooks ${event.modes.webhooks}, refunds ${event.modes.refunds}`]
    case 'webhook.delivered':
      return [`Webhook ${event.bizStatus} accepted`, event.prepayId]
    case 'webhook.failed':
      return [
        `Webhook ${event.bizStatus} not accepted${event.givenUp ? ', given up' : ''}: ${event.error}`,
        event.prepayId,
      ]
    case 'webhook.lost':
      return [`Webhook ${event.bizStatus} lost`, event.prepayId]
    case 'certificate.rotated':
      return ['New webhook key', event.certSerial]
    case 'call.spoiled':
      return [`Call spoiled (${event.how})`, event.path]
  }
}

function amount(units: string): string {
  return coins('en', fixed(BigInt(units)))
}

// The log's texts for events.
import { inWords, type LogLine, type WordsOf } from '../kit/log.ts'
import type { EventStore } from './event-store.ts'
import type { Facts } from './events.ts'
import { fixed } from './money.ts'
import { coins } from './pay-texts.ts'

export function logOf(eventStore: EventStore): readonly LogLine[] {
  return inWords(eventStore.recent(), words)
}

const endWords = { merchant: 'Order closed', payer: 'Order refused', clock: 'Order expired' } as const

const words: WordsOf<Facts> = {
  'merchant.created': ({ name, merchantId }) => [`Merchant ${name}`, `${merchantId}`],
  'key.created': ({ merchantId }) => ['A key for a merchant', `${merchantId}`],
  'merchant.webhook': ({ url }) => ['Webhooks go to', url],
  'merchant.suspended': ({ suspended, merchantId }) => [
    suspended ? 'Merchant suspended' : 'Merchant back',
    `${merchantId}`,
  ],
  'merchant.balance': ({ balance, merchantId }) => [`Merchant has ${sum(balance)}`, `${merchantId}`],
  'order.created': ({ terms, prepayId }) => [`Order of ${sum(terms.amount)}`, prepayId],
  'orders.moved': () => undefined,
  'order.begun': ({ prepayId }) => ['The payer began', prepayId],
  'order.short': ({ prepayId }) => ['The payer has too little money', prepayId],
  'order.paid': ({ prepayId }) => ['Order paid', prepayId],
  'order.ended': ({ by, prepayId }) => [endWords[by], prepayId],
  'refund.requested': ({ amount, refundRequestId }) => [`${sum(amount)} to go back`, refundRequestId],
  'refund.ended': ({ status, refund }) => [
    status === 'REFUND_SUCCESS' ? 'Refund done' : 'Refund failed',
    refund.split('\n')[1] ?? '',
  ],
  'modes.set': ({ modes }) => [`Webhooks ${modes.webhooks}, refunds ${modes.refunds}`],
  'webhook.delivered': ({ bizStatus, prepayId }) => [`Webhook ${bizStatus} accepted`, prepayId],
  'webhook.failed': ({ bizStatus, givenUp, error, prepayId }) => [
    `Webhook ${bizStatus} not accepted${givenUp ? ', given up' : ''}: ${error}`,
    prepayId,
  ],
  'webhook.lost': ({ bizStatus, prepayId }) => [`Webhook ${bizStatus} lost`, prepayId],
  'certificate.rotated': ({ certSerial }) => ['New webhook key', certSerial],
  'call.spoiled': ({ how, path }) => [`Call spoiled (${how})`, path],
}

function sum(units: string): string {
  return coins('en', fixed(BigInt(units)))
}

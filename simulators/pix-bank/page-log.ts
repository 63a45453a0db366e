// The log's texts for events.
import { inWords, type LogLine, type Words } from '../kit/log.ts'
import type { Bank } from './bank.ts'
import type { Happening } from './events.ts'
import { brl } from './money.ts'

export function logOf(bank: Bank): readonly LogLine[] {
  return inWords(bank.eventStore.recent(), wordsOf)
}

function wordsOf(event: Happening): Words | undefined {
  switch (event.type) {
    case 'application.created':
      return [`Application for ${event.name}`, event.pixKey]
    case 'dates.moved':
      return undefined
    case 'webhook.registered':
      return ['Webhook registered', event.url]
    case 'webhook.removed':
      return ['Webhook removed', event.pixKey]
    case 'charge.created':
      return [`Charge of ${brl(event.terms.amount)}`, event.txid]
    case 'charge.revised':
      return [`Charge revised: ${brl(event.terms.amount)}`, event.txid]
    case 'charge.removed':
      return ['Charge removed', event.txid]
    case 'pix.received':
      return [`${brl(event.amount)} received`, event.endToEndId]
    case 'refund.requested':
      return [`${brl(event.amount)} to go back (${event.natureza})`, event.endToEndId]
    case 'refund.ended':
      return [`Return ended: ${event.status}`, event.endToEndId]
    case 'payout.accepted':
      return [`${brl(event.amount)} to send to ${event.to}`, event.idEnvio]
    case 'payout.ended':
      return [
        `Payout ended: ${event.status}${event.code === undefined ? '' : ` (${event.code})`}`,
        event.payout,
      ]
    case 'payout.returned':
      return [`${brl(event.amount)} of a payout came back`, event.payout]
    case 'modes.set':
      return ['How webhooks or refunds go was changed']
    case 'reset':
      return ['Everything forgotten']
    case 'webhook.delivered':
      return ['Webhook delivered', event.about.join(' ')]
    case 'webhook.failed':
      return [
        `Webhook failed ${event.givenUp ? 'for the last time' : `(try ${event.tried})`}: ${event.error}`,
      ]
    case 'webhook.lost':
      return ['Webhook lost', event.about.join(' ')]
    case 'call.spoiled':
      return [`Call spoiled: ${event.how}`, `${event.method} ${event.path}`]
  }
}

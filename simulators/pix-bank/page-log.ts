// The log's texts for events.
import { inWords, type LogLine, type WordsOf } from '../kit/log.ts'
import type { Bank } from './bank.ts'
import type { Facts } from './events.ts'
import { brl } from './money.ts'

export function logOf(bank: Bank): readonly LogLine[] {
  return inWords(bank.eventStore.recent(), words)
}

const words: WordsOf<Facts> = {
  'application.created': ({ name, pixKey }) => [`Application for ${name}`, pixKey],
  'dates.moved': () => undefined,
  'webhook.registered': ({ url }) => ['Webhook registered', url],
  'webhook.removed': ({ pixKey }) => ['Webhook removed', pixKey],
  'charge.created': ({ terms, txid }) => [`Charge of ${brl(terms.amount)}`, txid],
  'charge.revised': ({ terms, txid }) => [`Charge revised: ${brl(terms.amount)}`, txid],
  'charge.removed': ({ txid }) => ['Charge removed', txid],
  'pix.received': ({ amount, endToEndId }) => [`${brl(amount)} received`, endToEndId],
  'refund.requested': ({ amount, natureza, endToEndId }) => [
    `${brl(amount)} to go back (${natureza})`,
    endToEndId,
  ],
  'refund.ended': ({ status, endToEndId }) => [`Return ended: ${status}`, endToEndId],
  'payout.accepted': ({ amount, to, idEnvio }) => [`${brl(amount)} to send to ${to}`, idEnvio],
  'payout.ended': ({ status, code, payout }) => [
    `Payout ended: ${status}${code === undefined ? '' : ` (${code})`}`,
    payout,
  ],
  'payout.returned': ({ amount, payout }) => [`${brl(amount)} of a payout came back`, payout],
  'modes.set': () => ['How webhooks or refunds go was changed'],
  reset: () => ['Everything forgotten'],
  'webhook.delivered': ({ about }) => ['Webhook delivered', about.join(' ')],
  'webhook.failed': ({ givenUp, tried, error }) => [
    `Webhook failed ${givenUp ? 'for the last time' : `(try ${tried})`}: ${error}`,
  ],
  'webhook.lost': ({ about }) => ['Webhook lost', about.join(' ')],
  'call.spoiled': ({ how, method, path }) => [`Call spoiled: ${how}`, `${method} ${path}`],
}

// What happened, in words.
import { iso } from '../kit/clock.ts'
import type { Markup } from '../kit/page-markup.ts'
import { ago } from '../kit/page-parts.ts'
import type { Bank } from './bank.ts'
import type { Told } from './book.ts'
import type { Happening } from './events.ts'
import { brl } from './money.ts'

const shown = 20
/** Of the last so many events; those that are put off until later are not told. */
const looked = 400

export function logSection(bank: Bank): Markup {
  const told = bank.book
    .recent()
    .slice(-looked)
    .filter(({ event }) => wordsOf(event) !== undefined)
    .slice(-shown)
    .reverse()
  const list: Markup =
    told.length === 0
      ? ['p', { class: 'empty' }, 'Nothing yet.']
      : ['ol', { class: 'log', 'aria-label': 'Newest first' }, ...told.map(logRow)]
  return ['section', { 'data-key': 'log' }, ['h2', {}, 'What happened'], list]
}

function logRow({ sequence, event }: Told): Markup {
  const [words = '', about = ''] = wordsOf(event) ?? []
  return [
    'li',
    { 'data-key': `${sequence}` },
    [
      'span',
      { class: 'line' },
      words,
      ['time', { datetime: iso(event.at), title: iso(event.at) }, ago(event.at)],
    ],
    ...(about === '' ? [] : [['code', { class: 'id' }, about] as const]),
  ]
}

/** What is said of an event, and the name that it is about. */
function wordsOf(event: Happening): readonly [words: string, about?: string] | undefined {
  switch (event.type) {
    case 'application.created':
      return [`Application for ${event.name}`, event.pixKey]
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
    case 'task.scheduled':
    case 'task.ended':
      return undefined
  }
}

// The webhooks on the welcome page: those that arrived at the sandbox's own inbox, and the deliveries to the developer's server,
// with their attempts.
import { parseJson } from '#/kernel/json.ts'
import type { Markup } from '../../web/live/markup.ts'
import { state, type Tone } from '../../web/live/parts.ts'
import { member } from './member.ts'
import { exact, moment } from './page-parts.ts'
import type { ReceivedWebhook } from './queries.ts'

/** The part of a delivery that the page shows. */
export type DeliveryLine = {
  readonly id: string
  readonly url: string
  readonly status: 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'CANCELED'
  readonly type: string
  /** The payment, refund or other resource that the event is about. */
  readonly resourceId: string
  /** When the event happened. */
  readonly at: Date
  /** The latest attempts, newest first. */
  readonly attempts: readonly DeliveryTry[]
}

/** One attempt: an answer, or why there was none. */
export type DeliveryTry = {
  readonly at: Date
  readonly durationMs: number
  readonly responseStatus: number | null
  readonly error: string | null
}

/** How the latest event reached its webhookUrl, in a few words. `url`: its webhookUrl, if it has one. */
export function notifiedOf(url: string | undefined, deliveries: readonly DeliveryLine[]): Markup {
  if (url === undefined) return state('over', 'No webhookUrl: no server is notified')
  const [latest] = deliveries
  if (latest === undefined) return state('wait', 'No event yet')
  const { tone, words } = standingOf(latest)
  return state(tone, `Webhook ${words}`)
}

export function deliveryRow(delivery: DeliveryLine, now: Date): Markup {
  const [latest] = delivery.attempts
  const { tone, words } = standingOf(delivery)
  return [
    'li',
    { 'data-key': delivery.id },
    [
      'details',
      {},
      [
        'summary',
        { class: 'row' },
        ['div', {}, ['span', { class: 'event' }, delivery.type], state(tone, capital(words))],
        ['div', {}, ['code', { class: 'id' }, delivery.url], moment(latest?.at ?? delivery.at, now, {})],
      ],
      [
        'div',
        { class: 'tries' },
        ['p', {}, ['code', { class: 'id' }, delivery.resourceId]],
        delivery.attempts.length === 0
          ? ['p', {}, 'Not tried yet.']
          : ['ol', {}, ...delivery.attempts.map(tryLine)],
      ],
    ],
  ]
}

function standingOf({ status, attempts: [latest] }: DeliveryLine): {
  readonly tone: Tone
  readonly words: string
} {
  if (status === 'DELIVERED') return { tone: 'good', words: 'delivered' }
  if (status === 'EXHAUSTED') return { tone: 'bad', words: 'given up' }
  if (latest === undefined) return { tone: 'wait', words: 'on its way' }
  return { tone: 'bad', words: 'failed, will be retried' }
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function tryLine({ at, durationMs, responseStatus, error }: DeliveryTry): Markup {
  const answer = responseStatus === null ? (error ?? 'no answer') : `answered ${responseStatus}`
  return ['li', {}, `${exact(at)}: ${answer}, after ${durationMs} ms`]
}

export function webhookRow(webhook: ReceivedWebhook, now: Date): Markup {
  const event = readEvent(webhook.body)
  const tone = webhook.verified ? 'good' : 'bad'
  return [
    'li',
    { 'data-key': webhook.id },
    [
      'details',
      {},
      [
        'summary',
        { class: 'row' },
        [
          'div',
          {},
          ['span', { class: 'event' }, event.type],
          state(tone, webhook.verified ? 'Verified' : 'Not verified'),
        ],
        ['div', {}, ['code', { class: 'id' }, event.resourceId], moment(webhook.receivedAt, now, {})],
      ],
      ['pre', {}, ['code', {}, event.text]],
    ],
  ]
}

/** Reads an untrusted body. */
function readEvent(body: Buffer): {
  readonly type: string
  readonly resourceId: string
  readonly text: string
} {
  const raw = body.toString('utf8')
  try {
    const event: unknown = parseJson(raw)
    const type = member(event, 'type')
    const id = member(member(event, 'data'), 'id')
    return {
      type: typeof type === 'string' ? type : 'Not an event',
      resourceId: typeof id === 'string' ? id : '',
      text: JSON.stringify(event, null, 2),
    }
  } catch {
    return { type: 'Not JSON', resourceId: '', text: raw }
  }
}

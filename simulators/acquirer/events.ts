// The API's events: kept, listed, and sent to the account's webhooks. Every change of an object passes through here, so that an
// event shows the object as it was then.
import { createHmac } from 'node:crypto'
import { seconds } from '../kit/clock.ts'
import { given } from '../kit/given.ts'
import { createOutbox, planOf, post as call, type Outbox, type WebhookMode } from '../kit/outbox.ts'
import type { Table } from '../kit/store.ts'
import { newId, span, type Acquirer, type Kept, type Letter } from './acquirer.ts'
import { apiVersion, type Event, type Thing } from './wire.ts'

/** Seconds before the second, third … attempt. */
const retrySeconds = [1, 2, 4, 8, 16, 32, 64] as const
const lateSeconds = 10

/** Keeps an event and passes it to the endpoints that are enabled for it. */
export function emit(
  acquirer: Acquirer,
  account: string,
  type: string,
  object: Thing,
  previous?: Readonly<Record<string, unknown>>,
): void {
  const { store, events, passing, log } = acquirer
  const wanting = [...acquirer.endpoints.all()].filter(
    (each) =>
      each.account === account &&
      each.wire.status === 'enabled' &&
      each.wire.enabled_events.some((enabled) => enabled === '*' || enabled === type),
  )
  const wire: Event = {
    id: newId(acquirer, 'evt'),
    object: 'event',
    api_version: apiVersion,
    created: seconds(),
    data: { object, ...given({ previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: wanting.length,
    request: passing.request,
    type,
  }
  events.put(wire.id, { account, wire, number: store.next('#events') })
  log.add(type, object.id)
  for (const endpoint of wanting) post(acquirer, { event: wire.id, endpoint: endpoint.wire.id })
}

/** Changes an object of the API, keeps it, and emits what happened. `previous`: the changed fields as they were. */
export function change<Wire extends Thing, One extends Kept<Wire>>(
  acquirer: Acquirer,
  table: Table<One>,
  kept: One & Kept<Wire>,
  to: Partial<Wire>,
  happened: string,
  previous?: Partial<Wire>,
): Wire {
  const wire = { ...kept.wire, ...to }
  table.put(wire.id, { ...kept, wire })
  emit(acquirer, kept.account, happened, wire, previous)
  return wire
}

/** Queues an event for an endpoint, by the current mode of webhooks. */
export function post(acquirer: Acquirer, letter: Letter): void {
  const plan = planOf(webhookModeOf(acquirer), span(acquirer.options, lateSeconds))
  if (plan !== undefined) acquirer.outbox.post(letter, plan)
}

export function webhookModeOf({ webhookModes }: Pick<Acquirer, 'webhookModes'>): WebhookMode {
  return webhookModes.get('mode') ?? 'normal'
}

type Sending = Pick<Acquirer, 'options' | 'store' | 'log' | 'events' | 'endpoints' | 'webhookModes'>

/** The webhooks of an endpoint are sent one after the other, so that they arrive in the order of the events. */
export function createWebhooks(sending: Sending): Outbox<Letter> {
  const { options, store, log } = sending
  return createOutbox<Letter>({
    eventStore: store,
    receiverOf: ({ endpoint }) => endpoint,
    atOnce: 1,
    retrySeconds,
    span: (count) => span(options, count),
    send: (letter, signal) => sendEvent(sending, letter, signal),
    report: ({ event }, { error, isLast }) => {
      if (error === undefined) log.add('Webhook delivered', event)
      else log.add(`Webhook failed${isLast ? ' for the last time' : ''}: ${error}`, event)
    },
  })
}

/** One call of a webhook. Returns what went wrong. */
async function sendEvent(sending: Sending, letter: Letter, signal: AbortSignal): Promise<string | undefined> {
  const event = sending.events.get(letter.event)
  const endpoint = sending.endpoints.get(letter.endpoint)
  if (event === undefined || endpoint?.wire.status !== 'enabled') return undefined
  const body = JSON.stringify(event.wire)
  const secret = webhookModeOf(sending) === 'bad_signature' ? `${endpoint.secret}x` : endpoint.secret
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    'stripe-signature': signatureOf(body, secret, seconds()),
  }
  return call(endpoint.wire.url, { headers, body, signal }, (status) =>
    status >= 200 && status < 300 ? undefined : `status ${status}`,
  )
}

/** `t=…,v1=…`: HMAC-SHA256 of `{t}.{body}` with the whole secret as the key, in hex. */
function signatureOf(body: string, secret: string, at: number): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}

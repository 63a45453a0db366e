// What happened, as the API tells it: kept, listed, and sent to the account's webhooks. Every change of an object passes
// through here, so that what an event shows is what the object was just then.
import { createHmac } from 'node:crypto'
import { now } from '../kit/clock.ts'
import { newId, type Acquirer, type Letter } from './acquirer.ts'
import { apiVersion, type Event, type Thing } from './wire.ts'

const timeoutMs = 10_000

/** Keeps an event and hands it to the webhooks that want it. */
export function emit(
  acquirer: Acquirer,
  account: string,
  type: string,
  object: Thing,
  previous?: Readonly<Record<string, unknown>>,
): void {
  const { clock, store, events, outbox, passing, log } = acquirer
  const wanting = [...acquirer.endpoints.all()].filter(
    (each) =>
      each.account === account &&
      each.wire.status === 'enabled' &&
      each.wire.enabled_events.some((wanted) => wanted === '*' || wanted === type),
  )
  const wire: Event = {
    id: newId(acquirer, 'evt'),
    object: 'event',
    api_version: apiVersion,
    created: clock.seconds(),
    data: { object, ...(previous === undefined ? {} : { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: wanting.length,
    request: passing.request,
    type,
  }
  events.put(wire.id, { account, wire, number: store.next('#events') })
  log.add(type, object.id)
  for (const endpoint of wanting)
    outbox.post(endpoint.wire.id, { event: wire.id, endpoint: endpoint.wire.id })
}

/** One call of a webhook; answers what went wrong. */
export async function sendEvent(
  { events, endpoints }: Pick<Acquirer, 'events' | 'endpoints'>,
  letter: Letter,
  { isForged, signal }: { readonly isForged: boolean; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const event = events.get(letter.event)
  const endpoint = endpoints.get(letter.endpoint)
  if (event === undefined || endpoint?.wire.status !== 'enabled') return undefined
  const body = JSON.stringify(event.wire)
  const secret = isForged ? `${endpoint.secret}x` : endpoint.secret
  try {
    const answer = await fetch(endpoint.wire.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signatureOf(body, secret, Math.floor(now() / 1000)),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await answer.body?.cancel()
    return answer.ok ? undefined : `status ${answer.status}`
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error)
  }
}

/** `t=…,v1=…`: HMAC-SHA256 of `{t}.{body}` with the whole secret as the key, in hex. */
function signatureOf(body: string, secret: string, at: number): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}

// From the object that an event names to receipts: the object is fetched with our own key, and only its state then counts.
import { messageOf } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { createRecent } from '#/kernel/recent.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ListedSpan, OpenedAttempt } from '#/rails/rail.ts'
import type { Receipt, Signal } from '#/rails/receipt.ts'
import { sessionIdOf } from './artifacts.ts'
import { CardError, type Answered } from './client.ts'
import type { OpenConnection, OpenConnections } from './connections.ts'
import { jsonOf, NonsenseError } from './fields.ts'
import { receiptsOfDispute, receiptsOfIntent, receiptsOfRefund, type Source } from './receipts.ts'
import {
  parseHint,
  type Expandable,
  type Hint,
  type Intent,
  type Refund,
  type Session,
  type Target,
} from './wire.ts'

export type FollowDeps = { readonly open: OpenConnections; readonly clock: Clock; readonly log: Log }

/** Returns the current state of the object that a callback names. */
export async function readSignal(
  deps: FollowDeps,
  { connection, body }: Signal,
): Promise<readonly Receipt[]> {
  const hint = parseHint(jsonOf(body))
  if (hint?.target === undefined) {
    deps.log.info({ connection, type: hint?.type }, 'a card callback that names no object of ours')
    return []
  }
  const found = await followOwn(deps, deps.open.collecting(connection), hint.target)
  return found ?? []
}

/** Returns nothing for an object of another shop at the same account, or one that does not exist any more. */
async function followOwn({ clock, log }: FollowDeps, connection: OpenConnection, target: Target) {
  try {
    return await follow(connection, clock, target)
  } catch (error) {
    if (!(error instanceof CardError) || error.status !== 404) throw error
    log.warn(
      { connection: connection.id, ...target },
      'the card provider does not know the object of its event',
    )
    return undefined
  }
}

/** The events about money, at most 20 types. `charge.refunded` is left out: the events of refunds report the same. */
const paidEvents = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.amount_capturable_updated',
  'payment_intent.canceled',
  'charge.captured',
  'charge.expired',
] as const
const returnedEvents = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const

const atOnce = 8
/**
 * Scans overlap. While the latest event of an object is the same, the object is not fetched again: its last receipts are returned.
 * At most this many objects are remembered.
 */
const rememberedMax = 5_000

type Lister = (connection: ConnectionId, span: ListedSpan) => AsyncIterable<readonly Receipt[]>

/**
 * Returns the current state of every object that an event of the span names, each object once. An object that cannot be read does
 * not hold up the others; it is logged for a person to check.
 */
export function createLister(deps: FollowDeps): Lister {
  const remembered = createRecent<string, { readonly event: string; readonly receipts: readonly Receipt[] }>(
    rememberedMax,
  )
  const followOnce = async (connection: OpenConnection, { target, event }: Named) => {
    const name = `${connection.id}/${keyOf(target)}`
    const previous = remembered.get(name)
    if (previous?.event === event) return previous.receipts
    const receipts = await followListed(deps, connection, target)
    remembered.set(name, { event, receipts })
    return receipts
  }
  return async function* (id, span) {
    const connection = deps.open.collecting(id)
    const types = span.onlyReturned === true ? returnedEvents : [...paidEvents, ...returnedEvents]
    const listed = new Set<string>()
    for await (const page of connection.client.listEvents(span, types)) {
      const fresh = namedFirst(page, listed)
      for (let at = 0; at < fresh.length; at += atOnce)
        yield (
          await Promise.all(fresh.slice(at, at + atOnce).map((named) => followOnce(connection, named)))
        ).flat()
    }
  }
}

/** An object, and the latest event that names it. */
type Named = { readonly target: Target; readonly event: string }

/** Returns the objects that were not listed before: intents first, then refunds and disputes. */
function namedFirst(page: readonly Hint[], listed: Set<string>): readonly Named[] {
  const fresh = page.flatMap(({ id, target }) => {
    if (target === undefined || listed.has(keyOf(target))) return []
    listed.add(keyOf(target))
    return [{ target, event: id }]
  })
  return fresh.toSorted((a, b) => Number(b.target.kind === 'intent') - Number(a.target.kind === 'intent'))
}

function keyOf({ kind, id }: Target): string {
  return `${kind}/${id}`
}

async function followListed(deps: FollowDeps, connection: OpenConnection, target: Target) {
  try {
    return (await followOwn(deps, connection, target)) ?? []
  } catch (error) {
    if (!(error instanceof NonsenseError)) throw error
    const { log } = deps
    log.error(
      { connection: connection.id, ...target, error: messageOf(error) },
      'a card payment cannot be read',
    )
    return []
  }
}

async function follow(connection: OpenConnection, clock: Clock, { kind, id }: Target) {
  const { client } = connection
  const sourceOf = ({ raw }: Answered<unknown>) => toSource(connection, clock, raw)
  switch (kind) {
    case 'intent': {
      const intent = await client.getIntent(id)
      return intent === undefined ? [] : receiptsOfIntent(sourceOf(intent), intent.value)
    }
    case 'session':
      return (await sessionReceipts(connection, clock, id))?.receipts ?? []
    case 'refund': {
      const refund = await client.getRefund(id)
      return refund === undefined ? [] : refundReceipts(connection, sourceOf(refund), refund.value)
    }
    case 'refunds': {
      const refunds = await client.listRefunds(id, true)
      const found = refunds.map((each) => refundReceipts(connection, sourceOf(each), each.value))
      return (await Promise.all(found)).flat()
    }
    case 'dispute': {
      const dispute = await client.getDispute(id)
      if (dispute === undefined) return []
      const intent = await wholeOf(connection, dispute.value.intent)
      if (intent === undefined) return []
      const source = sourceOf(dispute)
      // A disputed payment was paid before: this reports the payment too, in case it was not reported yet.
      const paid = receiptsOfIntent(source, intent)
      const disputed = { ...dispute.value, intent: { id: intent.id, isWhole: true, ours: intent } }
      return [...paid, ...receiptsOfDispute(source, disputed, intent.attempt)]
    }
  }
}

export function toSource({ id, mode }: OpenConnection, clock: Clock, evidence: Buffer): Source {
  return { connection: id, mode, evidence, readAt: clock.now() }
}

export type FollowedSession = {
  readonly session: Session
  readonly intent?: Intent
  readonly receipts: readonly Receipt[]
}

/** Returns the session of an attempt, and the state of its payment. */
export async function attemptReceipts(
  { open, clock }: Pick<FollowDeps, 'open' | 'clock'>,
  attempt: OpenedAttempt,
): Promise<FollowedSession> {
  const found = await sessionReceipts(open.collecting(attempt.connection), clock, sessionIdOf(attempt))
  if (found?.session.attempt !== attempt.id) throw new NonsenseError('session', 'is of another attempt')
  return found
}

/** The same, by the session's id; undefined when it is not ours. */
async function sessionReceipts(
  connection: OpenConnection,
  clock: Clock,
  id: string,
): Promise<FollowedSession | undefined> {
  const answered = await connection.client.getSession(id)
  if (answered === undefined) return undefined
  const { value: session, raw } = answered
  if (session.intent === undefined) return { session, receipts: [] }
  const { ours, isWhole, id: name } = session.intent
  // An intent that was not included is fetched.
  const current = isWhole ? ours && { value: ours, raw } : await connection.client.getIntent(name)
  if (current === undefined) return { session, receipts: [] }
  const receipts = receiptsOfIntent(toSource(connection, clock, current.raw), current.value)
  return { session, intent: current.value, receipts }
}

async function refundReceipts(connection: OpenConnection, source: Source, refund: Refund) {
  if (refund.intent === undefined) throw new NonsenseError('refund.payment_intent', 'is missing')
  const intent = await wholeOf(connection, refund.intent)
  if (intent === undefined) return []
  const paid = receiptsOfIntent(source, intent)
  return [
    ...paid,
    ...receiptsOfRefund(source, refund, {
      attempt: intent.attempt,
      intent: intent.id,
      method: intent.method,
    }),
  ]
}

/** Returns the intent itself; undefined when it is not ours. */
async function wholeOf({ client }: OpenConnection, { id, ours, isWhole }: Expandable<Intent>) {
  return isWhole ? ours : (await client.getIntent(id))?.value
}

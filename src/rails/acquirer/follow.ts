// From what an event speaks of to receipts: the object is fetched with our own key, and only what it says then counts.
import type { Receipt, Signal } from '#/rails/words.ts'
import { messageOf } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { createRecent } from '#/kernel/recent.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ListedSpan, OpenedAttempt } from '#/rails/rail.ts'
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

/** What is true of the thing that a callback speaks of. */
export async function readSignal(
  deps: FollowDeps,
  { connection, body }: Signal,
): Promise<readonly Receipt[]> {
  const hint = parseHint(jsonOf(body))
  if (hint?.target === undefined) {
    deps.log.info({ connection, type: hint?.type }, 'a card callback that speaks of nothing of ours')
    return []
  }
  const found = await followOwn(deps, deps.open.collecting(connection), hint.target)
  return found ?? []
}

/** Of an account that others use too, as of what is not there any more: nothing. */
async function followOwn({ clock, log }: FollowDeps, connection: OpenConnection, target: Target) {
  try {
    return await follow(connection, clock, target)
  } catch (error) {
    if (!(error instanceof CardError) || error.status !== 404) throw error
    log.warn({ connection: connection.id, ...target }, 'the card provider does not know what it told of')
    return undefined
  }
}

/** The events that tell of money; `charge.refunded` tells only what those of refunds tell too. 20 types at most. */
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
/** Looks overlap: what was followed after the latest event of it says the same again. So many are remembered at most. */
const rememberedMax = 5_000

type Lister = (connection: ConnectionId, span: ListedSpan) => AsyncIterable<readonly Receipt[]>

/**
 * What is true of everything that an event told of in the span, each thing once. One thing that cannot be read must not
 * keep the rest from its owners, so a person has to look.
 */
export function createLister(deps: FollowDeps): Lister {
  const remembered = createRecent<string, { readonly event: string; readonly receipts: readonly Receipt[] }>(
    rememberedMax,
  )
  const followOnce = async (opened: OpenConnection, { target, event }: Told) => {
    const name = `${opened.id}/${keyOf(target)}`
    const known = remembered.get(name)
    if (known?.event === event) return known.receipts
    const receipts = await followListed(deps, opened, target)
    remembered.set(name, { event, receipts })
    return receipts
  }
  return async function* (connection, span) {
    const opened = deps.open.collecting(connection)
    const types = span.onlyReturned === true ? returnedEvents : [...paidEvents, ...returnedEvents]
    const seen = new Set<string>()
    for await (const page of opened.client.listEvents(span, types)) {
      const fresh = toldFirst(page, seen)
      for (let at = 0; at < fresh.length; at += atOnce)
        yield (await Promise.all(fresh.slice(at, at + atOnce).map((told) => followOnce(opened, told)))).flat()
    }
  }
}

/** A thing, and the latest event that told of it. */
type Told = { readonly target: Target; readonly event: string }

/** The things that were not seen before: money first, and then what became of it. */
function toldFirst(page: readonly Hint[], seen: Set<string>): readonly Told[] {
  const fresh = page.flatMap(({ id, target }) => {
    if (target === undefined || seen.has(keyOf(target))) return []
    seen.add(keyOf(target))
    return [{ target, event: id }]
  })
  return fresh.toSorted((a, b) => Number(b.target.kind === 'intent') - Number(a.target.kind === 'intent'))
}

function keyOf({ kind, id }: Target): string {
  return `${kind}/${id}`
}

async function followListed(deps: FollowDeps, opened: OpenConnection, target: Target) {
  try {
    return (await followOwn(deps, opened, target)) ?? []
  } catch (error) {
    if (!(error instanceof NonsenseError)) throw error
    const { log } = deps
    log.error({ connection: opened.id, ...target, error: messageOf(error) }, 'a card payment cannot be read')
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
      // What is disputed was paid: should that not have been heard yet, it is now.
      const paid = receiptsOfIntent(source, intent)
      return [...paid, ...receiptsOfDispute(source, dispute.value, intent.attempt)]
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

/** The session that was opened for an attempt, and what its payer came to. */
export async function attemptReceipts(
  { open, clock }: Pick<FollowDeps, 'open' | 'clock'>,
  attempt: OpenedAttempt,
): Promise<FollowedSession> {
  const found = await sessionReceipts(open.collecting(attempt.connection), clock, sessionIdOf(attempt))
  if (found?.session.attempt !== attempt.id) throw new NonsenseError('session', 'is of another attempt')
  return found
}

/** The same, by the session's name; nothing when it is somebody else's. */
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
  // What was not sent along is asked for.
  const own = isWhole ? ours && { value: ours, raw } : await connection.client.getIntent(name)
  if (own === undefined) return { session, receipts: [] }
  const receipts = receiptsOfIntent(toSource(connection, clock, own.raw), own.value)
  return { session, intent: own.value, receipts }
}

async function refundReceipts(connection: OpenConnection, source: Source, refund: Refund) {
  if (refund.intent === undefined) throw new NonsenseError('refund.payment_intent', 'is missing')
  const intent = await wholeOf(connection, refund.intent)
  if (intent === undefined) return []
  const paid = receiptsOfIntent(source, intent)
  return [...paid, ...receiptsOfRefund(source, refund, { attempt: intent.attempt, intent: intent.id })]
}

/** The intent itself; nothing when it is somebody else's. */
async function wholeOf({ client }: OpenConnection, { id, ours, isWhole }: Expandable<Intent>) {
  return isWhole ? ours : (await client.getIntent(id))?.value
}

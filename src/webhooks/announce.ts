// Writes the events of a batch, in the batch's own transaction: an event exists exactly when its change does.
// Inspected by audit/webhooks.ts.
import type { Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type EventId, type MerchantId } from '#/kernel/id.ts'
import { toJson } from '#/kernel/json.ts'
import { toJsonInteger } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { isTaken, originOfEndpoint, type EventDraft, type Subscriber, type WrittenEvent } from './event.ts'
import * as queries from './queries.ts'
import type { NewEvent } from './queries.ts'

/**
 * Numbers the drafts without gaps for each merchant, in their order, and writes them as events. Each event gets these deliveries:
 * - one to the draft's URL, if it has one, due at once;
 * - one to each endpoint of the merchant that takes its type; the delivery of a disabled endpoint is held.
 *
 * Returns the events in the order of the drafts. Calls must not run at the same time: the caller holds the lock on the cell's head. Two
 * round trips.
 */
export async function announce(
  tx: Tx,
  drafts: readonly EventDraft[],
  moment: { readonly batch: bigint; readonly at: Date },
): Promise<readonly WrittenEvent[]> {
  if (drafts.length === 0) return []
  const { numbers, subscribers } = await assignNumbers(tx, drafts)
  const timestamp = moment.at.toISOString()
  const events = drafts.map((draft, index): NewEvent => {
    const sequence = must(numbers[index], 'every draft has a number')
    const id: EventId = draft.id ?? newId()
    const { merchantId, type, mode, resourceId } = draft
    const body = bodyOf(draft, id, sequence, timestamp)
    const deliveries = deliveriesOf(draft, subscribers.get(merchantId) ?? [])
    return { merchantId, sequence, id, type, mode, resourceId, body, deliveries }
  })
  // Built before the statements are sent: the database still executes what the caller writes at the same time.
  const written = events.map(({ merchantId, sequence, id, type, body }) => ({
    merchantId,
    sequence,
    id,
    type,
    bodyHash: sha256(body),
  }))
  await queries.insertEvents(tx, events, moment)
  return written
}

type Numbering = {
  /** Of each draft: one range for each merchant, assigned in order. */
  readonly numbers: readonly bigint[]
  /** The endpoints of each merchant that has any. */
  readonly subscribers: ReadonlyMap<MerchantId, readonly Subscriber[]>
}

async function assignNumbers(tx: Tx, drafts: readonly EventDraft[]): Promise<Numbering> {
  const counts = new Map<EventDraft['merchantId'], bigint>()
  for (const { merchantId } of drafts) counts.set(merchantId, (counts.get(merchantId) ?? 0n) + 1n)
  const last = await queries.advanceCounters(tx, counts)
  const next = new Map(last.map((row) => [row.merchantId, row.sequence - (counts.get(row.merchantId) ?? 0n)]))
  const numbers = drafts.map(({ merchantId }) => {
    const sequence = must(next.get(merchantId), 'every merchant has a counter') + 1n
    next.set(merchantId, sequence)
    return sequence
  })
  const subscribers = last.flatMap((row) =>
    row.endpoints === null ? [] : [[row.merchantId, row.endpoints] as const],
  )
  return { numbers, subscribers: new Map(subscribers) }
}

/** The exact text that each delivery of the event sends. */
function bodyOf(draft: EventDraft, id: EventId, sequence: bigint, timestamp: string): string {
  const { type, mode, data } = draft
  return toJson({ id, type, timestamp, mode, sequence: toJsonInteger(sequence), data })
}

function deliveriesOf(draft: EventDraft, subscribers: readonly Subscriber[]): NewEvent['deliveries'] {
  const { webhookUrl: url } = draft
  const toUrl = url === undefined ? [] : [{ id: newId<'delivery'>(), url, origin: originOf(url) }]
  const toEndpoints = subscribers
    .filter((each) => isTaken(draft, each))
    .map(({ id, url }) => ({ id: newId<'delivery'>(), url, origin: originOfEndpoint(id), endpointId: id }))
  return [...toUrl, ...toEndpoints]
}

/**
 * URLs were checked when they came in. A URL that cannot be parsed all the same, or whose origin is too long for an index, must
 * not stop a batch: it fails when sent.
 */
function originOf(url: string): string {
  const origin = URL.parse(url)?.origin ?? ''
  return origin === '' || origin.length > originLengthMax ? 'unreadable' : origin
}

/** Room for a scheme, the longest host name and a port. */
const originLengthMax = 300

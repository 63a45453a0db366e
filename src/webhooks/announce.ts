// Writes the events of a batch, in the batch's own transaction: an event exists exactly when its change does.
// Inspected by audit/webhooks.ts.
import type { Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type EventId } from '#/kernel/id.ts'
import { toJson } from '#/kernel/json.ts'
import { toJsonInteger } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { EventDraft, WrittenEvent } from './event.ts'
import * as queries from './queries.ts'
import type { NewEvent } from './queries.ts'

/**
 * Numbers the drafts without gaps for each merchant, in their order, and writes them. A draft with a URL also gets a delivery, due
 * at once. Returns the events in the order of the drafts. Calls must not run side by side: the caller holds the lock on the cell's
 * head. Two round trips.
 */
export async function announce(
  tx: Tx,
  drafts: readonly EventDraft[],
  moment: { readonly batch: bigint; readonly at: Date },
): Promise<readonly WrittenEvent[]> {
  if (drafts.length === 0) return []
  const numbers = await assignNumbers(tx, drafts)
  const timestamp = moment.at.toISOString()
  const events = drafts.map((draft, index): NewEvent => {
    const sequence = must(numbers[index], 'every draft has a number')
    const id: EventId = newId()
    const { merchantId, type, mode, resourceId } = draft
    const body = bodyOf(draft, id, sequence, timestamp)
    return { merchantId, sequence, id, type, mode, resourceId, body, ...deliveryOf(draft) }
  })
  // Built before the statements are sent: the database is still busy with what the caller writes beside them.
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

/** The number of each draft: one range for each merchant, assigned in order. */
async function assignNumbers(tx: Tx, drafts: readonly EventDraft[]): Promise<readonly bigint[]> {
  const counts = new Map<EventDraft['merchantId'], bigint>()
  for (const { merchantId } of drafts) counts.set(merchantId, (counts.get(merchantId) ?? 0n) + 1n)
  const last = await queries.advanceCounters(tx, counts)
  const next = new Map(last.map((row) => [row.merchantId, row.sequence - (counts.get(row.merchantId) ?? 0n)]))
  return drafts.map(({ merchantId }) => {
    const sequence = must(next.get(merchantId), 'every merchant has a counter') + 1n
    next.set(merchantId, sequence)
    return sequence
  })
}

/** The exact text that each delivery of the event sends. */
function bodyOf(draft: EventDraft, id: EventId, sequence: bigint, timestamp: string): string {
  const { type, mode, data } = draft
  return toJson({ id, type, timestamp, mode, sequence: toJsonInteger(sequence), data })
}

function deliveryOf({ webhookUrl }: EventDraft): Pick<NewEvent, 'delivery'> {
  if (webhookUrl === undefined) return {}
  return { delivery: { id: newId(), url: webhookUrl, origin: originOf(webhookUrl) } }
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

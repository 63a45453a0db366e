// Writes what a batch has to tell, in the batch's own transaction: an event exists exactly when its change does.
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
 * Numbers the drafts without gaps for each merchant, in their order, and writes them with a delivery, due at once, for
 * each that names a URL. Answers them in the order of the drafts. Callers must not run side by side: whoever holds the
 * lock on the cell's head may call, and nobody else. Two round trips.
 */
export async function announce(
  tx: Tx,
  drafts: readonly EventDraft[],
  moment: { readonly batch: bigint; readonly at: Date },
): Promise<readonly WrittenEvent[]> {
  if (drafts.length === 0) return []
  const numbers = await takeNumbers(tx, drafts)
  const timestamp = moment.at.toISOString()
  const events = drafts.map((draft, index): NewEvent => {
    const sequence = must(numbers[index], 'every draft has a number')
    const id: EventId = newId()
    const { merchantId, type, mode, resourceId } = draft
    const body = bodyOf(draft, id, sequence, timestamp)
    return { merchantId, sequence, id, type, mode, resourceId, body, ...deliveryOf(draft) }
  })
  // Before they are sent: the database is still busy with what the caller writes beside them.
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

/** The number of each draft: one range for each merchant, dealt out in order. */
async function takeNumbers(tx: Tx, drafts: readonly EventDraft[]): Promise<readonly bigint[]> {
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

/** The exact text of every delivery of the event. */
function bodyOf(draft: EventDraft, id: EventId, sequence: bigint, timestamp: string): string {
  const { type, mode, data } = draft
  return toJson({ id, type, timestamp, mode, sequence: toJsonInteger(sequence), data })
}

function deliveryOf({ webhookUrl }: EventDraft): Pick<NewEvent, 'delivery'> {
  if (webhookUrl === undefined) return {}
  return { delivery: { id: newId(), url: webhookUrl, origin: originOf(webhookUrl) } }
}

/**
 * URLs were checked when they came in. One that cannot be read nevertheless, or whose origin no index could hold, must
 * not stop a batch: it fails when sent.
 */
function originOf(url: string): string {
  const origin = URL.parse(url)?.origin ?? ''
  return origin === '' || origin.length > originLengthMax ? 'unreadable' : origin
}

/** Scheme, the longest host name there is, and a port. */
const originLengthMax = 300

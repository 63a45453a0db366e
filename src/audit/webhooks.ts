// Inspects events and deliveries:
// - event numbers have no gaps;
// - the body of each event says what its row says;
// - each event that has a URL has a delivery, and each endpoint that takes its type has one too.
// Inspects what webhooks/announce.ts decides.
import { eachPage, inSnapshot, type Inspection, type Inspector } from '#/db/inspection.ts'
import type { DeliveryId, MerchantId } from '#/kernel/id.ts'
import { minuteMs } from '#/kernel/time.ts'
import * as queries from './webhooks-queries.ts'

export const webhookInspections: readonly Inspection[] = [
  { name: 'events', inspect: inspectEvents },
  { name: 'event numbers', inspect: inspectCounters },
  { name: 'deliveries', inspect: inspectDeliveries },
]

const pageRows = 1_000

async function inspectEvents(inspector: Inspector): Promise<void> {
  const { sql, inspected, fault } = inspector
  let last: queries.EventRow | undefined
  for (;;) {
    const { events, deliveries, endpoints, gaps } = await inSnapshot(sql, async (tx) => {
      const rows = await queries.selectEvents(tx, last, pageRows)
      const owners = [...new Set(rows.map(({ merchantId }) => merchantId))]
      return {
        events: rows,
        deliveries: await queries.selectDeliveriesOf(tx, rows),
        endpoints: Map.groupBy(await queries.selectEndpoints(tx, owners), ({ merchantId }) => merchantId),
        gaps: Map.groupBy(await queries.selectGaps(tx, owners), ({ merchantId }) => merchantId),
      }
    })
    if (events.length === 0) break
    inspected('events', events.length)
    inspected('deliveries', deliveries.length)
    const deliveriesOf = Map.groupBy(deliveries, nameOf)
    const merchants: MerchantId[] = []
    for (const event of events) {
      if (last?.merchantId !== event.merchantId) merchants.push(event.merchantId)
      const expected = last?.merchantId === event.merchantId ? last.sequence + 1n : 1n
      if (event.sequence !== expected && !isAfterGap(event, expected - 1n, gaps.get(event.merchantId)))
        fault(nameOf(event), `follows number ${expected - 1n} of its merchant`)
      for (const what of faultsOfEvent(event)) fault(nameOf(event), what)
      const ofEvent = deliveriesOf.get(nameOf(event)) ?? []
      for (const what of faultsOfDeliveries(event, ofEvent)) fault(nameOf(event), what)
      for (const what of faultsOfEndpoints(event, ofEvent, endpoints.get(event.merchantId) ?? []))
        fault(nameOf(event), what)
      last = event
    }
    await compareCounters(inspector, merchants)
  }
}

/**
 * The event reports the restore that lost the numbers before it. The chain covers its body, so nobody can make a gap without
 * the audit key.
 */
function isAfterGap(
  event: queries.EventRow,
  before: bigint,
  gaps: readonly queries.GapRow[] | undefined,
): boolean {
  const gap = gaps?.find(({ firstNumber }) => firstNumber === event.sequence)
  const data = bodyOf(event)?.data
  return (
    gap?.lastNumber === before &&
    event.type === 'service.restored' &&
    String(data?.lastSequence) === String(before) &&
    String(data?.firstSequence) === String(event.sequence)
  )
}

function nameOf({ merchantId, sequence }: queries.EventKey): string {
  return `event ${sequence} of merchant ${merchantId}`
}

type Body = {
  readonly id?: unknown
  readonly type?: unknown
  readonly timestamp?: unknown
  readonly mode?: unknown
  readonly sequence?: unknown
  readonly data?: {
    readonly id?: unknown
    readonly webhookUrl?: unknown
    readonly lastSequence?: unknown
    readonly firstSequence?: unknown
  }
}

function faultsOfEvent(event: queries.EventRow): readonly string[] {
  const body = bodyOf(event)
  if (body === undefined) return ['has a body that is no JSON']
  const faults: string[] = []
  const inBody = {
    id: body.id,
    type: body.type,
    mode: body.mode,
    sequence: String(body.sequence),
    at: body.timestamp,
    resource: body.data?.id,
  }
  const rows = {
    id: event.id,
    type: event.type,
    mode: event.mode,
    sequence: String(event.sequence),
    at: event.at.toISOString(),
    resource: event.resourceId,
  }
  for (const [name, value] of Object.entries(rows)) {
    if (inBody[name as keyof typeof inBody] !== value)
      faults.push(`has another ${name} in its row than in its body`)
  }
  if (event.batchAt === null) faults.push(`names batch ${event.batch}, which is not there`)
  else if (event.batchAt.getTime() !== event.at.getTime()) faults.push('has another time than its batch')
  if (event.merchantMode !== event.mode)
    faults.push(`is ${event.mode}, but its merchant is ${event.merchantMode ?? 'not there'}`)
  return faults
}

function bodyOf({ body }: queries.EventRow): Body | undefined {
  try {
    return JSON.parse(body) as Body
  } catch {
    return undefined
  }
}

function faultsOfDeliveries(
  event: queries.EventRow,
  deliveries: readonly queries.DeliveryRow[],
): readonly string[] {
  const toUrl = deliveries.filter(({ endpointId }) => endpointId === null)
  return [...faultsOfUrl(event, toUrl), ...deliveries.flatMap(faultsOfDelivery)]
}

/** The URL of a payment or a withdrawal: an event goes there once. */
function faultsOfUrl(
  event: queries.EventRow,
  [delivery, ...more]: readonly queries.DeliveryRow[],
): readonly string[] {
  // Only the body of a payment's event has the URL.
  const url = event.type.startsWith('payment.') ? bodyOf(event)?.data?.webhookUrl : delivery?.url
  if (delivery === undefined) return url === undefined ? [] : ['goes to a webhookUrl, but has no delivery']
  const faults: string[] = []
  if (more.length > 0) faults.push(`has ${more.length + 1} deliveries`)
  if (delivery.url !== url) faults.push('is delivered to another URL than its body names')
  if (delivery.origin !== (URL.parse(delivery.url)?.origin ?? 'unreadable'))
    faults.push('has a delivery with another origin than its URL')
  return faults
}

/** The status of a delivery must agree with its due row, its attempts and its endpoint. */
function faultsOfDelivery(delivery: queries.DeliveryRow): readonly string[] {
  const faults: string[] = []
  if ((delivery.status === 'PENDING') !== delivery.isDue) {
    faults.push(delivery.isDue ? `is ${delivery.status}, but still due` : 'is PENDING, but nothing is due')
  }
  if (delivery.status === 'DELIVERED' && !delivery.hasSucceeded)
    faults.push('is DELIVERED, but no attempt succeeded')
  if (delivery.status === 'EXHAUSTED' && !delivery.wasTried) faults.push('is EXHAUSTED, but was never tried')
  if (delivery.status === 'CANCELED' && delivery.endpointStatus !== 'DELETED')
    faults.push('has a canceled delivery, but nobody deleted its endpoint')
  return faults
}

/** Endpoints change by the database's clock, events have the time of their batch; the two differ by less than this. */
const endpointSlackMs = 5 * minuteMs

/** The endpoints that an event goes to are those that took its type, each once. */
function faultsOfEndpoints(
  event: queries.EventRow,
  deliveries: readonly queries.DeliveryRow[],
  endpoints: readonly queries.EndpointRow[],
): readonly string[] {
  const sentTo = Map.groupBy(deliveries, ({ endpointId }) => endpointId)
  const faults: string[] = []
  for (const [id, each] of sentTo) {
    const [delivery] = each
    if (id === null || delivery === undefined) continue
    if (each.length > 1) faults.push(`has ${each.length} deliveries to endpoint ${id}`)
    if (delivery.endpointStatus === null)
      faults.push(`goes to endpoint ${id}, which its merchant does not have`)
    if (delivery.origin !== `endpoint:${id}`)
      faults.push(`has a delivery to endpoint ${id} under another origin`)
    if (delivery.isCleared === true && delivery.status === 'PENDING')
      faults.push(`waits for endpoint ${id}, which is deleted`)
  }
  for (const { id, types, since } of endpoints) {
    const wasSent = sentTo.has(id)
    const isOlder = event.at.getTime() < since.getTime() + endpointSlackMs
    const takes = takesEvent(event, id, types, isOlder)
    if (wasSent && takes === 'no') faults.push(`goes to endpoint ${id}, which does not take it`)
    if (!wasSent && takes === 'yes') faults.push(`has no delivery to endpoint ${id}, which takes it`)
  }
  return faults
}

/** Whether an endpoint takes an event. `perhaps`: the endpoint, or its list of types, is younger; it may have been recovered for it. */
function takesEvent(
  { type, resourceId }: queries.EventRow,
  id: string,
  types: readonly string[] | null,
  isOlder: boolean,
): 'yes' | 'no' | 'perhaps' {
  if (type === 'webhook_endpoint.ping' && resourceId !== id) return 'no'
  if (type === 'webhook_endpoint.disabled' && resourceId === id) return 'no'
  if (isOlder) return 'perhaps'
  return type === 'webhook_endpoint.ping' || types === null || types.includes(type) ? 'yes' : 'no'
}

/** The counter of each merchant is the number of its last event. A merchant without events has no counter, or one of zero. */
async function inspectCounters(inspector: Inspector): Promise<void> {
  const { sql, inspected } = inspector
  await eachPage<{ merchantId: MerchantId }>(
    (after) => queries.selectCounterOwners(sql, after?.merchantId, pageRows),
    async (merchants) => {
      inspected('counters', merchants.length)
      await compareCounters(
        inspector,
        merchants.map(({ merchantId }) => merchantId),
        (last) => last === null,
      )
    },
  )
}

async function compareCounters(
  { sql, fault }: Inspector,
  merchants: readonly MerchantId[],
  concerns: (last: bigint | null) => boolean = () => true,
): Promise<void> {
  for (const { merchantId, counted, last, hasJumped } of await queries.selectCounters(sql, merchants)) {
    if (!concerns(last) || counted === last || hasJumped) continue
    fault(
      `event counter of merchant ${merchantId}`,
      `is ${counted ?? 'not there'}, the last event has ${last ?? 'no number'}`,
    )
  }
}

/** Every delivery has an event, and every due row has a pending delivery. */
async function inspectDeliveries({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<{ merchantId: MerchantId; id: DeliveryId; hasEvent: boolean }>(
    (after) => queries.selectDeliveryEvents(sql, after, pageRows),
    (deliveries) => {
      inspected('deliveries', deliveries.length)
      for (const { id, hasEvent } of deliveries) if (!hasEvent) fault(`delivery ${id}`, 'belongs to no event')
    },
  )
  await eachPage<{ merchantId: MerchantId; id: DeliveryId; isWaiting: boolean }>(
    (after) => queries.selectDueDeliveries(sql, after, pageRows),
    (due) => {
      inspected('due', due.length)
      for (const { id, isWaiting } of due)
        if (!isWaiting) fault(`due delivery ${id}`, 'is due, but does not wait')
    },
  )
}

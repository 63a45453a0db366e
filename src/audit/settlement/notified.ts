// Inspects what merchants were notified of:
// - every event was true;
// - no record is in an earlier state than its events say;
// - the present state of every record was notified.
// Each kind of record has its own rules.
import * as queries from '#/audit/webhooks-queries.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { eachPage, inSnapshot, type Inspection, type Inspector } from '#/db/inspection.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { canonicalJson, parseJson } from '#/kernel/json.ts'
import { addMs, hourMs } from '#/kernel/time.ts'
import type { EventType } from '#/webhooks/event.ts'

export type NotifiedKey = { readonly merchantId: MerchantId; readonly id: string }

type Facts = Readonly<Record<string, unknown>>

/** A record as it is now. Facts are its fields in JSON; null where there is none. */
export type Present = NotifiedKey & {
  /** Absent of a record that never changes: its events report no status. */
  readonly status?: string
  readonly version: number
  /** Where its events are delivered. */
  readonly webhookUrl: string | null
  /** The fields that are the same in every event of it. */
  readonly always: Facts
  /** Further fields of an event of the present version. */
  readonly now: Facts
  /** Fields that an event may lack; if present, they have these values. */
  readonly ifNotified?: Facts
  /** The same of events of the present version alone. */
  readonly nowIfNotified?: Facts
  /** Further fields of events of one type, and the time that such an event must have. */
  readonly of: Readonly<Partial<Record<EventType, { readonly facts?: Facts; readonly at?: Date | null }>>>
}

/** The events that a record must have had. */
export type Owed = NotifiedKey & {
  readonly createdAt: Date
  readonly status: string
  readonly types: readonly EventType[]
}

/** A kind of record of which merchants are notified. */
export type NotifiedKind = {
  /** The prefix of its event types, and its name in a fault. */
  readonly topic: string
  /**
   * For each type of event: `notified`, the states that it can report; `now`, the states in which the record can be afterwards.
   */
  readonly after: Readonly<
    Partial<Record<EventType, { readonly notified: readonly string[]; readonly now: readonly string[] }>>
  >
  /** Loads these records. */
  load(tx: Tx, keys: readonly NotifiedKey[]): Promise<readonly Present[]>
  /** Loads the next page of records, by key, and the events that each must have had. */
  owed(sql: Sql, after: Owed | undefined, limit: number): Promise<readonly Owed[]>
}

export function notificationInspections(kinds: readonly NotifiedKind[]): readonly Inspection[] {
  return [
    { name: 'notified events', inspect: (inspector) => inspectNotified(inspector, kinds) },
    {
      name: 'missing events',
      async inspect(inspector) {
        for (const kind of kinds) await inspectOwed(inspector, kind)
      },
    },
  ]
}

const pageRows = 1_000

async function inspectNotified(
  { sql, inspected, fault }: Inspector,
  kinds: readonly NotifiedKind[],
): Promise<void> {
  const topics = kinds.map(({ topic }) => topic)
  let last: queries.NotifiedEvent | undefined
  for (;;) {
    const { events, records } = await inSnapshot(sql, async (tx) => {
      const page = await queries.selectNotifiedEvents(tx, last, { topics, limit: pageRows })
      return { events: page, records: await loadRecords(tx, kinds, page) }
    })
    last = events.at(-1)
    if (last === undefined) return
    inspected('events', events.length)
    for (const event of events) {
      const kind = kinds.find(({ topic }) => topic === topicOf(event))
      if (kind === undefined) continue
      const row = `${kind.topic} ${event.resourceId}`
      for (const what of faultsOfEvent(kind, event, records.get(keyOf(event.merchantId, event.resourceId))))
        fault(row, `${what} (event ${event.sequence} of merchant ${event.merchantId})`)
    }
  }
}

async function loadRecords(
  tx: Tx,
  kinds: readonly NotifiedKind[],
  events: readonly queries.NotifiedEvent[],
): Promise<ReadonlyMap<string, Present>> {
  const loaded = await Promise.all(
    kinds.map(async (kind) => {
      const ofKind = events.filter((event) => topicOf(event) === kind.topic)
      const keys = ofKind.map(({ merchantId, resourceId }) => ({ merchantId, id: resourceId }))
      const distinct = new Map(keys.map((key) => [keyOf(key.merchantId, key.id), key]))
      return distinct.size === 0 ? [] : kind.load(tx, [...distinct.values()])
    }),
  )
  return new Map(loaded.flat().map((record) => [keyOf(record.merchantId, record.id), record]))
}

function topicOf({ type }: Pick<queries.NotifiedEvent, 'type'>): string {
  return type.slice(0, type.indexOf('.'))
}

function keyOf(merchantId: string, id: string): string {
  return `${merchantId}/${id}`
}

type NotifiedRecord = Facts & { readonly version: number; readonly status: string }

function faultsOfEvent(
  kind: NotifiedKind,
  event: queries.NotifiedEvent,
  record: Present | undefined,
): readonly string[] {
  const { type } = event
  if (record === undefined) return [`is not there, but its merchant was notified of ${type}`]
  const notified = recordIn(event)
  if (notified === undefined) return ['was notified in a body that is no JSON']
  const { status, version } = record
  const rule = kind.after[type]
  const faults: string[] = []
  if (rule === undefined) faults.push(`was notified by ${type}`)
  if (status !== undefined) {
    if (!rule?.notified.includes(notified.status))
      faults.push(`was notified as ${notified.status} by ${type}`)
    if (!rule?.now.includes(status)) faults.push(`is ${status} after ${type}`)
  }
  if (version < notified.version)
    faults.push(`has version ${version}, older than the ${notified.version} that was notified`)
  const { facts, at } = record.of[type] ?? {}
  const expected = {
    ...record.always,
    ...facts,
    ...(version === notified.version ? { ...given({ status }), ...record.now } : {}),
  }
  for (const [name, value] of Object.entries(expected)) {
    if (event.isErased && notified[name] === undefined) continue
    if (canonicalJson(notified[name] ?? null) !== canonicalJson(value))
      faults.push(`has another ${name} than was notified`)
  }
  const optional = { ...record.ifNotified, ...(version === notified.version ? record.nowIfNotified : {}) }
  for (const [name, value] of Object.entries(optional)) {
    if (notified[name] !== undefined && canonicalJson(notified[name]) !== canonicalJson(value))
      faults.push(`has another ${name} than was notified`)
  }
  if (at !== undefined && at?.getTime() !== event.at.getTime())
    faults.push(`did what ${type} reports at another time than was notified`)
  if (event.url !== record.webhookUrl)
    faults.push(`has its events sent to ${event.url ?? 'no URL'} instead of ${record.webhookUrl ?? 'no URL'}`)
  return faults
}

function recordIn({ body }: queries.NotifiedEvent): NotifiedRecord | undefined {
  try {
    return (parseJson(body) as { data: NotifiedRecord }).data
  } catch {
    return undefined
  }
}

/** Records whose events are searched for at once. */
const windowRows = 5_000
/** Some records have the time of our clock, events that of the database; the two differ by less than this. */
const clockSlackMs = 24 * hourMs

/**
 * Records are read in the order of their creation, and their events are mostly in the same order. So for each window of
 * records, the merchant's events are read from the start of the window until all needed events were found.
 */
async function inspectOwed(inspector: Inspector, kind: NotifiedKind): Promise<void> {
  const { sql, inspected } = inspector
  await eachPage<Owed>(
    (after) => kind.owed(sql, after, windowRows),
    async (records) => {
      inspected(`${kind.topic}s`, records.length)
      for (const [merchantId, group] of Map.groupBy(records, (record) => record.merchantId))
        await inspectWindow(inspector, kind, merchantId, group)
    },
  )
}

async function inspectWindow(
  { sql, fault }: Inspector,
  kind: NotifiedKind,
  merchantId: MerchantId,
  records: readonly Owed[],
): Promise<void> {
  const unnotified = new Map(records.map(({ id, types }) => [id, new Set(types)]))
  for (const [id, types] of unnotified) if (types.size === 0) unnotified.delete(id)
  const [oldest] = records.map(({ createdAt }) => createdAt).sort((a, b) => (a < b ? -1 : 1))
  let after = oldest === undefined ? 0n : await sequenceBefore(sql, merchantId, addMs(oldest, -clockSlackMs))
  while (unnotified.size > 0) {
    const events = await queries.selectEventTypes(sql, merchantId, after, windowRows)
    const last = events.at(-1)
    if (last === undefined) break
    for (const { resourceId, type } of events) {
      const types = unnotified.get(resourceId)
      types?.delete(type)
      if (types?.size === 0) unnotified.delete(resourceId)
    }
    after = last.sequence
  }
  for (const { id, status } of records) {
    for (const type of unnotified.get(id) ?? [])
      fault(`${kind.topic} ${id}`, `is ${status}, but its merchant was never notified of ${type}`)
  }
}

/** Returns a number up to which all events of the merchant are older than `at`. Binary search: numbers and instants both grow. */
async function sequenceBefore(sql: Sql, merchantId: MerchantId, at: Date): Promise<bigint> {
  let older = 0n
  let newer = (await queries.selectLastSequence(sql, merchantId)) + 1n
  while (newer - older > 1n) {
    const middle = (older + newer) / 2n
    const event = await queries.selectEventAt(sql, merchantId, middle)
    if (event === undefined || event.at >= at) newer = middle
    else older = middle
  }
  return older
}

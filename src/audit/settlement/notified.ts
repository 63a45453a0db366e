// What merchants were told, inspected: every event told what was true, nothing has gone back behind it, and the present
// state of everything was told. Each kind of thing brings its own rules.
import type { Sql, Tx } from '#/db/client.ts'
import { eachPage, inSnapshot, type Inspection, type Inspector } from '#/db/inspection.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { canonicalJson, parseJson } from '#/kernel/json.ts'
import { addMs, hourMs } from '#/kernel/time.ts'
import type { EventType } from '#/webhooks/event.ts'
import * as queries from './notified-queries.ts'

export type NewsKey = { readonly merchantId: MerchantId; readonly id: string }

type Facts = Readonly<Record<string, unknown>>

/** A thing as it is now. Facts are fields of its record in JSON; null where there is none. */
export type Present = NewsKey & {
  readonly status: string
  readonly version: number
  /** Where its events go. */
  readonly webhookUrl: string | null
  /** What every event of it told, whatever has happened since. */
  readonly always: Facts
  /** What an event of this version told besides. */
  readonly now: Facts
  /** What an event that told it at all told so. */
  readonly ifNotified?: Facts
  /** What events of one type told besides, and when there must have been one. */
  readonly of: Readonly<Partial<Record<EventType, { readonly facts?: Facts; readonly at?: Date | null }>>>
}

/** What must have been told of a thing. */
export type Owed = NewsKey & {
  readonly createdAt: Date
  readonly status: string
  readonly types: readonly EventType[]
}

/** A kind of thing that merchants are told of. */
export type NewsKind = {
  /** What the types of its events begin with, and what a fault calls it. */
  readonly topic: string
  /** Of each type of event: the states that it can have told, and those that the thing can be in afterwards. */
  readonly after: Readonly<
    Partial<Record<EventType, { readonly told: readonly string[]; readonly now: readonly string[] }>>
  >
  /** These things as they are. */
  load(tx: Tx, keys: readonly NewsKey[]): Promise<readonly Present[]>
  /** All things after one, by key, and what must have been told of each. */
  owed(sql: Sql, after: Owed | undefined, limit: number): Promise<readonly Owed[]>
}

export function notificationInspections(kinds: readonly NewsKind[]): readonly Inspection[] {
  return [
    { name: 'what was told', inspect: (inspector) => inspectNotified(inspector, kinds) },
    {
      name: 'what had to be told',
      async inspect(inspector) {
        for (const kind of kinds) await inspectOwed(inspector, kind)
      },
    },
  ]
}

const pageRows = 1_000

async function inspectNotified({ sql, saw, fault }: Inspector, kinds: readonly NewsKind[]): Promise<void> {
  const topics = kinds.map(({ topic }) => topic)
  let last: queries.NotifiedEvent | undefined
  for (;;) {
    const { events, things } = await inSnapshot(sql, async (tx) => {
      const page = await queries.selectEvents(tx, last, { topics, limit: pageRows })
      return { events: page, things: await loadThings(tx, kinds, page) }
    })
    last = events.at(-1)
    if (last === undefined) return
    saw('events', events.length)
    for (const event of events) {
      const kind = kinds.find(({ topic }) => topic === topicOf(event))
      if (kind === undefined) continue
      const row = `${kind.topic} ${event.resourceId}`
      for (const what of faultsOfTold(kind, event, things.get(keyOf(event.merchantId, event.resourceId))))
        fault(row, `${what} (event ${event.sequence} of merchant ${event.merchantId})`)
    }
  }
}

async function loadThings(
  tx: Tx,
  kinds: readonly NewsKind[],
  events: readonly queries.NotifiedEvent[],
): Promise<ReadonlyMap<string, Present>> {
  const loaded = await Promise.all(
    kinds.map(async (kind) => {
      const own = events.filter((event) => topicOf(event) === kind.topic)
      const keys = own.map(({ merchantId, resourceId }) => ({ merchantId, id: resourceId }))
      const distinct = new Map(keys.map((key) => [keyOf(key.merchantId, key.id), key]))
      return distinct.size === 0 ? [] : kind.load(tx, [...distinct.values()])
    }),
  )
  return new Map(loaded.flat().map((thing) => [keyOf(thing.merchantId, thing.id), thing]))
}

function topicOf({ type }: Pick<queries.NotifiedEvent, 'type'>): string {
  return type.slice(0, type.indexOf('.'))
}

function keyOf(merchantId: string, id: string): string {
  return `${merchantId}/${id}`
}

type Told = Facts & { readonly version: number; readonly status: string }

function faultsOfTold(
  kind: NewsKind,
  event: queries.NotifiedEvent,
  thing: Present | undefined,
): readonly string[] {
  const { type } = event
  if (thing === undefined) return [`is not there, but its merchant was told ${type}`]
  const told = toldBy(event)
  if (told === undefined) return ['was told in a body that is no JSON']
  const { status, version } = thing
  const rule = kind.after[type]
  const faults: string[] = []
  if (!rule?.told.includes(told.status)) faults.push(`was told as ${told.status} by ${type}`)
  if (!rule?.now.includes(status)) faults.push(`is ${status} after ${type}`)
  if (version < told.version)
    faults.push(`has version ${version}, older than the ${told.version} that was told`)
  const { facts, at } = thing.of[type] ?? {}
  const known = { ...thing.always, ...facts, ...(version === told.version ? { status, ...thing.now } : {}) }
  for (const [name, value] of Object.entries(known)) {
    if (canonicalJson(told[name] ?? null) !== canonicalJson(value))
      faults.push(`has another ${name} than was told`)
  }
  for (const [name, value] of Object.entries(thing.ifNotified ?? {})) {
    if (told[name] !== undefined && canonicalJson(told[name]) !== canonicalJson(value))
      faults.push(`has another ${name} than was told`)
  }
  if (at !== undefined && at?.getTime() !== event.at.getTime())
    faults.push(`did what ${type} tells at another time than was told`)
  if (event.url !== thing.webhookUrl)
    faults.push(`has its news sent to ${event.url ?? 'nobody'} instead of ${thing.webhookUrl ?? 'nobody'}`)
  return faults
}

function toldBy({ body }: queries.NotifiedEvent): Told | undefined {
  try {
    return (parseJson(body) as { data: Told }).data
  } catch {
    return undefined
  }
}

/** Things whose events are looked for at once. */
const windowRows = 5_000
/** Some things are dated by our clock and events by the database's; they do not differ by more. */
const clockSlackMs = 24 * hourMs

/**
 * Things come in the order of their creation and so, mostly, do their events: for each window of things the merchant's
 * events are walked from its beginning until all were found.
 */
async function inspectOwed(inspector: Inspector, kind: NewsKind): Promise<void> {
  const { sql, saw } = inspector
  await eachPage<Owed>(
    (after) => kind.owed(sql, after, windowRows),
    async (things) => {
      saw(`${kind.topic}s`, things.length)
      for (const [merchantId, group] of Map.groupBy(things, (thing) => thing.merchantId))
        await inspectWindow(inspector, kind, merchantId, group)
    },
  )
}

async function inspectWindow(
  { sql, fault }: Inspector,
  kind: NewsKind,
  merchantId: MerchantId,
  things: readonly Owed[],
): Promise<void> {
  const unnotified = new Map(things.map(({ id, types }) => [id, new Set(types)]))
  for (const [id, types] of unnotified) if (types.size === 0) unnotified.delete(id)
  const [oldest] = things.map(({ createdAt }) => createdAt).sort((a, b) => (a < b ? -1 : 1))
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
  for (const { id, status } of things) {
    for (const type of unnotified.get(id) ?? [])
      fault(`${kind.topic} ${id}`, `is ${status}, but its merchant was never told ${type}`)
  }
}

/** A number before which all events of the merchant are older than `at`: by halving, since numbers and instants both grow. */
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

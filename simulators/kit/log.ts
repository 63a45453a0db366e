// The latest events, as text, for a simulator's page and for `GET /_sim/events`. A restart forgets what no event store keeps.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Markup } from '../../web/live/markup.ts'
import { iso, now } from './clock.ts'
import { route } from './control.ts'
import { isStoreEvent, type EventsOf, type Recorded, type StoreEvent } from './event-store.ts'
import { given } from './given.ts'
import type { Route } from './http.ts'
import { when } from './page-parts.ts'
import { controlProblem } from './refusal.ts'

const remembered = 2_000
const shown = 20
/** How many of an event store's last events are considered. Those about tasks are not shown. */
const consideredMax = 400
const waitMaxMs = 30_000
const limitMax = 10_000

export type LogLine = {
  readonly sequence: number
  readonly at: number
  readonly words: string
  readonly about?: string
}

export type Log = {
  /** `about`: the name of its subject. */
  add(words: string, about?: string): void
  recent(): readonly LogLine[]
}

export function createLog(): Log {
  let all: LogLine[] = []
  let sequence = 0
  return {
    add: (words, about) => {
      sequence += 1
      all.push({ sequence, at: now(), words, ...given({ about }) })
      if (all.length >= 2 * remembered) all = all.slice(-remembered)
    },
    recent: () => all,
  }
}

/** `GET /_sim/events?after=&limit=&waitMs=`: waits for later events, at most `waitMs`. */
export function eventsRoute<Each extends { readonly sequence: number }>(events: {
  recent(): readonly Each[]
  shown(each: Each): object
}): Route {
  const { recent, shown } = events
  return route('GET', '/_sim/events', async (_, { query }) => {
    const after = integerOf(query, 'after', 0)
    const limit = Math.min(Math.max(1, integerOf(query, 'limit', 100)), limitMax)
    const until = now() + Math.min(integerOf(query, 'waitMs', 0), waitMaxMs)
    while (lastOf(recent()) <= after && now() < until) await sleep(20)
    const all = recent()
    // Numbers have no gaps.
    const found = all.slice(Math.max(0, after + 1 - (all[0]?.sequence ?? 0)))
    return { status: 200, body: { events: found.slice(0, limit).map(shown), last: lastOf(all) } }
  })
}

/** An event as it is shown: its instant as text, and without these secrets. */
export function shownWithout(...secrets: readonly string[]) {
  return ({ sequence, event }: Recorded<{ readonly at: number; readonly type: string }>) => {
    const { at, type, ...rest } = event
    const visible = Object.entries(rest).filter(([name]) => !secrets.includes(name))
    return { sequence, at: iso(at), type, ...Object.fromEntries(visible) }
  }
}

/** The number of the last one. */
export function lastOf(all: readonly { readonly sequence: number }[]): number {
  return all.at(-1)?.sequence ?? 0
}

/** The text for an event, and the name of its subject. */
export type Words = readonly [words: string, about?: string]

/** The texts for events by type; undefined for one that is not shown. */
export type WordsOf<Facts> = {
  readonly [Type in keyof Facts]: (event: EventsOf<Facts, Type>) => Words | undefined
}

/** The last events of an event store, those that have a text. */
export function inWords<Facts>(
  events: readonly Recorded<EventsOf<Facts> | StoreEvent<unknown>>[],
  wordsOf: WordsOf<Facts>,
): readonly LogLine[] {
  const said = <Type extends keyof Facts>(event: EventsOf<Facts, Type>) => wordsOf[event.type](event)
  return events.slice(-consideredMax).flatMap(({ sequence, event }) => {
    const [words, about = ''] = isStoreEvent(event) ? (storeWords(event) ?? []) : (said(event) ?? [])
    return words === undefined ? [] : [{ sequence, at: event.at, words, about }]
  })
}

function storeWords(event: StoreEvent<unknown>): Words | undefined {
  if (event.type !== 'account.advanced') return undefined
  return [`What is ahead came ${event.byMs / 1000} seconds closer`, event.account]
}

/** The section for people. `lines` are oldest first; the latest are shown, newest first. */
export function logSection(lines: readonly LogLine[]): Markup {
  const newest = lines.slice(-shown).reverse()
  const list: Markup =
    newest.length === 0
      ? ['p', { class: 'empty' }, 'Nothing yet.']
      : ['ol', { class: 'log', 'aria-label': 'Newest first' }, ...newest.map(row)]
  return ['section', { 'data-key': 'log' }, ['h2', {}, 'What happened'], list]
}

function row({ sequence, at, words, about }: LogLine): Markup {
  return [
    'li',
    { 'data-key': `${sequence}` },
    ['span', { class: 'line' }, words, when(at)],
    ...(about === undefined || about === '' ? [] : [['code', { class: 'id' }, about] as const]),
  ]
}

/** A whole number of the query; `usual` when it is absent. */
export function integerOf(query: URLSearchParams, name: string, usual: number): number {
  const text = query.get(name) ?? `${usual}`
  if (!/^\d{1,12}$/.test(text)) throw controlProblem(400, 'invalid_request', `${name} is not a number`)
  return Number.parseInt(text, 10)
}

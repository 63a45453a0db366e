// What happened lately, in words, for a simulator's page and for `GET /_sim/events`. A restart forgets what no book keeps.
import { setTimeout as sleep } from 'node:timers/promises'
import { iso, now } from './clock.ts'
import { route } from './control-route.ts'
import type { Route } from './http.ts'
import type { Markup } from './page-markup.ts'
import { ago } from './page-parts.ts'
import { controlProblem } from './refusal.ts'

const remembered = 2_000
const shown = 20
/** Of a book's last so many events; those that are put off until later are not told. */
const looked = 400
const waitMaxMs = 30_000

export type Told = {
  readonly sequence: number
  readonly at: number
  readonly words: string
  readonly about?: string
}

export type Log = {
  /** `about`: the name of what it is about. */
  add(words: string, about?: string): void
  recent(): readonly Told[]
  last(): number
}

export function createLog(): Log {
  let all: Told[] = []
  let sequence = 0
  return {
    add: (words, about) => {
      sequence += 1
      all.push({ sequence, at: now(), words, ...(about === undefined ? {} : { about }) })
      if (all.length >= 2 * remembered) all = all.slice(-remembered)
    },
    recent: () => all,
    last: () => sequence,
  }
}

/** `GET /_sim/events?after=&waitMs=`: waits until there are some, if it is told how long. */
export function eventsRoute(log: Log): Route {
  return route('GET', '/_sim/events', async (_, { query }) => {
    const after = integerOf(query, 'after')
    const until = now() + Math.min(integerOf(query, 'waitMs'), waitMaxMs)
    while (log.last() <= after && now() < until) await sleep(20)
    const events = log.recent().filter(({ sequence }) => sequence > after)
    return {
      status: 200,
      body: { events: events.map((each) => ({ ...each, at: iso(each.at) })), last: log.last() },
    }
  })
}

/** What is said of an event, and the name that it is about. */
export type Words = readonly [words: string, about?: string]

/** The last events of a book, those of which something is said. */
export function inWords<Event extends { readonly at: number }>(
  events: readonly { readonly sequence: number; readonly event: Event }[],
  wordsOf: (event: Event) => Words | undefined,
): readonly Told[] {
  return events.slice(-looked).flatMap(({ sequence, event }) => {
    const [words, about = ''] = wordsOf(event) ?? []
    return words === undefined ? [] : [{ sequence, at: event.at, words, about }]
  })
}

/** What happened, oldest first, for people: the newest of it, newest first. */
export function logSection(told: readonly Told[]): Markup {
  const newest = told.slice(-shown).reverse()
  const list: Markup =
    newest.length === 0
      ? ['p', { class: 'empty' }, 'Nothing yet.']
      : ['ol', { class: 'log', 'aria-label': 'Newest first' }, ...newest.map(row)]
  return ['section', { 'data-key': 'log' }, ['h2', {}, 'What happened'], list]
}

function row({ sequence, at, words, about }: Told): Markup {
  return [
    'li',
    { 'data-key': `${sequence}` },
    ['span', { class: 'line' }, words, ['time', { datetime: iso(at), title: iso(at) }, ago(at)]],
    ...(about === undefined || about === '' ? [] : [['code', { class: 'id' }, about] as const]),
  ]
}

function integerOf(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '0'
  if (!/^\d{1,12}$/.test(text)) throw controlProblem(400, 'invalid_request', `${name} is not a number`)
  return Number.parseInt(text, 10)
}

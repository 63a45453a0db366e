// The small parts of a simulator's page for people.
import type { Markup } from '../../web/live/markup.ts'
import { iso, now } from './clock.ts'

const spans = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** An instant, relative to now. */
export function when(at: number): Markup {
  return ['time', { datetime: iso(at), title: iso(at) }, ago(at)]
}

function ago(at: number): string {
  const seconds = Math.round((at - now()) / 1000)
  const size = Math.abs(seconds)
  if (size < 5) return 'just now'
  if (size < 60) return spans.format(seconds, 'second')
  if (size < 3600) return spans.format(Math.trunc(seconds / 60), 'minute')
  if (size < 86_400) return spans.format(Math.trunc(seconds / 3600), 'hour')
  return iso(at).slice(0, 10)
}

/** A button that makes one control call. `isOn`: it is a switch. */
export function action(
  words: string,
  path: string,
  body: Readonly<Record<string, unknown>>,
  style = 'second',
  isOn?: boolean,
): Markup {
  const pressed = isOn === undefined ? {} : { 'aria-pressed': `${isOn}` }
  const call = { 'data-call': path, 'data-body': JSON.stringify(body) }
  return ['button', { class: style, type: 'button', ...call, ...pressed }, words]
}

/** Buttons in a row; nothing when there are none. */
export function actions(...buttons: readonly Markup[]): readonly Markup[] {
  return buttons.length === 0 ? [] : [['div', { class: 'actions' }, ...buttons]]
}

/** A section of the side: switches under a title. `beside`: a state next to the title. */
export function switches(title: string, buttons: readonly Markup[], beside?: Markup): Markup {
  const heading: Markup = ['h2', {}, title]
  const top: Markup = beside === undefined ? heading : ['div', { class: 'line' }, heading, beside]
  // The text after a colon may change.
  return ['section', { 'data-key': title.split(':')[0] ?? title }, top, ...actions(...buttons)]
}

/** Switches of which one is on: each sets `mode` by a control call. */
export function choices<Mode extends string>(
  title: string,
  path: string,
  words: Readonly<Record<Mode, string>>,
  current: Mode,
): Markup {
  const modes = Object.keys(words) as Mode[]
  const buttons = modes.map((mode) => action(words[mode], path, { mode }, 'second', mode === current))
  return switches(title, buttons)
}

/** The section of objects with actions, newest first, or the text `empty`. */
export function listSection(
  { key, title, empty }: { readonly key: string; readonly title: string; readonly empty: string },
  rows: readonly Markup[],
): Markup {
  const list: Markup =
    rows.length === 0 ? ['p', { class: 'empty' }, empty] : ['ul', { class: 'rows' }, ...rows]
  return ['section', { 'data-key': key }, ['h2', {}, title], list]
}

/** The column next to the list: switches, and the log. */
export function side(...sections: readonly Markup[]): Markup {
  return ['div', { class: 'side', 'data-key': 'side' }, ...sections]
}

// The small parts of a simulator's page for people.
import type { Child, Markup } from '../../web/live/markup.ts'
import { iso, now } from './clock.ts'
import type { FieldTable } from './control-fields.ts'
import { given } from './given.ts'

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
export function actions(buttons: readonly Markup[]): readonly Markup[] {
  return buttons.length === 0 ? [] : [['div', { class: 'actions' }, ...buttons]]
}

/** A section of the side: switches under a title. `beside`: a state next to the title. */
export function switches(title: string, buttons: readonly Markup[], beside?: Markup): Markup {
  const heading: Markup = ['h2', {}, title]
  const top: Markup = beside === undefined ? heading : ['div', { class: 'line' }, heading, beside]
  // The text after a colon may change.
  return ['section', { 'data-key': title.split(':')[0] ?? title }, top, ...actions(buttons)]
}

/** What a form asks for by which words, in their order; and what else it sends. */
export type FormWords<Of> = {
  readonly labels: { readonly [Name in keyof Of]?: string }
  readonly submit: string
  readonly style?: 'first'
  readonly placeholders?: { readonly [Name in keyof Of]?: string }
  readonly sent?: { readonly [Name in keyof Of]?: unknown }
}

/** A form that makes one control call. */
export function formOf<Of extends FieldTable>(
  fields: Of,
  { path, body }: { readonly path: string; readonly body: object },
  { labels, submit, style, placeholders = {}, sent = {} }: FormWords<Of>,
): Markup {
  const inputs = Object.entries<string | undefined>(labels).map(([name, label = '']): Markup => {
    const { input = {}, options } = fields[name] ?? {}
    const placeholder = (placeholders as Readonly<Record<string, string>>)[name]
    const control: Markup =
      options === undefined
        ? ['input', { name, autocomplete: 'off', ...input, ...given({ placeholder }) }]
        : [
            'select',
            { name },
            ...Object.entries(options).map(([value, words]): Markup => ['option', { value }, words]),
          ]
    return ['label', {}, label, control]
  })
  const call = { 'data-call': path, 'data-body': JSON.stringify({ ...body, ...sent }) }
  const button: Markup = ['button', { class: style ?? 'second', type: 'submit' }, submit]
  return ['form', { class: 'send', 'data-key': 'form', ...call }, ...inputs, button]
}

/** One object of a list: its amount and state, what else is known of it, its name, and what belongs to it. */
export function row(of: {
  readonly key: string
  readonly amount?: string
  readonly beside?: Child
  readonly about: readonly Child[]
  /** Behind `about`. */
  readonly link?: Child
  readonly id: string
  readonly parts: readonly Child[]
}): Markup {
  const { key, amount, beside, about, link, id, parts } = of
  return [
    'li',
    { 'data-key': key },
    ...(amount === undefined
      ? []
      : [['div', { class: 'line' }, ['h3', { class: 'amount' }, amount], beside ?? ''] as const]),
    ['div', { class: 'line soft' }, ['span', {}, ...about], ...(link === undefined ? [] : [link])],
    ['code', { class: 'id' }, id],
    ...parts,
  ]
}

/** Something that belongs to the object of a row. */
export function part(of: {
  readonly key: string
  readonly words: string
  readonly at?: number
  readonly id: string
  readonly parts?: readonly Child[]
}): Markup {
  const { key, words, at, id, parts = [] } = of
  const line: Markup =
    at === undefined ? ['p', {}, words] : ['p', { class: 'line' }, ['strong', {}, words], when(at)]
  return ['div', { class: 'pix', 'data-key': key }, line, ['code', { class: 'id' }, id], ...parts]
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

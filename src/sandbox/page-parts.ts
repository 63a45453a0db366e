// Parts that the sections of the welcome page share: what can be copied, a state with its icon, a moment, an amount.
import type { Attributes, Child, Markup } from '#/kernel/markup.ts'
import { toDecimal, type Currency } from '#/kernel/money.ts'

export type Tone = 'good' | 'wait' | 'bad' | 'over'

export function state(tone: Tone, words: string): Markup {
  return ['span', { class: `state ${tone}` }, icon(tone), ['span', {}, words]]
}

export function copyButton(value: string, what: string, of: string): Markup {
  return [
    'button',
    { type: 'button', class: 'copy', 'data-copy': value, 'aria-controls': of },
    icon('copy'),
    ['span', {}, 'Copy'],
    ['span', { class: 'aside' }, ` ${what}`],
  ]
}

/** `about` is read by screen readers: it distinguishes links with the same words. */
export function link(href: string, words: string, about: string): Markup {
  return ['a', { class: 'plain', href }, words, ['span', { class: 'aside' }, ` ${about}`]]
}

const decimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export function figure(minor: bigint, currency: Currency): string {
  return decimals.format(toDecimal({ minor, currency }) as Intl.StringNumericLiteral)
}

const relative = new Intl.RelativeTimeFormat('en', { style: 'narrow', numeric: 'always' })

/** A time in a person's words; the exact one appears on hover, and on the focus of it or of the summary around it. */
export function moment(at: Date, now: Date, focus: Attributes): Markup {
  const attributes = { datetime: at.toISOString(), 'data-exact': exact(at), ...focus }
  return ['time', attributes, ago(Math.max(0, now.getTime() - at.getTime()))]
}

/** To the second, in UTC. */
export function exact(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function ago(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  if (seconds < 5) return 'now'
  if (seconds < 60) return relative.format(-(seconds - (seconds % 5)), 'second')
  if (seconds < 3_600) return relative.format(-Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return relative.format(-Math.floor(seconds / 3_600), 'hour')
  return relative.format(-Math.floor(seconds / 86_400), 'day')
}

/** Lines on a grid of 16, drawn in the colour of the text. */
const drawings = {
  good: 'M3.5 8.5l3 3 6-7',
  wait: 'M8 4.5V8l2.5 1.5M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5',
  bad: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  over: 'M4 8h8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
} as const

function icon(name: keyof typeof drawings): Child {
  return [
    'svg',
    { viewBox: '0 0 16 16', width: '16', height: '16', 'aria-hidden': 'true', class: 'icon' },
    ['path', { d: drawings[name] }],
  ]
}

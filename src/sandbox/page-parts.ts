// Parts that the sections of the welcome page share: what can be copied, a moment, an amount.
import { toDecimal, type Currency } from '#/kernel/money.ts'
import type { Attributes, Markup } from '../../web/live/markup.ts'
import { icon } from '../../web/live/parts.ts'

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

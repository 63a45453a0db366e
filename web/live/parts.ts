// Small parts that the sandbox's welcome page and the simulators' pages share.
import type { Markup } from './markup.ts'

export type Tone = 'good' | 'wait' | 'bad' | 'over'

/** A state: an icon and words, and a colour that adds nothing to them. Default of `sign`: the tone's own. */
export function state(tone: Tone, words: string, sign: Tone = tone): Markup {
  return ['span', { class: `state ${tone}` }, icon(sign), ['span', {}, words]]
}

/** Lines on a grid of 16, drawn in the colour of the text. */
const drawings = {
  good: 'M3.5 8.5l3 3 6-7',
  wait: 'M8 4.5V8l2.5 1.5M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5',
  bad: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  over: 'M4 8h8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
} as const

export function icon(name: keyof typeof drawings): Markup {
  return [
    'svg',
    { viewBox: '0 0 16 16', width: '16', height: '16', 'aria-hidden': 'true', class: 'icon' },
    ['path', { d: drawings[name] }],
  ]
}

/** What a page in this style begins with. `at`: where its styles and script are, and its icon. */
export function headOf(
  title: string,
  at: { readonly icon?: string; readonly styles: readonly string[]; readonly script?: string },
  more: readonly Markup[] = [],
): Markup {
  return [
    'head',
    {},
    ['meta', { charset: 'utf-8' }],
    ['title', {}, title],
    ['meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
    ...more,
    ...(at.icon === undefined
      ? []
      : [['link', { rel: 'icon', type: 'image/svg+xml', href: at.icon }] as const]),
    ...at.styles.map((href): Markup => ['link', { rel: 'stylesheet', href }]),
    ...(at.script === undefined ? [] : [['script', { src: at.script, type: 'module' }] as const]),
  ]
}

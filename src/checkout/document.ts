// The HTML around what the view renders. Only the view's output is markup from elsewhere, and only the state is an inline script.
import type { Locale } from '#/kernel/language.ts'
import { toHtml, type Child, type Markup } from '../../web/live/markup.ts'
import type { PageState } from './page-state.ts'
import { speech } from './speech.ts'
import { paperColours, stylesheetOf } from './stylesheet.ts'
import type { PageStyle, Theme } from './template.ts'
import type { CheckoutView } from './view.ts'

type Files = Pick<CheckoutView, 'script' | 'style'>

/** The page of a payment. */
export function pageDocument(state: PageState, style: PageStyle, view: CheckoutView): string {
  const refresh = refreshSeconds(state)
  return wrap({
    locale: state.locale,
    theme: state.theme,
    head: [
      ...headOf(`${state.headline} · ${state.merchant.name}`, state.theme, view, style),
      ['script', { type: 'module', src: `/assets/${view.script}` }],
      ...(refresh === undefined
        ? []
        : [['noscript', {}, ['meta', { 'http-equiv': 'refresh', content: String(refresh) }]] as const]),
    ],
    body: `<div id="page">${view.render(state)}</div>${dataScript('state', state)}`,
  })
}

/**
 * The page of a payment as a still preview for the person who designs it: the same markup and styles, without a script and without
 * the state. `at`: the path under which its files are served. `more`: the path of one more style sheet.
 */
export function stillDocument(
  state: PageState,
  style: PageStyle,
  view: CheckoutView,
  { at, more }: { readonly at: string; readonly more: string },
): string {
  return wrap({
    locale: state.locale,
    theme: state.theme,
    head: [
      ...headOf(`${state.headline} · ${state.merchant.name}`, state.theme, view, style, at),
      ['link', { rel: 'stylesheet', href: more }],
      // Its policy allows no new window, so a link that wants one does nothing.
      ['base', { target: '_blank' }],
    ],
    body: `<div id="page">${view.render(state)}</div>`,
  })
}

/** Without JavaScript the page reloads itself to stay current, except while a form is being filled in. */
function refreshSeconds({ isFinal, step }: PageState): number | undefined {
  if (isFinal || step === 'choose') return undefined
  return step === 'preparing' ? 3 : 10
}

export type Notice = {
  readonly locale: Locale
  readonly title: string
  readonly message: string
  readonly picture: keyof typeof pictures
  readonly link?: { readonly url: string; readonly label: string }
  /** Follows the link by itself. */
  readonly isLeaving?: true
}

/** Drawn with one line, 24 wide and high. */
const pictures = {
  lost: 'M10 14a4 4 0 0 0 6 .4l2.5-2.5a4 4 0 0 0-5.6-5.6L12 7.2M14 10a4 4 0 0 0-6-.4l-2.5 2.5a4 4 0 0 0 5.6 5.6l.9-.9M4 4l16 16',
  wait: 'M12 7v5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  fault: 'M12 8v5m0 3.4v.1M10.3 4 2.8 17a2 2 0 0 0 1.7 3h15a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0Z',
  leave: 'M7 17 17 7M9 7h8v8',
} as const

/** A page without a payment: there is none, or something failed. */
export function noticeDocument(notice: Notice, view: Files): string {
  const { locale, title, message, link } = notice
  const main: Markup = [
    'div',
    { class: 'page notice' },
    [
      'main',
      { class: 'action' },
      [
        'div',
        { class: 'column' },
        [
          'div',
          { class: 'status over', role: 'status' },
          ['span', { class: 'seal' }, drawn(pictures[notice.picture], 28)],
          ['h1', {}, title],
          ['p', {}, message],
        ],
        ...(link === undefined
          ? []
          : [['div', { class: 'ways' }, ['a', { class: 'button', href: link.url }, link.label]] as const]),
      ],
    ],
    foot,
  ]
  const refresh: readonly Markup[] =
    notice.isLeaving === undefined || link === undefined
      ? []
      : [['meta', { 'http-equiv': 'refresh', content: `0; url=${link.url}` }]]
  const head = [...headOf(title, 'auto', view), ...refresh]
  return wrap({ locale, theme: 'auto', head, body: toHtml(main) })
}

/** A page without a script that has a template's style. */
export function staticDocument(
  page: {
    readonly locale: Locale
    readonly title: string
    readonly style: PageStyle
    readonly body: Markup
  },
  view: Files,
): string {
  const { locale, title, style, body } = page
  const { theme } = style
  return wrap({ locale, theme, head: headOf(title, theme, view, style), body: toHtml(body) })
}

function drawn(path: string, size: number): Markup {
  const box = { class: 'icon', viewBox: '0 0 24 24', width: String(size), height: String(size) }
  return ['svg', { ...box, 'aria-hidden': 'true' }, ['path', { d: path }]]
}

/** The line with our name. */
export const ourName: Markup = [
  'p',
  { class: 'ours' },
  [
    'svg',
    { viewBox: '0 0 32 32', width: '16', height: '16', 'aria-hidden': 'true' },
    ['circle', { cx: '16', cy: '16', r: '15' }],
    ['path', { d: 'M10.5 11l5.5 11 5.5-11' }],
  ],
  'Vintem',
]

const foot: Markup = ['footer', { class: 'foot' }, ['div', { class: 'column' }, ourName]]

/** The page that holds the provider's frame. Of the payment it holds only what the provider's script needs. */
export function frameDocument(frame: {
  readonly locale: Locale
  readonly theme: Theme
  readonly script: string
  readonly style: string
  readonly provider: {
    readonly scriptUrl: string
    readonly publishableKey: string
    readonly clientSecret: string
    readonly locale: string
  }
}): string {
  const { title, broken } = speech[frame.locale].sentences.frame
  // The page around it has the landmarks.
  const body: Markup = [
    'div',
    { id: 'frame' },
    ['div', { id: 'provider' }],
    ['p', { id: 'broken', role: 'alert', hidden: '' }, broken],
  ]
  return wrap({
    locale: frame.locale,
    theme: frame.theme,
    head: [
      ['meta', { charset: 'utf-8' }],
      ['title', {}, title],
      ['meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }],
      ['link', { rel: 'stylesheet', href: `/assets/${frame.style}` }],
      ['script', { type: 'module', src: `/assets/${frame.script}` }],
    ],
    body: `${toHtml(body)}${dataScript('frame-data', frame.provider)}`,
  })
}

function headOf(
  title: string,
  theme: Theme,
  { style }: Pick<Files, 'style'>,
  pageStyle?: PageStyle,
  at = '',
): readonly Markup[] {
  const colour = (scheme: 'light' | 'dark'): Markup => [
    'meta',
    {
      name: 'theme-color',
      content: paperColours[scheme],
      ...(theme === 'auto' ? { media: `(prefers-color-scheme: ${scheme})` } : {}),
    },
  ]
  return [
    ['meta', { charset: 'utf-8' }],
    ['title', {}, title],
    ['meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }],
    ...(theme === 'auto' ? [colour('light'), colour('dark')] : [colour(theme)]),
    ['link', { rel: 'icon', href: 'data:,' }],
    ['link', { rel: 'stylesheet', href: `${at}/assets/${style}` }],
    ...(pageStyle === undefined
      ? []
      : [['link', { rel: 'stylesheet', href: `${at}${stylesheetOf(pageStyle).path}` }] as const]),
  ]
}

function wrap(page: {
  readonly locale: string
  readonly theme: Theme
  readonly head: readonly Child[]
  /** HTML. */
  readonly body: string
}): string {
  const { locale, theme, head, body } = page
  const start = `<html lang="${locale}" dir="ltr" data-theme="${theme}">`
  return `<!doctype html>${start}${toHtml(['head', {}, ...head])}<body>${body}</body></html>`
}

/** Data for a script. No text in it can end the element or start another: `<` is written as JSON's escape. */
function dataScript(id: string, data: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`
}

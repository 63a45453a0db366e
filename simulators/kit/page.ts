// A simulator's page for people: one document, its live part as JSON, and the style and script that all of them share.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { toHtml, type Markup } from '../../web/live/markup.ts'
import { headOf } from '../../web/live/parts.ts'
import type { Route } from './http.ts'

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

export type ControlPage = {
  /** The simulator's icon, an SVG file. */
  readonly icon: string
  /** The whole page. Its element `#live` holds the result of `live`. */
  page(): Markup
  live(): readonly Markup[]
  /** The number of the last event: the page asks `GET /_sim/events?after=` for a later one. */
  last(): number
}

/** `GET /`, `/live`, and the page's styles, scripts and icon. */
export function pageRoutes({ icon, page, live, last }: ControlPage): readonly Route[] {
  const asset = (path: string, type: string, file: string): Route => {
    const body = readFileSync(file)
    return { method: 'GET', path, handle: () => ({ status: 200, type, headers, body }) }
  }
  const shared = (type: string) => (file: string) =>
    asset(`/${basename(file)}`, `text/${type}; charset=utf-8`, join(import.meta.dirname, file))
  const [script, style] = [shared('javascript'), shared('css')]
  return [
    {
      method: 'GET',
      path: '/',
      handle: () => ({
        status: 200,
        type: 'text/html; charset=utf-8',
        headers,
        body: `<!doctype html>${toHtml(page())}`,
      }),
    },
    {
      method: 'GET',
      path: '/live',
      handle: () => ({ status: 200, headers, body: { last: last(), children: live() } }),
    },
    ...['page.js', '../../web/live/live.js'].map(script),
    ...['page.css', '../../web/live/live.css'].map(style),
    asset('/page.svg', 'image/svg+xml', icon),
  ]
}

/** The document around the live part. */
export function controlPage(words: {
  readonly title: string
  readonly brand: string
  readonly heading: string
  readonly intro: string
  readonly live: readonly Markup[]
}): Markup {
  return [
    'html',
    { lang: 'en' },
    headOf(words.title, {
      icon: '/page.svg',
      styles: ['/live.css', '/page.css'],
      script: '/page.js',
    }),
    [
      'body',
      {},
      ['header', {}, ['p', { class: 'brand' }, words.brand], ['p', { class: 'tag' }, 'Simulator']],
      [
        'main',
        {},
        [
          'div',
          { class: 'intro' },
          ['h1', {}, words.heading],
          ['p', {}, words.intro],
          [
            'p',
            { class: 'noscript' },
            'The buttons need JavaScript. Each has a control call that curl can make.',
          ],
        ],
        ['p', { id: 'status', role: 'status' }],
        ['div', { id: 'live', class: 'columns' }, ...words.live],
      ],
    ],
  ]
}

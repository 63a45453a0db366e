// A simulator's page for people: one document, its live part as JSON, and the style and script that all of them share.
import { readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { toHtml, type Markup } from '../../web/live/markup.ts'
import { headOf } from '../../web/live/parts.ts'
import type { Reply, Route } from './http.ts'
import { lastOf, logSection, type LogLine } from './log.ts'

export type ControlPage = {
  /** The simulator's folder, which has its icon. */
  readonly folder: string
  readonly brand: string
  readonly heading: string
  readonly intro: string
  /** The lists of objects. */
  readonly lists: () => readonly Markup[]
  /** The switches beside them. */
  readonly side: () => readonly Markup[]
  readonly log: () => readonly LogLine[]
  /** All events: the page asks `GET /_sim/events?after=` for a later one than the last. Default: those of the log. */
  readonly recent?: () => readonly { readonly sequence: number }[]
}

const headers = pageHeaders("connect-src 'self'; form-action 'none'; frame-ancestors 'none'", 'no-referrer')

/** `GET /`, `/live`, and the page's styles, scripts and icon. */
export function pageRoutes(page: ControlPage): readonly Route[] {
  const { folder, lists, side, log, recent = log } = page
  const live = (): readonly Markup[] => [
    ...lists(),
    ['div', { class: 'side', 'data-key': 'side' }, ...side(), logSection(log())],
  ]
  const get = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle })
  const shared = ['page.js', '../../web/live/live.js', 'page.css', '../../web/live/live.css']
  return [
    get('/', () => htmlReply(200, documentOf(page, live()), headers)),
    get('/live', () => ({ status: 200, headers, body: { last: lastOf(recent()), children: live() } })),
    ...shared.map((file) => asset(`/${basename(file)}`, join(import.meta.dirname, file), headers)),
    asset('/page.svg', join(folder, 'page.svg'), headers),
  ]
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** A file that a page loads. */
export function asset(path: string, file: string, headers: Readonly<Record<string, string>>): Route {
  const reply = { status: 200, type: types[extname(file)] ?? '', headers, body: readFileSync(file) }
  return { method: 'GET', path, handle: () => reply }
}

/** `rules`: of the content security policy, besides that everything comes from the page's own server. */
export function pageHeaders(rules: string, referrer = 'same-origin') {
  return {
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; ${rules}`,
    'cache-control': 'no-store',
    'referrer-policy': referrer,
    'x-content-type-options': 'nosniff',
  } as const
}

export function htmlReply(status: number, page: Markup, headers: Readonly<Record<string, string>>): Reply {
  return { status, type: 'text/html; charset=utf-8', headers, body: `<!doctype html>${toHtml(page)}` }
}

/** The document around the live part. */
function documentOf({ brand, heading, intro }: ControlPage, live: readonly Markup[]): Markup {
  const scripts = 'The buttons need JavaScript. Each has a control call that curl can make.'
  return [
    'html',
    { lang: 'en' },
    headOf(`${brand} simulator`, {
      icon: '/page.svg',
      styles: ['/live.css', '/page.css'],
      script: '/page.js',
    }),
    [
      'body',
      {},
      ['header', {}, ['p', { class: 'brand' }, brand], ['p', { class: 'tag' }, 'Simulator']],
      [
        'main',
        {},
        [
          'div',
          { class: 'intro' },
          ['h1', {}, heading],
          ['p', {}, intro],
          ['p', { class: 'noscript' }, scripts],
        ],
        ['p', { id: 'status', role: 'status' }],
        ['div', { id: 'live', class: 'columns' }, ...live],
      ],
    ],
  ]
}

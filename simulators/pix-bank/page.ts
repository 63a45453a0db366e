// The bank's page for people, at the control port.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bank } from './bank.ts'
import type { Route } from './http.ts'
import { toHtml } from './page-markup.ts'
import { live, page } from './page-view.ts'

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

const assets = [
  ['page.js', 'text/javascript; charset=utf-8'],
  ['page.css', 'text/css; charset=utf-8'],
  ['page.svg', 'image/svg+xml'],
] as const

export function pageRoutes(bank: Bank): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/',
      handle: () => ({
        status: 200,
        type: 'text/html; charset=utf-8',
        headers,
        body: `<!doctype html>${toHtml(page(bank))}`,
      }),
    },
    {
      method: 'GET',
      path: '/live',
      handle: () => {
        const last = bank.book.recent().at(-1)?.sequence ?? 0
        return { status: 200, headers, body: { last, children: live(bank) } }
      },
    },
    ...assets.map(([name, type]) => {
      const body = readFileSync(join(import.meta.dirname, name))
      return { method: 'GET', path: `/${name}`, handle: () => ({ status: 200, type, headers, body }) }
    }),
  ]
}

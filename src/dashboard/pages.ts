// Serves the built pages: the HTML text of an address, and its files. While they are not built, unbuilt-page.ts says so.
import type { FastifyInstance } from 'fastify'
import { sendPackedFile } from '#/edge/packed-file.ts'
import { isFromThisMachine } from '#/edge/server.ts'
import { AppError } from '#/kernel/error.ts'
import { localeOf, preferencesOf } from '#/kernel/language.ts'
import type { DashboardDeps } from './deps.ts'
import { firstCallsFor } from './first-view.ts'
import { buildingPage, failedPage } from './unbuilt-page.ts'
import type { FindVisitor } from './visitor.ts'

/** Everything from this origin; no inline script or style, no plug-in, and nobody may put a page into a frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
} as const

/** The routes that anyone may open by an address or a link: all others answer only to these pages. */
export const pageUrls: ReadonlySet<string> = new Set(['/*', '/assets/*', '/robots.txt'])

/** Registers the files, and the page at every address that is not the API's. */
export function servePages(
  server: FastifyInstance,
  { pages }: Pick<DashboardDeps, 'pages'>,
  find: FindVisitor,
): void {
  server.get('/api', () => {
    throw new AppError('not_found', 'There is nothing at this address.')
  })
  server.get('/api/*', (_request, reply) => reply.callNotFound())
  server.get('/assets/*', (request, reply) => {
    const name = `assets/${(request.params as { readonly '*': string })['*']}`
    const present = pages()
    const file = present.state === 'built' ? present.files.get(name) : undefined
    if (file === undefined) return reply.callNotFound()
    // Names change with the content.
    return sendPackedFile(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file)
  })
  server.get('/*', async (request, reply) => {
    const present = pages()
    const calls = present.state === 'built' ? await firstCallsFor(find, request) : []
    reply.headers(pageHeaders).header('cache-control', 'no-store').type('text/html; charset=utf-8')
    if (present.state === 'built')
      return reply.send(present.htmlOf(new URL(request.url, 'http://page').pathname, calls))
    const locale = preferencesOf(request.headers['accept-language']).map(localeOf).find(Boolean) ?? 'en'
    reply.code(503).header('vary', 'accept-language')
    if (present.state === 'building') return reply.header('retry-after', '2').send(buildingPage(locale))
    return reply.send(failedPage(locale, isFromThisMachine(request) ? present.reason : undefined))
  })
}

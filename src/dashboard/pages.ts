// Serves the built pages: the HTML text of an address, and its files. While they are built, a page that says so.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#/kernel/error.ts'
import type { DashboardDeps, PageFile } from './deps.ts'
import { firstCallsFor } from './first-view.ts'
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
    return sendFile(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file)
  })
  server.get('/*', async (request, reply) => {
    const present = pages()
    const calls = present.state === 'built' ? await firstCallsFor(find, request) : []
    reply.headers(pageHeaders).header('cache-control', 'no-store').type('text/html; charset=utf-8')
    if (present.state === 'built')
      return reply.send(present.htmlOf(new URL(request.url, 'http://page').pathname, calls))
    return reply
      .code(503)
      .header('retry-after', '2')
      .send(present.state === 'building' ? waiting : failed(present.reason))
  })
}

function sendFile({ headers }: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const accepted = headers['accept-encoding'] ?? ''
  reply.type(file.type).header('vary', 'accept-encoding').header('x-content-type-options', 'nosniff')
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.br)
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.plain)
}

const shell = (title: string, text: string, more = '') => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${more}
<title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>
`

const waiting = shell(
  'The dashboard is being built',
  'This takes some seconds at the first start. The page appears by itself.',
  '<meta http-equiv="refresh" content="2">',
)

function failed(reason: string): string {
  return shell('The dashboard could not be built', escape(reason))
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

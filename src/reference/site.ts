// The documentation site at /docs: files that were built from docs/ (web/build-docs.ts). While they are not built, a page says so.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendPackedFile, type PackedFile } from '#/edge/packed-file.ts'

export type DocsSite =
  | {
      readonly state: 'built'
      /** By the path below /docs/, such as `methods/pix.html`. */
      readonly files: ReadonlyMap<string, PackedFile>
    }
  | { readonly state: 'building' | 'failed' }

/** Adds `/docs` to a server whose other routes below it are the Markdown files. */
export function registerDocsSite(server: FastifyInstance, site: () => DocsSite): void {
  server.get('/docs', (_request, reply) => {
    if (site().state === 'built') return reply.redirect('/docs/', 308)
    return sendUnbuilt(reply, site())
  })
  server.get('/docs/*', (request, reply) => {
    const present = site()
    if (present.state !== 'built') return sendUnbuilt(reply, present)
    void reply.header('content-security-policy', policy)
    const { '*': path } = request.params as { readonly '*': string }
    const name = [path, `${path}.html`, `${path}index.html`].find((each) => present.files.has(each))
    const file = present.files.get(name ?? '404.html')
    if (file === undefined) return reply.callNotFound()
    if (name === undefined) return sendPackedFile(request, reply.code(404), file)
    // Names below assets/ change with the content.
    if (name.startsWith('assets/'))
      return sendPackedFile(
        request,
        reply.header('cache-control', 'public, max-age=31536000, immutable'),
        file,
      )
    return sendRevalidated(request, reply, file)
  })
}

/** Everything is a file of this server: the pages hold no script and no style. `connect-src`: the search loads its index. */
const policy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

/** A cache may keep the page, and must revalidate it before each use. */
function sendRevalidated(request: FastifyRequest, reply: FastifyReply, file: PackedFile): FastifyReply {
  const tag = tagOf(file)
  void reply.header('cache-control', 'no-cache').header('etag', tag)
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  return sendPackedFile(request, reply, file)
}

/** By the file, because the index of the search is large and asked for by anybody. */
const tags = new WeakMap<PackedFile, string>()

function tagOf(file: PackedFile): string {
  const known = tags.get(file)
  if (known !== undefined) return known
  const tag = `W/"${createHash('sha256').update(file.plain).digest('base64url').slice(0, 22)}"`
  tags.set(file, tag)
  return tag
}

function sendUnbuilt(reply: FastifyReply, site: DocsSite): FastifyReply {
  void reply.code(503).header('cache-control', 'no-store').type('text/html; charset=utf-8')
  if (site.state !== 'failed')
    return reply
      .header('retry-after', '2')
      .send(
        pageOf(
          'The documents are being built',
          'This takes some seconds at the first start. The page appears by itself.',
          true,
        ),
      )
  return reply.send(
    pageOf(
      'The documents are not built here',
      'The log of the server says why. The same pages are text: /llms.txt lists them.',
    ),
  )
}

function pageOf(title: string, text: string, asksAgain = false): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${
    asksAgain ? '<meta http-equiv="refresh" content="2">' : ''
  }
<title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>
`
}

// The API reference: a page that renders openapi.json and makes calls, and the documents as Markdown. Everything it needs comes from
// this server, and its policy lets it call no other.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '#/kernel/secret.ts'
import { dashboard } from './links.ts'
import { readPages } from './pages.ts'
import { registerDocsSite, type DocsSite } from './site.ts'

export type ReferenceDeps = {
  /** The folder with `docs`. */
  readonly root: string
  /** The renderer, one script for browsers, by gzip (RFC 1952). */
  readonly renderer: Buffer
  /** Where this server is reached. */
  readonly apiUrl: string
  readonly dashboardUrl: string
  /** The documentation site, or the state of its build. */
  readonly site: () => DocsSite
  /** A key that the page fills in, for those to whom it may be shown. */
  readonly keyFor?: (request: FastifyRequest) => string | undefined
  /** Refuses a request whose host is not ours; then no page is sent. */
  readonly refuse?: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/**
 * Inline styles are allowed, because the renderer writes style elements and style attributes; inline scripts are not. `connect-src`
 * restricts every call of the page to this server, even a mistaken call.
 */
const contentSecurityPolicy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data: blob:`,
  `font-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

type Asset = {
  readonly path: string
  readonly type: string
  readonly gzip: Buffer
}

/** Adds `/reference` with its files, `/llms.txt`, the documents as Markdown below `/docs/`, and the site of them at `/docs`. */
export function registerReference(server: FastifyInstance, deps: ReferenceDeps): void {
  const renderer = assetOf('renderer.js', deps.renderer)
  const start = assetOf('start.js', readPacked('start.js'))
  const style = assetOf('style.css', readPacked('style.css'))
  const page = pageOf(renderer, start, style)
  const { pages, llms } = readPages(deps.root, deps.apiUrl)

  void server.register((scope, _options, done) => {
    scope.addHook('onRequest', (request, reply, next) => {
      void reply.headers(headers)
      if (deps.refuse?.(request, reply) !== true) next()
    })
    scope.get('/reference', (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
    scope.get('/reference/settings.json', (request, reply) => {
      const apiKey = deps.keyFor?.(request)
      return reply.type('application/json').send(apiKey === undefined ? {} : { apiKey })
    })
    for (const asset of [renderer, start, style]) scope.get(asset.path, sendAsset(asset))
    scope.get('/llms.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(llms))
    // A route for each page: there is no path that could leave the folder.
    for (const [name, body] of pages)
      scope.get(`/docs/${name}`, (_request, reply) => reply.type('text/markdown; charset=utf-8').send(body))
    scope.get(dashboard, (_request, reply) => reply.redirect(deps.dashboardUrl, 302))
    registerDocsSite(scope, deps.site)
    done()
  })
}

function readPacked(name: string): Buffer {
  return gzipSync(readFileSync(join(import.meta.dirname, name)))
}

function assetOf(name: string, gzip: Buffer): Asset {
  const [stem = '', extension = ''] = name.split('.')
  const hash = sha256(gzip).toString('hex').slice(0, 12)
  return {
    path: `/reference/assets/${stem}.${hash}.${extension}`,
    type: extension === 'css' ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    gzip,
  }
}

/** The name changes with the content, so a browser may keep the file for ever. */
function sendAsset({ type, gzip }: Asset) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    void reply.type(type).header('cache-control', 'public, max-age=31536000, immutable')
    void reply.header('vary', 'accept-encoding')
    const accepted = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(
      [request.headers['accept-encoding']].flat().join(),
    )
    return accepted ? reply.header('content-encoding', 'gzip').send(gzip) : reply.send(gunzipSync(gzip))
  }
}

function pageOf(renderer: Asset, start: Asset, style: Asset): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vintem: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style.path}">
<script src="${renderer.path}" defer></script>
<script src="${start.path}" type="module"></script>
</head>
<body>
<noscript>The reference needs JavaScript. The same as text: <a href="/openapi.json">openapi.json</a>, <a href="/llms.txt">llms.txt</a>.</noscript>
<div id="reference"></div>
</body>
</html>
`
}

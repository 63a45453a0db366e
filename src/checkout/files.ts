// Files that may be cached for ever, because their names change with their content.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { choosePacked } from './compression.ts'
import type { CheckoutDeps } from './deps.ts'
import { sendNotice } from './notice.ts'
import { readStylesheetName } from './stylesheet.ts'
import { frameAssets, type Asset } from './view.ts'

const forEver = 'public, max-age=31536000, immutable'

/** `/assets/*`, built and our own, and the templates' style sheets. */
export function registerFiles(server: FastifyInstance, deps: Pick<CheckoutDeps, 'view'>): void {
  const frameFiles = Object.values(frameAssets()).map((asset) => [asset.name, asset] as const)
  const files = new Map<string, Asset>([...deps.view.files, ...frameFiles])

  server.get('/assets/:name', (request, reply) => {
    const { name } = request.params as { readonly name: string }
    const file = files.get(name)
    return file === undefined
      ? sendNotice(deps, request, reply, 404, 'not_found')
      : sendFile(request, reply, file)
  })
  server.get('/t/:name', (request, reply) => {
    const { name } = request.params as { readonly name: string }
    const sheet = readStylesheetName(name)
    if (sheet === undefined) return sendNotice(deps, request, reply, 404, 'not_found')
    const body = Buffer.from(sheet.css)
    // The address is of another release: the style is right for now, so it is not cached.
    if (sheet.path !== `/t/${name}`) return reply.type('text/css; charset=utf-8').send(body)
    return sendFile(request, reply, { type: 'text/css; charset=utf-8', body })
  })
}

/** The file, with headers that let caches keep it for ever. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, packed }: Asset,
): FastifyReply {
  void reply.header('cache-control', forEver).type(type)
  if (packed === undefined) return reply.send(body)
  return reply.send(choosePacked(reply, request.headers['accept-encoding'], packed) ?? body)
}

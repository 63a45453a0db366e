// Files that may be kept for ever, because their names change with what they hold.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { CheckoutDeps } from './deps.ts'
import { sendNotice } from './notice.ts'
import { readStylesheetName } from './stylesheet.ts'
import { frameAssets, type Asset } from './view.ts'

const forEver = 'public, max-age=31536000, immutable'

/** `/assets/*`, the built ones and our own, and the templates' style sheets. */
export function registerFiles(server: FastifyInstance, deps: Pick<CheckoutDeps, 'view'>): void {
  const own = Object.values(frameAssets()).map((asset) => [asset.name, asset] as const)
  const files = new Map<string, Asset>([...deps.view.files, ...own])

  server.get('/assets/:name', (request, reply) => {
    const { name } = request.params as { readonly name: string }
    const file = files.get(name)
    return file === undefined ? sendNotice(deps, request, reply, 404, 'not_found') : sendFile(reply, file)
  })
  server.get('/t/:name', (request, reply) => {
    const { name } = request.params as { readonly name: string }
    const sheet = readStylesheetName(name)
    if (sheet === undefined) return sendNotice(deps, request, reply, 404, 'not_found')
    const body = Buffer.from(sheet.css)
    // Another release's name of the same look: right for now, not for ever.
    if (sheet.path !== `/t/${name}`) return reply.type('text/css; charset=utf-8').send(body)
    return sendFile(reply, { type: 'text/css; charset=utf-8', body })
  })
}

/** The file, to be kept by whoever fetched it. */
export function sendFile(reply: FastifyReply, { type, body }: Asset): FastifyReply {
  return reply.header('cache-control', forEver).type(type).send(body)
}

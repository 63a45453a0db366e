// The files of previews: the checkout's own style sheets, under the dashboard's origin, and one of ours.
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { packFile } from '#/checkout/compression.ts'
import { sendFile } from '#/checkout/files.ts'
import { readStylesheetName } from '#/checkout/stylesheet.ts'
import type { Asset, CheckoutView } from '#/checkout/view.ts'
import { sha256 } from '#/kernel/secret.ts'

/** The path below which all of it is. */
export const previewPath = '/preview'

const css = 'text/css; charset=utf-8'

/** For what a page without scripts shows differently, and for the pages that are not the checkout's. */
export const previewSheet = readSheet()

function readSheet() {
  const body = readFileSync(new URL('./preview.css', import.meta.url))
  const name = `preview.${sha256(body).toString('hex').slice(0, 12)}.css`
  return { name, path: `${previewPath}/assets/${name}`, file: { type: css, body, packed: packFile(body) } }
}

/** Registers them. They are the same for everybody, as on the payer's pages. */
export function servePreviewFiles(server: FastifyInstance, { view }: { readonly view: CheckoutView }): void {
  const pageSheet = withScripts(view)
  server.get(`${previewPath}/assets/:name`, (request, reply) => {
    const { name } = request.params as { readonly name: string }
    if (name === previewSheet.name) return sendFile(request, reply, previewSheet.file)
    return name === view.style ? sendFile(request, reply, pageSheet) : reply.callNotFound()
  })
  server.get(`${previewPath}/t/:name`, (request, reply) => {
    const { name } = request.params as { readonly name: string }
    const sheet = readStylesheetName(name)
    if (sheet === undefined) return reply.callNotFound()
    return sendFile(request, reply, { type: css, body: Buffer.from(sheet.css) })
  })
}

/**
 * The page's style sheet as a browser with scripts reads it. The frame of the preview runs no scripts, so it would show the page as payers
 * without scripts see it: without the buttons that copy (Media Queries 5, `scripting`).
 */
function withScripts({ files, style }: CheckoutView): Asset {
  const text = files.get(style)?.body.toString('utf8') ?? ''
  const body = Buffer.from(
    text
      .replaceAll(/\(scripting:\s*none\)/g, '(width < 0px)')
      .replaceAll(/\(scripting:\s*enabled\)/g, '(width >= 0px)'),
  )
  return { type: css, body, packed: packFile(body) }
}

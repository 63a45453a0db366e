import type { FastifyRequest } from 'fastify'

/**
 * Whether the page at `pageUrl` sent the form. Browsers send these headers; a caller without them is not a browser that another
 * site uses.
 */
export function isOwnForm(
  { headers }: Pick<FastifyRequest, 'headers'>,
  pageUrl: string | undefined,
): boolean {
  const { origin, host, 'sec-fetch-site': from } = headers
  if (from !== undefined) return from === 'same-origin'
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const sender = new URL(origin)
  return sender.host === host || (pageUrl !== undefined && new URL(pageUrl).origin === sender.origin)
}

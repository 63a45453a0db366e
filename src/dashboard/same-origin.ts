// Only the dashboard's own pages may call its API. Cookies do not tell ports apart, and a page on another port of the same host is
// "same site" to a browser: so each request must say that it comes from this very origin.
import type { FastifyRequest } from 'fastify'
import { AppError } from '#/kernel/error.ts'

/**
 * Throws 403 unless the request comes from a page of `origin`. Browsers write both headers themselves, and no page can change them
 * (Fetch Metadata §2.4, Fetch §3.2). A request without Sec-Fetch-Site comes from a program, which has an API key.
 */
export function requireSameOrigin({ method, headers }: FastifyRequest, origin: string): void {
  const isRead = method === 'GET' || method === 'HEAD'
  const isOwn = headers['sec-fetch-site'] === 'same-origin' && (isRead || headers.origin === origin)
  if (!isOwn)
    throw new AppError(
      'cross_site',
      'Only pages of the dashboard may call this. Programs call /v1 with a key.',
    )
}

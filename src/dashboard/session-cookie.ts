// The cookie that holds the token of a session.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hourMs, secondMs } from '#/kernel/time.ts'

export type SessionCookie = {
  /** The token that the request brings. */
  read(request: FastifyRequest): string | undefined
  write(reply: FastifyReply, token: string): void
  clear(reply: FastifyReply): void
}

/**
 * For the dashboard at this origin. Over https the prefix `__Host-` makes browsers refuse the cookie from any other host (RFC 6265bis
 * §4.1.3.2). On http://localhost, where cookies ignore ports, the name has the port, so that two installations do not sign each other out.
 */
export function sessionCookie(origin: string): SessionCookie {
  const { protocol, port } = new URL(origin)
  const isSecure = protocol === 'https:'
  const name = isSecure ? '__Host-vintem_session' : `vintem_session_${port || '80'}`
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return {
    read({ headers }) {
      const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
      const [value, ...others] = pairs.filter(([key]) => key === name).map((pair) => pair[1])
      // A page on another port of this host can write a cookie with our name and a narrower path, which the browser sends first. Then the
      // user would work in the session of whoever wrote that cookie. So when there are two, neither is accepted.
      if (value === undefined || others.length > 0) return undefined
      return /^[\w-]{20,200}$/.test(value) ? value : undefined
    },
    // The server ends the session earlier when nobody uses it.
    write: (reply, token) =>
      void reply.header(
        'set-cookie',
        `${name}=${token}; Max-Age=${(7 * 24 * hourMs) / secondMs}; ${attributes}`,
      ),
    clear: (reply) => void reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes}`),
  }
}

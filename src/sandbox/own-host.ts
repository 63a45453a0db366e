// Decides who may call the routes that a sandbox serves without a key: programs and pages of this machine, under its own names. A
// request for another name that resolves to this machine is a DNS rebinding. A request from another origin comes from a page of
// another site in a browser.
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Loopback by name or number, or the host under which the API is published, with any port. */
export function isOwnHost({ headers }: FastifyRequest, apiUrl: string): boolean {
  const [, host] = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d+)?$/i.exec(headers.host ?? '') ?? []
  if (host === undefined) return false
  const name = host.toLowerCase()
  return /^127(?:\.\d{1,3}){3}$/.test(name) || ['localhost', '[::1]', new URL(apiUrl).hostname].includes(name)
}

/** A program sends no origin. A browser sends it with every POST of a page (Fetch Standard, 3.2). */
export function isOwnOrigin({ headers }: FastifyRequest, apiUrl: string): boolean {
  const { origin, host } = headers
  if (origin === undefined || origin === new URL(apiUrl).origin) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

export function refuseHost(reply: FastifyReply, apiUrl: string): FastifyReply {
  return refuse(reply, 421, `This is at ${apiUrl}/ and under no other name.`)
}

export function refuseOrigin(reply: FastifyReply): FastifyReply {
  return refuse(reply, 403, 'This is not for pages of other sites.')
}

function refuse(reply: FastifyReply, status: number, detail: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(`${detail}\n`)
}

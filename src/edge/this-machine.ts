// Whether a request comes from the machine of the server.
import type { FastifyRequest } from 'fastify'

/** Whether it came over the loopback address, and through no proxy. */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isProxied = ['forwarded', 'x-forwarded-for', 'via'].some((name) => headers[name] !== undefined)
  return !isProxied && /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '')
}

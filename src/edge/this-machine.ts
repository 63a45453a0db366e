// Whether a request comes from the machine of the server.
import type { FastifyRequest } from 'fastify'

/** Proxies write one of these when they pass a request on: standard ones, and those of nginx, of load balancers and of CDNs. */
const ofProxies = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/

/** Whether it came over the loopback address, and through no proxy. */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isProxied = Object.keys(headers).some((name) => ofProxies.test(name))
  return !isProxied && /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '')
}

// The built dashboard on a server of its own, with the answers of an invented shop instead of a database.
import Fastify, { type FastifyInstance } from 'fastify'
import { servePages } from '#/dashboard/pages.ts'
import { builtPages } from './dashboard-members.ts'
import { latest, merchantId, overview, session, setup } from './shop-records.ts'

const merchantUrl = '/api/m/:merchant'

/** What is asked for by the overview, with its answer. */
export const answers: Readonly<Record<string, unknown>> = {
  '/api/session': session,
  [`${merchantUrl}/overview`]: overview,
  [`${merchantUrl}/payments`]: latest,
  [`${merchantUrl}/setup`]: setup,
}

/** Not listening yet. */
export async function createShopServer(): Promise<FastifyInstance> {
  const server = Fastify({ forceCloseConnections: true })
  const pages = await builtPages()
  for (const [url, answer] of Object.entries(answers)) server.get(url, () => answer)
  // A feed of events that stays open: nothing happens.
  server.get(`${merchantUrl}/live`, (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 2000\n\n')
  })
  servePages(server, { pages: () => pages }, async () => undefined)
  return server
}

/** The path of the shop's overview. */
export const overviewPath = `/m/${merchantId}`

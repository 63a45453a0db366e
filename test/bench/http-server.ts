// The API's server as a contender: with the database, with batches of one item, or with a creator that answers from memory and never
// uses the database. The last shows the upper limit of the server alone.
import type { FastifyInstance } from 'fastify'
import { connect } from '#/db/client.ts'
import type { HttpDeps } from '#/http/deps.ts'
import { noteCalls } from '#/http/note-call.ts'
import { createServer } from '#/http/server.ts'
import { callsMax } from '#/requests/call.ts'
import { createRequestLog, type RequestLog } from '#/requests/log.ts'
import { openHttpParts, type HttpPartsOptions } from './http-parts.ts'
import { beChild } from './process.ts'

export type HttpServerOptions = HttpPartsOptions & {
  /** Writes the request log. `set` says how many more times each call is noted. */
  readonly writesLog?: boolean
}

beChild(async ({ writesLog, ...options }: HttpServerOptions) => {
  const { deps, log, close } = await openHttpParts(options)
  const openSql = () => connect(options.place.url, { max: 1 })
  const requestLog = writesLog === true ? createRequestLog({ openSql, log, keep: callsMax }) : undefined
  const server = createServer(requestLog === undefined ? deps : { ...deps, requestLog })
  const more = noteMore(server, { clock: deps.clock, requestLog })
  return {
    answer: await server.listen({ host: '127.0.0.1', port: 0 }),
    run: () => Promise.reject(new Error('the load comes from outside')),
    set: more.set,
    async close() {
      await server.close()
      await requestLog?.close()
      await close()
    },
  }
})

/** Notes each call again, as often as is set. */
function noteMore(
  server: FastifyInstance,
  log: Pick<HttpDeps, 'clock'> & { readonly requestLog: RequestLog | undefined },
) {
  let times = 0
  const { requestLog } = log
  const note = requestLog && noteCalls({ ...log, requestLog }, '/v1/payments')
  if (note !== undefined)
    server.addHook('onResponse', (request, reply, done) => {
      for (let more = 0; more < times; more += 1) note(request, reply)
      done()
    })
  return { set: (value: number) => (times = value) }
}

// The acquirer as a whole: its API, its pages and its remote control, on one port.
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { mustBeLocal } from '../kit/control-route.ts'
import { listenerOf, type Call } from '../kit/http.ts'
import { createOutbox } from '../kit/outbox.ts'
import { controlProblem, Refusal } from '../kit/refusal.ts'
import { closed, listen, loopback } from '../kit/serve.ts'
import { createAgenda, createSimClock } from '../kit/sim-clock.ts'
import { openStore, type Store } from '../kit/store.ts'
import { createLog } from '../kit/told.ts'
import { nobody, span, type Acquirer, type AcquirerOptions, type Letter, type Task } from './acquirer.ts'
import { ApiError } from './api-error.ts'
import { unknownApiPath } from './api-route.ts'
import { apiRoutes } from './api-routes.ts'
import { cardRoutes } from './card-routes.ts'
import { controlRoutes } from './control.ts'
import { sendEvent } from './events.ts'
import { acquirerPage } from './page-view.ts'
import { perform } from './tasks.ts'

export type RunningAcquirer = {
  readonly apiUrl: string
  readonly controlUrl: string
  readonly seed: number
  close(): Promise<void>
}

export const usualOptions = { speed: 1 } as const

export async function startAcquirer(options: AcquirerOptions): Promise<RunningAcquirer> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const store = await openStore(options.dataDir, options.seed)
  const acquirer = assemble(options, store)
  const server = createServer(listenerOf(servingOf(acquirer)))
  server.keepAliveTimeout = 60_000
  const port = await listen(server, options.port)
  const url = `http://${loopback}:${port}`
  acquirer.passing.baseUrl = url
  acquirer.agenda.start((task) => perform(acquirer, task))
  acquirer.outbox.start()
  return {
    apiUrl: url,
    controlUrl: url,
    seed: store.seed,
    close: async () => {
      acquirer.agenda.stop()
      await Promise.all([acquirer.outbox.stop(), closed(server)])
      await store.close()
    },
  }
}

function assemble(options: AcquirerOptions, store: Store): Acquirer {
  const clock = createSimClock(store)
  const log = createLog()
  const events: Acquirer['events'] = store.table('events')
  const endpoints: Acquirer['endpoints'] = store.table('endpoints')
  const outbox = createOutbox<Letter>({
    store,
    clock,
    span: (seconds) => span(options, seconds),
    send: (letter, how) => sendEvent({ events, endpoints }, letter, how),
    told: ({ event }, { error, isLast }) => {
      if (error === undefined) log.add('Webhook delivered', event)
      else log.add(`Webhook failed${isLast ? ' for the last time' : ''}: ${error}`, event)
    },
  })
  return {
    options,
    store,
    clock,
    agenda: createAgenda<Task>(store, clock),
    outbox,
    log,
    accounts: store.table('accounts'),
    sessions: store.table('sessions'),
    intents: store.table('intents'),
    charges: store.table('charges'),
    refunds: store.table('refunds'),
    disputes: store.table('disputes'),
    transactions: store.table('transactions'),
    events,
    endpoints,
    replays: store.table('replays'),
    refundModes: store.table('refund-modes'),
    passing: { fault: 'none', held: new Set(), request: nobody, baseUrl: '' },
  }
}

function servingOf(acquirer: Acquirer) {
  const isApi = ({ path }: Call) => path.startsWith('/v1/')
  return {
    routes: [
      ...apiRoutes(acquirer),
      ...cardRoutes(acquirer),
      ...controlRoutes(acquirer),
      ...acquirerPage(acquirer),
    ],
    around: async <T>(call: Call, work: () => Promise<T>): Promise<T> => {
      // The pages too: a name of another site that leads here would be shown sessions, and could pay them.
      if (!isApi(call)) mustBeLocal(call)
      return await work()
    },
    failed: (error: unknown, call: Call) => {
      if (error instanceof Refusal) return error.reply
      if (!isApi(call)) return controlProblem(500, 'internal', String(error)).reply
      return new ApiError(500, { type: 'api_error', message: String(error) }, false).reply
    },
    missing: (call: Call) =>
      isApi(call)
        ? unknownApiPath(call)
        : controlProblem(404, 'not_found', `No ${call.method} ${call.path} here`).reply,
    kept: () => acquirer.store.kept(),
  }
}

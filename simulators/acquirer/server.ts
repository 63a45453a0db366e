// The acquirer as a whole: its API, its pages and its control calls, on one port.
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { runAgenda } from '../kit/agenda.ts'
import { mustBeLocal } from '../kit/control-route.ts'
import { listenerOf, type Call } from '../kit/http.ts'
import { createLog } from '../kit/log.ts'
import { controlProblem, Refusal } from '../kit/refusal.ts'
import { closed, listen, loopback } from '../kit/serve.ts'
import { openStore, type Store } from '../kit/store.ts'
import { noRequest, type Acquirer, type AcquirerOptions, type AcquirerTask, type Task } from './acquirer.ts'
import { ApiError } from './api-error.ts'
import { unknownApiPath } from './api-route.ts'
import { apiRoutes } from './api-routes.ts'
import { cardRoutes } from './card-routes.ts'
import { controlRoutes } from './control.ts'
import { createWebhooks } from './events.ts'
import { localRoutes } from './local-page.ts'
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
  const store = await openStore<Task>(options.dataDir, options.seed)
  const acquirer = assemble(options, store)
  const server = createServer(listenerOf(servingOf(acquirer)))
  server.keepAliveTimeout = 60_000
  const port = await listen(server, options.port)
  const url = `http://${loopback}:${port}`
  acquirer.passing.baseUrl = url
  const stopAgenda = runAgenda({
    eventStore: store,
    outbox: acquirer.outbox,
    perform: (task: AcquirerTask) => perform(acquirer, task),
  })
  return {
    apiUrl: url,
    controlUrl: url,
    seed: store.seed,
    close: async () => {
      stopAgenda()
      await Promise.all([acquirer.outbox.stop(), closed(server)])
      await store.close()
    },
  }
}

function assemble(options: AcquirerOptions, store: Store<Task>): Acquirer {
  const log = createLog()
  const events: Acquirer['events'] = store.table('events')
  const endpoints: Acquirer['endpoints'] = store.table('endpoints')
  const webhookModes: Acquirer['webhookModes'] = store.table('#webhooks')
  return {
    options,
    store,
    outbox: createWebhooks({ options, store, log, events, endpoints, webhookModes }),
    log,
    accounts: store.table('accounts'),
    sessions: store.table('sessions'),
    intents: store.table('intents'),
    charges: store.table('charges'),
    refunds: store.table('refunds'),
    disputes: store.table('disputes'),
    files: store.table('files'),
    transactions: store.table('transactions'),
    events,
    endpoints,
    replays: store.table('replays'),
    refundModes: store.table('refund-modes'),
    webhookModes,
    passing: { fault: 'none', held: new Set(), request: noRequest, baseUrl: '' },
  }
}

function servingOf(acquirer: Acquirer) {
  const isApi = ({ path }: Call) => path.startsWith('/v1/')
  return {
    routes: [
      ...apiRoutes(acquirer),
      ...cardRoutes(acquirer),
      ...localRoutes(acquirer),
      ...controlRoutes(acquirer),
      ...acquirerPage(acquirer),
    ],
    around: async <T>(call: Call, work: () => Promise<T>): Promise<T> => {
      // The pages too: by DNS rebinding a foreign site could otherwise read sessions, and pay them.
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

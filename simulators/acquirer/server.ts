// The acquirer as a whole: its API, its pages and its control calls, on one port.
import { mkdirSync } from 'node:fs'
import { runAgenda } from '../kit/agenda.ts'
import { createLog } from '../kit/log.ts'
import { openServer, running, simulatorListener, type Running } from '../kit/serve.ts'
import { openStore, type Store } from '../kit/store.ts'
import {
  noRequest,
  tablesOf,
  type Acquirer,
  type AcquirerOptions,
  type AcquirerTask,
  type Task,
} from './acquirer.ts'
import { ApiError } from './api-error.ts'
import { unknownApiPath } from './api-route.ts'
import { apiRoutes } from './api-routes.ts'
import { cardRoutes } from './card-routes.ts'
import { controlTable, routesOf } from './control.ts'
import { createWebhooks } from './events.ts'
import { localRoutes } from './local-page.ts'
import { acquirerPage } from './page-view.ts'
import { perform } from './tasks.ts'

export const usualOptions = { speed: 1 } as const

export async function startAcquirer(options: AcquirerOptions): Promise<Running> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const store = await openStore<Task>(options.dataDir, options.seed)
  const acquirer = assemble(options, store)
  const { outbox, passing } = acquirer
  const controls = controlTable(acquirer)
  const { url, server } = await openServer(options.port)
  passing.baseUrl = url
  const listener = simulatorListener({
    routes: [
      ...apiRoutes(acquirer),
      ...cardRoutes(acquirer),
      ...localRoutes(acquirer),
      ...routesOf(acquirer, controls),
      ...acquirerPage(acquirer, controls),
    ],
    store,
    api: {
      under: '/v1/',
      failed: (error) => new ApiError(500, { type: 'api_error', message: String(error) }, false).reply,
      missing: unknownApiPath,
    },
  })
  server.on('request', listener)
  const stopAgenda = runAgenda({
    eventStore: store,
    outbox,
    perform: (task: AcquirerTask) => perform(acquirer, task),
  })
  return running({ apiUrl: url, store, servers: [server], stopAgenda, outbox })
}

function assemble(options: AcquirerOptions, store: Store<Task>): Acquirer {
  const made = { ...tablesOf(store), options, store, log: createLog() }
  const passing = { fault: 'none', held: new Set<string>(), request: noRequest, baseUrl: '' } as const
  return { ...made, outbox: createWebhooks(made), passing: { ...passing } }
}

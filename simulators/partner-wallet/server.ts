// The wallet as a whole: its event store, and one server for the API, the control calls and the pages.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runAgenda } from '../kit/agenda.ts'
import type { Reply } from '../kit/http.ts'
import { openServer, running, simulatorListener, type Running } from '../kit/serve.ts'
import { apiRoot, apiRoutes } from './api.ts'
import { openCertificates } from './certificates.ts'
import { controlTable, routesOf } from './control.ts'
import { blocked, fail } from './errors.ts'
import { openEventStore } from './event-store.ts'
import type { WalletTask } from './events.ts'
import { spoil } from './faults.ts'
import { overviewRoutes } from './overview.ts'
import { payRoutes } from './pay-page.ts'
import { perform } from './tasks.ts'
import type { Passing, Wallet, WalletOptions } from './wallet.ts'
import { createWebhooks } from './webhooks.ts'

export const usualOptions = {
  toleranceMs: 1000,
  speed: 1,
  retrySeconds: [1, 2, 4, 8, 16, 32],
} as const

export async function startWallet(options: WalletOptions): Promise<Running> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const certificates = await openCertificates(join(options.dataDir, 'certificates'))
  const eventStore = await openEventStore(options.dataDir, options.seed)
  const passing: Passing = { nonces: new Map(), fault: { mode: 'none' }, skewMs: 0, early: [] }
  const webhooks = createWebhooks({ eventStore, certificates, options, passing })
  const { url, server } = await openServer(options.port)
  const publicUrl = options.publicUrl ?? url
  const wallet: Wallet = { options, eventStore, certificates, webhooks, passing, publicUrl }
  const stopAgenda = runAgenda({
    eventStore,
    outbox: webhooks,
    perform: (task: WalletTask) => perform(wallet, task),
    // No call caused them, so there is no answer that they could precede.
    done: () => void sendEarly(wallet),
  })
  const controls = controlTable(wallet)
  const listener = simulatorListener({
    routes: [
      ...apiRoutes(wallet),
      ...routesOf(wallet, controls),
      ...payRoutes(wallet),
      ...overviewRoutes(wallet, controls),
    ],
    store: eventStore,
    api: {
      under: `${apiRoot}/`,
      failed: (error) => fail('400000', String(error)).reply,
      missing: () => blocked().reply,
    },
    around: (call, work, isApi) => {
      const worked = () => before(wallet, work)
      return isApi ? spoil(wallet, call, worked) : worked()
    },
  })
  server.on('request', listener)
  return running({ apiUrl: url, store: eventStore, servers: [server], stopAgenda, outbox: webhooks })
}

/** The work, and then the webhooks that are to be sent before its answer. */
async function before(wallet: Wallet, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } finally {
    await sendEarly(wallet)
  }
}

async function sendEarly({ passing, webhooks }: Wallet): Promise<void> {
  await Promise.all(passing.early.splice(0).map((task) => webhooks.attempt(task)))
}

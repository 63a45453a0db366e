// The wallet as a whole: its event store, and one server for the API, the control calls and the pages.
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { runAgenda } from '../kit/agenda.ts'
import { mustBeLocal } from '../kit/control-route.ts'
import { listenerOf, type Call, type Reply } from '../kit/http.ts'
import { controlProblem, Refusal } from '../kit/refusal.ts'
import { closed, listen, loopback } from '../kit/serve.ts'
import { apiRoot, apiRoutes } from './api.ts'
import { openCertificates } from './certificates.ts'
import { controlRoutes } from './control.ts'
import { blocked, fail } from './errors.ts'
import { openEventStore } from './event-store.ts'
import type { WalletTask } from './events.ts'
import { spoil } from './faults.ts'
import { overviewRoutes } from './overview.ts'
import { payRoutes } from './pay-page.ts'
import { perform } from './tasks.ts'
import type { Passing, Wallet, WalletOptions } from './wallet.ts'
import { createWebhooks } from './webhooks.ts'

export type RunningWallet = {
  readonly apiUrl: string
  /** The same address. */
  readonly controlUrl: string
  readonly seed: number
  close(): Promise<void>
}

export const usualOptions = {
  toleranceMs: 1000,
  speed: 1,
  retrySeconds: [1, 2, 4, 8, 16, 32],
} as const

export async function startWallet(options: WalletOptions): Promise<RunningWallet> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const certificates = await openCertificates(join(options.dataDir, 'certificates'))
  const eventStore = await openEventStore(options.dataDir, options.seed)
  const passing: Passing = { nonces: new Map(), fault: { mode: 'none' }, skewMs: 0, early: [] }
  const webhooks = createWebhooks({ eventStore, certificates, options, passing })
  const server = createServer({ keepAliveTimeout: 60_000 })
  const port = await listen(server, options.port)
  const url = `http://${loopback}:${port}`
  const wallet: Wallet = {
    options,
    eventStore,
    certificates,
    webhooks,
    passing,
    publicUrl: options.publicUrl ?? url,
  }
  const stopAgenda = runAgenda({
    eventStore,
    outbox: webhooks,
    perform: (task: WalletTask) => perform(wallet, task),
    // No call caused them, so there is no answer that they could precede.
    done: () => void sendEarly(wallet),
  })
  server.on('request', listener(wallet))
  return {
    apiUrl: url,
    controlUrl: url,
    seed: eventStore.seed,
    close: async () => {
      stopAgenda()
      await Promise.all([webhooks.stop(), closed(server)])
      await eventStore.close()
    },
  }
}

function listener(wallet: Wallet) {
  return listenerOf({
    routes: [...apiRoutes(wallet), ...controlRoutes(wallet), ...payRoutes(wallet), ...overviewRoutes(wallet)],
    around: async (call, work) => {
      if (!isApi(call)) mustBeLocal(call)
      const worked = () => before(wallet, work)
      return await (isApi(call) ? spoil(wallet, call, worked) : worked())
    },
    failed: (error, call) => {
      if (error instanceof Refusal) return error.reply
      return isApi(call)
        ? fail('400000', String(error)).reply
        : controlProblem(500, 'internal', String(error)).reply
    },
    missing: (call) => {
      if (isApi(call)) throw blocked()
      throw controlProblem(404, 'not_found', `No ${call.method} ${call.path} here`)
    },
    kept: () => wallet.eventStore.kept(),
  })
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

function isApi({ path }: Call): boolean {
  return path.startsWith(`${apiRoot}/`)
}

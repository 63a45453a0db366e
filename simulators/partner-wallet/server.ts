// The wallet as a whole: its book, and one server for the API, the control calls and the pages.
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { mustBeLocal } from '../kit/control-route.ts'
import { listenerOf, type Call, type Reply } from '../kit/http.ts'
import { controlProblem, Refusal } from '../kit/refusal.ts'
import { closed, listen, loopback } from '../kit/serve.ts'
import { apiRoot, apiRoutes } from './api.ts'
import { openBook } from './book.ts'
import { openCertificates } from './certificates.ts'
import { controlRoutes } from './control.ts'
import { blocked, fail } from './errors.ts'
import { spoil } from './faults.ts'
import { overviewRoutes } from './overview.ts'
import { payRoutes } from './pay-page.ts'
import { runTasks, type Tasks } from './tasks.ts'
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
  const book = await openBook(options.dataDir, options.seed)
  const passing: Passing = { nonces: new Map(), fault: { mode: 'none' }, skewMs: 0, early: [] }
  const webhooks = createWebhooks({ book, certificates, options, passing })
  const server = createServer({ keepAliveTimeout: 60_000 })
  const port = await listen(server, options.port)
  const url = `http://${loopback}:${port}`
  const wallet: Wallet = {
    options,
    book,
    certificates,
    webhooks,
    passing,
    publicUrl: options.publicUrl ?? url,
  }
  const tasks = runTasks(wallet)
  server.on('request', listener(wallet, tasks))
  return {
    apiUrl: url,
    controlUrl: url,
    seed: book.seed,
    close: async () => {
      tasks.stop()
      webhooks.close()
      await closed(server)
      await book.close()
    },
  }
}

function listener(wallet: Wallet, tasks: Tasks) {
  return listenerOf({
    routes: [
      ...apiRoutes(wallet),
      ...controlRoutes(wallet, tasks.rearm),
      ...payRoutes(wallet),
      ...overviewRoutes(wallet),
    ],
    around: async (call, work) => {
      if (!isApi(call)) mustBeLocal(call)
      const worked = () => before(wallet, tasks, work)
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
    kept: () => wallet.book.kept(),
  })
}

/** The work, and then the webhooks that are to come before its answer. */
async function before({ passing }: Wallet, tasks: Tasks, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } finally {
    await Promise.all(passing.early.splice(0).map((task) => tasks.deliverNow(task)))
  }
}

function isApi({ path }: Call): boolean {
  return path.startsWith(`${apiRoot}/`)
}

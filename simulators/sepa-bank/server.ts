// The bank as a whole: its store, one server for control calls and the page, and the delivery of files.
import { createHmac } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { runAgenda } from '../kit/agenda.ts'
import { seconds } from '../kit/clock.ts'
import { mustBeLocal } from '../kit/control-route.ts'
import { listenerOf } from '../kit/http.ts'
import { createLog, type Log } from '../kit/log.ts'
import { createOutbox, type Outbox } from '../kit/outbox.ts'
import { post } from '../kit/post.ts'
import { controlProblem, Refusal } from '../kit/refusal.ts'
import { closed, listen, loopback } from '../kit/serve.ts'
import { openStore, type Store } from '../kit/store.ts'
import type { Account, Bank, BankFile, BankOptions, Entry, Letter, Payout, Task, Upload } from './bank.ts'
import { controlRoutes } from './control.ts'
import { pageOf } from './page.ts'

export type RunningBank = {
  /** The same address: a bank of files has no API. */
  readonly apiUrl: string
  readonly controlUrl: string
  readonly seed: number
  close(): Promise<void>
}

export const usualOptions = { retrySeconds: [1, 2, 4, 8, 16, 32, 64] } as const

export async function startBank(options: BankOptions): Promise<RunningBank> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const store = await openStore<Task>(options.dataDir, options.seed)
  const log = createLog()
  const outbox = deliveries(store, log, options)
  const bank: Bank = {
    store,
    log,
    outbox,
    accounts: store.table<Account>('accounts'),
    entries: store.table<Entry>('entries'),
    files: store.table<BankFile>('files'),
    payouts: store.table<Payout>('payouts'),
    uploads: store.table<Upload>('uploads'),
  }
  // Deliveries are its only tasks.
  const stopAgenda = runAgenda<never, Letter>({ eventStore: store, outbox, perform: () => undefined })
  const server = createServer({ keepAliveTimeout: 60_000 })
  server.on('request', listener(bank))
  const url = `http://${loopback}:${await listen(server, options.port)}`
  return {
    apiUrl: url,
    controlUrl: url,
    seed: store.seed,
    close: async () => {
      stopAgenda()
      await Promise.all([outbox.stop(), closed(server)])
      await store.close()
    },
  }
}

function listener(bank: Bank) {
  return listenerOf({
    routes: [...controlRoutes(bank), ...pageOf(bank)],
    around: async (call, work) => {
      mustBeLocal(call)
      return await work()
    },
    failed: (error) =>
      error instanceof Refusal ? error.reply : controlProblem(500, 'internal', String(error)).reply,
    missing: ({ method, path }) => {
      throw controlProblem(404, 'not_found', `No ${method} ${path} here`)
    },
    kept: () => bank.store.kept(),
  })
}

/** Files go one after another, because each statement follows on the one before it. */
function deliveries(store: Store<Task>, log: Log, { retrySeconds }: BankOptions): Outbox<Letter> {
  const accounts = store.table<Account>('accounts')
  const files = store.table<BankFile>('files')
  return createOutbox<Letter>({
    eventStore: store,
    receiverOf: ({ url }) => url,
    atOnce: 1,
    retrySeconds,
    span: (spanSeconds) => spanSeconds * 1000,
    send: ({ iban, url, file }, signal) => {
      const body = files.get(file)?.text ?? ''
      const timestamp = `${seconds()}`
      const key = accounts.get(iban)?.callbackKey ?? ''
      const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')
      const headers = {
        'content-type': 'application/xml',
        'vintem-timestamp': timestamp,
        'vintem-signature': signature,
      }
      return post(url, { headers, body, signal }, (status) =>
        status >= 200 && status < 300 ? undefined : `status ${status}`,
      )
    },
    report: ({ file }, { tried, error, isLast }) => {
      if (error === undefined) log.add('A file was delivered', file)
      else log.add(`Delivery ${tried} failed: ${error}${isLast ? ', given up' : ''}`, file)
    },
  })
}

// The bank as a whole: its store, one server for control calls and the page, and the delivery of files.
import { createHmac } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { runAgenda } from '../kit/agenda.ts'
import { seconds } from '../kit/clock.ts'
import { createLog } from '../kit/log.ts'
import { createOutbox, post, type Outbox } from '../kit/outbox.ts'
import { openServer, running, simulatorListener, type Running } from '../kit/serve.ts'
import { openStore } from '../kit/store.ts'
import { tablesOf, type Bank, type BankOptions, type Letter, type Task } from './bank.ts'
import { controlTable, routesOf } from './control.ts'
import { bankPage } from './page.ts'

export const usualOptions = { retrySeconds: [1, 2, 4, 8, 16, 32, 64] } as const

/** API and control calls have the same address: a bank of files has no API. */
export async function startBank(options: BankOptions): Promise<Running> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const store = await openStore<Task>(options.dataDir, options.seed)
  const made = { ...tablesOf(store), store, log: createLog() }
  const outbox = deliveries(made, options)
  const bank: Bank = { ...made, outbox }
  // Deliveries are its only tasks.
  const stopAgenda = runAgenda<never, Letter>({ eventStore: store, outbox, perform: () => undefined })
  const { url, server } = await openServer(options.port)
  const controls = controlTable(bank)
  server.on(
    'request',
    simulatorListener({ routes: [...routesOf(bank, controls), ...bankPage(bank, controls)], store }),
  )
  return running({ apiUrl: url, store, servers: [server], stopAgenda, outbox })
}

/** Files go one after another, because each statement follows on the one before it. */
function deliveries(
  { store, log, accounts, files }: Omit<Bank, 'outbox'>,
  { retrySeconds }: BankOptions,
): Outbox<Letter> {
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

// The bank as a whole: its event store, its API over mutual TLS, its control port.
import { mkdirSync } from 'node:fs'
import { createServer, type Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { runAgenda } from '../kit/agenda.ts'
import { listenerOf } from '../kit/http.ts'
import { Refusal } from '../kit/refusal.ts'
import { listen, loopback, openServer, running, simulatorListener, type Running } from '../kit/serve.ts'
import { meet } from './access.ts'
import { apiRoutes } from './api-routes.ts'
import { span, type Bank, type BankOptions } from './bank.ts'
import { openAuthority } from './certificates.ts'
import { controlTable, routesOf } from './control.ts'
import { createDispatch } from './dispatch.ts'
import { openEventStore } from './event-store.ts'
import type { BankTask } from './events.ts'
import { spoil } from './faults.ts'
import { bankPage } from './page.ts'
import { problem } from './problem.ts'
import { perform } from './tasks.ts'

/** A bank that is down sends nothing; it checks again after this time. */
const downMs = 200

export const usualOptions = {
  magic: true,
  speed: 1,
  tokenSeconds: 300,
  capital: '1000000.00',
  // Names under localhost are this machine (RFC 6761).
  locationHost: 'pix.localhost',
} as const

export async function startBank(options: BankOptions): Promise<Running> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const authority = openAuthority(join(options.dataDir, 'certificates'))
  const eventStore = await openEventStore(options.dataDir, options.seed)
  const dispatch = createDispatch({ eventStore, authority, span: (seconds) => span(options, seconds) })
  const identity = authority.server([loopback, 'localhost', '::1', options.locationHost])
  const api = createServer({
    key: identity.privateKey,
    cert: identity.certificate,
    ca: authority.ca,
    minVersion: 'TLSv1.2',
    // Every connection is asked for a certificate; only public routes answer a call without one.
    requestCert: true,
    rejectUnauthorized: false,
    keepAliveTimeout: 60_000,
  })
  const port = await listen(api, options.port)
  const passing: Bank['passing'] = {
    tokens: new Map(),
    tokenSeconds: options.tokenSeconds,
    down: false,
    faults: [],
    refused: new Map(),
    lookups: new Map(),
  }
  const bank: Bank = { options, eventStore, authority, dispatch, passing }
  api.on('secureConnection', meet)
  api.on('request', apiListener(bank))
  const { url: controlUrl, server: control } = await openServer(options.controlPort)
  const controls = controlTable(bank, obeyDown(api, bank))
  const routes = [...routesOf(bank, controls), ...bankPage(bank, controls)]
  control.on('request', simulatorListener({ routes, store: eventStore }))
  const stopAgenda = runAgenda({
    eventStore,
    outbox: dispatch,
    perform: (task: BankTask) => perform(bank, task),
    pauseMs: () => (passing.down ? downMs : undefined),
  })
  const apiUrl = `https://${loopback}:${port}`
  const servers = [api, control]
  return running({ apiUrl, controlUrl, store: eventStore, servers, stopAgenda, outbox: dispatch })
}

function apiListener(bank: Bank) {
  return listenerOf({
    routes: apiRoutes(bank),
    around: (call, work) => spoil(bank, call, work),
    failed: (error) =>
      error instanceof Refusal ? error.reply : problem('ErroInternoDoServidor', String(error)).reply,
    missing: ({ path }) => problem('NaoEncontrado', `Nada se encontra em ${path}.`).reply,
    kept: () => bank.eventStore.kept(),
  })
}

/** While the bank is down, new connections are cut, and so are those that were open when it went down. */
function obeyDown(api: HttpsServer, bank: Bank): (down: boolean) => void {
  const open = new Set<Socket>()
  api.on('connection', (socket: Socket) => {
    if (bank.passing.down) return void socket.destroy()
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  return (down) => {
    bank.passing.down = down
    if (down) for (const socket of open) socket.destroy()
  }
}

// The sandbox's acquirer: the card provider's simulator as a child of this process, and the connection that points at it.
import path from 'node:path'
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import {
  addConnection,
  replaceConnection,
  type ConnectionKeys,
  type OpenConnectionBook,
} from '#/merchants/connections.ts'
import { cardProvider } from '#/rails/acquirer/settings.ts'
import { controlOf, type ControlCall } from './control-call.ts'
import { startSimulator, type SimulatorPlace } from './simulator.ts'

export type CardAcquirer = {
  /** Of its API and its pages. */
  readonly apiUrl: string
  readonly controlUrl: string
  /** One call of its own remote control. 503 while it is away. */
  readonly control: ControlCall
  stop(): Promise<void>
}

/** Starts the acquirer: its API, its pages and its remote control on `port`. Throws a StartError. */
export async function startAcquirer({ dataDir, port, log, signal }: SimulatorPlace): Promise<CardAcquirer> {
  const folder = path.join(dataDir, 'simulators', 'acquirer')
  const args = ['--port', String(port), '--data-dir', folder]
  const { stop } = await startSimulator({ name: 'acquirer', args, folder, ports: [port], log, signal })
  const url = `http://127.0.0.1:${port}`
  return { apiUrl: url, controlUrl: url, control: controlOf('acquirer', url), stop }
}

export type ConnectAcquirerDeps = {
  readonly sql: Sql
  readonly cell: string
  readonly keys: Required<ConnectionKeys>
  readonly connections: OpenConnectionBook
  /** Where our API is: callbacks come to it. */
  readonly apiUrl: string
  readonly log: Log
}

/**
 * Points the sandbox's shared connection at the acquirer, making it at the first start, and tells the acquirer where
 * callbacks go. One that forgot us (its data was removed) gets us as a new account at the same connection.
 */
export async function connectAcquirer(
  acquirer: CardAcquirer,
  deps: ConnectAcquirerDeps,
): Promise<ConnectionId> {
  const { connections, apiUrl, log } = deps
  const known = connections
    .all('CREDIT_CARD')
    .find((each) => each.mode === 'SANDBOX' && each.merchantId === undefined)
  const callbackOf = (id: ConnectionId) => `${apiUrl}/callbacks/credit-card/${id}`
  if (known?.refundSecrets !== undefined) {
    const { id, secrets, refundSecrets } = known
    const settings = { ...known.settings, ...urlsOf(acquirer) }
    await replaceConnection(deps, id, { settings, secrets, refundSecrets })
    await connections.refresh()
    if (await tellCallback(acquirer, settings, callbackOf(id))) return id
    log.info({ connection: id }, 'the sandbox acquirer does not know us any more')
  }
  const account = await openAccount(acquirer)
  if (known !== undefined) await replaceConnection(deps, known.id, account)
  const added = { mode: 'SANDBOX', method: 'CREDIT_CARD', provider: cardProvider, ...account } as const
  const id = known?.id ?? (await addConnection(deps, added))
  await connections.refresh()
  await tellCallback(acquirer, account.settings, callbackOf(id))
  return id
}

const currencies = ['BRL', 'EUR']

/** Two keys of one account: one takes money in, the other gives it back. */
async function openAccount(acquirer: CardAcquirer) {
  const wish = { name: 'Vintem', currencies }
  const made = (await acquirer.control('POST', '/_sim/accounts', wish)) as Readonly<
    Record<'accountId' | 'secretKey' | 'refundKey' | 'publishableKey' | 'webhookSecret', string>
  >
  const { accountId, secretKey, refundKey, publishableKey, webhookSecret } = made
  return {
    settings: { ...urlsOf(acquirer), accountId, publishableKey, currencies, presentation: 'frame' },
    secrets: { secretKey, webhookSecrets: [webhookSecret] },
    refundSecrets: { secretKey: refundKey },
  }
}

function urlsOf({ apiUrl }: CardAcquirer) {
  return { apiUrl, scriptUrl: `${apiUrl}/endive/stripe.js`, origins: [apiUrl] }
}

/** Whether it knows the account that it is told about. */
async function tellCallback(
  { control }: CardAcquirer,
  { accountId }: Readonly<Record<string, unknown>>,
  url: string,
): Promise<boolean> {
  try {
    await control('POST', `/_sim/accounts/${String(accountId)}/webhook`, { url })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_state') return false
    throw error
  }
}

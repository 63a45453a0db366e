// The sandbox's wallet app: the simulator as a child of this process, and the connection that points at it.
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
import { partnerPayProvider } from '#/rails/partner-pay/settings.ts'
import { controlOf, type ControlCall } from './control-call.ts'
import { startSimulator, type SimulatorPlace } from './simulator.ts'

export type PartnerWallet = {
  /** Of its API and its pages. */
  readonly apiUrl: string
  readonly controlUrl: string
  /** One call of its own remote control. 503 while it is away. */
  readonly control: ControlCall
  stop(): Promise<void>
}

/** Starts the wallet app: its API, its pages and its remote control on `port`. Throws a StartError. */
export async function startPartnerWallet({
  dataDir,
  port,
  log,
  signal,
}: SimulatorPlace): Promise<PartnerWallet> {
  const folder = path.join(dataDir, 'simulators', 'partner-wallet')
  const args = ['--port', String(port), '--data-dir', folder]
  const { stop } = await startSimulator({ name: 'partner-wallet', args, folder, ports: [port], log, signal })
  const url = `http://127.0.0.1:${port}`
  return { apiUrl: url, controlUrl: url, control: controlOf('wallet app', url), stop }
}

export type ConnectPartnerWalletDeps = {
  readonly sql: Sql
  readonly cell: string
  readonly keys: Required<ConnectionKeys>
  readonly connections: OpenConnectionBook
  /** Where our API is: callbacks come to it. */
  readonly apiUrl: string
  readonly log: Log
}

/**
 * Points the sandbox's shared connection at the wallet app, making it at the first start, and tells the wallet app where
 * callbacks go. One that forgot us (its data was removed) gets us as a new merchant at the same connection.
 */
export async function connectPartnerWallet(
  wallet: PartnerWallet,
  deps: ConnectPartnerWalletDeps,
): Promise<ConnectionId> {
  const { connections, apiUrl, log } = deps
  const known = connections
    .all('PARTNER_PAY')
    .find((each) => each.mode === 'SANDBOX' && each.merchantId === undefined)
  const callbackOf = (id: ConnectionId) => `${apiUrl}/callbacks/partner-pay/${id}`
  const settings = { apiUrl: wallet.apiUrl }
  if (known?.refundSecrets !== undefined) {
    const { id, secrets, refundSecrets } = known
    await replaceConnection(deps, id, {
      settings: { ...known.settings, ...settings },
      secrets,
      refundSecrets,
    })
    await connections.refresh()
    if (await tellCallback(wallet, secrets, callbackOf(id))) return id
    log.info({ connection: id }, 'the sandbox wallet app does not know us any more')
  }
  const account = { settings, ...(await becomeMerchant(wallet)) }
  if (known !== undefined) await replaceConnection(deps, known.id, account)
  const added = { mode: 'SANDBOX', method: 'PARTNER_PAY', provider: partnerPayProvider, ...account } as const
  const id = known?.id ?? (await addConnection(deps, added))
  await connections.refresh()
  await tellCallback(wallet, account.secrets, callbackOf(id))
  return id
}

/** Two keys of one merchant: one takes money in, the other gives it back. */
async function becomeMerchant({ control }: PartnerWallet) {
  const keyOf = async (wish: Readonly<Record<string, unknown>>) => {
    const made = (await control('POST', '/_sim/merchants', wish)) as { apiKey: string; apiSecret: string }
    return { apiKey: made.apiKey, apiSecret: made.apiSecret }
  }
  const secrets = await keyOf({ name: 'Vintem', permissions: ['orders'] })
  const refundSecrets = await keyOf({ of: secrets.apiKey, permissions: ['refunds'] })
  return { secrets, refundSecrets }
}

/** Whether it knows the merchant that it is told about. */
async function tellCallback(
  { control }: PartnerWallet,
  { apiKey }: Readonly<Record<string, unknown>>,
  url: string,
): Promise<boolean> {
  try {
    await control('POST', `/_sim/merchants/${String(apiKey)}/webhook`, { url })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_state') return false
    throw error
  }
}

// The sandbox's bank: the PIX simulator as a child of this process, and the connection that points at it.
import path from 'node:path'
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { toDecimal } from '#/kernel/money.ts'
import {
  addConnection,
  replaceConnection,
  type ConnectionKeys,
  type OpenConnectionBook,
} from '#/merchants/connections.ts'
import { payoutMethod } from '#/rails/pix/payout.ts'
import type { Rail } from '#/rails/rail.ts'
import { controlOf, type ControlCall } from './control-call.ts'
import { startSimulator, type SimulatorPlace } from './simulator.ts'

export type Bank = {
  readonly apiUrl: string
  readonly controlUrl: string
  /** One call of the bank's own remote control. 503 while the bank is away. */
  readonly control: ControlCall
  /** What our callback server shows the bank. */
  serverCertificate(): Promise<{ readonly certificate: string; readonly privateKey: string }>
  stop(): Promise<void>
}

/** Centavos of the operator in the sandbox's account: what was earned by card can leave by PIX. */
const ownFunds = 100_000_000

/** Starts the bank: its API Pix on `port`, and its remote control on the next one. Throws a StartError. */
export async function startBank({ dataDir, port, log, signal }: SimulatorPlace): Promise<Bank> {
  const folder = path.join(dataDir, 'simulators', 'pix-bank')
  const ports = [port, port + 1]
  const places = ['--port', String(port), '--control-port', String(port + 1), '--data-dir', folder]
  const args = [...places, '--capital', toDecimal({ minor: BigInt(ownFunds), currency: 'BRL' })]
  const { stop } = await startSimulator({ name: 'pix-bank', args, folder, ports, log, signal })
  const controlUrl = `http://127.0.0.1:${port + 1}`
  const control = controlOf('bank', controlUrl)
  return {
    apiUrl: `https://127.0.0.1:${port}`,
    controlUrl,
    control,
    serverCertificate: async () =>
      (await control('POST', '/_sim/server-certificates', {
        hosts: ['127.0.0.1', 'localhost'],
      })) as { certificate: string; privateKey: string },
    stop,
  }
}

export type ConnectBankDeps = {
  readonly sql: Sql
  readonly cell: string
  readonly keys: Required<ConnectionKeys>
  readonly connections: OpenConnectionBook
  readonly rail: Rail
  readonly callbackUrl: string
  readonly log: Log
}

/**
 * Points the sandbox's PIX connections at the bank, making them at the first start, and tells the bank where callbacks go.
 * A bank that forgot us (its data was removed) gets us as a new customer. Answers the connection that takes money in.
 */
export async function connectBank(bank: Bank, deps: ConnectBankDeps): Promise<ConnectionId> {
  const id = await connectCollection(bank, deps)
  await connectPayouts(bank, deps, id)
  return id
}

async function connectCollection(bank: Bank, deps: ConnectBankDeps): Promise<ConnectionId> {
  const known = sharedOf(deps, 'PIX')
  if (known !== undefined) {
    const { settings, secrets, refundSecrets } = known
    const moved = { ...settings, ...urlsOf(bank) }
    await replaceConnection(deps, known.id, {
      settings: moved,
      secrets,
      ...(refundSecrets === undefined ? {} : { refundSecrets }),
    })
    await deps.connections.refresh()
    const isWelcome = await register(deps, known.id).then(
      () => true,
      (error: unknown) => {
        deps.log.info({ error: messageOf(error) }, 'the sandbox bank does not know us any more')
        return false
      },
    )
    if (isWelcome) return known.id
  }
  // By the same key: should the bank know us after all, what was charged before is still ours.
  const account = await openAccount(bank, known?.settings['pixKey'])
  if (known !== undefined) await replaceConnection(deps, known.id, account)
  const id =
    known?.id ??
    (await addConnection(deps, { mode: 'SANDBOX', method: 'PIX', provider: 'bacen', ...account }))
  await deps.connections.refresh()
  await register(deps, id)
  return id
}

/** The connection that sends, from the account that the other one takes money in for. */
async function connectPayouts(bank: Bank, deps: ConnectBankDeps, account: ConnectionId): Promise<void> {
  const { pixKey, ca } = must(deps.connections.find(account), 'the account is connected').settings
  const known = sharedOf(deps, payoutMethod)
  const isKnown = known?.refundSecrets !== undefined && known.settings['pixKey'] === pixKey
  const connection = {
    settings: { ...urlsOf(bank), baseUrl: bank.apiUrl, pixKey, ca, account, ownFunds: { BRL: ownFunds } },
    secrets: {},
    refundSecrets: isKnown
      ? known.refundSecrets
      : secretsOf(await apply(bank, { name: 'vintem payouts', scopes: payoutScopes, pixKey })),
  }
  if (known !== undefined) await replaceConnection(deps, known.id, connection)
  // The bank speaks Efí's payout API; the standard has none.
  else await addConnection(deps, { mode: 'SANDBOX', method: payoutMethod, provider: 'efi', ...connection })
  await deps.connections.refresh()
}

function sharedOf({ connections }: ConnectBankDeps, method: string) {
  return connections.all(method).find((each) => each.mode === 'SANDBOX' && each.merchantId === undefined)
}

async function register({ rail, callbackUrl }: ConnectBankDeps, id: ConnectionId): Promise<void> {
  if (rail.callbacks?.by === 'CERTIFICATE')
    await rail.callbacks.register(id, `${callbackUrl}/callbacks/pix/${id}`)
}

type Application = {
  readonly clientId: string
  readonly clientSecret: string
  readonly certificate: string
  readonly privateKey: string
  readonly ca: string
  readonly pixKey: string
  readonly receiver: { readonly name: string; readonly city: string }
}

/** Two applications of one account: one takes money in, the other gives it back. A third one sends. */
async function openAccount(bank: Bank, pixKey: unknown) {
  const own = typeof pixKey === 'string' ? { pixKey } : {}
  const collect = await apply(bank, { name: 'vintem collection', scopes: collectScopes, ...own })
  const refund = await apply(bank, { name: 'vintem refunds', scopes: refundScopes, pixKey: collect.pixKey })
  return {
    settings: {
      ...urlsOf(bank),
      pixKey: collect.pixKey,
      receiverName: collect.receiver.name,
      receiverCity: collect.receiver.city,
      ca: collect.ca,
    },
    secrets: secretsOf(collect),
    refundSecrets: secretsOf(refund),
  }
}

const collectScopes = ['cob.write', 'cob.read', 'pix.read', 'webhook.write', 'webhook.read']
const refundScopes = ['pix.write', 'pix.read']
const payoutScopes = ['pix.send', 'gn.balance.read']

async function apply(bank: Bank, wish: Readonly<Record<string, unknown>>): Promise<Application> {
  return (await bank.control('POST', '/_sim/applications', wish)) as Application
}

function urlsOf({ apiUrl }: Bank) {
  return { baseUrl: `${apiUrl}/v2`, tokenUrl: `${apiUrl}/oauth/token` }
}

function secretsOf({ clientId, clientSecret, certificate, privateKey }: Application) {
  return { clientId, clientSecret, certificate, privateKey }
}

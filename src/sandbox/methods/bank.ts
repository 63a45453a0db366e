// The sandbox's bank: the PIX simulator, and the connections that point at it.
import type { Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { toDecimal } from '#/kernel/money.ts'
import { addConnection, replaceConnection } from '#/merchants/connections.ts'
import { payoutMethod } from '#/rails/pix/payout.ts'
import { certifiedOf } from '#/rails/rail.ts'
import {
  accountName,
  connectAccount,
  findConnection,
  startProvider,
  type ConnectDeps,
  type Customer,
  type RunningProvider,
  type SandboxProvider,
  type ServerCertificate,
} from './provider.ts'

const name = 'bank'
const method = 'PIX'

/** Centavos of the operator in the sandbox's account, so that money earned by card can leave by PIX. */
const ownFunds = 100_000_000

export const bank: SandboxProvider = {
  name,
  key: 'pixBank',
  portOffset: 10,
  welcome: {
    link: { words: 'Bank', about: 'where PIX is paid' },
    payment: {
      title: 'Take one by PIX',
      about: 'Of 49.90 BRL: the code to pay is in the answer. Pay it with call 2, or by hand on',
      pageWords: 'the bank’s page',
      terms: [`"amount": 4990, "currency": "BRL",`, `"paymentMethods": ["PIX"],`],
    },
  },
  /** Its API Pix is on the first port, and its remote control on the next one. */
  start(place) {
    const controlPort = place.port + 1
    const capital = toDecimal({ minor: BigInt(ownFunds), currency: 'BRL' })
    return startProvider(place, {
      name,
      program: 'pix-bank',
      apiUrl: `https://127.0.0.1:${place.port}`,
      controlPort,
      args: ['--control-port', String(controlPort), '--capital', capital],
    })
  },
  async connect(running, deps) {
    const id = await connectCollection(running, deps)
    await connectPayouts(running, deps, id)
    return id
  },
  async serverCertificate({ control }, host) {
    const hosts = [...new Set(['127.0.0.1', 'localhost', host])]
    return (await control('POST', '/_sim/server-certificates', { hosts })) as ServerCertificate
  },
}

async function connectCollection(running: RunningProvider, deps: ConnectDeps): Promise<ConnectionId> {
  const callbacks = must(certifiedOf(deps.rails.get(method)), 'a bank calls with its certificate')
  let opened: Opened | undefined
  return connectAccount(deps, {
    name,
    method,
    provider: 'bacen',
    urls: urlsOf(running),
    // With the same PIX key: if the bank still knows us, earlier charges stay ours.
    async enrol(earlier) {
      opened = await openAccount(running, accountName(deps), earlier?.['pixKey'])
      return opened.customer
    },
    // In one transaction with the other connection, so that a process which knows one connection of a new account knows both.
    also: (tx, account) =>
      writePayouts({ ...deps, sql: tx }, running, {
        account,
        settings: must(opened, 'it was opened').customer.settings,
        refundSecrets: must(opened, 'it was opened').sending,
      }),
    register: (id) => callbacks.register(id, `${deps.callbackUrl}/callbacks/pix/${id}`),
    // A bank whose data was removed has another authority: TLS fails before the bank can answer that it does not know us.
    isForgotten: () => true,
  })
}

/** Points the connection that sends money at the bank. An older account, which could not send, gets such a connection now. */
async function connectPayouts(
  running: RunningProvider,
  deps: ConnectDeps,
  account: ConnectionId,
): Promise<void> {
  const { settings } = must(deps.connections.find(account), 'the account is connected')
  const existing = findConnection(deps, payoutMethod)
  const keepsSecrets =
    existing?.refundSecrets !== undefined && existing.settings['pixKey'] === settings['pixKey']
  const refundSecrets = keepsSecrets
    ? existing.refundSecrets
    : secretsOf(await applyToSend(running, settings['pixKey']))
  await writePayouts(deps, running, { account, settings, refundSecrets })
  await deps.connections.refresh()
}

type Payouts = {
  /** The connection that collects money in the account. */
  readonly account: ConnectionId
  readonly settings: Readonly<Record<string, unknown>>
  readonly refundSecrets: Readonly<Record<string, unknown>>
}

/** Writes the connection that sends money, from the account in which the other connection collects it. */
async function writePayouts(
  deps: Omit<ConnectDeps, 'sql'> & { readonly sql: Tx },
  running: RunningProvider,
  { account, settings: { pixKey, ca }, refundSecrets }: Payouts,
): Promise<void> {
  const existing = findConnection(deps, payoutMethod)
  const connection = {
    settings: {
      ...urlsOf(running),
      baseUrl: running.apiUrl,
      pixKey,
      ca,
      account,
      ownFunds: { BRL: ownFunds },
    },
    secrets: {},
    refundSecrets,
  }
  if (existing !== undefined) return replaceConnection(deps, existing.id, connection)
  const owner = deps.owner === undefined ? {} : { merchantId: deps.owner.merchantId }
  // The bank speaks Efí's payout API; the standard has none.
  const added = { mode: 'SANDBOX', method: payoutMethod, provider: 'efi', ...owner, ...connection } as const
  await addConnection(deps, added)
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

type Opened = {
  readonly customer: Customer
  /** The credentials of the application that sends. */
  readonly sending: Readonly<Record<string, unknown>>
}

/** Three applications of one account: one collects money, one refunds it, and one sends payouts. */
async function openAccount(running: RunningProvider, holder: string, pixKey: unknown): Promise<Opened> {
  const sameKey = typeof pixKey === 'string' ? { pixKey } : {}
  const first = { name: holder, scopes: collectScopes, ...sameKey }
  const collect = await apply(running, first)
  const refund = await apply(running, {
    name: 'vintem refunds',
    scopes: refundScopes,
    pixKey: collect.pixKey,
  })
  return {
    customer: {
      settings: {
        ...urlsOf(running),
        pixKey: collect.pixKey,
        receiverName: collect.receiver.name,
        receiverCity: collect.receiver.city,
        ca: collect.ca,
      },
      secrets: secretsOf(collect),
      refundSecrets: secretsOf(refund),
    },
    sending: secretsOf(await applyToSend(running, collect.pixKey)),
  }
}

function applyToSend(running: RunningProvider, pixKey: unknown): Promise<Application> {
  return apply(running, { name: 'vintem payouts', scopes: payoutScopes, pixKey })
}

const collectScopes = ['cob.write', 'cob.read', 'pix.read', 'webhook.write', 'webhook.read']
const refundScopes = ['pix.write', 'pix.read']
const payoutScopes = ['pix.send', 'gn.balance.read']

async function apply(
  { control }: RunningProvider,
  request: Readonly<Record<string, unknown>>,
): Promise<Application> {
  return (await control('POST', '/_sim/applications', request)) as Application
}

function urlsOf({ apiUrl }: RunningProvider) {
  return { baseUrl: `${apiUrl}/v2`, tokenUrl: `${apiUrl}/oauth/token` }
}

function secretsOf({ clientId, clientSecret, certificate, privateKey }: Application) {
  return { clientId, clientSecret, certificate, privateKey }
}

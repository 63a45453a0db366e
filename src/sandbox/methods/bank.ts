// The sandbox's bank: the PIX simulator, and the connections that point at it.
import { certifiedOf } from '#/rails/rail.ts'
import { must } from '#/kernel/check.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { toDecimal } from '#/kernel/money.ts'
import { addConnection, replaceConnection } from '#/merchants/connections.ts'
import { payoutMethod } from '#/rails/pix/payout.ts'
import {
  connectShared,
  findShared,
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
  async serverCertificate({ control }) {
    const hosts = ['127.0.0.1', 'localhost']
    return (await control('POST', '/_sim/server-certificates', { hosts })) as ServerCertificate
  },
}

async function connectCollection(running: RunningProvider, deps: ConnectDeps): Promise<ConnectionId> {
  const callbacks = must(certifiedOf(deps.rails.get(method)), 'a bank calls with its certificate')
  return connectShared(deps, {
    name,
    method,
    provider: 'bacen',
    urls: urlsOf(running),
    // With the same PIX key: if the bank still knows us, earlier charges stay ours.
    enrol: (earlier) => openAccount(running, earlier?.['pixKey']),
    register: (id) => callbacks.register(id, `${deps.callbackUrl}/callbacks/pix/${id}`),
    // A bank whose data was removed has another authority: TLS fails before the bank can answer that it does not know us.
    isForgotten: () => true,
  })
}

/** The connection that sends money, from the account in which the other connection collects it. */
async function connectPayouts(
  running: RunningProvider,
  deps: ConnectDeps,
  account: ConnectionId,
): Promise<void> {
  const { pixKey, ca } = must(deps.connections.find(account), 'the account is connected').settings
  const existing = findShared(deps.connections, payoutMethod)
  const keepsSecrets = existing?.refundSecrets !== undefined && existing.settings['pixKey'] === pixKey
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
    refundSecrets: keepsSecrets
      ? existing.refundSecrets
      : secretsOf(await apply(running, { name: 'vintem payouts', scopes: payoutScopes, pixKey })),
  }
  if (existing !== undefined) await replaceConnection(deps, existing.id, connection)
  // The bank speaks Efí's payout API; the standard has none.
  else await addConnection(deps, { mode: 'SANDBOX', method: payoutMethod, provider: 'efi', ...connection })
  await deps.connections.refresh()
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

/** Two applications of one account: one collects money, the other refunds it. A third one sends payouts. */
async function openAccount(running: RunningProvider, pixKey: unknown): Promise<Customer> {
  const sameKey = typeof pixKey === 'string' ? { pixKey } : {}
  const collect = await apply(running, { name: 'vintem collection', scopes: collectScopes, ...sameKey })
  const refund = await apply(running, {
    name: 'vintem refunds',
    scopes: refundScopes,
    pixKey: collect.pixKey,
  })
  return {
    settings: {
      ...urlsOf(running),
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

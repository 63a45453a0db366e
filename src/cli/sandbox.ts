// The sandbox of `start`: a merchant, a chain, and simulated providers behind the same wires as live ones.
import { type Core, peopleDeps } from '#/app/core.ts'
import type { Simulator } from '#/app/pages.ts'
import type { openServer } from '#/app/server.ts'
import { mainToken } from '#/coins/chain.ts'
import type { Config } from '#/config.ts'
import { toChecksum } from '#/evm/address.ts'
import { createRpc } from '#/evm/client.ts'
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { deriveKey } from '#/kernel/secret.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { createAuthenticator } from '#/merchants/authenticator.ts'
import { connectionKeys } from '#/merchants/connections.ts'
import { selectPayments } from '#/payments/queries.ts'
import { isLost } from '#/rails/crypto/rebuild.ts'
import type { Turns } from '#/rails/crypto/sandbox.ts'
import type { SandboxChain } from '#/sandbox/chain-process.ts'
import { standingOf, type ChainStanding } from '#/sandbox/chain-standing.ts'
import { prepareSandboxChain, type ReadyChain, type SandboxChainDeps } from '#/sandbox/chain.ts'
import { connectOwner, createPayers, type RunningProviders } from '#/sandbox/methods/all.ts'
import type { ConnectDeps, ServerCertificate } from '#/sandbox/methods/provider.ts'
import { createSandboxPayer, type SandboxPayer } from '#/sandbox/pay.ts'
import { openSandboxPerson } from '#/sandbox/person.ts'
import { provisionMerchant, type SandboxFile, type SandboxMerchant } from '#/sandbox/provision.ts'
import { ownersInUse } from '#/sandbox/sandboxes.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { openCallbacks } from './callbacks.ts'
import { watchDeps } from './chain-parts.ts'
import { decorateSandbox } from './decorate.ts'
import type { Keys } from './keys.ts'
import { allOf, type Closer } from './run.ts'
import type { Outside } from './sandbox-outside.ts'
import { openSandboxWallets } from './sandbox-wallets.ts'

export type Sandbox = {
  readonly file: SandboxFile
  readonly providers: RunningProviders
  readonly payer: SandboxPayer
  readonly simulator: Simulator
  /** Whether payments by CRYPTO work. */
  readonly chainStanding: ChainStanding
  readonly decorate: NonNullable<Parameters<typeof openServer>[1]['decorate']>
}

/** The sandbox's merchant, and its chain prepared. */
export async function openSandbox(
  core: Core,
  { node, providers }: Outside,
  terminal: Terminal,
  closer: Closer,
): Promise<Sandbox> {
  const [merchant, chain] = await allOf(() => [openMerchant(core), openChain(core, node, terminal, closer)])
  const person = await openSandboxPerson(peopleDeps(core), {
    merchantId: merchant.merchantId as MerchantId,
    origin: new URL(core.config.VINTEM_DASHBOARD_URL).origin,
  })
  const dashboard = { url: core.config.VINTEM_DASHBOARD_URL, ...person }
  const file = { ...fileOf(core.config, merchant, chain, providers), dashboard }
  const payer = openPayer(core, chain, providers)
  return {
    file,
    providers,
    payer,
    simulator: { pay: payer.pay },
    chainStanding: chain.standing,
    decorate: (server) => decorateSandbox(server, core, file),
  }
}

/** Connects all sandboxes to their providers, and registers the callback URLs there. */
export async function connectProviders(
  core: Core,
  closer: Closer,
  providers: RunningProviders,
  keys: Required<Keys>,
): Promise<void> {
  const deps = connectDeps(core, keys)
  await openCallbacks(core, closer, () => serverCertificateOf(providers, core.config.VINTEM_CALLBACK_URL))
  await Promise.all([...providers].map(([provider, running]) => provider.connect(running, deps)))
  for (const owner of await ownersInUse(core.sql))
    // A sandbox that cannot be connected must not keep the others from starting.
    await connectOwner(providers, { ...deps, owner }).catch((error: unknown) =>
      core.log.error({ sandbox: owner.merchantId, error: messageOf(error) }, 'a sandbox is not connected'),
    )
}

/** What connecting accounts at providers needs of the rest. */
export function connectDeps(
  { sql, connections, rails, config, log }: Core,
  { masterKey, workerKey }: Required<Keys>,
): ConnectDeps {
  return {
    sql,
    cell: config.VINTEM_CELL,
    keys: connectionKeys(masterKey, workerKey),
    connections,
    rails,
    apiUrl: config.VINTEM_API_URL,
    callbackUrl: config.VINTEM_CALLBACK_URL,
    log,
  }
}

/** The certificate of the provider that calls with client certificates: it trusts what it issued. */
async function serverCertificateOf(
  providers: RunningProviders,
  callbackUrl: string,
): Promise<ServerCertificate | undefined> {
  const host = URL.parse(callbackUrl)?.hostname.replaceAll(/^\[|\]$/g, '') ?? 'localhost'
  for (const [{ serverCertificate }, running] of providers)
    if (serverCertificate !== undefined) return serverCertificate(running, host)
  return undefined
}

function openPayer(
  core: Core,
  { rpc, ready, whileStill }: OpenChain,
  providers: RunningProviders,
): SandboxPayer {
  const { sql, pageOpener } = core
  const { openPage, openChosen } = pageOpener
  const expire = (merchantId: MerchantId, paymentId: PaymentId) => expireNow(core, merchantId, paymentId)
  const find = async (merchantId: MerchantId, paymentId: PaymentId) =>
    (await selectPayments(sql, [{ merchantId, paymentId }]))[0]
  return createSandboxPayer({
    // The buyer fields that a template may require are not needed to pay.
    choose: (payment, method) => openChosen(payment, { method }, {}),
    payers: createPayers({ sql, find, expire, openPage, rpc, ready, whileStill }, providers),
    find,
    expire,
  })
}

/** Returns whether it is expired. */
async function expireNow(
  { lane, endKind }: Core,
  merchantId: MerchantId,
  paymentId: PaymentId,
): Promise<boolean> {
  const { kind } = await lane.submit(endKind, { merchantId, paymentId, event: 'expired', early: true })
  return kind === 'closed' || kind === 'already'
}

async function openMerchant(core: Core): Promise<SandboxMerchant> {
  const { config, sql, clock, log, masterKey } = core
  const pepper = deriveKey(masterKey, 'api keys')
  const authenticator = createAuthenticator({ sql, pepper, log })
  try {
    return await provisionMerchant({
      sql,
      clock,
      pepper,
      cell: config.VINTEM_CELL,
      sealKey: deriveKey(masterKey, 'webhook secrets'),
      dataDir: config.dataDir,
      openWallets: openStartingWallets,
      authenticate: authenticator.authenticate,
    })
  } finally {
    await authenticator.close()
  }
}

type OpenChain = {
  readonly rpcUrl: string
  readonly rpc: ReturnType<typeof createRpc>
  readonly ready: () => ReadyChain
  readonly whileStill: Turns
  readonly standing: ChainStanding
}

async function openChain(
  core: Core,
  node: SandboxChain,
  terminal: Terminal,
  closer: Closer,
): Promise<OpenChain> {
  const { config, log } = core
  const rpc = createRpc(node.rpcUrl, { timeoutMs: 5_000 })
  closer.add('chain client', async () => rpc.close())
  let ready: ReadyChain | undefined
  let preparing: Promise<void> | undefined
  const deps: Omit<SandboxChainDeps, 'keep'> = {
    sql: core.sql,
    clock: core.clock,
    log,
    rpc,
    cell: config.VINTEM_CELL,
    announce: (text) => terminal.out(`  ${text}`),
  }
  // One run at a time, for the first that detects a new chain: its process or its watcher.
  const prepare = () =>
    (preparing ??= prepareSandboxChain({ ...deps, keep: watchDeps(core).keep })
      .then((prepared) => {
        ready ??= prepared
      })
      .finally(() => {
        preparing = undefined
      }))
  await prepare()
  node.onReplaced(() => {
    prepare().catch((error: unknown) => log.warn({ error }, 'the sandbox chain is not ready again yet'))
  })
  const prepared = must(ready, 'the chain was prepared')
  const wallets = await openSandboxWallets(core, prepared, rpc, closer)
  core.chains.push({
    chain: prepared.chain,
    rpc,
    pollMs: 300,
    wallets,
    onViolation: prepare,
    isLost: () => isLost(core, prepared.chain.key, rpc),
  })
  const standing = await standingOf(core.sql, rpc, prepared.chain.key)
  return { rpcUrl: node.rpcUrl, rpc, ready: () => prepared, whileStill: node.whileStill, standing }
}

function fileOf(
  config: Config,
  merchant: SandboxMerchant,
  chain: OpenChain,
  providers: RunningProviders,
): Omit<SandboxFile, 'dashboard'> {
  const { chain: settings, accounts } = chain.ready()
  return {
    apiUrl: config.VINTEM_API_URL,
    checkoutBaseUrl: config.VINTEM_CHECKOUT_URL,
    partnerCheckoutBaseUrl: config.VINTEM_PARTNER_CHECKOUT_URL,
    ...merchant,
    chain: {
      rpcUrl: chain.rpcUrl,
      chainId: Number(settings.chainId),
      usdt: toChecksum(mainToken(settings).address),
      treasury: toChecksum(settings.treasury),
      faucet: toChecksum(accounts.faucet),
    },
    simulators: Object.fromEntries(
      [...providers].map(([{ key }, { apiUrl, controlUrl }]) => [key, { apiUrl, controlUrl }]),
    ) as SandboxFile['simulators'],
  }
}

// `start`: everything in one process, with the database and the sandbox's chain as its children.
import { mkdir } from 'node:fs/promises'
import { openCore, openServer, workerParts, type Core, type Part } from '#/app.ts'
import type { Config } from '#/config.ts'
import { startEmbeddedPostgres } from '#/db/embedded.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { createLog, type Log } from '#/kernel/log.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { monotonicMs } from '#/kernel/time.ts'
import { createAuthenticator } from '#/merchants/authenticator.ts'
import { selectPayments } from '#/payments/queries.ts'
import { toChecksum } from '#/rails/crypto/address.ts'
import { createRpc } from '#/rails/crypto/client.ts'
import type { Method } from '#/rails/rail.ts'
import { prepareSandboxChain, type ReadyChain, type SandboxChainDeps } from '#/sandbox/chain.ts'
import { startSandboxChain } from '#/sandbox/chain-process.ts'
import { startBank, type Bank } from '#/sandbox/bank.ts'
import { createCryptoPayer } from '#/sandbox/pay-crypto.ts'
import { createPixPayer } from '#/sandbox/pay-pix.ts'
import { createSandboxPayer, type MethodPayer, type SandboxPayer } from '#/sandbox/pay.ts'
import { must } from '#/kernel/check.ts'
import {
  provisionMerchant,
  removeSandboxFile,
  writeSandboxFile,
  type SandboxFile,
  type SandboxMerchant,
} from '#/sandbox/provision.ts'
import type { Terminal } from '#/sandbox/terminal.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { openCallbacks, openSandboxCallbacks } from './callbacks.ts'
import { coinParts, walletParts, watchDeps, watcherParts } from './chain-parts.ts'
import { decorateSandbox } from './decorate.ts'
import { connectLiveChain } from './live-chain.ts'
import { openSandboxWallets } from './sandbox-wallets.ts'
import { allKeys } from './keys.ts'
import { migrateAs } from './migrate.ts'
import { createCloser, runParts, untilTold, type Closer } from './run.ts'
import { printReady } from './ready.ts'

/** Runs until it is told to stop. Everything it opened is closed again, also when a later step fails. */
export async function start(config: Config, terminal: Terminal): Promise<void> {
  const startedAt = monotonicMs()
  const log = createLog(config.VINTEM_LOG_LEVEL)
  const closer = createCloser(log)
  const told = untilTold()
  try {
    await mkdir(config.dataDir, { recursive: true })
    await removeSandboxFile(config.dataDir)
    const [database, keys] = await Promise.all([openDatabase(config, log, closer), allKeys(config)])
    const core = await openCore({ config, databaseUrl: database, ...keys, log })
    closer.add('core', core.close)
    const sandbox = config.VINTEM_SANDBOX === 'on' ? await openSandbox(core, terminal, closer) : undefined
    const http = await openServer(
      core,
      sandbox === undefined ? {} : { sandbox: sandbox.payer, decorate: sandbox.decorate },
    )
    closer.add('http', http.close)
    const wallets = core.chains.flatMap((chain) => walletParts(core, chain))
    const parts = [...workerParts(core), ...coinParts(core), ...watcherParts(core), ...wallets]
    closer.add('parts', runParts(parts, log).stop)
    connectBsc(core, closer)
    if (sandbox === undefined) await openCallbacks(core, closer)
    else await openSandboxCallbacks(core, closer, sandbox.bank, keys)
    if (sandbox !== undefined) await writeSandboxFile(config.dataDir, sandbox.file)
    printReady(terminal, config, sandbox?.file, monotonicMs() - startedAt)
    await told
  } finally {
    await removeSandboxFile(config.dataDir)
    await closer.closeAll()
  }
}

/** Live merchants on this machine: their chain is watched as soon as it is proven. */
function connectBsc(core: Core, closer: Closer): void {
  const connecting = new AbortController()
  closer.add('BSC', async () => connecting.abort())
  const isLive = ({ name }: Part) => name === 'watcher of bsc'
  void connectLiveChain(core, connecting.signal, (connected) => {
    const parts = [...watcherParts(core).filter(isLive), ...walletParts(core, connected)]
    closer.add('BSC', runParts(parts, core.log).stop)
  })
}

/** The database of the settings, or our own; brought up to this release. Answers the application's URL. */
async function openDatabase(config: Config, log: Log, closer: Closer): Promise<string> {
  if (config.DATABASE_URL !== '') {
    if (config.DATABASE_OWNER_URL !== '') await migrateAs(config.DATABASE_OWNER_URL, config.DATABASE_URL)
    return config.DATABASE_URL
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, port: config.PORT + 20, log })
  closer.add('PostgreSQL', () => postgres.stop())
  await migrateAs(postgres.ownerUrl, postgres.appUrl)
  return postgres.appUrl
}

type Sandbox = {
  readonly file: SandboxFile
  readonly bank: Bank
  readonly payer: SandboxPayer
  readonly decorate: NonNullable<Parameters<typeof openServer>[1]['decorate']>
}

async function openSandbox(core: Core, terminal: Terminal, closer: Closer): Promise<Sandbox> {
  const { sql } = core
  const [merchant, chain, bank] = await Promise.all([
    openMerchant(core),
    openChain(core, terminal, closer),
    openBank(core, closer),
  ])
  const file = fileOf(core.config, merchant, chain, bank)
  const expire = (merchantId: MerchantId, paymentId: PaymentId) => expireNow(core, merchantId, paymentId)
  return {
    file,
    bank,
    payer: createSandboxPayer({
      payers: new Map<Method, MethodPayer>([
        ['CRYPTO', createCryptoPayer({ sql, rpc: chain.rpc, ready: chain.ready, expire })],
        ['PIX', createPixPayer({ sql, bank, expire })],
      ]),
      find: async (merchantId, paymentId) => (await selectPayments(sql, [{ merchantId, paymentId }]))[0],
    }),
    decorate: (server) => decorateSandbox(server, core, file),
  }
}

async function expireNow(
  { lane, closeKind }: Core,
  merchantId: MerchantId,
  paymentId: PaymentId,
): Promise<void> {
  await lane.submit(closeKind, { merchantId, paymentId, event: 'expired', early: true })
}

async function openMerchant(core: Core): Promise<SandboxMerchant> {
  const { config, sql, clock, log, masterKey } = core
  const pepper = deriveKey(masterKey, 'api keys')
  const authenticator = createAuthenticator({ sql, pepper, clock, log })
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
}

/** A block every 0.45 s, as on BSC. */
const blockTimeSeconds = 0.45

async function openChain(core: Core, terminal: Terminal, closer: Closer): Promise<OpenChain> {
  const { config, log } = core
  const node = await startSandboxChain({
    dataDir: config.dataDir,
    port: config.PORT + 21,
    blockTimeSeconds,
    log,
  })
  closer.add('chain', () => node.stop())
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
  // Once at a time, whoever notices first that the chain is another one: its process or its watcher.
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
  const known = must(ready, 'the chain was prepared')
  const wallets = await openSandboxWallets(core, known, rpc, closer)
  core.chains.push({ chain: known.chain, rpc, pollMs: 150, wallets, onViolation: prepare })
  return { rpcUrl: node.rpcUrl, rpc, ready: () => known }
}

async function openBank({ config, log }: Core, closer: Closer): Promise<Bank> {
  const bank = await startBank({ dataDir: config.dataDir, port: config.PORT + 10, log })
  closer.add('bank', bank.stop)
  return bank
}

function fileOf(config: Config, merchant: SandboxMerchant, chain: OpenChain, bank: Bank): SandboxFile {
  const { chain: settings, accounts } = chain.ready()
  return {
    apiUrl: config.VINTEM_API_URL,
    checkoutBaseUrl: config.VINTEM_CHECKOUT_URL,
    partnerCheckoutBaseUrl: config.VINTEM_PARTNER_CHECKOUT_URL,
    ...merchant,
    chain: {
      rpcUrl: chain.rpcUrl,
      chainId: Number(settings.chainId),
      usdt: toChecksum(settings.token),
      treasury: toChecksum(settings.treasury),
      faucet: toChecksum(accounts.faucet),
    },
    simulators: { pixBank: { apiUrl: bank.apiUrl, controlUrl: bank.controlUrl } },
  }
}

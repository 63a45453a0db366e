// Wires every part by hand, top to bottom; the only file that knows them all.
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { connect, type Sql, type Tx } from './db/client.ts'
import { missingMigrations } from './db/migrate.ts'
import type { ReadinessCheck, SandboxPayer } from './http/deps.ts'
import { createServer } from './http/server.ts'
import { messageOf } from './kernel/error.ts'
import type { ConnectionId, MerchantId } from './kernel/id.ts'
import type { Log } from './kernel/log.ts'
import { deriveKey } from './kernel/secret.ts'
import { secondMs, sleep, systemClock, type Clock } from './kernel/time.ts'
import { createLedgerLane, type LedgerLane } from './ledger/post.ts'
import { createAuthenticator } from './merchants/authenticator.ts'
import { webhookSecretsOf } from './merchants/merchant.ts'
import { closeKind, expireDue, type CloseKind } from './payments/close.ts'
import { createPaymentCreator } from './payments/create.ts'
import { listRails } from './rails/all.ts'
import type { Chain, TransferSignal } from './rails/crypto/chain.ts'
import type { Rpc } from './rails/crypto/client.ts'
import { createCryptoRail } from './rails/crypto/rail.ts'
import { createWatcher } from './rails/crypto/watch.ts'
import type { Mode, Rails } from './rails/rail.ts'
import { createInbox } from './settlement/inbox.ts'
import { insertSignals } from './settlement/queries.ts'
import { settleKind } from './settlement/settle.ts'
import { createWalletKind } from './wallets/create.ts'
import { announce } from './webhooks/announce.ts'
import { createDeliverer } from './webhooks/deliver.ts'
import type { EventDraft } from './webhooks/event.ts'
import type { GuardPolicy } from './webhooks/guard.ts'

export const roles = ['api', 'worker', 'watcher'] as const
export type Role = (typeof roles)[number]

/** A chain that a process can follow: its settings, proven at the node, and the node. */
export type ConnectedChain = {
  readonly chain: Chain
  readonly rpc: Rpc
  readonly pollMs: number
  /** Instead of halting when final history changes: the sandbox builds its chain anew. */
  readonly onViolation?: () => Promise<void>
}

/** Hints between the parts of one process; each part looks by itself as well. */
export type Bells = {
  /** A commit wrote events: there may be deliveries. */
  readonly events: Set<() => void>
  /** There are new signals in the inbox. */
  readonly signals: Set<() => void>
}

/** What all roles share. Opened once for each process. */
export type Core = {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly sql: Sql
  readonly masterKey: Buffer
  readonly rails: Rails
  readonly lane: LedgerLane<EventDraft>
  readonly closeKind: CloseKind
  /** Chains are added when they are proven; until then CRYPTO is not offered on them. */
  readonly chains: ConnectedChain[]
  readonly secretsOf: (merchantId: MerchantId) => Promise<readonly Buffer[]>
  readonly bells: Bells
  readonly close: () => Promise<void>
}

export type CoreOptions = {
  readonly config: Config
  readonly databaseUrl: string
  readonly masterKey: Buffer
  readonly auditKey: Buffer
  readonly log: Log
}

export async function openCore({
  config,
  databaseUrl,
  masterKey,
  auditKey,
  log,
}: CoreOptions): Promise<Core> {
  const sql = connect(databaseUrl, { max: config.VINTEM_DB_POOL })
  const chains: ConnectedChain[] = []
  const rails = listRails([createCryptoRail(() => chains.map(({ chain }) => chain))])
  const bells: Bells = { events: new Set(), signals: new Set() }
  const lane = await createLedgerLane({
    openSql: () => connect(databaseUrl, { max: 1, applicationName: 'vintem-ledger' }),
    cell: config.VINTEM_CELL,
    auditKey,
    announce,
    log,
    itemsMax: config.VINTEM_BATCH_MAX,
    onEvents: () => bells.events.forEach((ring) => ring()),
  })
  const merchantDeps = { sql, clock: systemClock, sealKey: deriveKey(masterKey, 'webhook secrets') }
  return {
    config,
    clock: systemClock,
    log,
    sql,
    masterKey,
    rails,
    lane,
    closeKind: closeKind(rails),
    chains,
    secretsOf: (merchantId) => webhookSecretsOf(merchantDeps, merchantId),
    bells,
    close: async () => {
      await lane.close()
      await sql.end({ timeout: 5 })
    },
  }
}

/**
 * Where webhooks may go. A sandbox that runs on a developer's machine also sends plain HTTP and to that machine; nothing
 * else reaches what is not public, unless the operator named its network.
 */
function guardPolicies({
  VINTEM_SANDBOX,
  VINTEM_WEBHOOK_ALLOW,
}: Config): Readonly<Record<Mode, GuardPolicy>> {
  const isSandbox = VINTEM_SANDBOX === 'on'
  const allowCidrs = VINTEM_WEBHOOK_ALLOW.split(',').filter((cidr) => cidr !== '')
  return {
    LIVE: { allowHttp: false, allowLoopback: false, allowCidrs },
    SANDBOX: { allowHttp: isSandbox, allowLoopback: isSandbox, allowCidrs },
  }
}

/** Whether requests are welcome: the database answers and has this release's tables. */
async function readiness({ sql }: Core): Promise<readonly ReadinessCheck[]> {
  const isMigrated = await missingMigrations(sql).then(
    (missing) => missing.length === 0,
    () => undefined,
  )
  return [
    { name: 'database', ok: isMigrated !== undefined },
    { name: 'migrations', ok: isMigrated === true },
  ]
}

export type Part = { readonly name: string; readonly run: (signal: AbortSignal) => Promise<void> }

/** The HTTP side: everything a request can reach. */
export async function openServer(
  core: Core,
  extra: { readonly sandbox?: SandboxPayer; readonly decorate?: (server: FastifyInstance) => void },
): Promise<{ readonly server: FastifyInstance; readonly close: () => Promise<void> }> {
  const { config, sql, clock, log, lane, rails } = core
  const creator = createPaymentCreator({ sql, rails, clock, log, itemsMax: config.VINTEM_BATCH_MAX })
  const authenticator = createAuthenticator({
    sql,
    pepper: deriveKey(core.masterKey, 'api keys'),
    clock,
    log,
  })
  const server = createServer({
    sql,
    clock,
    log,
    rails,
    lane,
    creator,
    authenticator,
    closeKind: core.closeKind,
    walletKind: createWalletKind(),
    webhookPolicy: guardPolicies(config),
    ready: () => readiness(core),
    ...(config.VINTEM_RATE_LIMIT === 0
      ? {}
      : { rateLimit: { perSecond: config.VINTEM_RATE_LIMIT, burst: config.VINTEM_RATE_BURST } }),
    ...(extra.sandbox === undefined ? {} : { sandbox: extra.sandbox }),
  })
  extra.decorate?.(server)
  await server.listen({ host: config.VINTEM_HOST, port: config.PORT })
  return {
    server,
    close: async () => {
      await server.close()
      await authenticator.close()
      await creator.close()
    },
  }
}

/** The work behind the API: the inbox, the clock of payments, and deliveries. */
export function workerParts(core: Core): readonly Part[] {
  const { sql, clock, log, lane, rails } = core
  const inbox = createInbox({
    sql,
    rails,
    lane,
    kind: settleKind(rails),
    clock,
    log,
    batchMax: core.config.VINTEM_BATCH_MAX,
  })
  const deliverer = createDeliverer({
    sql,
    clock,
    log,
    secretsOf: core.secretsOf,
    policy: guardPolicies(core.config),
  })
  core.bells.events.add(() => deliverer.wake())
  core.bells.signals.add(() => inbox.wake())
  return [
    { name: 'inbox', run: (signal) => inbox.run(signal) },
    { name: 'deliveries', run: (signal) => deliverer.run(signal) },
    {
      name: 'expiry',
      run: async (signal) => {
        while (!signal.aborted) {
          const closed = await expireDue({ sql, lane, kind: core.closeKind, clock }).catch(
            (error: unknown) => {
              log.warn({ error: messageOf(error) }, 'due payments cannot be closed')
              return 0
            },
          )
          if (closed === 0) await sleep(secondMs, signal)
        }
      },
    },
  ]
}

/** One watcher for each chain. Others on the same chain stand by. */
export function watcherParts(core: Core): readonly Part[] {
  return core.chains.map(({ chain, rpc, pollMs, onViolation }) => {
    const watcher = createWatcher({
      ...watchDeps(core),
      chain,
      rpc,
      log: core.log,
      pollMs,
      onSignals: () => core.bells.signals.forEach((ring) => ring()),
      ...(onViolation === undefined ? {} : { onViolation }),
    })
    return { name: `watcher of ${chain.key}`, run: (signal: AbortSignal) => watcher.run(signal) }
  })
}

/** What everything that moves a chain's cursor needs. */
export function watchDeps(core: Pick<Core, 'sql' | 'clock'>) {
  const keep = (tx: Tx, connection: ConnectionId, signals: readonly TransferSignal[], at: Date) =>
    insertSignals(
      tx,
      signals.map((signal) => ({
        method: 'CRYPTO' as const,
        connection,
        body: Buffer.from(JSON.stringify(signal)),
      })),
      at,
    )
  return { sql: core.sql, clock: core.clock, keep }
}

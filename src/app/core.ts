// Wires every part by hand, top to bottom. README.md says in which order the files of this folder do.
import type { Chain } from '#/coins/chain.ts'
import type { Config } from '#/config.ts'
import { connect, type Sql, type SqlOptions } from '#/db/client.ts'
import { followDatabaseClock, type DatabaseClock } from '#/db/clock.ts'
import { confirmSessionAt } from '#/db/session.ts'
import { createDrain, type Drain } from '#/edge/drain.ts'
import type { Rpc } from '#/evm/client.ts'
import { openIssuanceLog, type IssuanceLog } from '#/issuance/log.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { openGlance, type Glance } from '#/jobs/glance.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Mode } from '#/kernel/mode.ts'
import { type KeyRing, deriveKey } from '#/kernel/secret.ts'
import { systemClock, type Clock } from '#/kernel/time.ts'
import { createWakeUps, type WakeUps } from '#/kernel/wake-up.ts'
import { createLedgerLane, type LedgerLane } from '#/ledger/post.ts'
import { userTeller } from '#/mail/letter.ts'
import { openCallWatch } from '#/merchants/connection-health.ts'
import { connectionKeys, openConnectionBook, type OpenConnectionBook } from '#/merchants/connections.ts'
import { webhookSecretsOf } from '#/merchants/merchant.ts'
import { authorisationKind } from '#/payments/capture-kind.ts'
import { createCapturer, type Capturer } from '#/payments/capture.ts'
import { endKind, type EndKind } from '#/payments/end.ts'
import { createPageOpener, type PageOpener } from '#/payments/open.ts'
import type { PeopleDeps } from '#/people/user.ts'
import { listPayoutRails, listRails } from '#/rails/all.ts'
import type { WatchCalls } from '#/rails/connection.ts'
import type { PayoutRails, StillLeaving } from '#/rails/payout-rail.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { railModules } from '#/rails/registry.ts'
import { logPutAside, signalKeeper } from '#/settlement/inbox.ts'
import { stillLeaving } from '#/settlement/payout.ts'
import { settleKind, settleParts, type SettleKind } from '#/settlement/settle.ts'
import { openTemplateStore, type TemplateStore } from '#/templates/store.ts'
import { createCryptoPayouts } from '#/treasury/payout.ts'
import type { ChainWallets } from '#/treasury/wallets.ts'
import { announce } from '#/webhooks/announce.ts'
import type { OpenSecret } from '#/webhooks/attempt.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { openEndpointSecret } from '#/webhooks/sign.ts'
import { decisionKind, type DecisionKind } from '#/withdrawals/decide.ts'
import { openMetrics, watchedCalls, type Metrics, type RoleName } from './metrics.ts'

const roles = ['api', 'worker', 'watcher'] as const
export type Role = (typeof roles)[number]

/** What all roles share. Opened once for each process. */
export type Core = {
  readonly config: Config
  /** The database's. */
  readonly clock: DatabaseClock
  readonly log: Log
  readonly sql: Sql
  /** A client with one connection of its own, for work that must not take one from the pool. */
  readonly openSql: (options: SqlOptions) => Sql
  readonly masterKey: KeyRing
  readonly auditKey: KeyRing
  readonly rails: Rails
  readonly lane: LedgerLane<EventDraft>
  readonly endKind: EndKind
  readonly settleKind: SettleKind
  readonly payoutRails: PayoutRails
  /** The gate for payouts that waited in a queue of our own. */
  readonly stillLeaving: StillLeaving
  readonly decisionKind: DecisionKind
  readonly connections: OpenConnectionBook
  readonly templates: TemplateStore
  /** Opens attempts whose provider needs the payer's page. */
  readonly pageOpener: PageOpener
  /** Absent: no issuance log is kept. */
  readonly issuance: IssuanceLog | undefined
  /** Chains are added when they are proven; until then CRYPTO is not offered on them. */
  readonly chains: ConnectedChain[]
  /** The modes whose chain is set up, and whose node does not answer now. */
  readonly awaitedChains: Set<Mode>
  readonly secretsOf: (merchantId: MerchantId) => Promise<readonly Buffer[]>
  /** Decrypts the secret of a webhook endpoint. */
  readonly openEndpointSecret: OpenSecret
  readonly wakeUps: WakeUps
  /** Wakes the parts of this process when something of theirs is due. */
  readonly glance: Glance
  /** Absent: the operator wants none. */
  readonly metrics: Metrics | undefined
  /** Ends the servers of the process. */
  readonly drain: Drain
  readonly close: () => Promise<void>
}

type CoreOptions = {
  readonly config: Config
  readonly databaseUrl: string
  readonly masterKey: KeyRing
  readonly auditKey: KeyRing
  /** Absent in every process that sends no money. */
  readonly workerKey?: KeyRing
  readonly log: Log
  readonly role?: RoleName
  /** Default: the machine's own clock. */
  readonly ownClock?: Clock
}

export async function openCore({
  config,
  databaseUrl,
  masterKey,
  auditKey,
  workerKey,
  log,
  role = 'all',
  ownClock = systemClock,
}: CoreOptions): Promise<Core> {
  await confirmSessionAt(databaseUrl)
  const metrics = await openMetrics(config, role)
  const sql = connect(databaseUrl, { max: config.VINTEM_DB_POOL, onWait: metrics?.poolWait })
  const openSql = (options: SqlOptions) => connect(databaseUrl, { max: 1, ...options })
  const clock = await followDatabaseClock({ sql, log, machineClock: ownClock })
  const chains: ConnectedChain[] = []
  const awaitedChains = new Set<Mode>()
  const wakeUps = createWakeUps()
  const glance = openGlance({ sql, log })
  const connections = await openConnectionBook({ sql, keys: connectionKeys(masterKey, workerKey), log })
  const callWatch = openCallWatch({ sql, log })
  const watchCalls = watchedCalls(metrics, callWatch.of, (id) => connections.find(id)?.method)
  const parts = { sql, clock, connections, chains, awaitedChains, wakeUps, log }
  const { stop, ...lists } = openRails(parts, watchCalls)
  const { rails, payoutRails } = lists
  const lane = await openLane({ config, openSql, auditKey, log, metrics, wakeUps }, ownClock)
  const templates = await openTemplateStore({ sql, log })
  const readings = { laneDepth: lane.depth, clockSkewMs: clock.skewMs, opened: connections.find }
  const served = await metrics?.serve({ config, log, openSql, readings })
  const merchantDeps = { sql, clock, sealKey: deriveKey(masterKey, 'webhook secrets') }
  const issuance = openIssuanceLog(config.VINTEM_ISSUANCE_LOG, { sql, clock, log })
  return {
    config,
    clock,
    log,
    sql,
    openSql,
    masterKey,
    auditKey,
    ...lists,
    lane,
    endKind: endKind(rails),
    settleKind: settleKind(rails),
    decisionKind: decisionKind(payoutRails),
    connections,
    templates,
    pageOpener: createPageOpener({ sql, rails, lane, clock, log, issue: issuance?.write }),
    issuance,
    chains,
    awaitedChains,
    secretsOf: (merchantId) => webhookSecretsOf(merchantDeps, merchantId),
    openEndpointSecret: (id, sealed) => openEndpointSecret(endpointSealKey(masterKey), id, sealed),
    wakeUps,
    glance,
    metrics,
    drain: createDrain(),
    close: async () => {
      await glance.close()
      await served?.close()
      await issuance?.close()
      await lane.close()
      connections.close()
      templates.close()
      await stop()
      await callWatch.close()
      await clock.close()
      await sql.end({ timeout: 5 })
    },
  }
}

/** This process's lane to the books. */
function openLane(
  core: Pick<Core, 'config' | 'openSql' | 'auditKey' | 'log' | 'metrics' | 'wakeUps'>,
  clock: Clock,
): Promise<Core['lane']> {
  const { config, openSql, auditKey, log, metrics, wakeUps } = core
  return createLedgerLane({
    openSql: () => openSql({ applicationName: 'vintem-ledger' }),
    cell: config.VINTEM_CELL,
    auditKey,
    announce,
    clock,
    log,
    itemsMax: config.VINTEM_BATCH_MAX,
    onBatch: metrics?.batch('ledger'),
    onEvents: () => wakeUps.events.forEach((wake) => wake()),
  })
}

/** The rails that receive money, and those that pay it out. */
function openRails(
  parts: Pick<Core, 'sql' | 'clock' | 'connections' | 'chains' | 'awaitedChains' | 'wakeUps' | 'log'>,
  watchCalls: WatchCalls,
) {
  const { sql, clock, connections, chains, awaitedChains, wakeUps, log } = parts
  const isAwaited = (mode: Mode) => awaitedChains.has(mode)
  const payouts = createCryptoPayouts({
    sql,
    clock,
    connections,
    chains: () =>
      chains.flatMap(({ chain, wallets }) =>
        wallets ? [{ chain, hot: wallets.hot, further: [wallets.gas] }] : [],
      ),
    isAwaited,
    onQueued: () => wakeUps.wallets.forEach((wake) => wake()),
  })
  const treasury = { chains: () => chains.map(({ chain }) => chain), isAwaited, payouts }
  const deps = { connections, clock, log, watchCalls, treasury, sql, keepSignals: signalKeeper(clock) }
  const opened = railModules.map((module) => module.open(deps))
  const rails = listRails(opened.flatMap((each) => each.rails))
  return {
    rails,
    stillLeaving: stillLeaving(rails),
    payoutRails: listPayoutRails(opened.flatMap(({ payoutRails }) => payoutRails)),
    stop: () => Promise.all(opened.map(({ stop }) => stop())),
  }
}

/** Settles receipts of a provider, and logs money that fits no attempt. */
export function settleOf({ lane, settleKind, log }: Core): Settle {
  return async (receipts, inquiry) => {
    const item = { receipts, ...given({ inquiry }) }
    const verdicts = await settleParts((part) => lane.submit(settleKind, part), item)
    logPutAside(log, receipts, verdicts)
  }
}

type Settle = (receipts: readonly Receipt[], inquiry?: Inquiry) => Promise<void>

/** Ends authorisations: for the API, and for the worker that retries. */
export function capturerOf(core: Core): Capturer {
  const { sql, rails, lane, log } = core
  return createCapturer({ sql, rails, lane, kind: authorisationKind(), log, settle: settleOf(core) })
}

/** Wakes the workers: there is a withdrawal to send. */
export function wakeForWithdrawals({ wakeUps }: Core): void {
  wakeUps.withdrawals.forEach((wake) => wake())
}

/** Encrypts the secrets of webhook endpoints. */
export function endpointSealKey(masterKey: KeyRing): KeyRing {
  return deriveKey(masterKey, 'webhook endpoint secrets')
}

// A chain that a process works on.

/** A chain that a process can follow: its settings, proven at the node, and the node. */
export type ConnectedChain = {
  readonly chain: Chain
  readonly rpc: Rpc
  readonly pollMs: number
  /** Absent: nothing is paid out or collected there. */
  readonly wallets?: ChainWallets
  /** Runs instead of halting when final history changes: the sandbox rebuilds its chain. */
  readonly onViolation?: () => Promise<void>
  /** Whether the node has another chain than the one that is followed: the sandbox's, until it is rebuilt. */
  readonly isLost?: () => Promise<boolean>
}

// The dependencies of users, their sessions and their factors, for the processes that need them.

/** The dashboard's host name is what passkeys belong to. */
export function peopleDeps({
  config,
  sql,
  masterKey,
}: Pick<Core, 'config' | 'sql' | 'masterKey'>): PeopleDeps {
  const { origin, hostname } = new URL(config.VINTEM_DASHBOARD_URL)
  return {
    sql,
    key: deriveKey(masterKey, 'people'),
    site: { name: 'Vintem', rpId: hostname, origin },
    ...(config.VINTEM_SMTP_URL === '' ? {} : { tell: userTeller(masterKey, origin) }),
  }
}

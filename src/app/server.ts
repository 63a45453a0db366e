// Wires the API's server: everything that a request can reach.
import type { FastifyInstance } from 'fastify'
import { readVerifiedByProxy, serveProxiedCallbacks } from '#/http/callbacks.ts'
import type { HttpDeps, ReadinessCheck, WithdrawalDeps } from '#/http/deps.ts'
import { createServer } from '#/http/server.ts'
import { serveSignedCallbacks } from '#/http/signed-callbacks.ts'
import { given } from '#/kernel/given.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { createAuthenticator } from '#/merchants/authenticator.ts'
import { createPaymentCreator, type PaymentCreator } from '#/payments/create.ts'
import type { PageHosts } from '#/payments/payment.ts'
import { refundKind } from '#/refunds/request.ts'
import { openRequestLog } from '#/requests/log.ts'
import type { SandboxPayer } from '#/sandbox/pay.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { createWalletKind, openStartingWallets } from '#/wallets/create.ts'
import { guardPolicies } from '#/webhooks/guard.ts'
import { createWaitingReaders } from '#/webhooks/waiting-readers.ts'
import { batchDecisionKind } from '#/withdrawals/decide-batch.ts'
import { withdrawalBatchKind } from '#/withdrawals/request-batch.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { callbackDeps } from './callbacks.ts'
import { capturerOf, endpointSealKey, settleOf, wakeForWithdrawals, type Core } from './core.ts'
import { readinessOf, standingOf } from './ready.ts'

/** What a server has besides the API. */
export type ServerExtra = {
  readonly sandbox?: SandboxPayer
  readonly decorate?: (server: FastifyInstance) => void
  /** Further checks, besides the database. */
  readonly ready?: () => Promise<readonly ReadinessCheck[]>
}

/** The HTTP side: everything a request can reach. */
export async function openServer(
  core: Core,
  extra: ServerExtra,
): Promise<{
  readonly server: FastifyInstance
  /** What its routes use: the dashboard serves them too. */
  readonly deps: HttpDeps
  readonly close: () => Promise<void>
}> {
  const { config, sql, clock, log, lane, rails } = core
  await core.issuance?.prepare()
  const creator = openCreator(core)
  const pepper = deriveKey(core.masterKey, 'api keys')
  const folders = [config.dataDir, config.VINTEM_ISSUANCE_LOG]
  const standing = standingOf(core, { cell: config.VINTEM_CELL, folders })
  const authenticator = createAuthenticator({ sql, pepper, log, isFit: standing.isFit })
  const waitingReaders = createWaitingReaders({ sql, log })
  // Each commit of its own lane wakes those that wait in this process.
  core.wakeUps.events.add(waitingReaders.wake)
  const openLogSql = () => core.openSql({ applicationName: 'vintem-requests', connectTimeoutSeconds: 5 })
  const requestLog = openRequestLog({ openSql: openLogSql, log, keep: config.VINTEM_REQUEST_LOG })
  const deps: HttpDeps = {
    sql,
    clock,
    log,
    rails,
    lane,
    creator,
    pages: pageHosts(config),
    authenticator,
    keyMint: { pepper, cell: config.VINTEM_CELL },
    endKind: core.endKind,
    capturer: capturerOf(core),
    settle: settleOf(core),
    walletKind: createWalletKind(),
    refundKind: refundKind(rails),
    refundDecisionKind: refundDecisionKind(rails),
    onRefund: () => core.wakeUps.refunds.forEach((wake) => wake()),
    onRehearsal: () => core.wakeUps.rehearsals.forEach((wake) => wake()),
    onClockAdvance: () => core.wakeUps.clocks.forEach((wake) => wake()),
    withdrawals: withdrawalDepsOf(core),
    waitingReaders,
    webhookPolicy: guardPolicies(config),
    endpointSealKey: endpointSealKey(core.masterKey),
    newMerchants: { sealKey: deriveKey(core.masterKey, 'webhook secrets'), openWallets: openStartingWallets },
    ready: () => readinessOf({ ...core, ...standing }, extra.ready ?? (async () => [])),
    drain: core.drain,
    ...callersOf(config),
    ...given({ sandbox: extra.sandbox }),
    isWithoutSandbox: config.VINTEM_SANDBOX === 'off',
    ...given({ requestLog }),
    onRequestEnd: core.metrics?.request,
  }
  const server = createServer(deps)
  extra.decorate?.(server)
  const proxied = readVerifiedByProxy(config.VINTEM_CALLBACK_PROXY_HEADER, config.VINTEM_TRUSTED_PROXIES)
  if (proxied !== undefined) serveProxiedCallbacks(server, callbackDeps(core), proxied)
  serveSignedCallbacks(server, callbackDeps(core))
  await server.listen({ host: config.VINTEM_HOST, port: config.PORT })
  return {
    server,
    deps,
    close: async () => {
      await server.close()
      await requestLog?.close()
      await authenticator.close()
      await creator.close()
    },
  }
}

/** Whose word about a caller's address counts, and how much one key may ask. */
function callersOf(config: Core['config']): Pick<HttpDeps, 'trustProxy' | 'rateLimit'> {
  const { VINTEM_TRUSTED_PROXIES: proxies, VINTEM_RATE_LIMIT: perSecond, VINTEM_RATE_BURST: burst } = config
  return {
    ...(proxies.length === 0 ? {} : { trustProxy: proxies }),
    ...(perSecond === 0 ? {} : { rateLimit: { perSecond, burst } }),
  }
}

function withdrawalDepsOf(core: Core): WithdrawalDeps {
  return {
    rails: core.payoutRails,
    kind: withdrawalKind(),
    decisionKind: core.decisionKind,
    batchKind: withdrawalBatchKind(),
    batchDecisionKind: batchDecisionKind(core.payoutRails),
    onReady: () => wakeForWithdrawals(core),
  }
}

/** Makes payments. Its lane is its own. */
export function openCreator(core: Core): PaymentCreator {
  const { config, sql, rails, lane, clock, log, templates } = core
  return createPaymentCreator({
    sql,
    rails,
    ledger: lane,
    clock,
    assertClock: clock.mustAgree,
    log,
    pages: pageHosts(config),
    templates,
    itemsMax: config.VINTEM_BATCH_MAX,
    onBatch: core.metrics?.batch('creation'),
    issue: core.issuance?.write,
  })
}

function pageHosts(config: Core['config']): PageHosts {
  const { VINTEM_CELL, VINTEM_CHECKOUT_URL, VINTEM_PARTNER_CHECKOUT_URL } = config
  return { cell: VINTEM_CELL, checkout: VINTEM_CHECKOUT_URL, partner: VINTEM_PARTNER_CHECKOUT_URL }
}

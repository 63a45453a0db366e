// Wires the work behind the API: the parts of a worker, each running until it is asked to stop.
import { baseUnitsPerCent } from '#/coins/units.ts'
import { type IsDue, pullFarDue } from '#/db/due.ts'
import { createEvidenceWorker } from '#/disputes/send-evidence.ts'
import { disableDue } from '#/endpoints/disable.ts'
import { isAnyStarting, isAnyToClear, isDisablingDue } from '#/endpoints/queries.ts'
import { isRecoveryDue } from '#/endpoints/recovery-queries.ts'
import {
  createRecoverer,
  createCanceler as createEndpointCanceler,
  createStarter,
} from '#/endpoints/upkeep.ts'
import { createMetadataFiller } from '#/finding/fill.ts'
import { isCountDue } from '#/insights/count-queries.ts'
import { countRound } from '#/insights/count.ts'
import { createLostCloser } from '#/issuance/close.ts'
import type { Glance } from '#/jobs/glance.ts'
import { createPoller, type Poller } from '#/jobs/poller.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, secondMs } from '#/kernel/time.ts'
import { scanEveryMs } from '#/mail/notice-queries.ts'
import { readEventsOnce } from '#/mail/read-events.ts'
import { tellComingOnce } from '#/mail/tell-coming.ts'
import { createKinds } from '#/operator-jobs/run-kinds.ts'
import { createJobWorker, deleteOldJobs } from '#/operator-jobs/worker.ts'
import { importStatement } from '#/operator/statements.ts'
import { createCanceler, createChecker } from '#/payments/check.ts'
import { expireDue } from '#/payments/end.ts'
import { isExpiryDue } from '#/payments/queries.ts'
import { deleteExpired } from '#/people/sessions.ts'
import { findType, registerCallbacks } from '#/rails/connection-types.ts'
import { importFolder } from '#/rails/sepa/folder.ts'
import { isAnyFileDue } from '#/rails/sepa/payout-queries.ts'
import type { Refund } from '#/refunds/refund.ts'
import { createRefundSender } from '#/refunds/send.ts'
import { createRehearser } from '#/rehearsals/run.ts'
import type { SimulatorsOf } from '#/sandbox/clock/simulators.ts'
import { createClockWorker } from '#/sandbox/clock/worker.ts'
import type { ControlCall } from '#/sandbox/control-call.ts'
import { handInPayments } from '#/sandbox/payment-files.ts'
import { isSealDue } from '#/sealing/queries.ts'
import { createSealer } from '#/sealing/seal.ts'
import { createInbox, signalKeeper } from '#/settlement/inbox.ts'
import { wakeForPayouts, payoutKind, settlePayout } from '#/settlement/payout.ts'
import { createPayoutReconcilers } from '#/settlement/reconcile-payouts.ts'
import { createReconciler } from '#/settlement/reconcile.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { isReleaseDue } from '#/settlement/release-queries.ts'
import { releaseDue, releaseKind } from '#/settlement/release.ts'
import { isTallyDue, tallyStep } from '#/wallets/tally.ts'
import { createDeliverer } from '#/webhooks/deliver.ts'
import { guardPolicies } from '#/webhooks/guard.ts'
import { isScheduleDue } from '#/withdrawals/schedule-queries.ts'
import { runDueSchedules, scheduleKind } from '#/withdrawals/schedule-run.ts'
import { createWithdrawalSender, type WithdrawalSenderDeps } from '#/withdrawals/send.ts'
import { capturerOf, wakeForWithdrawals, settleOf, type Core, peopleDeps } from './core.ts'

export type Part = { readonly name: string; readonly run: (signal: AbortSignal) => Promise<void> }

/** What the worker calls of the sandbox that runs here. */
export type SandboxSide = {
  readonly simulators: SimulatorsOf
  /** The bank that takes files of payments. */
  readonly sepaBank?: ControlCall
}

/** The work behind the API: the inbox, the clock of payments, and deliveries. */
export function workerParts(core: Core, sandbox?: SandboxSide): readonly Part[] {
  const { sql, clock, log, lane, rails } = core
  const inbox = createInbox({
    sql,
    rails,
    lane,
    kind: core.settleKind,
    log,
    batchMax: core.config.VINTEM_BATCH_MAX,
    onSignal: (signal) =>
      wakeForPayouts({ sql, rails: core.payoutRails, onReady: () => wakeForWithdrawals(core) }, signal),
  })
  const deliverer = createDeliverer({
    sql,
    clock,
    log,
    secretsOf: core.secretsOf,
    openSecret: core.openEndpointSecret,
    policy: guardPolicies(core.config),
  })
  const rehearser = createRehearser({
    sql,
    clock,
    log,
    secretsOf: core.secretsOf,
    sending: { policy: guardPolicies(core.config).SANDBOX },
  })
  const { events, rehearsals, signals, dates } = core.wakeUps
  events.add(() => deliverer.wake())
  rehearsals.add(() => rehearser.wake())
  signals.add(() => inbox.wake())
  dates.add(() => inbox.wake())
  return [
    watchedPart(core, 'inbox', inbox),
    watchedPart(core, 'deliveries', deliverer),
    watchedPart(core, 'rehearsals', rehearser),
    pollingPart(core, 'tally', async () => Number(await tallyStep({ sql })), { isDue: isTallyDue }),
    pollingPart(core, 'figures of the overview', async () => Number(await countRound({ sql })), {
      isDue: isCountDue,
    }),
    watchedPart(core, 'metadata keys', createMetadataFiller({ sql, log })),
    farDuePart(core),
    pollingPart(core, 'expiry', () => expireDue({ sql, lane, kind: core.endKind }), {
      isDue: isExpiryDue,
      wakeUp: dates,
    }),
    pollingPart(core, 'ended sessions', () => deleteExpired({ sql }), { everyMs: cleanEveryMs }),
    sealingPart(core),
    pollingPart(core, 'releases', () => releaseDue({ sql, lane, kind: releaseKind(), log }), {
      isDue: isReleaseDue,
      wakeUp: dates,
    }),
    ...endpointParts(core, () => deliverer.wake()),
    ...providerParts(core),
    ...operatorJobParts(core),
    ...statementParts(core),
    ...paymentFileParts(core, sandbox?.sepaBank),
    clockPart(core, sandbox?.simulators),
    ...mailParts(core),
  ]
}

/** What webhook endpoints need besides deliveries. */
function endpointParts(core: Core, onDue: () => void): readonly Part[] {
  const { sql, log, lane, wakeUps } = core
  const starter = createStarter({ sql, log })
  const canceler = createEndpointCanceler({ sql, log })
  const recoverer = createRecoverer({ sql, log })
  const started = async () => {
    const count = await starter.poll()
    if (count > 0) onDue()
    return count
  }
  return [
    pollingPart(core, 'failing endpoints', () => disableDue({ sql, lane, log }), {
      isDue: isDisablingDue,
      wakeUp: wakeUps.dates,
    }),
    pollingPart(core, 'enabled endpoints', started, { isDue: isAnyStarting }),
    pollingPart(core, 'deleted endpoints', () => canceler.poll(), { isDue: isAnyToClear }),
    pollingPart(core, 'webhook recoveries', () => recoverer.poll(), { isDue: isRecoveryDue }),
  ]
}

/** Imports the bank's files that a program puts into a folder. Several workers may do so: the same file twice changes nothing. */
function statementParts(core: Core): readonly Part[] {
  const { sql, clock, log, connections, config, wakeUps } = core
  const folder = config.VINTEM_STATEMENT_FOLDER
  if (folder === '') return []
  const deps = { sql, connections, log, keep: signalKeeper(clock) }
  const poll = async () => {
    const count = await importFolder(deps, folder)
    if (count > 0) wakeUps.signals.forEach((wake) => wake())
    return count
  }
  return [pollingPart(core, "a bank's files", poll, { everyMs: 5 * secondMs })]
}

/** Hands in files of payments at the sandbox's bank. Elsewhere a person does. */
function paymentFileParts(core: Core, bank: ControlCall | undefined): readonly Part[] {
  if (bank === undefined) return []
  const { sql, clock, log, connections, stillLeaving } = core
  const poll = () => handInPayments({ sql, clock, log, connections, stillLeaving, bank })
  return [pollingPart(core, 'files of payments', poll, { isDue: isAnyFileDue, everyMs: 2 * secondMs })]
}

/** Runs what operators request, and deletes jobs that ended long ago. */
function operatorJobParts(core: Core): readonly Part[] {
  const { sql, openSql, clock, log, config, auditKey, rails, payoutRails, connections, wakeUps } = core
  const urls = { certified: config.VINTEM_CALLBACK_URL, api: config.VINTEM_API_URL }
  const kinds = createKinds({
    sql,
    openSql,
    clock,
    log,
    cell: config.VINTEM_CELL,
    auditKey,
    rails,
    payoutRails,
    connections,
    probeOf: (connection) => findType(connection)?.probe,
    register: (deps, connection) => registerCallbacks(deps, connection, urls),
    chains: () =>
      core.chains.map(({ chain, rpc, wallets }) => ({ chain, rpc, hasWallets: wallets !== undefined })),
    sweepUnitsMin: BigInt(config.VINTEM_SWEEP_MIN) * baseUnitsPerCent,
    onQueued: () => wakeUps.wallets.forEach((wake) => wake()),
    importFile: async (who, file) => {
      const imported = await importStatement({ sql, connections, keep: signalKeeper(clock) }, who, file)
      wakeUps.signals.forEach((wake) => wake())
      return imported
    },
  })
  const worker = createJobWorker({ sql, log, kinds })
  wakeUps.jobs.add(() => worker.wake())
  return [
    watchedPart(core, 'jobs of operators', worker),
    pollingPart(core, 'old jobs of operators', () => deleteOldJobs(sql), { everyMs: cleanEveryMs }),
  ]
}

/** Sends mail, where there is a server for it. */
function mailParts(core: Core): readonly Part[] {
  const { sql, log, config, masterKey } = core
  const { VINTEM_SMTP_URL: server, VINTEM_MAIL_FROM: from } = config
  if (server === '') return []
  const { origin } = peopleDeps(core).site
  return [
    pollingPart(core, 'letters of events', () => readEventsOnce({ sql, log, masterKey, origin })),
    pollingPart(core, 'letters of dates to come', () => tellComingOnce({ sql, log, masterKey, origin }), {
      everyMs: scanEveryMs,
    }),
    {
      name: 'mail',
      async run(signal) {
        // Loaded here: most installations have no mail server.
        const { createPostman } = await import('#/mail/send.ts')
        const postman = createPostman({ sql, log, masterKey, people: peopleDeps(core), server, from })
        core.wakeUps.letters.add(() => postman.wake())
        await watchedPart(core, 'mail', postman)
          .run(signal)
          .finally(() => postman.close())
      },
    },
  ]
}

/** Advances the clocks of sandboxes. */
function clockPart(core: Core, simulators: SimulatorsOf | undefined): Part {
  const { sql, lane, log, wakeUps } = core
  const worker = createClockWorker({
    sql,
    lane,
    log,
    onMoved: () => wakeUps.dates.forEach((wake) => wake()),
    ...given({ simulators }),
  })
  wakeUps.clocks.add(() => worker.wake())
  return watchedPart(core, 'clocks of sandboxes', worker)
}

/** At the start, and when the database's clock went back: makes due now what was dated too late by a clock that was ahead. */
function farDuePart(core: Core): Part {
  const { sql, clock, log } = core
  let isPullDue = true
  clock.onBack(() => {
    isPullDue = true
  })
  return pollingPart(core, 'far due', async () => {
    if (!isPullDue) return 0
    isPullDue = false
    const pulled = await pullFarDue(sql).catch((error: unknown) => {
      isPullDue = true
      throw error
    })
    if (pulled > 0) log.error({ pulled }, 'work that was dated too late by a clock that was ahead is due now')
    return 0
  })
}

/**
 * Seals the audit log, at most twice a second, because it takes the lane's lock. A thousand entries wait no longer for that lock than one
 * entry.
 */
function sealingPart(core: Core): Part {
  const { sql, lane } = core
  const sealer = createSealer({ sql, lane })
  const poll = async () => {
    await sealer.poll()
    return 0
  }
  return pollingPart(core, 'seals of the audit log', poll, { isDue: isSealDue })
}

/** The work with providers: refunds, withdrawals, cancellations, captures, checks and reconciliation. */
function providerParts(core: Core): readonly Part[] {
  const { sql, log, rails, connections, config } = core
  const settle = settleOf(core)
  const capturer = capturerOf(core)
  const periodMs = config.VINTEM_RECONCILE_SECONDS * secondMs
  const payouts = payoutDeps(core)
  const deciding = refundDecisionKind(rails)
  const isStillAllowed = async ({ id }: Refund) =>
    (await core.lane.submit(deciding, { id, event: 'sending' })).kind === 'decided'
  const scheduling = scheduleKind(core.payoutRails)
  const sender = createWithdrawalSender(payouts)
  core.wakeUps.withdrawals.add(() => sender.wake())
  const refunds = createRefundSender({ sql, rails, log, settle, isStillAllowed })
  core.wakeUps.refunds.add(() => refunds.wake())
  const canceler = createCanceler({ sql, rails, log })
  const lostCloser = createLostCloser({ sql, rails, log, settle })
  const checker = createChecker({ sql, rails, log, settle })
  const evidence = createEvidenceWorker({ sql, rails, log, settle })
  const reconciler = createReconciler({ sql, rails, connections, log, periodMs, settle })
  for (const worker of [sender, refunds, canceler, capturer.worker, checker])
    core.wakeUps.dates.add(() => worker.wake())
  return [
    watchedPart(core, 'withdrawals', sender),
    pollingPart(
      core,
      'payout schedules',
      () => runDueSchedules({ sql, log, lane: core.lane, kind: scheduling, onReady: () => sender.wake() }),
      { isDue: isScheduleDue, wakeUp: core.wakeUps.dates },
    ),
    ...createPayoutReconcilers({ ...payouts, connections, periodMs }).map((each) =>
      watchedPart(core, 'payout reconciliation', each),
    ),
    watchedPart(core, 'refunds', refunds),
    watchedPart(core, 'cancellations', canceler),
    watchedPart(core, 'lost charges', lostCloser),
    watchedPart(core, 'captures', capturer.worker),
    watchedPart(core, 'checks', checker),
    watchedPart(core, 'evidence', evidence),
    watchedPart(core, 'reconciliation', reconciler),
  ]
}

/** The dependencies of sending withdrawals and settling their results. */
export function payoutDeps({ sql, payoutRails, lane, decisionKind, clock, log }: Core): WithdrawalSenderDeps {
  const kind = payoutKind(payoutRails)
  return {
    sql,
    rails: payoutRails,
    lane,
    decisionKind,
    clock,
    log,
    settle: (withdrawal, news, claim) => settlePayout({ lane, kind, log }, withdrawal, news, claim),
  }
}

/** How often what has ended is deleted. */
const cleanEveryMs = 5 * minuteMs

/** A part that works when the glance sees something due, or when it is woken. */
export function watchedPart(
  { glance }: { readonly glance?: Glance },
  name: string,
  worker: Pick<Poller, 'run' | 'wake' | 'isDue'>,
): Part {
  const { isDue, wake } = worker
  const restMs = isDue && glance?.watch({ name, isDue, wake })
  return { name, run: (signal) => worker.run(signal, restMs) }
}

/** A part without claims; see jobs/poller.ts. Without `isDue` it polls by itself. */
export function pollingPart(
  core: { readonly log: Log; readonly glance?: Glance },
  name: string,
  poll: () => Promise<number>,
  options: { readonly isDue?: IsDue; readonly wakeUp?: Set<() => void>; readonly everyMs?: number } = {},
): Part {
  const { isDue, wakeUp, everyMs } = options
  const poller = createPoller({ name, log: core.log, poll, ...given({ isDue, pollMs: everyMs }) })
  wakeUp?.add(poller.wake)
  return watchedPart(core, name, poller)
}

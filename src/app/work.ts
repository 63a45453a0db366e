// Wires the work behind the API: the parts of a worker, each running until it is asked to stop.
import { baseUnitsPerCent } from '#/coins/chain.ts'
import { pullFarDue } from '#/db/due.ts'
import { createEvidenceWorker } from '#/disputes/send-evidence.ts'
import { disableDue } from '#/endpoints/disable.ts'
import {
  createRecoverer,
  createCanceler as createEndpointCanceler,
  createStarter,
} from '#/endpoints/upkeep.ts'
import { createMetadataFiller } from '#/finding/fill.ts'
import { runCount } from '#/insights/count.ts'
import { createLostCloser } from '#/issuance/close.ts'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, secondMs, sleep } from '#/kernel/time.ts'
import { scanEveryMs } from '#/mail/notice-queries.ts'
import { readEventsOnce } from '#/mail/read-events.ts'
import { tellComingOnce } from '#/mail/tell-coming.ts'
import { createKinds } from '#/operator-jobs/run-kinds.ts'
import { createJobWorker, deleteOldJobs } from '#/operator-jobs/worker.ts'
import { importStatement } from '#/operator/statements.ts'
import { createCanceler, createChecker } from '#/payments/check.ts'
import { expireDue } from '#/payments/end.ts'
import { deleteExpired } from '#/people/sessions.ts'
import { findType, registerCallbacks } from '#/rails/connection-types.ts'
import { importFolder } from '#/rails/sepa/folder.ts'
import type { Refund } from '#/refunds/refund.ts'
import { createRefundSender } from '#/refunds/send.ts'
import { createRehearser } from '#/rehearsals/run.ts'
import type { SimulatorsOf } from '#/sandbox/clock/simulators.ts'
import { createClockWorker } from '#/sandbox/clock/worker.ts'
import type { ControlCall } from '#/sandbox/control-call.ts'
import { handInPayments } from '#/sandbox/payment-files.ts'
import { createSealer } from '#/sealing/seal.ts'
import { createInbox, signalKeeper } from '#/settlement/inbox.ts'
import { wakeForPayouts, payoutKind, settlePayout } from '#/settlement/payout.ts'
import { createPayoutReconcilers } from '#/settlement/reconcile-payouts.ts'
import { createReconciler } from '#/settlement/reconcile.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { releaseDue, releaseKind } from '#/settlement/release.ts'
import { runTally } from '#/wallets/tally.ts'
import { createDeliverer } from '#/webhooks/deliver.ts'
import { guardPolicies } from '#/webhooks/guard.ts'
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
    { name: 'inbox', run: (signal) => inbox.run(signal) },
    { name: 'deliveries', run: (signal) => deliverer.run(signal) },
    { name: 'rehearsals', run: (signal) => rehearser.run(signal) },
    { name: 'tally', run: (signal) => runTally({ sql, log }, signal) },
    { name: 'figures of the overview', run: (signal) => runCount({ sql, log }, signal) },
    { name: 'metadata keys', run: (signal) => createMetadataFiller({ sql, log }).run(signal) },
    farDuePart(core),
    pollingPart(log, 'expiry', () => expireDue({ sql, lane, kind: core.endKind }), dates),
    pollingPart(log, 'ended sessions', () => deleteExpired({ sql }), undefined, cleanEveryMs),
    sealingPart(core),
    pollingPart(log, 'releases', () => releaseDue({ sql, lane, kind: releaseKind(), log }), dates),
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
function endpointParts({ sql, log, lane, wakeUps }: Core, onDue: () => void): readonly Part[] {
  const starter = createStarter({ sql, log })
  const canceler = createEndpointCanceler({ sql, log })
  const recoverer = createRecoverer({ sql, log })
  const started = async () => {
    const count = await starter.poll()
    if (count > 0) onDue()
    return count
  }
  return [
    pollingPart(log, 'failing endpoints', () => disableDue({ sql, lane, log }), wakeUps.dates),
    pollingPart(log, 'enabled endpoints', started),
    pollingPart(log, 'deleted endpoints', () => canceler.poll()),
    pollingPart(log, 'webhook recoveries', () => recoverer.poll()),
  ]
}

/** Imports the bank's files that a program puts into a folder. Several workers may do so: the same file twice changes nothing. */
function statementParts({ sql, clock, log, connections, config, wakeUps }: Core): readonly Part[] {
  const folder = config.VINTEM_STATEMENT_FOLDER
  if (folder === '') return []
  const deps = { sql, connections, log, keep: signalKeeper(clock) }
  const poll = async () => {
    const count = await importFolder(deps, folder)
    if (count > 0) wakeUps.signals.forEach((wake) => wake())
    return count
  }
  return [pollingPart(log, "a bank's files", poll, undefined, 5 * secondMs)]
}

/** Hands in files of payments at the sandbox's bank. Elsewhere a person does. */
function paymentFileParts(
  { sql, clock, log, connections, stillLeaving }: Core,
  bank: ControlCall | undefined,
): readonly Part[] {
  if (bank === undefined) return []
  const poll = () => handInPayments({ sql, clock, log, connections, stillLeaving, bank })
  return [pollingPart(log, 'files of payments', poll, undefined, 2 * secondMs)]
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
    { name: 'jobs of operators', run: (signal) => worker.run(signal) },
    pollingPart(log, 'old jobs of operators', () => deleteOldJobs(sql), undefined, cleanEveryMs),
  ]
}

/** Sends mail, where there is a server for it. */
function mailParts(core: Core): readonly Part[] {
  const { sql, log, config, masterKey } = core
  const { VINTEM_SMTP_URL: server, VINTEM_MAIL_FROM: from } = config
  if (server === '') return []
  const { origin } = peopleDeps(core).site
  return [
    pollingPart(log, 'letters of events', () => readEventsOnce({ sql, log, masterKey, origin })),
    pollingPart(
      log,
      'letters of dates to come',
      () => tellComingOnce({ sql, log, masterKey, origin }),
      undefined,
      scanEveryMs,
    ),
    {
      name: 'mail',
      async run(signal) {
        // Loaded here: most installations have no mail server.
        const { createPostman } = await import('#/mail/send.ts')
        const postman = createPostman({ sql, log, masterKey, people: peopleDeps(core), server, from })
        core.wakeUps.letters.add(() => postman.wake())
        await postman.run(signal).finally(() => postman.close())
      },
    },
  ]
}

/** Advances the clocks of sandboxes. */
function clockPart({ sql, lane, log, wakeUps }: Core, simulators: SimulatorsOf | undefined): Part {
  const worker = createClockWorker({
    sql,
    lane,
    log,
    onMoved: () => wakeUps.dates.forEach((wake) => wake()),
    ...given({ simulators }),
  })
  wakeUps.clocks.add(() => worker.wake())
  return { name: 'clocks of sandboxes', run: (signal) => worker.run(signal) }
}

/** At the start, and when the database's clock went back: makes due now what was dated too late by a clock that was ahead. */
function farDuePart({ sql, clock, log }: Core): Part {
  let isPullDue = true
  clock.onBack(() => {
    isPullDue = true
  })
  return pollingPart(log, 'far due', async () => {
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
 * Seals the audit log, at most once a second, because it takes the lane's lock. A thousand entries wait no longer for that lock than one
 * entry.
 */
function sealingPart({ sql, lane, log }: Core): Part {
  const sealer = createSealer({ sql, lane })
  return pollingPart(log, 'seals of the audit log', async () => {
    await sealer.poll()
    return 0
  })
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
    { name: 'withdrawals', run: (signal) => sender.run(signal) },
    pollingPart(
      log,
      'payout schedules',
      () => runDueSchedules({ sql, log, lane: core.lane, kind: scheduling, onReady: () => sender.wake() }),
      core.wakeUps.dates,
    ),
    ...createPayoutReconcilers({ ...payouts, connections, periodMs }).map((reconciler) => ({
      name: 'payout reconciliation',
      run: (signal: AbortSignal) => reconciler.run(signal),
    })),
    { name: 'refunds', run: (signal) => refunds.run(signal) },
    { name: 'cancellations', run: (signal) => canceler.run(signal) },
    { name: 'lost charges', run: (signal) => lostCloser.run(signal) },
    { name: 'captures', run: (signal) => capturer.worker.run(signal) },
    { name: 'checks', run: (signal) => checker.run(signal) },
    { name: 'evidence', run: (signal) => evidence.run(signal) },
    { name: 'reconciliation', run: (signal) => reconciler.run(signal) },
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

/** A part that polls for work each second, or when it is woken, and again without a pause while it finds some. */
export function pollingPart(
  log: Log,
  name: string,
  poll: () => Promise<number>,
  wakeUp?: Set<() => void>,
  everyMs = secondMs,
): Part {
  let nap = new AbortController()
  wakeUp?.add(() => nap.abort())
  return {
    name,
    run: async (signal) => {
      while (!signal.aborted) {
        nap = new AbortController()
        const found = await poll().catch((error: unknown) => {
          log.warn({ part: name, error: messageOf(error) }, 'cannot poll for work')
          return 0
        })
        if (found === 0) await sleep(everyMs, AbortSignal.any([signal, nap.signal]))
      }
    },
  }
}

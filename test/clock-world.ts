// A site whose workers run, with two workers for the clocks of sandboxes side by side.
import { pollingPart, type Part } from '#/app/work.ts'
import { runParts } from '#/cli/run.ts'
import { disableDue } from '#/endpoints/disable.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { endKind, expireDue } from '#/payments/end.ts'
import type { PayoutOrder, PayoutResult } from '#/rails/payout-rail.ts'
import type { SimulatorsOf } from '#/sandbox/clock/simulators.ts'
import { createClockWorker } from '#/sandbox/clock/worker.ts'
import { payoutKind, settlePayout } from '#/settlement/payout.ts'
import { releaseDue, releaseKind } from '#/settlement/release.ts'
import { createDeliverer } from '#/webhooks/deliver.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { runDueSchedules, scheduleKind } from '#/withdrawals/schedule-run.ts'
import { createWithdrawalSender } from '#/withdrawals/send.ts'
import type { Tenant } from './contract/world.ts'
import { eventually } from './eventually.ts'
import { testPayoutRails } from './payout-rail.ts'
import { loopbackPolicy } from './webhooks.ts'
import { openWorld, done, type World, type Row } from './withdrawal-world.ts'

export type ClockWorld = AsyncDisposable & {
  readonly dashboard: World
  /** Advances the tenant's clock and waits until that is done. Returns the advance. */
  advance(tenant: Tenant, span: string): Promise<Row>
  /** Waits until the tenant's last advance is done. */
  untilDone(tenant: Tenant): Promise<Row>
}

type Options = {
  /** Shorter, and the two workers take each advance from each other again and again. */
  readonly leaseMs?: number
  readonly patienceMs?: number
  readonly simulators?: SimulatorsOf
  /** What the provider of withdrawals answers. Default: it is done. */
  readonly send?: (order: PayoutOrder) => Promise<PayoutResult>
  /** The lane of the clock's workers alone. */
  readonly laneOf?: (lane: World['base']['lane']) => World['base']['lane']
}

export async function openClockWorld(options: Options = {}): Promise<ClockWorld> {
  const dashboard = await openWorld()
  const { stop } = runParts(partsOf(dashboard, options), silentLog)
  const untilDone = (tenant: Tenant) =>
    eventually(
      'the clock is done',
      async () => {
        const { body } = await dashboard.ask(tenant, 'GET', '/v1/sandbox/clock')
        const [last] = body['data'] as Row[]
        return last?.['status'] === 'DONE' && last
      },
      120_000,
    )
  return {
    dashboard,
    untilDone,
    async advance(tenant, span) {
      const { status, text } = await dashboard.ask(tenant, 'POST', '/v1/sandbox/clock', {
        body: { advance: span },
      })
      if (status !== 202) throw new Error(text)
      return untilDone(tenant)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await dashboard.base.close()
    },
  }
}

function partsOf({ base }: World, { laneOf, send = async () => done, ...options }: Options): readonly Part[] {
  const { sql, lane, rails } = base
  const log = silentLog
  const dates = new Set<() => void>()
  const poll = (name: string, work: () => Promise<number>) =>
    pollingPart({ log }, name, work, { wakeUp: dates })
  const payoutRails = testPayoutRails(send)
  const sender = createWithdrawalSender({
    sql,
    rails: payoutRails,
    lane,
    decisionKind: decisionKind(payoutRails),
    clock: systemClock,
    log,
    settle: (withdrawal, news, claim) =>
      settlePayout({ lane, kind: payoutKind(payoutRails), log }, withdrawal, news, claim),
  })
  const deliverer = createDeliverer({
    sql,
    clock: systemClock,
    log,
    secretsOf: async () => [Buffer.alloc(24, 1)],
    openSecret: (_endpoint, encrypted) => encrypted,
    policy: { LIVE: loopbackPolicy, SANDBOX: loopbackPolicy },
    pollMs: 50,
    // Longer than any advance of a test: a receiver that hangs hangs until its end.
    totalMs: 120_000,
  })
  dates.add(() => sender.wake())
  const onMoved = () => dates.forEach((wake) => wake())
  const clocks = [1, 2].map((nth) => {
    const worker = createClockWorker({ sql, lane: laneOf?.(lane) ?? lane, log, onMoved, ...options })
    return { name: `clock ${nth}`, run: (signal: AbortSignal) => worker.run(signal) }
  })
  return [
    poll('expiry', () => expireDue({ sql, lane, kind: endKind(rails) })),
    poll('releases', () => releaseDue({ sql, lane, kind: releaseKind(), log })),
    poll('schedules', () =>
      runDueSchedules({ sql, lane, log, kind: scheduleKind(payoutRails), onReady: () => sender.wake() }),
    ),
    poll('failing endpoints', () => disableDue({ sql, lane, log })),
    { name: 'withdrawals', run: (signal) => sender.run(signal) },
    { name: 'deliveries', run: (signal) => deliverer.run(signal) },
    ...clocks,
  ]
}

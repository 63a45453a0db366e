// A worker that sends withdrawals, as a process of its own. It dies by SIGKILL at a chosen step.
import { connect } from '#/db/client.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import type { PayoutRail } from '#/rails/payout-rail.ts'
import { createPixPayoutRail } from '#/rails/pix/payout.ts'
import { payoutKind, settlePayout } from '#/settlement/payout.ts'
import { announce } from '#/webhooks/announce.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { createWithdrawalSender, type WithdrawalSenderDeps } from '#/withdrawals/send.ts'
import { auditKey, cell } from '../books.ts'

/**
 * Where a worker can die: when it has claimed a withdrawal, when the intent is committed, while its call is on the way, when the
 * answer has come, and when the answer is settled.
 */
export const steps = ['claimed', 'started', 'calling', 'answered', 'settled'] as const
export type Step = (typeof steps)[number]

export type WorkerOptions = {
  readonly url: string
  readonly connection: ProviderConnection
  /** Dies when it comes to this step for the nth time. Absent: it lives. */
  readonly death?: { readonly step: Step; readonly nth: number }
}

if (process.send !== undefined) {
  process.on('disconnect', () => process.exit(1))
  process.once('message', (options: WorkerOptions) => void work(options))
}

async function work({ url, connection, death }: WorkerOptions): Promise<void> {
  let times = 0
  const pass = (step: Step) => {
    if (step !== death?.step) return
    times += 1
    if (times === death.nth) process.kill(process.pid, 'SIGKILL')
  }
  const sql = connect(url, { max: 4 })
  const openSql = () => connect(url, { max: 1 })
  const lane = await createLedgerLane({ openSql, cell, auditKey, announce, log: silentLog })
  const pix = createPixPayoutRail({
    connections: { of: () => [connection], find: () => connection, all: () => [connection] },
    clock: systemClock,
    log: silentLog,
    quietMs: 500,
  })
  const rail: PayoutRail = {
    ...pix,
    async send(order, again) {
      pass('started')
      const sending = pix.send(order, again)
      // A few milliseconds later the call has left.
      setTimeout(() => pass('calling'), 15)
      const result = await sending
      pass('answered')
      return result
    },
  }
  const rails = new Map([[rail.type, rail]])
  const kind = payoutKind(rails)
  const watched: WithdrawalSenderDeps['lane'] = {
    ...lane,
    submit: (kindOfWork, item) => {
      if (kindOfWork.name === 'decide about a withdrawal') pass('claimed')
      return lane.submit(kindOfWork, item)
    },
  }
  const sender = createWithdrawalSender({
    sql,
    rails,
    lane: watched,
    decisionKind: decisionKind(rails),
    clock: systemClock,
    log: silentLog,
    leaseMs: 400,
    settle: async (withdrawal, news, sends) => {
      const settled = await settlePayout({ lane, kind, log: silentLog }, withdrawal, news, sends)
      pass('settled')
      return settled
    },
  })
  process.send?.('ready')
  await sender.run(new AbortController().signal)
}

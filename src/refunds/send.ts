// The worker's side of refunds: asks providers, and asks again until the end is known. What they answer becomes receipts,
// and settlement decides what those mean.
import type { Sql } from '#/db/client.ts'
import type { Asked } from '#/jobs/take.ts'
import { dueWorker, type DueWorker } from '#/jobs/worker.ts'
import { must } from '#/kernel/check.ts'
import type { Log } from '#/kernel/log.ts'
import { aheadMs, minuteMs, type Clock } from '#/kernel/time.ts'
import { isFrozenNow } from '#/merchants/freeze-queries.ts'
import { ledgerCurrency } from '#/payments/payment.ts'
import type { Rails, Receipt, RefundOrder } from '#/rails/rail.ts'
import * as queries from './due-queries.ts'
import { selectEarlier } from './queries.ts'
import type { Refund } from './refund.ts'

export type RefundSenderDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly clock: Clock
  readonly log: Log
  /** Settles what a provider said, when it was asked in this take. */
  readonly settle: (receipts: readonly Receipt[], asked: Asked) => Promise<unknown>
}

/** Asks for refunds as they become due. */
export function createRefundSender(deps: RefundSenderDeps): DueWorker {
  const { sql, clock, log } = deps
  return dueWorker<queries.DueRefund>({
    name: 'refund',
    log,
    leaseMs: minuteMs,
    claim: (slots, leaseMs) => queries.claimDue(sql, slots, { leaseMs, aheadMs: aheadMs(clock) }),
    run: (due) => send(deps, due),
    postpone: (due, waitMs) => queries.postponeDue(sql, due, waitMs, aheadMs(clock)),
  })
}

/** Asks once for the refunds that are due. Answers how many it took. */
export function sendDueRefunds(deps: RefundSenderDeps): Promise<number> {
  return createRefundSender(deps).once()
}

async function send(deps: RefundSenderDeps, due: queries.DueRefund): Promise<'done' | 'later'> {
  const { sql, rails, clock } = deps
  const { refund, take, takenAt } = due
  let isHeldBack = false
  const mayLeave = async () => {
    isHeldBack = await isFrozenNow(sql, { merchantId: refund.merchantId, rail: refund.method })
    // Who stood still until another one took it asks for nothing any more.
    return !isHeldBack && (await queries.isTaken(sql, due))
  }
  try {
    const rail = must(rails.get(refund.method)?.refunds, `${refund.method} gives money back`)
    const earlier = await selectEarlier(sql, refund)
    const receipts = await rail.send({ ...orderOf(refund), earlier, mayLeave }, take.takes > 1)
    if (receipts.length === 0) return 'later'
    await deps.settle(receipts, { at: takenAt, take })
    return 'done'
  } catch (error) {
    // Frozen since it was taken, and never sent.
    if (!isHeldBack || take.takes > 1) throw error
    await queries.releaseDue(sql, due, aheadMs(clock))
    return 'done'
  }
}

function orderOf(refund: Refund): RefundOrder {
  const {
    id,
    merchantId,
    paymentId,
    attemptId,
    connection,
    paidRef,
    amountMinor,
    currency,
    method,
    reason,
    destination,
  } = refund
  return {
    id,
    attempt: { id: attemptId, merchantId, paymentId },
    connection,
    paidRef,
    amount: { minor: amountMinor, currency: ledgerCurrency(currency, method) },
    ...(reason === undefined ? {} : { reason }),
    ...(destination === undefined ? {} : { destination }),
  }
}

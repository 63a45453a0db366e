// The worker of refunds: it sends each to its provider and queries it until the end is known. The provider's answers become
// receipts, which settlement books.
import type { Sql } from '#/db/client.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { dueWorker, usualBackoff, type DueWorker } from '#/jobs/worker.ts'
import { must } from '#/kernel/check.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import { hideTexts } from '#/kernel/private.ts'
import { minuteMs } from '#/kernel/time.ts'
import { isStoppedNow } from '#/money-out/gate.ts'
import { ledgerCurrency } from '#/payments/payment.ts'
import type { Rails, RefundOrder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import * as queries from './due-queries.ts'
import { selectEarlier } from './queries.ts'
import type { Refund } from './refund.ts'

export type RefundSenderDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly log: Log
  /** Settles what a provider answered under this claim. */
  readonly settle: (receipts: readonly Receipt[], inquiry: Inquiry) => Promise<unknown>
  /** Whether a refund that we send ourselves is still allowed; if not, it waits for a person from now on. */
  readonly isStillAllowed?: (refund: Refund) => Promise<boolean>
}

/** Sends or looks up refunds when they are due. */
export function createRefundSender(deps: RefundSenderDeps): DueWorker {
  const { sql, log } = deps
  return dueWorker<queries.DueRefund>({
    name: 'refund',
    log,
    leaseMs: minuteMs,
    isDue: queries.isRefundDue,
    claim: (slots, leaseMs) => queries.claimDue(sql, slots, leaseMs),
    run: (due) => send(deps, due),
    privateTexts: ({ refund }) => privateTexts(refund),
    postpone: (due, waitMs) => queries.postponeDue(sql, due, { waitMs, wasNotSent: false }),
  })
}

/** Sends or looks up the due refunds once. Returns how many it claimed. */
export function sendDueRefunds(deps: RefundSenderDeps): Promise<number> {
  return createRefundSender(deps).once()
}

async function send(deps: RefundSenderDeps, due: queries.DueRefund): Promise<'done' | 'later'> {
  const { sql, rails } = deps
  const { refund, claim, claimedAt } = due
  let isFrozen = false
  const mayLeave = async () => {
    const { merchantId, method: rail } = refund
    isFrozen = await isStoppedNow(sql, { way: 'REFUND_BACK', merchantId, rail })
    // A worker that was stalled until another one claimed the refund must not send it any more.
    return !isFrozen && (await queries.isClaimed(sql, due))
  }
  try {
    // A refund that is not allowed is not due any more.
    if (refund.payoutType !== undefined && (await deps.isStillAllowed?.(refund)) === false) return 'done'
    const rail = must(rails.get(refund.method)?.refunds, `${refund.method} has refunds`)
    const earlier = await selectEarlier(sql, refund)
    const receipts = await rail.send({ ...orderOf(refund), earlier, mayLeave }, claim.number > 1)
    if (receipts.length === 0) return 'later'
    await deps.settle(receipts, { at: claimedAt, claim })
    return 'done'
  } catch (error) {
    // It was frozen after it was claimed, and this is its first claim, so it was never sent.
    if (isFrozen && claim.number === 1) {
      await queries.releaseDue(sql, due)
      return 'done'
    }
    if (!(error instanceof ProviderError) || error.outcome !== 'unavailable') throw error
    return await notSent(deps, due, error)
  }
}

/** What a provider may repeat of what we sent. */
function privateTexts({ reason, destination }: Refund): unknown {
  return [reason, destination]
}

/** Nothing was sent under this claim. */
async function notSent(
  { sql, log }: RefundSenderDeps,
  due: queries.DueRefund,
  error: ProviderError,
): Promise<'done'> {
  const { refund, claim } = due
  const reason = hideTexts(messageOf(error), privateTexts(refund))
  const named = { refund: refund.id, claim: claim.number, error: reason }
  log.warn(named, 'a refund was not sent: it is tried again later')
  const wait = { waitMs: usualBackoff(claim.number), wasNotSent: true }
  if (!(await queries.postponeDue(sql, due, wait)))
    log.warn(named, 'another worker has claimed it since and decides when it is due again')
  return 'done'
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
    ...given({ reason, destination }),
  }
}

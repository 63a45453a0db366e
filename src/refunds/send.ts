// The worker's side of refunds: asks providers, and asks again until the end is known. What they answer becomes receipts,
// and settlement decides what those mean.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, secondMs } from '#/kernel/time.ts'
import { isFrozenNow } from '#/merchants/freeze-queries.ts'
import { ledgerCurrency } from '#/payments/payment.ts'
import type { Rails, Receipt, RefundOrder } from '#/rails/rail.ts'
import * as queries from './queries.ts'
import type { Refund } from './refund.ts'

export type RefundSenderDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly log: Log
  /** Settles what a provider said. */
  readonly settle: (receipts: readonly Receipt[]) => Promise<unknown>
  /** Whether a refund that we send ourselves is still allowed; if not, it waits for a person from now on. */
  readonly mayLeave?: (refund: Refund) => Promise<boolean>
}

const leaseMs = minuteMs
const waitMaxMs = 5 * minuteMs

/** Asks for the refunds that are due. Answers how many it took. */
export async function sendDueRefunds(deps: RefundSenderDeps): Promise<number> {
  const due = await queries.claimDue(deps.sql, leaseMs, 50)
  await Promise.all(due.map((each) => send(deps, each)))
  return due.length
}

async function send(deps: RefundSenderDeps, { refund, sends }: queries.DueRefund): Promise<void> {
  let [isHeldBack, wasNotSent] = [false, false]
  const mayLeave = async () => {
    isHeldBack = await isFrozenNow(deps.sql, { merchantId: refund.merchantId, rail: refund.method })
    return !isHeldBack
  }
  try {
    if (refund.payoutType !== undefined && (await deps.mayLeave?.(refund)) === false) return
    const rail = must(deps.rails.get(refund.method)?.refunds, `${refund.method} gives money back`)
    const earlier = await queries.selectEarlier(deps.sql, refund)
    const receipts = await rail.send({ ...orderOf(refund), earlier, mayLeave }, sends > 1)
    if (receipts.length > 0) {
      await deps.settle(receipts)
      return
    }
  } catch (error) {
    // Frozen since it was taken, and never sent.
    if (isHeldBack && sends === 1) return queries.releaseDue(deps.sql, refund, 0)
    wasNotSent = error instanceof ProviderError && error.outcome === 'unavailable'
    deps.log.warn({ refund: refund.id, sends, error: messageOf(error) }, 'a refund has no answer yet')
  }
  const waitMs = Math.min(2 ** (sends - 1) * secondMs, waitMaxMs)
  await queries.postponeDue(deps.sql, refund, waitMs, wasNotSent)
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

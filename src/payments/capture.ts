// Captures and voids authorisations: the order is committed, the provider is called, and its answer is settled. The provider
// captures an attempt once, so a repeated request is the same capture. A worker repeats requests that the provider did not answer.
import type { Sql } from '#/db/client.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { dueWorker, usualBackoff, type DueWorker } from '#/jobs/worker.ts'
import { must } from '#/kernel/check.ts'
import { AppError, messageOf, ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import { amountToJson } from '#/kernel/money.ts'
import { minuteMs, secondMs } from '#/kernel/time.ts'
import type { LedgerLane, Submission } from '#/ledger/post.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { AuthorisationItem, AuthorisationKind, AuthorisationVerdict } from './capture-kind.ts'
import * as queries from './capture-queries.ts'
import type { AuthorisationOrder, DueOrder } from './capture-queries.ts'
import { joinCalls } from './join-calls.ts'
import type { Payment } from './payment.ts'
import { selectPayments } from './queries.ts'

export type Capturer = {
  /**
   * Captures an APPROVED payment, all of it without an amount (minor units), and returns the payment after that. A repeated call
   * returns the same. Errors:
   * - 404
   * - 409 `invalid_state`
   * - 422 `limit_exceeded`: more than is authorised
   * - 503 `provider_unavailable`, with the payment's id: a worker continues, and the call can be repeated
   */
  capture(ref: PaymentRef, amountMinor?: bigint, beside?: Beside): Promise<Payment>
  /** Voids the authorisation: the payment is CANCELED then. The same errors. */
  cancel(ref: PaymentRef, beside?: Beside): Promise<Payment>
  /** Repeats requests that are due. */
  readonly worker: DueWorker
  /** Does the worker's work once. Returns how many orders it claimed. */
  sendDue(): Promise<number>
}

export type CapturerDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly lane: LedgerLane<EventDraft>
  readonly kind: AuthorisationKind
  readonly log: Log
  /** Settles what a provider answered. */
  readonly settle: (receipts: readonly Receipt[], inquiry?: Inquiry) => Promise<unknown>
}

/** Writes what belongs to the order in its transaction, such as an audit row. */
type Beside = NonNullable<Submission<AuthorisationVerdict>['beside']>

const leaseMs = minuteMs

export function createCapturer(deps: CapturerDeps): Capturer {
  /** A second call for the same attempt waits for the same answer. */
  const joinAttempt = joinCalls<void>()

  async function end(item: AuthorisationItem, beside: Beside | undefined, status: 'PAID' | 'CANCELED') {
    const verdict = await deps.lane.submit(deps.kind, item, given({ beside }))
    if (verdict.kind === 'done') return verdict.payment
    if (verdict.kind !== 'ordered') throw refusalOf(verdict, status)
    const { order } = verdict
    await joinAttempt(order.attemptId, () => claimAndAsk(deps, order))
    const now = await paymentOf(deps.sql, item)
    // The provider has accepted it and is not done: the payment stays APPROVED until the provider reports more.
    if (now.status === status || now.status === 'APPROVED') return now
    throw refusalOf({ kind: 'refused', payment: now }, status)
  }

  const worker = createWorker(deps)
  return {
    capture: ({ merchantId, paymentId }, amountMinor, beside) =>
      end({ merchantId, paymentId, request: 'CAPTURE', ...given({ amountMinor }) }, beside, 'PAID'),
    cancel: ({ merchantId, paymentId }, beside) =>
      end({ merchantId, paymentId, request: 'VOID' }, beside, 'CANCELED'),
    worker,
    sendDue: () => worker.once(),
  }
}

function createWorker(deps: CapturerDeps): DueWorker {
  const { sql, log } = deps
  return dueWorker<DueOrder>({
    name: 'attempt',
    log,
    leaseMs,
    isDue: queries.isOrderDue,
    claim: (slots, forMs) => queries.claimOrders(sql, slots, forMs),
    run: (due) => sendAgain(deps, due),
    postpone: (due, waitMs) => queries.postponeOrder(sql, due, waitMs),
  })
}

/** For a caller that waits for the answer. Throws the error that the caller gets. */
async function claimAndAsk(deps: CapturerDeps, order: AuthorisationOrder): Promise<void> {
  const due = await queries.claimOrder(deps.sql, order, leaseMs)
  if (due === undefined) return
  await askProvider(deps, due).catch((error: unknown) => refuseOrGoOn(deps, due, error))
}

async function askProvider(deps: CapturerDeps, { order, attempt, claimedAt }: DueOrder): Promise<void> {
  const authorisations = must(
    deps.rails.get(attempt.method)?.authorisations,
    `${attempt.method} has authorisations`,
  )
  const { amountMinor } = order
  const receipts =
    amountMinor === null
      ? await authorisations.void({ attempt })
      : await authorisations.capture({
          attempt,
          amount: { minor: amountMinor, currency: attempt.amount.currency },
        })
  await deps.settle(receipts, { at: claimedAt })
}

async function refuseOrGoOn(deps: CapturerDeps, due: DueOrder, error: unknown): Promise<never> {
  if (!(error instanceof ProviderError)) throw error
  const { paymentId } = due.order
  deps.log.warn(
    { payment: paymentId, outcome: error.outcome, error: messageOf(error) },
    'a provider did not capture or void an authorisation',
  )
  if (error.outcome === 'refused' && (await drop(deps, due))) {
    const detail = 'The provider refuses the request. Nothing was done.'
    throw new AppError('invalid_state', detail, { cause: error, extra: { paymentId } })
  }
  await queries.postponeOrder(deps.sql, due, 0)
  const detail = 'The provider does not answer. The request is repeated; the same call is safe to repeat too.'
  throw new AppError('provider_unavailable', detail, {
    cause: error,
    extra: { paymentId },
    retryAfterMs: 2 * secondMs,
  })
}

async function sendAgain(deps: CapturerDeps, due: DueOrder): Promise<'done' | 'later'> {
  const { order, claim } = due
  try {
    await askProvider(deps, due)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.outcome !== 'refused') throw error
    const { paymentId, attemptId, kind } = order
    const named = { payment: paymentId, attempt: attemptId, kind, claim: claim.number }
    deps.log.error({ ...named, error: messageOf(error) }, 'a provider refuses to end an authorisation')
    await drop(deps, due)
    return 'done'
  }
  // If the answer was settled, the order has ended and this changes nothing. Otherwise the provider has not finished.
  await queries.postponeOrder(deps.sql, due, usualBackoff(claim.number))
  return 'done'
}

/** Returns whether the order was dropped. It stays when another process has claimed it since, whose request may have been accepted. */
async function drop({ lane, kind, log }: CapturerDeps, { order, claim }: DueOrder): Promise<boolean> {
  const { merchantId, paymentId, attemptId, id: orderId } = order
  const { number: claimed } = claim
  const verdict = await lane.submit(kind, {
    merchantId,
    paymentId,
    request: 'DROP',
    attemptId,
    orderId,
    claimed,
  })
  if (verdict.kind === 'superseded')
    log.warn(
      { payment: paymentId, attempt: attemptId, claim: claimed },
      'a refusal came from a process that does not hold the order any more; nothing was dropped',
    )
  return verdict.kind !== 'superseded'
}

async function paymentOf(sql: Sql, ref: PaymentRef): Promise<Payment> {
  const [payment] = await selectPayments(sql, [ref])
  return must(payment, 'a payment with a decision exists')
}

/** `target`: the status that the payment was to get. */
function refusalOf(
  verdict: Exclude<AuthorisationVerdict, { kind: 'ordered' | 'done' }>,
  target: 'PAID' | 'CANCELED',
): AppError {
  switch (verdict.kind) {
    case 'not_found':
    case 'dropped':
    case 'superseded':
      return new AppError('not_found', 'There is no such payment.')
    case 'exceeds': {
      const authorised = amountToJson(verdict.authorisedMinor)
      return new AppError('limit_exceeded', `At most ${verdict.authorisedMinor} is authorised.`, {
        faults: [{ pointer: '/amount', code: 'too_large', message: `is at most ${verdict.authorisedMinor}` }],
        extra: { authorised },
      })
    }
    case 'refused': {
      const { payment, order } = verdict
      const extra = { paymentStatus: payment.status }
      if (payment.status === 'PAID') return new AppError('invalid_state', capturedDetails[target], { extra })
      const why =
        order === undefined || order.hasEnded
          ? `It is ${payment.status}.`
          : order.kind === 'VOID'
            ? 'Its authorisation is being voided.'
            : `${order.amountMinor} of it is being captured.`
      const detail = `The payment has no authorisation for this. ${why}`
      return new AppError('invalid_state', detail, { extra })
    }
  }
}

/** The detail for a payment that was captured before, by the status that it was to get. */
const capturedDetails = {
  PAID: 'The payment is PAID: it is captured already.',
  CANCELED:
    'The payment is PAID: it is captured already, and cannot be voided any more. A refund returns the money.',
} as const

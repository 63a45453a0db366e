// Capturing what was authorised, and letting it go: the intent is committed, the provider is asked, and what it says is
// settled. An attempt is captured once at its provider, so asking again is the same capture; what stays unanswered a worker
// asks for again.
import type { PaymentRef, Receipt } from '#/rails/words.ts'
import type { Sql } from '#/db/client.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { dueWorker, usualBackoff, type DueWorker } from '#/jobs/worker.ts'
import { must } from '#/kernel/check.ts'
import { AppError, messageOf, ProviderError } from '#/kernel/error.ts'
import type { AttemptId } from '#/kernel/id.ts'
import { amountToJson } from '#/kernel/money.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, secondMs } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Rails } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { AuthorisationKind, AuthorisationVerdict } from './capture-kind.ts'
import * as queries from './capture-queries.ts'
import type { AuthorisationOrder, DueOrder } from './capture-queries.ts'
import type { Payment } from './payment.ts'
import { selectPayments } from './queries.ts'

export type Capturer = {
  /**
   * Captures of an APPROVED payment, all of it without an amount (minor units), and answers the payment then; the same again
   * answers the same. 404; 409 `invalid_state`; 422 `limit_exceeded` above what is authorised; 503 `provider_unavailable`
   * naming the payment: it goes on by itself, and asking again is safe.
   */
  capture(ref: PaymentRef, amountMinor?: bigint): Promise<Payment>
  /** Lets go of all that is authorised: the payment is CANCELED then. The same errors. */
  cancel(ref: PaymentRef): Promise<Payment>
  /** The worker's part: asks again for what is due. */
  readonly worker: DueWorker
  /** The same once. Answers how many it took. */
  sendDue(): Promise<number>
}

export type CapturerDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly lane: LedgerLane<EventDraft>
  readonly kind: AuthorisationKind
  readonly log: Log
  /** Settles what a provider said. */
  readonly settle: (receipts: readonly Receipt[], asked?: Inquiry) => Promise<unknown>
}

const leaseMs = minuteMs

export function createCapturer(deps: CapturerDeps): Capturer {
  /** Calls under way in this process: who asks for the same meanwhile waits for the same answer. */
  const underWay = new Map<AttemptId, Promise<void>>()
  const carryOut = (order: AuthorisationOrder): Promise<void> => {
    const running = underWay.get(order.attemptId)
    if (running !== undefined) return running
    const started = takeAndAsk(deps, order).finally(() => underWay.delete(order.attemptId))
    underWay.set(order.attemptId, started)
    return started
  }

  async function end(ref: PaymentRef, verdict: AuthorisationVerdict, status: 'PAID' | 'CANCELED') {
    if (verdict.kind === 'done') return verdict.payment
    if (verdict.kind !== 'ordered') throw refusalOf(verdict, status)
    await carryOut(verdict.order)
    const now = await paymentOf(deps.sql, ref)
    // A provider that is not done yet has accepted it: the payment stays APPROVED until it says more.
    if (now.status === status || now.status === 'APPROVED') return now
    throw refusalOf({ kind: 'refused', payment: now }, status)
  }

  const worker = createWorker(deps)
  return {
    async capture({ merchantId, paymentId }, amountMinor) {
      const ref = { merchantId, paymentId }
      const asked = amountMinor === undefined ? {} : { amountMinor }
      const verdict = await deps.lane.submit(deps.kind, { ...ref, wish: 'CAPTURE', ...asked })
      return end(ref, verdict, 'PAID')
    },
    async cancel({ merchantId, paymentId }) {
      const ref = { merchantId, paymentId }
      return end(ref, await deps.lane.submit(deps.kind, { ...ref, wish: 'VOID' }), 'CANCELED')
    },
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
    claim: (slots, forMs) => queries.claimOrders(sql, slots, forMs),
    run: (due) => sendAgain(deps, due),
    postpone: (due, waitMs) => queries.postponeOrder(sql, due, waitMs),
  })
}

/** For whoever waits for the answer. Throws what the caller is to be told. */
async function takeAndAsk(deps: CapturerDeps, order: AuthorisationOrder): Promise<void> {
  const due = await queries.claimOrder(deps.sql, order, leaseMs)
  if (due === undefined) return
  await askProvider(deps, due).catch((error: unknown) => refuseOrGoOn(deps, due, error))
}

async function askProvider(deps: CapturerDeps, { order, attempt, claimedAt }: DueOrder): Promise<void> {
  const authorisations = must(
    deps.rails.get(attempt.method)?.authorisations,
    `${attempt.method} authorises before it takes`,
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
    'a provider did not do what was asked for an authorisation',
  )
  if (error.outcome === 'refused' && (await drop(deps, due))) {
    const detail = 'The provider refuses what was asked for. Nothing was done.'
    throw new AppError('invalid_state', detail, { cause: error, extra: { paymentId } })
  }
  await queries.postponeOrder(deps.sql, due, 0)
  const detail = 'The provider does not answer. It is asked again; the same call is safe to repeat.'
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
  // Settled, it has ended, and is not put off any more. Else the provider is not done yet.
  await queries.postponeOrder(deps.sql, due, usualBackoff(claim.number))
  return 'done'
}

/** Answers whether the order is gone. It stays when somebody else has taken it since, who may have been accepted. */
async function drop({ lane, kind, log }: CapturerDeps, { order, claim }: DueOrder): Promise<boolean> {
  const { merchantId, paymentId, attemptId, id: orderId } = order
  const { number: claimed } = claim
  const verdict = await lane.submit(kind, {
    merchantId,
    paymentId,
    wish: 'DROP',
    attemptId,
    orderId,
    claimed,
  })
  if (verdict.kind === 'superseded')
    log.warn(
      { payment: paymentId, attempt: attemptId, claim: claimed },
      'a refusal came from somebody who does not have the order any more; nothing was dropped',
    )
  return verdict.kind !== 'superseded'
}

async function paymentOf(sql: Sql, ref: PaymentRef): Promise<Payment> {
  const [payment] = await selectPayments(sql, [ref])
  return must(payment, 'a payment that was decided about is there')
}

/** `wanted`: what the payment was to become. */
function refusalOf(
  verdict: Exclude<AuthorisationVerdict, { kind: 'ordered' | 'done' }>,
  wanted: 'PAID' | 'CANCELED',
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
      if (payment.status === 'PAID') return new AppError('invalid_state', captured[wanted], { extra })
      const why =
        order === undefined || order.hasEnded
          ? `It is ${payment.status}.`
          : order.kind === 'VOID'
            ? 'Its authorisation is being let go.'
            : `${order.amountMinor} of it is being captured.`
      const detail = `Nothing is authorised that this could be done to. ${why}`
      return new AppError('invalid_state', detail, { extra })
    }
  }
}

/** What is said of a payment that was captured, by what it was to become. */
const captured = {
  PAID: 'The payment is PAID: it is captured already.',
  CANCELED:
    'The payment is PAID: it is captured already, and cannot be let go any more. A refund gives it back.',
} as const

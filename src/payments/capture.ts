// Capturing what was authorised, and letting it go: the intent is committed, the provider is asked, and what it says is
// settled. An attempt is captured once at its provider, so asking again is the same capture; what stays unanswered a worker
// asks for again.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError, messageOf, ProviderError } from '#/kernel/error.ts'
import type { AttemptId } from '#/kernel/id.ts'
import { jsonInteger } from '#/kernel/money.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, secondMs } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { PaymentRef, Rails, Receipt } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { AuthorisationKind, AuthorisationVerdict } from './capture-kind.ts'
import * as queries from './capture-queries.ts'
import type { DueOrder } from './capture-queries.ts'
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
  /** The worker's part: asks again for what is due. Answers how many it took. */
  sendDue(): Promise<number>
}

export type CapturerDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly lane: LedgerLane<EventDraft>
  readonly kind: AuthorisationKind
  readonly log: Log
  /** Settles what a provider said. */
  readonly settle: (receipts: readonly Receipt[]) => Promise<unknown>
}

const leaseMs = minuteMs
const waitMaxMs = 5 * minuteMs

export function createCapturer(deps: CapturerDeps): Capturer {
  /** Calls under way in this process: who asks for the same meanwhile waits for the same answer. */
  const underWay = new Map<AttemptId, Promise<void>>()
  const carryOut = (due: DueOrder): Promise<void> => {
    const { attemptId } = due.order
    const running = underWay.get(attemptId)
    if (running !== undefined) return running
    const started = askProvider(deps, due).finally(() => underWay.delete(attemptId))
    underWay.set(attemptId, started)
    return started
  }

  async function end(ref: PaymentRef, verdict: AuthorisationVerdict, status: 'PAID' | 'CANCELED') {
    if (verdict.kind === 'done') return verdict.payment
    if (verdict.kind !== 'ordered') throw refusalOf(verdict)
    const due = await queries.selectOrder(deps.sql, verdict.order)
    if (due !== undefined) await carryOut(due).catch((error: unknown) => refuseOrGoOn(deps, due, error))
    const now = await paymentOf(deps.sql, ref)
    // A provider that is not done yet has accepted it: the payment stays APPROVED until it says more.
    if (now.status === status || now.status === 'APPROVED') return now
    throw refusalOf({ kind: 'refused', payment: now })
  }

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
    async sendDue() {
      const due = await queries.claimOrders(deps.sql, leaseMs, 50)
      await Promise.all(due.map((each) => sendAgain(deps, each, carryOut)))
      return due.length
    },
  }
}

async function askProvider(deps: CapturerDeps, { order, attempt }: DueOrder): Promise<void> {
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
  await deps.settle(receipts)
}

/** For whoever waits for the answer. */
async function refuseOrGoOn(deps: CapturerDeps, due: DueOrder, error: unknown): Promise<never> {
  if (!(error instanceof ProviderError)) throw error
  const { paymentId } = due.order
  deps.log.warn(
    { payment: paymentId, outcome: error.outcome, error: messageOf(error) },
    'a provider did not do what was asked for an authorisation',
  )
  if (error.outcome === 'refused') {
    await drop(deps, due)
    const detail = `The provider refuses: ${messageOf(error)}. Nothing was done.`
    throw new AppError('invalid_state', detail, { cause: error, extra: { paymentId } })
  }
  await queries.postponeOrder(deps.sql, due.order, 0)
  const detail = 'The provider does not answer. It is asked again; the same call is safe to repeat.'
  throw new AppError('provider_unavailable', detail, {
    cause: error,
    extra: { paymentId },
    retryAfterMs: 2 * secondMs,
  })
}

async function sendAgain(
  deps: CapturerDeps,
  due: DueOrder,
  carryOut: (due: DueOrder) => Promise<void>,
): Promise<void> {
  const { order, sends } = due
  const named = { payment: order.paymentId, attempt: order.attemptId, kind: order.kind, sends }
  try {
    await carryOut(due)
  } catch (error) {
    if (error instanceof ProviderError && error.outcome === 'refused') {
      deps.log.error({ ...named, error: messageOf(error) }, 'a provider refuses to end an authorisation')
      await drop(deps, due)
      return
    }
    deps.log.warn({ ...named, error: messageOf(error) }, 'an authorisation has not ended yet')
  }
  // Settled, it has ended and is asked for no more.
  const waitMs = Math.min(2 ** (sends - 1) * secondMs, waitMaxMs)
  await queries.postponeOrder(deps.sql, order, waitMs)
}

async function drop({ lane, kind }: CapturerDeps, { order }: DueOrder): Promise<void> {
  const { merchantId, paymentId, attemptId } = order
  await lane.submit(kind, { merchantId, paymentId, wish: 'DROP', attemptId })
}

async function paymentOf(sql: Sql, ref: PaymentRef): Promise<Payment> {
  const [payment] = await selectPayments(sql, [ref])
  return must(payment, 'a payment that was decided about is there')
}

function refusalOf(verdict: Exclude<AuthorisationVerdict, { kind: 'ordered' | 'done' }>): AppError {
  switch (verdict.kind) {
    case 'not_found':
    case 'dropped':
      return new AppError('not_found', 'There is no such payment.')
    case 'exceeds': {
      const authorised = jsonInteger(verdict.authorisedMinor)
      return new AppError('limit_exceeded', `At most ${verdict.authorisedMinor} is authorised.`, {
        errors: [{ pointer: '/amount', code: 'too_large', message: `is at most ${verdict.authorisedMinor}` }],
        extra: { authorised },
      })
    }
    case 'refused': {
      const { payment, order } = verdict
      const why =
        order === undefined || order.hasEnded
          ? `It is ${payment.status}.`
          : order.kind === 'VOID'
            ? 'Its authorisation is being let go.'
            : `${order.amountMinor} of it is being captured.`
      return new AppError('invalid_state', `Nothing is authorised that this could be done to. ${why}`, {
        extra: { paymentStatus: payment.status },
      })
    }
  }
}

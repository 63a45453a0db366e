// Opening a payment whose provider makes what the payer needs: the intent is committed, the provider is asked, and the
// answer is committed. The attempt's id is our reference there, so asking again is the same charge.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError, ProviderError, messageOf } from '#/kernel/error.ts'
import type { AttemptId, PaymentId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { next } from '#/kernel/state.ts'
import { secondMs } from '#/kernel/time.ts'
import { runnable, type RunnableKind } from '#/ledger/kind.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Method, Opened, PaymentRef, Rail, Rails } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { paymentStates, type Payment } from './payment.ts'
import * as attempts from './attempt-queries.ts'
import * as queries from './queries.ts'
import type { RailFields } from './record.ts'

export type OpenItem = PaymentRef & { readonly attemptId: AttemptId; readonly opened: Opened }

/** The payment as it is now, and what was kept of the attempt. */
export type OpenVerdict = {
  readonly payment: Payment
  readonly attempt?: { readonly id: AttemptId; readonly artifacts: RailFields }
}

export type OpenKind = RunnableKind<OpenItem, OpenVerdict, EventDraft>

type View = {
  readonly payments: Map<PaymentId, Payment>
  readonly artifacts: Map<AttemptId, RailFields>
}

type Change = {
  readonly payment?: Payment
  readonly attempt?: attempts.AttemptArtifacts
  /** It ended while the provider opened it: nobody is to pay it any more. */
  readonly over?: PaymentRef & { readonly method: Method }
}

/**
 * Keeps what an opening gave. No event tells of it: the creation's own answer does. The first opening counts; whoever
 * opened the same attempt beside it answers the same.
 */
export function openKind(): OpenKind {
  return runnable<OpenItem, View, Change, OpenVerdict, EventDraft>({
    name: 'open a payment',
    bytesOf: () => 1_536,
    async load({ tx }, items) {
      const [payments, kept] = await Promise.all([
        queries.selectPayments(tx, items),
        attempts.selectAttempts(tx, items),
      ])
      return {
        payments: new Map(payments.map((payment) => [payment.id, payment])),
        artifacts: new Map(
          kept.flatMap((each) => (each.artifacts === null ? [] : [[each.id, each.artifacts] as const])),
        ),
      }
    },
    decide(view, item) {
      const payment = must(view.payments.get(item.paymentId), 'a payment that is opened exists')
      const kept = view.artifacts.get(item.attemptId)
      if (kept !== undefined)
        return { verdict: { payment, attempt: { id: item.attemptId, artifacts: kept } } }
      return item.opened.ok
        ? decideOpened(view, payment, item, item.opened.artifacts)
        : decideRefused(view, payment, item.opened)
    },
    async write({ tx, at }, changes) {
      const payments = changes.flatMap((change) => change.payment ?? [])
      const opened = changes.flatMap((change) => change.attempt ?? [])
      const over = changes.flatMap((change) => change.over ?? [])
      const methods = [...new Set(over.map(({ method }) => method))]
      await Promise.all([
        payments.length > 0 && queries.writePayments(tx, payments),
        opened.length > 0 && attempts.writeArtifacts(tx, opened),
        over.length > 0 && attempts.insertClosings(tx, over, methods, at),
      ])
    },
  })
}

/** What the provider gave is kept whatever became of the payment meanwhile: money may still come by it. */
function decideOpened(view: View, payment: Payment, item: OpenItem, artifacts: RailFields) {
  const status = next(paymentStates, payment.status, 'opened')
  const opened = status === undefined ? payment : { ...payment, status, version: payment.version + 1 }
  view.payments.set(opened.id, opened)
  view.artifacts.set(item.attemptId, artifacts)
  const { merchantId, attemptId, paymentId } = item
  const attempt = { merchantId, attemptId, artifacts }
  const isOver = ['EXPIRED', 'FAILED', 'CANCELED'].includes(payment.status)
  const method = must(payment.method, 'a payment that is opened has a method')
  return {
    verdict: { payment: opened, attempt: { id: attemptId, artifacts } },
    change: {
      attempt,
      ...(opened === payment ? {} : { payment: opened }),
      ...(isOver ? { over: { merchantId, paymentId, method } } : {}),
    },
  }
}

/** The provider will never take it, and a payment without a checkout has no other way. */
function decideRefused(view: View, payment: Payment, { code, message }: Opened & { readonly ok: false }) {
  const status = payment.status === 'PENDING' ? next(paymentStates, payment.status, 'failed') : undefined
  if (status === undefined) return { verdict: { payment } }
  const failed: Payment = { ...payment, status, version: payment.version + 1, lastError: { code, message } }
  view.payments.set(failed.id, failed)
  return { verdict: { payment: failed }, change: { payment: failed } }
}

export type PaymentOpener = {
  /**
   * The payment, opened if its rail opens in the request. 503 naming the payment when the provider does not answer: it
   * stays PENDING, and the same key goes on from there.
   */
  open(payment: Payment): Promise<OpenVerdict>
}

export type OpenerDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly lane: LedgerLane<EventDraft>
  readonly kind: OpenKind
  readonly log: Log
}

export function createPaymentOpener(deps: OpenerDeps): PaymentOpener {
  /** Calls under way in this process: who asks for the same payment meanwhile waits for the same answer. */
  const underWay = new Map<PaymentId, Promise<OpenVerdict>>()
  return {
    async open(payment) {
      const rail = payment.method === undefined ? undefined : deps.rails.get(payment.method)
      if (rail?.opens !== 'IN_REQUEST') return { payment }
      const running = underWay.get(payment.id)
      if (running !== undefined) return running
      const opening = openOnce(deps, rail, payment).finally(() => underWay.delete(payment.id))
      underWay.set(payment.id, opening)
      return opening
    },
  }
}

async function openOnce(deps: OpenerDeps, rail: Rail, payment: Payment): Promise<OpenVerdict> {
  const ref = { merchantId: payment.merchantId, paymentId: payment.id }
  const all = await attempts.selectAttempts(deps.sql, [ref])
  const attempt = must(
    all.findLast((each) => each.method === payment.method),
    'a payment has an attempt of its method',
  )
  if (attempt.artifacts !== null) {
    // Another process may have opened it since the payment was read.
    const [now] = payment.status === 'PENDING' ? await queries.selectPayments(deps.sql, [ref]) : [payment]
    const opened = must(now, 'a payment that was opened exists')
    return { payment: opened, attempt: { id: attempt.id, artifacts: attempt.artifacts } }
  }
  if (payment.status !== 'PENDING') return { payment }
  const opened = await askProvider(deps, rail, payment, attempt)
  return deps.lane.submit(deps.kind, { ...ref, attemptId: attempt.id, opened })
}

async function askProvider(
  { log }: OpenerDeps,
  rail: Rail,
  payment: Payment,
  attempt: attempts.KeptAttempt,
): Promise<Opened> {
  const { customerName, customerEmail, customerTaxId, description } = payment.request
  try {
    return await must(
      rail.open,
      `${rail.method} opens in the request`,
    )({
      ...attempts.toAttempt(attempt),
      expiresAt: must(payment.expiresAt, 'a payment that waits for its payer ends'),
      ...(description === undefined ? {} : { description }),
      ...(customerName === undefined ? {} : { customerName }),
      ...(customerEmail === undefined ? {} : { customerEmail }),
      ...(customerTaxId === undefined ? {} : { customerTaxId }),
    })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn(
      { payment: payment.id, outcome: error.outcome, error: messageOf(error) },
      'a provider did not open a payment',
    )
    const detail = 'The provider does not answer. The payment is kept; send the same request again to go on.'
    throw new AppError('provider_unavailable', detail, {
      cause: error,
      extra: { paymentId: payment.id },
      retryAfterMs: 2 * secondMs,
    })
  }
}

// Stores the result of an opening: the artifacts of the attempt, and the payment's new state.
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { AttemptId, PaymentId } from '#/kernel/id.ts'
import { next } from '#/kernel/state.ts'
import { runnablePure, type Batch, type Closed, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import { type Opened, type Rails, checkedMethods } from '#/rails/rail.ts'
import type { Refused } from '#/rails/refusal.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as attempts from './attempt-queries.ts'
import type { Refusal, TriedAttempt } from './attempt-queries.ts'
import { fits } from './attempt-state.ts'
import { insertChecks } from './check-queries.ts'
import { firstCheckMs } from './check.ts'
import { describePayments, paymentEvent, type Descriptions } from './describe.ts'
import { withMethod } from './payer-choice.ts'
import { paymentStates, type Payment } from './payment.ts'
import { distinctRefs, loadPayments } from './queries.ts'
import * as queries from './queries.ts'

export type OpenItem = PaymentRef & {
  readonly attemptId: AttemptId
  readonly method: Method
  /** The provider's answer. Absent: there is no provider, the attempt was opened with its row. */
  readonly opened?: Opened
  /** The answer to the creation contains the result, and no answer showed the payment before. */
  readonly isAnswered: boolean
  /** The payer chose it while the payment's method was `before`, and can pay until `end`. */
  readonly chosen?: { readonly before: Method | undefined; readonly end: Date }
}

/** The payment as it is now, and the stored artifacts of the attempt. */
export type OpenVerdict = {
  readonly payment: Payment
  readonly attempt?: { readonly id: AttemptId; readonly artifacts: Artifacts }
}

export type OpenKind = RunnableKind<OpenItem, OpenVerdict, EventDraft>

type Artifacts = Readonly<Record<string, unknown>>

type View = {
  readonly payments: Map<PaymentId, Payment>
  readonly described: Descriptions
  readonly artifacts: Map<AttemptId, Artifacts>
  /** The attempts of payments that have a refused attempt in this batch. */
  readonly tried: Map<PaymentId, readonly TriedAttempt[]>
}

type Change = {
  readonly payment?: Payment
  readonly attempt?: attempts.AttemptArtifacts
  readonly refused?: PaymentRef & { readonly attemptId: AttemptId; readonly refusal: Refusal }
  /** The payment ended, or was paid by another attempt, while the provider opened this one: it must not be paid any more. */
  readonly over?: PaymentRef & { readonly method: Method; readonly isPaid: boolean }
}

type Decided = Ruling<Change, OpenVerdict, EventDraft>

/**
 * Stores the result of an opening. A change of status gets an event, unless the answer to the creation contains the change. Only
 * the first opening of an attempt counts; a concurrent one returns its result.
 */
export function openKind(rails: Rails): OpenKind {
  const checked = checkedMethods(rails)
  return runnablePure<OpenItem, View, Change, OpenVerdict, EventDraft>({
    name: 'open a payment',
    bytesOf: () => 1_536,
    async load({ tx }, items) {
      const refs = distinctRefs(items)
      const refused = items.filter(({ opened }) => opened?.ok === false)
      const [payments, kept, tried] = await Promise.all([
        loadPayments(tx, refs),
        attempts.selectAttempts(tx, refs),
        refused.length === 0 ? [] : attempts.selectTried(tx, refused),
      ])
      const unanswered = new Set(items.flatMap((item) => (item.isAnswered ? [] : [item.paymentId])))
      const ending = new Set(refused.map(({ paymentId }) => paymentId))
      const notified = [...payments.values()].filter(
        ({ id, status }) => unanswered.has(id) && (status === 'PENDING' || ending.has(id)),
      )
      return {
        tried: Map.groupBy(tried, (attempt) => attempt.paymentId),
        payments,
        described: await describePayments(tx, rails, notified, 'brief'),
        artifacts: new Map(
          kept.flatMap((each) => (each.artifacts === null ? [] : [[each.id, each.artifacts] as const])),
        ),
      }
    },
    decide,
    keep({ payments, artifacts, tried }, { payment, attempt, refused }) {
      if (payment !== undefined) payments.set(payment.id, payment)
      if (attempt !== undefined) artifacts.set(attempt.attemptId, attempt.artifacts)
      if (refused !== undefined) tried.set(refused.paymentId, triedAfter({ tried }, refused))
    },
    async write({ tx }, changes) {
      const payments = changes.flatMap((change) => change.payment ?? [])
      const opened = changes.flatMap((change) => change.attempt ?? [])
      const refused = changes.flatMap((change) => change.refused ?? [])
      const over = changes.flatMap((change) => change.over ?? [])
      const [paid, unpaid] = [over.filter(({ isPaid }) => isPaid), over.filter(({ isPaid }) => !isPaid)]
      const methodsOf = (some: typeof over) => [...new Set(some.map(({ method }) => method))]
      await Promise.all([
        payments.length > 0 && queries.writePayments(tx, payments),
        opened.length > 0 && attempts.writeArtifacts(tx, opened),
        opened.length > 0 && checked.length > 0 && insertChecks(tx, opened, checked, firstCheckMs),
        refused.length > 0 && attempts.writeRefusals(tx, refused),
        unpaid.length > 0 && attempts.insertCancellations(tx, unpaid, methodsOf(unpaid)),
        // After the artifacts, which it reads: statements of one transaction run in the order in which they are sent.
        paid.length > 0 && attempts.insertOtherCancellations(tx, paid, methodsOf(paid)),
      ])
    },
  })
}

function decide(view: Closed<View>, item: OpenItem, { now }: Pick<Batch, 'now'>): Decided {
  const payment = must(view.payments.get(item.paymentId), 'a payment that is opened exists')
  const kept = view.artifacts.get(item.attemptId)
  if (kept !== undefined) return { verdict: { payment, attempt: { id: item.attemptId, artifacts: kept } } }
  const { opened } = item
  return opened === undefined || opened.ok
    ? decideOpened(view, payment, item, opened?.artifacts)
    : decideRefused(view, payment, item, refusalOf(opened, now), now)
}

/** Whether the payment still waits to be paid. */
function isUnpaid(status: Payment['status']): boolean {
  return status === 'PENDING' || status === 'WAITING_PAYMENT'
}

/** The artifacts are stored whatever the payment's state is now, because money may still come by them. */
function decideOpened(
  { described }: Closed<View>,
  payment: Payment,
  item: OpenItem,
  artifacts: Artifacts | undefined,
): Decided {
  const { merchantId, attemptId, paymentId, method } = item
  const status = next(paymentStates, payment.status, 'opened')
  const chosen = withChoice(payment, item)
  const opened = status === undefined ? chosen : { ...chosen, status, version: chosen.version + 1 }
  const isPaid = payment.status === 'PAID' || payment.status === 'APPROVED'
  const isOver = isPaid || ['EXPIRED', 'FAILED', 'CANCELED'].includes(payment.status)
  const isNotified = status === 'WAITING_PAYMENT' && !item.isAnswered
  return {
    verdict: { payment: opened, attempt: { id: attemptId, artifacts: artifacts ?? {} } },
    change: {
      ...given({
        attempt: artifacts && { merchantId, attemptId, artifacts },
        payment: opened === payment ? undefined : opened,
        over: isOver ? { merchantId, paymentId, method, isPaid } : undefined,
      }),
    },
    ...(isNotified ? { events: [paymentEvent('payment.waiting', opened, described)] } : {}),
  }
}

/** The last choice counts: an earlier one whose provider was slow does not replace a later one. */
function withChoice(payment: Payment, { chosen, method }: OpenItem): Payment {
  if (chosen === undefined || !isUnpaid(payment.status) || payment.method !== chosen.before) return payment
  return withMethod(payment, method, chosen.end)
}

/**
 * The provider will never accept this attempt. If no other attempt is possible the payment is FAILED and an event is written. Otherwise
 * the payer can choose another method.
 */
function decideRefused(
  view: Closed<View>,
  payment: Payment,
  item: OpenItem,
  refusal: Refusal,
  now: Date,
): Decided {
  const { merchantId, paymentId, attemptId, method, isAnswered } = item
  const { code, message } = refusal
  const refused = { merchantId, paymentId, attemptId, refusal }
  if (!isUnpaid(payment.status)) return { verdict: { payment }, change: { refused } }
  const status = canBePaid(payment, triedAfter(view, refused), now)
    ? undefined
    : next(paymentStates, payment.status, 'failed')
  const failed: Payment = {
    ...payment,
    status: status ?? payment.status,
    version: payment.version + 1,
    lastError: { code, message, method },
  }
  const isNotified = status === 'FAILED' && !isAnswered
  return {
    verdict: { payment: failed },
    change: { payment: failed, refused },
    ...(isNotified ? { events: [paymentEvent('payment.failed', failed, view.described)] } : {}),
  }
}

/** The attempts of its payment, after the refusal. */
function triedAfter(
  { tried }: Pick<Closed<View>, 'tried'>,
  { paymentId, attemptId, refusal }: NonNullable<Change['refused']>,
): readonly TriedAttempt[] {
  const before = tried.get(paymentId) ?? []
  return before.map((each) => (each.id === attemptId ? { ...each, refusal } : each))
}

/**
 * Whether the payer can still pay it:
 * - by an attempt that was opened;
 * - by a method that was not refused;
 * - on a checkout's page, by entering other data. Other pages do not ask for any.
 * If a part came, the rest may come too.
 */
function canBePaid(payment: Payment, tried: readonly TriedAttempt[], now: Date): boolean {
  const { methods, request, seenMinor, receivedMinor } = payment
  if (seenMinor + receivedMinor > 0n) return true
  if (tried.some((attempt) => fits(attempt, attempt.terms?.presentation, now))) return true
  return methods.some((method) => {
    const last = tried.findLast((attempt) => attempt.method === method)?.refusal
    if (last === undefined || last === null) return true
    return request.checkout !== undefined && last.isOfPayer === true
  })
}

function refusalOf({ code, message, said, isOfPayer }: Refused, now: Date): Refusal {
  return {
    code,
    message,
    at: now.toISOString(),
    ...given({ said, isOfPayer }),
  }
}

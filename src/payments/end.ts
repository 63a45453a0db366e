// The ends of a payment that was not paid: it expires, or the merchant cancels it. When the time of a method is over before its checkout's,
// the payer chooses again.
import type { Sql } from '#/db/client.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { next } from '#/kernel/state.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { runnablePure, type Batch, type Closed, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import { type Rails, methodsAtProviders, checkedMethods } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { insertCancellations, insertOverCancellations } from './attempt-queries.ts'
import { selectUnchecked } from './check-queries.ts'
import { describePayments, paymentEvent, type Descriptions } from './describe.ts'
import { choosesAgainUntil, methodOverCode, missingMinor, paymentStates, type Payment } from './payment.ts'
import { loadMoved, loadPayments } from './queries.ts'
import * as queries from './queries.ts'

export type EndItem = PaymentRef & {
  readonly event: 'expired' | 'canceled'
  /** The sandbox lets a payment expire early, to try money that comes late. */
  readonly early?: true
}

export type EndVerdict =
  | { readonly kind: 'closed'; readonly payment: Payment }
  /** Only the time of its method is over: its payer chooses again. Money that comes by that method all the same is credited. */
  | { readonly kind: 'method_over'; readonly payment: Payment }
  /** It was in that state already: nothing changed. */
  | { readonly kind: 'already'; readonly payment: Payment }
  /** Its state does not allow it, or money is on its way. */
  | { readonly kind: 'refused'; readonly payment: Payment }
  | { readonly kind: 'not_found' }

export type EndKind = RunnableKind<EndItem, EndVerdict, EventDraft>

type View = {
  readonly payments: Map<PaymentId, Payment>
  /** What rails add to the events. */
  readonly described: Descriptions
  /** How far the clocks of sandboxes were moved since these payments were created. */
  readonly moved: ReadonlyMap<string, number>
  /** Payments whose attempts were not checked since they were due to expire. */
  readonly unchecked: ReadonlySet<PaymentId>
}

type Decided = Ruling<Payment, EndVerdict, EventDraft>

/** The state and the type of event of each end. */
const ends = {
  expired: { status: 'EXPIRED', type: 'payment.expired' },
  canceled: { status: 'CANCELED', type: 'payment.canceled' },
} as const

/** How long a provider may be silent; after that a payment expires without its answer. */
const silenceMs = 10 * minuteMs

/** Expires and cancels, as kinds of work for the ledger lane. */
export function endKind(rails: Rails): EndKind {
  const cancelable = methodsAtProviders(rails)
  const areChecked = checkedMethods(rails).length > 0
  return runnablePure<EndItem, View, Payment, EndVerdict, EventDraft>({
    name: 'end a payment',
    async load({ tx }, items) {
      const expiring = areChecked ? items.filter(({ event }) => event === 'expired') : []
      const [payments, unchecked] = await Promise.all([
        loadPayments(tx, items),
        expiring.length === 0 ? new Set<PaymentId>() : selectUnchecked(tx, expiring),
      ])
      const [described, moved] = await Promise.all([
        describePayments(tx, rails, [...payments.values()], 'brief'),
        loadMoved(tx, [...payments.values()]),
      ])
      return { payments, described, moved, unchecked }
    },
    decide,
    keep: ({ payments }, ended) => payments.set(ended.id, ended),
    async write({ tx, at }, payments) {
      const ended = payments.filter(({ status }) => status !== 'WAITING_PAYMENT')
      const refs = ended.map(refOf)
      await Promise.all([
        queries.writePayments(tx, payments),
        refs.length > 0 && cancelable.length > 0 && insertCancellations(tx, refs, cancelable),
        ...[...Map.groupBy(payments, methodOver)].map(
          ([method, over]) =>
            method !== undefined &&
            cancelable.includes(method) &&
            insertOverCancellations(tx, over.map(refOf), method, at),
        ),
      ])
    },
  })
}

function refOf({ merchantId, id }: Payment): PaymentRef {
  return { merchantId, paymentId: id }
}

/** The method whose time is over, if that is what was decided. */
function methodOver({ status, lastError }: Payment): Method | undefined {
  return status === 'WAITING_PAYMENT' && lastError?.code === methodOverCode ? lastError.method : undefined
}

function decide(view: Closed<View>, item: EndItem, { now }: Pick<Batch, 'now'>): Decided {
  const payment = view.payments.get(item.paymentId)
  if (payment?.merchantId !== item.merchantId) return { verdict: { kind: 'not_found' } }
  const end = ends[item.event]
  if (payment.status === end.status) return { verdict: { kind: 'already', payment } }
  const status = next(paymentStates, payment.status, item.event)
  if (status === undefined || !mayEnd(view, payment, item, now))
    return { verdict: { kind: 'refused', payment } }
  const again = item.early === true ? undefined : withoutMethod(view, payment, item, now)
  if (again !== undefined) return { verdict: { kind: 'method_over', payment: again }, change: again }
  const ended: Payment = {
    ...payment,
    status,
    version: payment.version + 1,
    ...(item.early ? { expiresAt: now } : {}),
  }
  return {
    verdict: { kind: 'closed', payment: ended },
    change: ended,
    events: [paymentEvent(end.type, ended, view.described)],
  }
}

/** The payment without the method whose time is over. Its payer reads why on the page, and its merchant in `lastError`. */
function withoutMethod(
  { moved }: Closed<View>,
  payment: Payment,
  { event }: EndItem,
  now: Date,
): Payment | undefined {
  if (event !== 'expired' || payment.status !== 'WAITING_PAYMENT') return undefined
  const expiresAt = choosesAgainUntil(payment, now, moved.get(payment.id) ?? 0)
  if (expiresAt === undefined || payment.method === undefined) return undefined
  const { method, ...others } = payment
  const message = `The time to pay by ${method} is over. The payer can choose again.`
  return {
    ...others,
    expiresAt,
    lastError: { code: methodOverCode, message, method },
    version: payment.version + 1,
  }
}

/** A payment does not expire while money on its way covers what is missing, and is not canceled while any money is on its way. */
function mayEnd({ unchecked }: Closed<View>, payment: Payment, item: EndItem, now: Date): boolean {
  if (item.event === 'canceled') return payment.seenMinor === 0n
  return isDue(payment, item, now, unchecked.has(payment.id)) && payment.seenMinor < missingMinor(payment)
}

/** The provider may have money that no callback has reported: the attempt is checked first, but for a limited time. */
function isDue({ expiresAt }: Payment, { early }: EndItem, now: Date, isUnchecked: boolean): boolean {
  if (early === true) return true
  if (expiresAt === undefined) return false
  return (isUnchecked ? addMs(expiresAt, silenceMs) : expiresAt) <= now
}

/** Lets due payments expire, once. Returns how many expired. */
export async function expireDue(deps: {
  readonly sql: Sql
  readonly lane: LedgerLane<EventDraft>
  readonly kind: EndKind
}): Promise<number> {
  const due = await queries.selectDue(deps.sql, silenceMs, 500)
  const verdicts = await Promise.all(
    due.map((ref) => deps.lane.submit(deps.kind, { ...ref, event: 'expired' })),
  )
  return verdicts.filter((verdict) => verdict.kind === 'closed').length
}

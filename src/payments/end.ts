// The ends of a payment that nobody paid: its time is over, or the merchant takes it back.
import type { PaymentRef } from '#/rails/words.ts'
import { runnable, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import type { Sql } from '#/db/client.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { next } from '#/kernel/state.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { type Rails, methodsAtProviders, checkedMethods } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { insertClosings } from './attempt-queries.ts'
import { selectUnchecked } from './check-queries.ts'
import { describePayments, type Descriptions } from './describe.ts'
import { loadPayments } from './load.ts'
import { paymentEvent } from './payment-event.ts'
import { missingMinor, paymentStates, type Payment } from './payment.ts'
import * as queries from './queries.ts'

export type EndItem = PaymentRef & {
  readonly event: 'expired' | 'canceled'
  /** The sandbox ends a payment before its time, to rehearse money that comes late. */
  readonly early?: true
}

export type EndVerdict =
  | { readonly kind: 'closed'; readonly payment: Payment }
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
  /** Their providers were not asked yet what became of them since their time was over. */
  readonly unchecked: ReadonlySet<PaymentId>
}

type Decided = Ruling<Payment, EndVerdict, EventDraft>

/** What each end is called: as a state, and as the merchant is told. */
const ends = {
  expired: { status: 'EXPIRED', type: 'payment.expired' },
  canceled: { status: 'CANCELED', type: 'payment.canceled' },
} as const

/** So long a provider may be silent; then a payment expires without its word. */
const silenceMs = 10 * minuteMs

/** Expires and cancels, as kinds of work for the ledger lane. */
export function endKind(rails: Rails): EndKind {
  const closable = methodsAtProviders(rails)
  const areAsked = checkedMethods(rails).length > 0
  return runnable<EndItem, View, Payment, EndVerdict, EventDraft>({
    name: 'close a payment',
    async load({ tx }, items) {
      const expiring = areAsked ? items.filter(({ event }) => event === 'expired') : []
      const [view, unchecked] = await Promise.all([
        loadDescribed(tx, rails, items),
        expiring.length === 0 ? new Set<PaymentId>() : selectUnchecked(tx, expiring),
      ])
      return { ...view, unchecked }
    },
    decide,
    async write({ tx }, payments) {
      const refs = payments.map(({ merchantId, id }) => ({ merchantId, paymentId: id }))
      await Promise.all([
        queries.writePayments(tx, payments),
        closable.length > 0 && insertClosings(tx, refs, closable),
      ])
    },
  })
}

async function loadDescribed(
  tx: Batch['tx'],
  rails: Rails,
  items: readonly EndItem[],
): Promise<Pick<View, 'payments' | 'described'>> {
  const payments = await loadPayments(tx, items)
  return { payments, described: await describePayments(tx, rails, [...payments.values()], 'brief') }
}

function decide(view: View, item: EndItem, { now }: Pick<Batch, 'now'>): Decided {
  const payment = view.payments.get(item.paymentId)
  if (payment?.merchantId !== item.merchantId) return { verdict: { kind: 'not_found' } }
  const end = ends[item.event]
  if (payment.status === end.status) return { verdict: { kind: 'already', payment } }
  const status = next(paymentStates, payment.status, item.event)
  if (status === undefined || !mayClose(view, payment, item, now))
    return { verdict: { kind: 'refused', payment } }
  const closed: Payment = {
    ...payment,
    status,
    version: payment.version + 1,
    ...(item.early ? { expiresAt: now } : {}),
  }
  view.payments.set(closed.id, closed)
  return {
    verdict: { kind: 'closed', payment: closed },
    change: closed,
    events: [paymentEvent(end.type, closed, view.described)],
  }
}

/** Nothing expires while what was seen and received covers the amount; nothing is canceled while money is on its way. */
function mayClose({ unchecked }: View, payment: Payment, item: EndItem, now: Date): boolean {
  if (item.event === 'canceled') return payment.seenMinor === 0n
  return isDue(payment, item, now, unchecked.has(payment.id)) && payment.seenMinor < missingMinor(payment)
}

/** Its provider may know of money that no callback has told: it has to be asked first, but not for ever. */
function isDue({ expiresAt }: Payment, { early }: EndItem, now: Date, isUnchecked: boolean): boolean {
  if (early === true) return true
  if (expiresAt === undefined) return false
  return (isUnchecked ? addMs(expiresAt, silenceMs) : expiresAt) <= now
}

/** One look for payments whose time is over. Answers how many it closed. */
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

// The ends of a payment that nobody paid: its time is over, or the merchant takes it back.
import type { PaymentRef } from '#/rails/words.ts'
import { runnable, type Batch, type RunnableKind } from '#/ledger/kind.ts'
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
import { missingMinor, paymentStates, type Payment } from './payment.ts'
import * as queries from './queries.ts'
import { paymentEventRecord } from './record.ts'

export type CloseItem = PaymentRef & {
  readonly event: 'expired' | 'canceled'
  /** The sandbox ends a payment before its time, to rehearse money that comes late. */
  readonly early?: true
}

export type CloseVerdict =
  | { readonly kind: 'closed'; readonly payment: Payment }
  /** It was in that state already: nothing changed. */
  | { readonly kind: 'already'; readonly payment: Payment }
  /** Its state does not allow it, or money is on its way. */
  | { readonly kind: 'refused'; readonly payment: Payment }
  | { readonly kind: 'not_found' }

export type CloseKind = RunnableKind<CloseItem, CloseVerdict, EventDraft>

/** What a kind needs to decide about payments and to tell of them. */
export type PaymentView = {
  readonly payments: Map<PaymentId, Payment>
  readonly described: Descriptions
}

type CloseView = PaymentView & {
  /** Their providers were not asked yet what became of them since their time was over. */
  readonly unchecked: ReadonlySet<PaymentId>
}

/** So long a provider may be silent; then a payment expires without its word. */
const silenceMs = 10 * minuteMs

/** Expires and cancels, as kinds of work for the ledger lane. */
export function closeKind(rails: Rails): CloseKind {
  const closable = methodsAtProviders(rails)
  const areAsked = checkedMethods(rails).length > 0
  return runnable<CloseItem, CloseView, Payment, CloseVerdict, EventDraft>({
    name: 'close a payment',
    async load(batch, items) {
      const ending = areAsked ? items.filter(({ event }) => event === 'expired') : []
      const [view, unchecked] = await Promise.all([
        loadPayments(batch, rails, items),
        ending.length === 0 ? new Set<PaymentId>() : selectUnchecked(batch.tx, ending),
      ])
      return { ...view, unchecked }
    },
    decide(view, item, { now }) {
      const payment = view.payments.get(item.paymentId)
      // Others of the batch may have named the same payment, which is theirs.
      if (payment?.merchantId !== item.merchantId) return { verdict: { kind: 'not_found' } }
      if (payment.status === (item.event === 'expired' ? 'EXPIRED' : 'CANCELED')) {
        return { verdict: { kind: 'already', payment } }
      }
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
      const event = paymentEvent(
        item.event === 'expired' ? 'payment.expired' : 'payment.canceled',
        closed,
        view,
      )
      return { verdict: { kind: 'closed', payment: closed }, change: closed, events: [event] }
    },
    async write({ tx }, payments) {
      const refs = payments.map(({ merchantId, id }) => ({ merchantId, paymentId: id }))
      await Promise.all([
        queries.writePayments(tx, payments),
        closable.length > 0 && insertClosings(tx, refs, closable),
      ])
    },
  })
}

/** Nothing expires while what was seen and received covers the amount; nothing is canceled while money is on its way. */
function mayClose({ unchecked }: CloseView, payment: Payment, item: CloseItem, now: Date): boolean {
  if (item.event === 'canceled') return payment.seenMinor === 0n
  return isDue(payment, item, now, unchecked.has(payment.id)) && payment.seenMinor < missingMinor(payment)
}

/** Its provider may know of money that no callback has told: it has to be asked first, but not for ever. */
function isDue({ expiresAt }: Payment, { early }: CloseItem, now: Date, isUnchecked: boolean): boolean {
  if (early === true) return true
  if (expiresAt === undefined) return false
  return (isUnchecked ? addMs(expiresAt, silenceMs) : expiresAt) <= now
}

/** The payments of these items with what their rails add to their records. */
async function loadPayments(
  { tx }: Pick<Batch, 'tx'>,
  rails: Rails,
  refs: readonly PaymentRef[],
): Promise<PaymentView> {
  const payments = await queries.selectPayments(tx, [
    ...new Map(refs.map((ref) => [`${ref.merchantId}/${ref.paymentId}`, ref])).values(),
  ])
  return {
    payments: new Map(payments.map((each) => [each.id, each])),
    described: await describePayments(tx, rails, payments, 'brief'),
  }
}

/** A draft of what the merchant is told of a payment. */
export function paymentEvent(
  type: EventDraft['type'],
  payment: Payment,
  view: Pick<PaymentView, 'described'>,
): EventDraft {
  const { webhookUrl } = payment.request
  return {
    merchantId: payment.merchantId,
    mode: payment.mode,
    type,
    resourceId: payment.id,
    data: paymentEventRecord(payment, view.described.of(payment)),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
  }
}

/** One look for payments whose time is over. Answers how many it closed. */
export async function expireDue(deps: {
  readonly sql: Sql
  readonly lane: LedgerLane<EventDraft>
  readonly kind: CloseKind
}): Promise<number> {
  const due = await queries.selectDue(deps.sql, silenceMs, 500)
  const verdicts = await Promise.all(
    due.map((ref) => deps.lane.submit(deps.kind, { ...ref, event: 'expired' })),
  )
  return verdicts.filter((verdict) => verdict.kind === 'closed').length
}

// The ends of a payment that nobody paid: its time is over, or the merchant takes it back.
import { runnable, type Batch, type RunnableKind } from '#/ledger/kind.ts'
import type { Sql } from '#/db/client.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { next } from '#/kernel/state.ts'
import type { Clock } from '#/kernel/time.ts'
import type { PaymentRef, Rails } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { insertClosings } from './attempt-queries.ts'
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

/** Expires and cancels, as kinds of work for the ledger lane. */
export function closeKind(rails: Rails): CloseKind {
  const closable = [...rails.values()].filter((rail) => rail.close !== undefined).map((rail) => rail.method)
  return runnable<CloseItem, PaymentView, Payment, CloseVerdict, EventDraft>({
    name: 'close a payment',
    load: (batch, items) => loadPayments(batch, rails, items),
    decide(view, item, { at }) {
      const payment = view.payments.get(item.paymentId)
      // Others of the batch may have named the same payment, which is theirs.
      if (payment?.merchantId !== item.merchantId) return { verdict: { kind: 'not_found' } }
      if (payment.status === (item.event === 'expired' ? 'EXPIRED' : 'CANCELED')) {
        return { verdict: { kind: 'already', payment } }
      }
      const status = next(paymentStates, payment.status, item.event)
      if (status === undefined || !mayClose(payment, item, at))
        return { verdict: { kind: 'refused', payment } }
      const closed: Payment = {
        ...payment,
        status,
        version: payment.version + 1,
        ...(item.early ? { expiresAt: at } : {}),
      }
      view.payments.set(closed.id, closed)
      const event = paymentEvent(
        item.event === 'expired' ? 'payment.expired' : 'payment.canceled',
        closed,
        view,
      )
      return { verdict: { kind: 'closed', payment: closed }, change: closed, events: [event] }
    },
    async write({ tx, at }, payments) {
      const refs = payments.map(({ merchantId, id }) => ({ merchantId, paymentId: id }))
      await Promise.all([
        queries.writePayments(tx, payments),
        closable.length > 0 && insertClosings(tx, refs, closable, at),
      ])
    },
  })
}

/** Nothing expires while what was seen and received covers the amount; nothing is canceled while money is on its way. */
function mayClose(payment: Payment, item: CloseItem, at: Date): boolean {
  if (item.event === 'canceled') return payment.seenMinor === 0n
  const due = item.early === true || (payment.expiresAt !== undefined && payment.expiresAt <= at)
  return due && payment.seenMinor < missingMinor(payment)
}

/** The payments of these items with what their rails add to their records. */
export async function loadPayments(
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
export function paymentEvent(type: EventDraft['type'], payment: Payment, view: PaymentView): EventDraft {
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
  readonly clock: Clock
}): Promise<number> {
  const due = await queries.selectDue(deps.sql, deps.clock.now(), 500)
  const verdicts = await Promise.all(
    due.map((ref) => deps.lane.submit(deps.kind, { ...ref, event: 'expired' })),
  )
  return verdicts.filter((verdict) => verdict.kind === 'closed').length
}

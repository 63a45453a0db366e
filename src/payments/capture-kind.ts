// What a merchant decides about an authorisation, under the lane's lock: it is captured or let go, once. The provider is
// asked afterwards, and settlement says what came of it.
import type { PaymentRef } from '#/rails/words.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { minuteMs } from '#/kernel/time.ts'
import { runnable, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './capture-queries.ts'
import type { AuthorisationOrder, NewOrder, OpenAuthorisation, RefusedOrder } from './capture-queries.ts'
import type { Payment } from './payment.ts'
import { selectPayments } from './queries.ts'

/**
 * No amount: all that is authorised. `DROP`: the provider refused what was asked for in a take of this order, and nothing
 * happened.
 */
export type AuthorisationItem = PaymentRef &
  (
    | { readonly wish: 'CAPTURE'; readonly amountMinor?: bigint }
    | { readonly wish: 'VOID' }
    | ({ readonly wish: 'DROP' } & Omit<RefusedOrder, 'merchantId'>)
  )

export type AuthorisationVerdict =
  /** It is to be done, by whoever comes to it first. */
  | { readonly kind: 'ordered'; readonly payment: Payment; readonly order: AuthorisationOrder }
  /** It was asked for like this before, and has been done. */
  | { readonly kind: 'done'; readonly payment: Payment }
  /** There is nothing to do it to, or something else was asked for. */
  | { readonly kind: 'refused'; readonly payment: Payment; readonly order?: AuthorisationOrder }
  | { readonly kind: 'exceeds'; readonly payment: Payment; readonly authorisedMinor: bigint }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'dropped' }
  /** It was not: somebody else has taken the order since, and may have been accepted; or it has ended. */
  | { readonly kind: 'overtaken' }

export type AuthorisationKind = RunnableKind<AuthorisationItem, AuthorisationVerdict, EventDraft>

type View = {
  readonly payments: ReadonlyMap<PaymentId, Payment>
  readonly orders: Map<PaymentId, readonly AuthorisationOrder[]>
  readonly open: ReadonlyMap<PaymentId, readonly OpenAuthorisation[]>
  /** Orders that are still in the hands of whoever was refused. */
  readonly held: Set<string>
}

type Change = { readonly order: NewOrder } | { readonly refused: RefusedOrder }

type Decided = Ruling<Change, AuthorisationVerdict, EventDraft>

/** So long whoever asked may take to do it; then a worker does. */
const headStartMs = minuteMs

/** Decides about authorisations, as a kind of work for the ledger lane. */
export function authorisationKind(): AuthorisationKind {
  return runnable<AuthorisationItem, View, Change, AuthorisationVerdict, EventDraft>({
    name: 'decide about an authorisation',
    async load({ tx }, items) {
      const refs = [...new Map(items.map((item) => [`${item.merchantId}/${item.paymentId}`, item])).values()]
      const refused = items.flatMap((item) => (item.wish === 'DROP' ? [item] : []))
      const held = refused.length === 0 ? new Set<string>() : await queries.lockOrders(tx, refused)
      const [payments, orders, open] = await Promise.all([
        selectPayments(tx, refs),
        queries.selectOrdersOf(tx, refs),
        queries.selectOpenAuthorisations(tx, refs),
      ])
      return {
        payments: new Map(payments.map((payment) => [payment.id, payment])),
        orders: Map.groupBy(orders, (order) => order.paymentId),
        open: Map.groupBy(open, (authorisation) => authorisation.paymentId),
        held: new Set(held),
      }
    },
    decide,
    async write({ tx, at }, changes) {
      const orders = changes.flatMap((change) => ('order' in change ? [change.order] : []))
      const refused = changes.flatMap((change) => ('refused' in change ? [change.refused] : []))
      const when = { at, waitMs: headStartMs }
      // What was refused makes room for what is asked for instead.
      if (refused.length > 0) await queries.deleteOrders(tx, refused)
      if (orders.length > 0) await queries.insertOrders(tx, orders, when)
    },
  })
}

function decide(view: View, item: AuthorisationItem): Decided {
  const payment = view.payments.get(item.paymentId)
  // Others of the batch may have named the same payment, which is theirs.
  if (payment?.merchantId !== item.merchantId) return { verdict: { kind: 'not_found' } }
  if (item.wish === 'DROP') {
    const { merchantId, attemptId, orderId, takes } = item
    // Said twice in one batch, it is dropped once.
    if (!view.held.delete(queries.orderKey(item))) return { verdict: { kind: 'overtaken' } }
    const others = ordersOf(view, payment).filter((order) => order.attemptId !== attemptId || order.hasEnded)
    view.orders.set(payment.id, others)
    return { verdict: { kind: 'dropped' }, change: { refused: { merchantId, attemptId, orderId, takes } } }
  }
  const asked = ordersOf(view, payment).find(({ isAsked }) => isAsked)
  if (asked !== undefined) return { verdict: repeated(payment, item, asked) }
  if (item.wish === 'VOID' && payment.status === 'CANCELED') return { verdict: { kind: 'done', payment } }
  const unwanted = new Set(ordersOf(view, payment).map(({ attemptId }) => attemptId))
  const open = (view.open.get(payment.id) ?? []).find(({ attemptId }) => !unwanted.has(attemptId))
  if (payment.status !== 'APPROVED' || open === undefined) return { verdict: { kind: 'refused', payment } }
  return order(view, payment, item, open)
}

function order(
  view: View,
  payment: Payment,
  item: Extract<AuthorisationItem, { wish: 'CAPTURE' | 'VOID' }>,
  { merchantId, paymentId, attemptId, connection, authorisedMinor }: OpenAuthorisation,
): Decided {
  const amountMinor = item.wish === 'CAPTURE' ? (item.amountMinor ?? authorisedMinor) : null
  if (amountMinor !== null && amountMinor > authorisedMinor)
    return { verdict: { kind: 'exceeds', payment, authorisedMinor } }
  const made: NewOrder = {
    id: newId(),
    connection,
    merchantId,
    paymentId,
    attemptId,
    kind: item.wish,
    amountMinor,
    authorisedMinor,
    isAsked: true,
    hasEnded: false,
  }
  view.orders.set(paymentId, [...ordersOf(view, payment), made])
  return { verdict: { kind: 'ordered', payment, order: made }, change: { order: made } }
}

/** Asked for again: the same once more, or something else than before. */
function repeated(
  payment: Payment,
  item: Exclude<AuthorisationItem, { wish: 'DROP' }>,
  asked: AuthorisationOrder,
): AuthorisationVerdict {
  const wanted = item.wish === 'CAPTURE' ? (item.amountMinor ?? asked.authorisedMinor) : null
  if (asked.kind !== item.wish || asked.amountMinor !== wanted)
    return { kind: 'refused', payment, order: asked }
  if (!asked.hasEnded) return { kind: 'ordered', payment, order: asked }
  const done = item.wish === 'CAPTURE' ? 'PAID' : 'CANCELED'
  return { kind: payment.status === done ? 'done' : 'refused', payment }
}

function ordersOf({ orders }: View, { id }: Payment): readonly AuthorisationOrder[] {
  return orders.get(id) ?? []
}

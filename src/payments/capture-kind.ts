// What a merchant decides about an authorisation, under the lane's lock: it is captured or let go, once. The provider is
// asked afterwards, and settlement says what came of it.
import type { PaymentRef } from '#/rails/words.ts'
import type { Tx } from '#/db/client.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { minuteMs } from '#/kernel/time.ts'
import { runnable, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './capture-queries.ts'
import type { AuthorisationOrder, NewOrder, OpenAuthorisation, RefusedOrder } from './capture-queries.ts'
import { distinctRefs, loadPayments } from './load.ts'
import type { Payment } from './payment.ts'

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
  | { readonly kind: 'superseded' }

export type AuthorisationKind = RunnableKind<AuthorisationItem, AuthorisationVerdict, EventDraft>

type Drop = Extract<AuthorisationItem, { wish: 'DROP' }>
type Wanted = Exclude<AuthorisationItem, { wish: 'DROP' }>

type View = {
  readonly payments: ReadonlyMap<PaymentId, Payment>
  readonly orders: Map<PaymentId, readonly AuthorisationOrder[]>
  /** Authorised, and neither captured nor let go. */
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
    load: ({ tx }, items) => load(tx, items),
    decide,
    async write({ tx, at }, changes) {
      const orders = changes.flatMap((change) => ('order' in change ? [change.order] : []))
      const refused = changes.flatMap((change) => ('refused' in change ? [change.refused] : []))
      // What was refused makes room for what is asked for instead.
      if (refused.length > 0) await queries.deleteOrders(tx, refused)
      if (orders.length > 0) await queries.insertOrders(tx, orders, { at, waitMs: headStartMs })
    },
  })
}

/** Refused orders are locked before anything is read. */
async function load(tx: Tx, items: readonly AuthorisationItem[]): Promise<View> {
  const refused = items.filter((item) => item.wish === 'DROP')
  const held = refused.length === 0 ? [] : await queries.lockOrders(tx, refused)
  const refs = distinctRefs(items)
  const [payments, orders, open] = await Promise.all([
    loadPayments(tx, refs),
    queries.selectOrdersOf(tx, refs),
    queries.selectOpenAuthorisations(tx, refs),
  ])
  return {
    payments,
    orders: Map.groupBy(orders, (order) => order.paymentId),
    open: Map.groupBy(open, (authorisation) => authorisation.paymentId),
    held: new Set(held),
  }
}

function decide(view: View, item: AuthorisationItem): Decided {
  const payment = view.payments.get(item.paymentId)
  if (payment?.merchantId !== item.merchantId) return { verdict: { kind: 'not_found' } }
  return item.wish === 'DROP' ? drop(view, payment, item) : order(view, payment, item)
}

/** The provider refused it: another one may be made. Said twice in one batch, it is dropped once. */
function drop(view: View, payment: Payment, item: Drop): Decided {
  if (!view.held.delete(queries.orderKey(item))) return { verdict: { kind: 'superseded' } }
  const { merchantId, attemptId, orderId, claimed } = item
  const left = ordersOf(view, payment).filter((each) => each.attemptId !== attemptId || each.hasEnded)
  view.orders.set(payment.id, left)
  return { verdict: { kind: 'dropped' }, change: { refused: { merchantId, attemptId, orderId, claimed } } }
}

/** Of the payment's authorisation: only one that is approved has any, and each has one order for ever. */
function order(view: View, payment: Payment, item: Wanted): Decided {
  const orders = ordersOf(view, payment)
  const earlier = orders.find(({ isAsked }) => isAsked)
  if (earlier !== undefined) return { verdict: repeated(payment, item, earlier) }
  if (item.wish === 'VOID' && payment.status === 'CANCELED') return { verdict: { kind: 'done', payment } }
  const unwanted = new Set(orders.map(({ attemptId }) => attemptId))
  const open = (view.open.get(payment.id) ?? []).find(({ attemptId }) => !unwanted.has(attemptId))
  if (payment.status !== 'APPROVED' || open === undefined) return { verdict: { kind: 'refused', payment } }
  const { authorisedMinor } = open
  const amountMinor = amountOf(item, authorisedMinor)
  if (amountMinor !== null && amountMinor > authorisedMinor)
    return { verdict: { kind: 'exceeds', payment, authorisedMinor } }
  const made = orderOf(item, open, amountMinor)
  view.orders.set(payment.id, [...orders, made])
  return { verdict: { kind: 'ordered', payment, order: made }, change: { order: made } }
}

/** Asked for again: the same once more, or something else than before. */
function repeated(payment: Payment, item: Wanted, earlier: AuthorisationOrder): AuthorisationVerdict {
  if (earlier.kind !== item.wish || earlier.amountMinor !== amountOf(item, earlier.authorisedMinor))
    return { kind: 'refused', payment, order: earlier }
  if (!earlier.hasEnded) return { kind: 'ordered', payment, order: earlier }
  const done = item.wish === 'CAPTURE' ? 'PAID' : 'CANCELED'
  return { kind: payment.status === done ? 'done' : 'refused', payment }
}

/** How much is to be captured; null for a void. */
function amountOf(item: Wanted, authorisedMinor: bigint): bigint | null {
  return item.wish === 'CAPTURE' ? (item.amountMinor ?? authorisedMinor) : null
}

function orderOf({ wish }: Wanted, authorisation: OpenAuthorisation, amountMinor: bigint | null): NewOrder {
  const { merchantId, paymentId, attemptId, connection, authorisedMinor } = authorisation
  return {
    id: newId(),
    connection,
    merchantId,
    paymentId,
    attemptId,
    kind: wish,
    amountMinor,
    authorisedMinor,
    isAsked: true,
    hasEnded: false,
  }
}

function ordersOf({ orders }: View, { id }: Payment): readonly AuthorisationOrder[] {
  return orders.get(id) ?? []
}

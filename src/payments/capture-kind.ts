// A merchant's decision about an authorisation, made once and under the lane's lock: it is captured or voided. The provider is
// called afterwards, and settlement books the result.
import type { Tx } from '#/db/client.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { minuteMs } from '#/kernel/time.ts'
import { runnablePure, type Closed, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './capture-queries.ts'
import type { AuthorisationOrder, NewOrder, OpenAuthorisation, RefusedOrder } from './capture-queries.ts'
import type { Payment } from './payment.ts'
import { distinctRefs, loadPayments } from './queries.ts'

/**
 * - `CAPTURE`: without an amount, captures all that is authorised.
 * - `DROP`: the provider refused what one claim of this order requested, and nothing happened.
 */
export type AuthorisationItem = PaymentRef &
  (
    | { readonly request: 'CAPTURE'; readonly amountMinor?: bigint }
    | { readonly request: 'VOID' }
    | ({ readonly request: 'DROP' } & Omit<RefusedOrder, 'merchantId'>)
  )

export type AuthorisationVerdict =
  /** The order is accepted. The caller carries it out, otherwise a worker. */
  | { readonly kind: 'ordered'; readonly payment: Payment; readonly order: AuthorisationOrder }
  /** The same was requested before, and has been carried out. */
  | { readonly kind: 'done'; readonly payment: Payment }
  /** There is no such authorisation, or something else was requested before. */
  | { readonly kind: 'refused'; readonly payment: Payment; readonly order?: AuthorisationOrder }
  | { readonly kind: 'exceeds'; readonly payment: Payment; readonly authorisedMinor: bigint }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'dropped' }
  /** Not dropped: another process has claimed the order since, so the provider may have accepted its request; or the order has ended. */
  | { readonly kind: 'superseded' }

export type AuthorisationKind = RunnableKind<AuthorisationItem, AuthorisationVerdict, EventDraft>

type Drop = Extract<AuthorisationItem, { request: 'DROP' }>
type Requested = Exclude<AuthorisationItem, { request: 'DROP' }>

type View = {
  readonly payments: ReadonlyMap<PaymentId, Payment>
  readonly orders: Map<PaymentId, readonly AuthorisationOrder[]>
  /** Authorisations that are neither captured nor voided. */
  readonly open: ReadonlyMap<PaymentId, readonly OpenAuthorisation[]>
  /** Refused orders that no other process has claimed since. */
  readonly held: Set<string>
}

type Change = { readonly order: NewOrder } | { readonly refused: RefusedOrder & PaymentRef }

type Decided = Ruling<Change, AuthorisationVerdict, EventDraft>

/** How long the caller has to carry out an order; then a worker does it. */
const headStartMs = minuteMs

/** Decides about authorisations, as a kind of work for the ledger lane. */
export function authorisationKind(): AuthorisationKind {
  return runnablePure<AuthorisationItem, View, Change, AuthorisationVerdict, EventDraft>({
    name: 'decide about an authorisation',
    load: ({ tx }, items) => load(tx, items),
    decide,
    keep,
    async write({ tx, at }, changes) {
      const orders = changes.flatMap((change) => ('order' in change ? [change.order] : []))
      const refused = changes.flatMap((change) => ('refused' in change ? [change.refused] : []))
      // A refused order is deleted first, so that another one can be inserted for the same attempt.
      if (refused.length > 0) await queries.deleteOrders(tx, refused)
      if (orders.length > 0) await queries.insertOrders(tx, orders, { at, waitMs: headStartMs })
    },
  })
}

/** Refused orders are locked before anything is read. */
async function load(tx: Tx, items: readonly AuthorisationItem[]): Promise<View> {
  const refused = items.filter((item) => item.request === 'DROP')
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

function decide(view: Closed<View>, item: AuthorisationItem): Decided {
  const payment = view.payments.get(item.paymentId)
  if (payment?.merchantId !== item.merchantId) return { verdict: { kind: 'not_found' } }
  return item.request === 'DROP' ? drop(view, item) : order(view, payment, item)
}

/** The provider refused the order: another one may be made. Two such items in one batch drop it once. */
function drop({ held }: Closed<View>, item: Drop): Decided {
  if (!held.has(queries.orderKey(item))) return { verdict: { kind: 'superseded' } }
  return { verdict: { kind: 'dropped' }, change: { refused: item } }
}

/** Makes an order for the payment's authorisation. Only an APPROVED payment has one, and each authorisation gets one order. */
function order(view: Closed<View>, payment: Payment, item: Requested): Decided {
  const orders = view.orders.get(payment.id) ?? []
  const earlier = orders.find(({ isRequested }) => isRequested)
  if (earlier !== undefined) return { verdict: answerAgain(payment, item, earlier) }
  if (item.request === 'VOID' && payment.status === 'CANCELED') return { verdict: { kind: 'done', payment } }
  const unwanted = new Set(orders.map(({ attemptId }) => attemptId))
  const open = (view.open.get(payment.id) ?? []).find(({ attemptId }) => !unwanted.has(attemptId))
  if (payment.status !== 'APPROVED' || open === undefined) return { verdict: { kind: 'refused', payment } }
  const { authorisedMinor } = open
  const amountMinor = amountOf(item, authorisedMinor)
  if (amountMinor !== null && amountMinor > authorisedMinor)
    return { verdict: { kind: 'exceeds', payment, authorisedMinor } }
  const made = orderOf(item, open, amountMinor)
  return { verdict: { kind: 'ordered', payment, order: made }, change: { order: made } }
}

/** A repeated request: for the same, or for something else than before. */
function answerAgain(payment: Payment, item: Requested, earlier: AuthorisationOrder): AuthorisationVerdict {
  if (earlier.kind !== item.request || earlier.amountMinor !== amountOf(item, earlier.authorisedMinor))
    return { kind: 'refused', payment, order: earlier }
  if (!earlier.hasEnded) return { kind: 'ordered', payment, order: earlier }
  const done = item.request === 'CAPTURE' ? 'PAID' : 'CANCELED'
  return { kind: payment.status === done ? 'done' : 'refused', payment }
}

/** How much is to be captured; null for a void. */
function amountOf(item: Requested, authorisedMinor: bigint): bigint | null {
  return item.request === 'CAPTURE' ? (item.amountMinor ?? authorisedMinor) : null
}

function orderOf(
  { request }: Requested,
  authorisation: OpenAuthorisation,
  amountMinor: bigint | null,
): NewOrder {
  const { merchantId, paymentId, attemptId, connection, authorisedMinor } = authorisation
  return {
    id: newId(),
    connection,
    merchantId,
    paymentId,
    attemptId,
    kind: request,
    amountMinor,
    authorisedMinor,
    isRequested: true,
    hasEnded: false,
  }
}

function keep({ orders, held }: View, change: Change): void {
  const { paymentId, attemptId } = 'order' in change ? change.order : change.refused
  const earlier = orders.get(paymentId) ?? []
  if ('order' in change) {
    orders.set(paymentId, [...earlier, change.order])
    return
  }
  held.delete(queries.orderKey(change.refused))
  orders.set(
    paymentId,
    earlier.filter((each) => each.attemptId !== attemptId || each.hasEnded),
  )
}

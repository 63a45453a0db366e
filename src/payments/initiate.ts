// Initiates an attempt on the payer's page: the attempt, and the terms for its provider, are committed before the provider is
// called. A second request for the same page, in any process, gets the same attempt.
import { given } from '#/kernel/given.ts'
import type { AttemptId, ConnectionId, PaymentId } from '#/kernel/id.ts'
import { runnablePure, type Batch, type Closed, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import { selectMovedSince } from '#/merchants/queries.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import { type OpenedAttempt, type Opens, type Rails, writeOpened } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as attempts from './attempt-queries.ts'
import type { OpeningTerms, TriedAttempt } from './attempt-queries.ts'
import { endAfter, fits, isForRest, isOpen, isUnopened, stillRefuses } from './attempt-state.ts'
import { termsFor, withMethod, withPayer, type Choice, type PageChoice } from './payer-choice.ts'
import { ledgerCurrency, missingMinor, type Payment } from './payment.ts'
import { distinctRefs, loadPayments, writePayers, writePayments } from './queries.ts'

export type InitiateItem = PaymentRef &
  PageChoice & {
    /** For a new attempt, if one is needed. It needs a connection. */
    readonly attemptId: AttemptId
    readonly connection?: ConnectionId
    /** The choice of a checkout's payer. */
    readonly choice?: Choice
    /** A part came, and the payer wants to pay what is missing. */
    readonly rest?: true
  }

export type InitiateVerdict =
  /** It is open at its provider already. */
  | { readonly kind: 'opened'; readonly payment: Payment; readonly attempt: OpenedAttempt }
  | { readonly kind: 'initiated'; readonly payment: Payment; readonly initiated: InitiatedAttempt }
  /**
   * - `over`: it cannot be paid by this method any more.
   * - `refused`: its provider refused it; the reason is in `lastError`.
   * - `not_offered`: this checkout does not have the method.
   * - `unconnected`: no connection accepts it at present.
   */
  | { readonly kind: 'over' | 'refused' | 'not_offered' | 'unconnected'; readonly payment: Payment }
  /** For a charge for the rest: the payer could still pay by these attempts, so they must be over first. */
  | { readonly kind: 'unclosed'; readonly payment: Payment; readonly unclosed: readonly TriedAttempt[] }
  | { readonly kind: 'not_found' }

/** An attempt that the caller must now open at its provider, with its terms. */
export type InitiatedAttempt = TriedAttempt & { readonly terms: OpeningTerms }

export type InitiateKind = RunnableKind<InitiateItem, InitiateVerdict, EventDraft>

type View = {
  readonly payments: Map<PaymentId, Payment>
  readonly tried: Map<PaymentId, readonly TriedAttempt[]>
  /** How far the clocks of sandboxes were moved since these payments were created. */
  readonly moved: ReadonlyMap<string, number>
}

type Change = {
  readonly payment?: Payment
  /** An attempt whose terms are written. */
  readonly initiated?: InitiatedAttempt
  readonly isNew: boolean
}

/** The most attempts of one payment, so that reloading a page cannot make more. */
const attemptsMax = 50

/** Finds or adds the attempt of a page, as a kind of work for the ledger lane. */
export function initiateKind(rails: Rails): InitiateKind {
  return runnablePure<InitiateItem, View, Change, InitiateVerdict, EventDraft>({
    name: 'initiate an attempt',
    bytesOf: () => 1_536,
    async load({ tx }, items) {
      const refs = distinctRefs(items)
      const [payments, tried] = await Promise.all([loadPayments(tx, refs), attempts.selectTried(tx, refs)])
      const byPayment = Map.groupBy(tried, (attempt) => attempt.paymentId)
      return { payments, tried: byPayment, moved: await loadMoved(tx, [...payments.values()]) }
    },
    decide: (view, item, { now }) => decide(rails, view, item, now),
    keep({ payments, tried }, { payment, initiated }) {
      if (payment !== undefined) payments.set(payment.id, payment)
      if (initiated === undefined) return
      const others = (tried.get(initiated.paymentId) ?? []).filter(({ id }) => id !== initiated.id)
      tried.set(initiated.paymentId, [...others, initiated])
    },
    write: (batch, changes) => write(rails, batch, changes),
  })
}

/**
 * Loads how far the clocks were moved. Only checkouts of a sandbox need it: whenever the payer chooses, the end is computed again
 * from the creation.
 */
async function loadMoved(
  tx: Batch['tx'],
  payments: readonly Payment[],
): Promise<ReadonlyMap<string, number>> {
  const checkouts = payments.filter(
    ({ mode, request }) => mode === 'SANDBOX' && request.checkout !== undefined,
  )
  if (checkouts.length === 0) return new Map()
  const moved = await selectMovedSince(
    tx,
    checkouts.map(({ merchantId, id, createdAt }) => ({ merchantId, id, since: createdAt })),
  )
  return new Map(moved.map(({ id, movedMs }) => [id, movedMs]))
}

type Decided = Ruling<Change, InitiateVerdict, EventDraft>

function decide(rails: Rails, view: Closed<View>, item: InitiateItem, now: Date): Decided {
  const payment = view.payments.get(item.paymentId)
  if (payment?.merchantId !== item.merchantId) return { verdict: { kind: 'not_found' } }
  if (!isOffered(payment, item)) return { verdict: { kind: 'not_offered', payment } }
  const opensAt = rails.get(item.method)?.opens.at
  if (!isPayable(payment, item, opensAt, now)) return { verdict: { kind: 'over', payment } }
  const chosen = withPayer(payment, item.choice?.payer)
  const tried = view.tried.get(payment.id) ?? []
  const page: Page = {
    item,
    now,
    payment: chosen,
    tried,
    ofMethod: tried.filter(({ method }) => method === item.method),
    terms: termsFor(chosen, item, item.choice, { now, movedMs: view.moved.get(payment.id) ?? 0 }),
    isLocal: opensAt === 'CREATION',
  }
  const shown = findShown(page)
  const { verdict, writes } =
    item.rest === true
      ? initiateRest(page)
      : (showAgain(page, shown) ?? goOn(page, shown) ?? refuse(page) ?? addAttempt(page))
  const changed = verdict.payment === payment ? undefined : verdict.payment
  const initiated = verdict.kind === 'initiated' && writes !== undefined ? verdict.initiated : undefined
  if (changed === undefined && initiated === undefined) return { verdict }
  return { verdict, change: { ...given({ payment: changed, initiated }), isNew: writes === 'attempt' } }
}

/** A payer's request for the page of a payment that can be paid by this method. */
type Page = {
  readonly item: InitiateItem
  readonly now: Date
  /** With the payer's data of this request. */
  readonly payment: Payment
  readonly tried: readonly TriedAttempt[]
  readonly ofMethod: readonly TriedAttempt[]
  /** The terms of a new attempt. */
  readonly terms: OpeningTerms
  /** The method's attempts are opened when their rows are inserted: no provider is asked. */
  readonly isLocal: boolean
}

type Outcome = {
  /** With the payment in its new state. */
  readonly verdict: Exclude<InitiateVerdict, { readonly kind: 'not_found' }>
  /** `terms`: writes the terms to an existing attempt. `attempt`: adds an attempt with its terms. */
  readonly writes?: 'terms' | 'attempt'
}

/** The attempt that the page could show. */
function findShown({ item, now, ofMethod, isLocal }: Page): TriedAttempt | undefined {
  return isLocal ? ofMethod.at(-1) : ofMethod.findLast((attempt) => fits(attempt, item.presentation, now))
}

/** The attempt was opened before, and the payer chooses it again. */
function showAgain(page: Page, shown: TriedAttempt | undefined): Outcome | undefined {
  const { item, payment, terms, isLocal } = page
  if (shown === undefined || payment.status !== 'WAITING_PAYMENT') return undefined
  const end = isLocal || shown.terms === null ? endAfter(terms, 0) : endAfter(shown.terms, shown.movedMs)
  const chosen = item.choice === undefined ? payment : withMethod(payment, item.method, end)
  const attempt = { ...attempts.toAttempt(shown), artifacts: shown.artifacts ?? {} }
  return { verdict: { kind: 'opened', payment: chosen, attempt } }
}

/**
 * An attempt whose provider was not called yet, or did not answer. Or an attempt that is open already, while its payment is not
 * WAITING_PAYMENT.
 */
function goOn(
  { item, now, payment, ofMethod, terms }: Page,
  shown: TriedAttempt | undefined,
): Outcome | undefined {
  const found = shown ?? ofMethod.findLast((attempt) => isUnopened(attempt, item.presentation, now))
  if (found === undefined) return undefined
  const initiated: InitiatedAttempt = { ...found, terms: found.terms ?? terms }
  const verdict = { kind: 'initiated' as const, payment, initiated }
  return found.terms === null ? { verdict, writes: 'terms' } : { verdict }
}

function refuse({ now, payment, tried, ofMethod, terms }: Page): Outcome | undefined {
  const isRefused =
    tried.length >= attemptsMax || ofMethod.some((attempt) => stillRefuses(attempt, terms, now))
  return isRefused ? { verdict: { kind: 'refused', payment } } : undefined
}

/**
 * An attempt for what is missing. At most one attempt can be paid: every other one must be over, with its money booked, before the
 * amount is computed. Money is booked under the same lock, so none can come in between.
 */
function initiateRest(page: Page): Outcome {
  const { item, payment, tried, terms, now } = page
  const open = tried.filter(isOpen)
  const current = open.find(
    (attempt) =>
      attempt.method === item.method &&
      isForRest(attempt, payment) &&
      (fits(attempt, undefined, now) || isUnopened(attempt, undefined, now)),
  )
  const unclosed = open.filter((attempt) => attempt !== current)
  if (unclosed.length > 0) return { verdict: { kind: 'unclosed', payment, unclosed } }
  const { receipts, receivedMinor, refundedMinor } = payment
  const rest = { receipts, received: `${receivedMinor}`, refunded: `${refundedMinor}` }
  const ofRest: Page = { ...page, terms: { ...terms, rest } }
  const again =
    current === undefined
      ? undefined
      : (showAgain(ofRest, current.artifacts === null ? undefined : current) ?? goOn(ofRest, current))
  return again ?? refuse(ofRest) ?? addAttempt(ofRest)
}

function addAttempt({ item, payment, terms }: Page): Outcome {
  const { attemptId, connection, method } = item
  if (connection === undefined) return { verdict: { kind: 'unconnected', payment } }
  const initiated: InitiatedAttempt = {
    id: attemptId,
    merchantId: payment.merchantId,
    paymentId: payment.id,
    method,
    connection,
    amountMinor: item.rest === true ? missingMinor(payment) : payment.amountMinor,
    currency: ledgerCurrency(payment.currency, method),
    artifacts: null,
    refusal: null,
    overAt: null,
    movedMs: 0,
    terms,
  }
  return { verdict: { kind: 'initiated', payment, initiated }, writes: 'attempt' }
}

/** A checkout offers the methods that its creation resolved; the page of another payment offers its one method. */
function isOffered({ request, methods, method }: Payment, item: InitiateItem): boolean {
  return item.choice === undefined
    ? method === item.method
    : request.checkout !== undefined && methods.includes(item.method)
}

/**
 * Prevents a second payment. While money on its way covers the rest, nothing is opened. After a part came, only its method can be
 * opened; if a charge of that method is paid once, only for the rest.
 */
function isPayable(
  payment: Payment,
  { choice, method, rest }: InitiateItem,
  opensAt: Opens['at'] | undefined,
  now: Date,
): boolean {
  const { status, expiresAt, seenMinor, receivedMinor } = payment
  if (status !== 'WAITING_PAYMENT' && (status !== 'PENDING' || (choice === undefined && rest !== true)))
    return false
  if (expiresAt !== undefined && expiresAt <= now) return false
  if (seenMinor >= missingMinor(payment)) return false
  const hasPart = seenMinor + receivedMinor > 0n
  if (opensAt === 'REQUEST' && hasPart !== (rest === true)) return false
  if (rest === true && (opensAt !== 'REQUEST' || seenMinor > 0n || payment.request.checkout === undefined))
    return false
  return !hasPart || payment.method === undefined || payment.method === method
}

async function write(rails: Rails, { tx, at }: Batch, changes: readonly Change[]): Promise<void> {
  const terms = changes.flatMap(({ initiated }) =>
    initiated === undefined ? [] : [{ ...initiated, attemptId: initiated.id }],
  )
  const fresh = changes.flatMap((change) =>
    change.isNew && change.initiated !== undefined ? [attempts.toAttempt(change.initiated)] : [],
  )
  const payments = changes.flatMap((change) => change.payment ?? [])
  // Rows are inserted before they are updated: statements of one transaction run in the order in which they are sent.
  await Promise.all([
    fresh.length > 0 &&
      attempts.insertAttempts(
        tx,
        fresh.map((attempt) => ({ attempt, createdAt: at })),
      ),
    ...[...Map.groupBy(fresh, ({ method }) => method)].map(([method, group]) =>
      writeOpened(tx, rails.get(method)?.opens, group),
    ),
    terms.length > 0 && attempts.writeTerms(tx, terms),
    payments.length > 0 && writePayments(tx, payments),
    payments.length > 0 && writePayers(tx, payments),
  ])
}

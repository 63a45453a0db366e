// Beginning an attempt on the payer's page: which attempt it is, and what its provider is asked for, is committed before
// the provider is. Whoever comes to the same page meanwhile, in whatever process, is led to the same attempt.
import type { Attempt, Method, PaymentRef } from '#/rails/words.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { AttemptId, ConnectionId, PaymentId } from '#/kernel/id.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { runnable, type Batch, type RunnableKind } from '#/ledger/kind.ts'
import { type OpenedAttempt, type Rails, writeOpened } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { insertAttempts, toAttempt } from './attempt-queries.ts'
import * as queries from './begin-queries.ts'
import type { Asked, TriedAttempt } from './begin-queries.ts'
import { checkoutEnd, ledgerCurrency, missingMinor, type Payer, type Payment } from './payment.ts'
import { selectPayments, writePayments } from './queries.ts'

/** What the payer chose on the page of a checkout. */
export type Choice = {
  /** All that is known of the payer from the page; absent: what was known before. */
  readonly payer?: Payer
  /** How long the payer has for this method; absent: until the payment ends by itself. */
  readonly expiryMs?: number
}

export type BeginItem = PaymentRef & {
  readonly method: Method
  /** Of a new attempt, should there have to be one. No connection: there can be none. */
  readonly attemptId: AttemptId
  readonly connection?: ConnectionId
  readonly presentation?: 'HOSTED'
  readonly locale?: string
  readonly choice?: Choice
}

export type BeginVerdict =
  /** Its provider knows it already: nothing is to be asked. */
  | { readonly kind: 'opened'; readonly payment: Payment; readonly attempt: OpenedAttempt }
  | { readonly kind: 'begun'; readonly payment: Payment; readonly begun: BegunAttempt }
  /**
   * `over`: nobody can pay it by this method any more. `refused`: its provider said no, and why is in `lastError`.
   * `not_offered`: it is no method of this checkout. `unconnected`: nothing takes it at present.
   */
  | { readonly kind: 'over' | 'refused' | 'not_offered' | 'unconnected'; readonly payment: Payment }
  | { readonly kind: 'not_found' }

/** An attempt that its provider is to be asked for, and with what. */
export type BegunAttempt = TriedAttempt & { readonly asked: Asked }

export type BeginKind = RunnableKind<BeginItem, BeginVerdict, EventDraft>

type View = {
  readonly payments: Map<PaymentId, Payment>
  readonly tried: Map<PaymentId, readonly TriedAttempt[]>
}

type Change = {
  readonly payment?: Payment
  readonly fresh?: Attempt
  readonly asked?: {
    readonly merchantId: PaymentRef['merchantId']
    readonly attemptId: AttemptId
    readonly asked: Asked
  }
}

/** A refusal is not asked for again so soon, and nobody makes more attempts than these by reloading a page. */
const refusalMs = minuteMs
const attemptsMax = 50

/** Finds or adds the attempt of a page, as a kind of work for the ledger lane. */
export function beginKind(rails: Rails): BeginKind {
  return runnable<BeginItem, View, Change, BeginVerdict, EventDraft>({
    name: 'begin an attempt',
    bytesOf: () => 1_536,
    async load({ tx }, items) {
      const refs = [...new Map(items.map((item) => [`${item.merchantId}/${item.paymentId}`, item])).values()]
      const [payments, tried] = await Promise.all([selectPayments(tx, refs), queries.selectTried(tx, refs)])
      return {
        payments: new Map(payments.map((payment) => [payment.id, payment])),
        tried: Map.groupBy(tried, (attempt) => attempt.paymentId),
      }
    },
    decide: (view, item, { now }) => decide(rails, view, item, now),
    write: (batch, changes) => write(rails, batch, changes),
  })
}

function decide(rails: Rails, view: View, item: BeginItem, now: Date): Decided {
  const payment = view.payments.get(item.paymentId)
  // Others of the batch may have named the same payment, which is theirs.
  if (payment?.merchantId !== item.merchantId) return { verdict: { kind: 'not_found' } }
  if (!isOffered(payment, item)) return { verdict: { kind: 'not_offered', payment } }
  if (!isPayable(payment, item, now)) return { verdict: { kind: 'over', payment } }

  const told = withPayer(payment, item.choice?.payer)
  const all = view.tried.get(payment.id) ?? []
  const own = all.filter(({ method }) => method === item.method)
  const asked = askedFor(told, item, now)
  const isLocal = rails.get(item.method)?.opens.at === 'CREATION'
  const known = isLocal ? own.at(-1) : own.findLast((attempt) => fits(attempt, item.presentation, now))
  if (known !== undefined && payment.status === 'WAITING_PAYMENT') {
    const chosen = item.choice
      ? withMethod(told, item.method, (isLocal ? asked : known.asked) ?? asked)
      : told
    return decided(view, payment, chosen, { kind: 'opened', payment: chosen, attempt: toOpened(known) })
  }
  // What opens at the creation was opened with its row: only the payment does not say so yet.
  const begun = known ?? own.findLast((attempt) => isUnopened(attempt, item.presentation, now))
  if (begun !== undefined) {
    const attempt: BegunAttempt = { ...begun, asked: begun.asked ?? asked }
    return decided(
      view,
      payment,
      told,
      { kind: 'begun', payment: told, begun: attempt },
      begun.asked === null,
    )
  }
  if (all.length >= attemptsMax || own.some((attempt) => stillRefuses(attempt, asked, now)))
    return decided(view, payment, told, { kind: 'refused', payment: told })
  if (item.connection === undefined)
    return decided(view, payment, told, { kind: 'unconnected', payment: told })
  return begin(view, payment, told, { ...item, connection: item.connection }, asked)
}

type Decided = { readonly verdict: BeginVerdict; readonly change?: Change }

/** A checkout has the methods that its creation resolved; the page of a payment without one has the payment's own. */
function isOffered({ request, methods, method }: Payment, item: BeginItem): boolean {
  return item.choice === undefined
    ? method === item.method
    : request.checkout !== undefined && methods.includes(item.method)
}

/** Nobody pays twice: with money on its way nothing else is opened, and after a part of it there is one method only. */
function isPayable(payment: Payment, { choice, method }: BeginItem, now: Date): boolean {
  const { status, expiresAt, seenMinor, receivedMinor } = payment
  if (status !== 'WAITING_PAYMENT' && (status !== 'PENDING' || choice === undefined)) return false
  if (expiresAt !== undefined && expiresAt <= now) return false
  if (seenMinor >= missingMinor(payment)) return false
  return seenMinor + receivedMinor === 0n || payment.method === undefined || payment.method === method
}

function withPayer(payment: Payment, payer: Payer | undefined): Payment {
  const isNew = payer !== undefined && canonicalJson(payer) !== canonicalJson(payment.payer ?? {})
  return isNew ? { ...payment, payer, version: payment.version + 1 } : payment
}

/** The payment, to be paid by this method from now on. */
export function withMethod(
  payment: Payment,
  method: Method,
  { expiresAt }: Pick<Asked, 'expiresAt'>,
): Payment {
  const end = new Date(expiresAt)
  if (payment.method === method && payment.expiresAt?.getTime() === end.getTime()) return payment
  return { ...payment, method, expiresAt: end, version: payment.version + 1 }
}

function askedFor(payment: Payment, { choice, presentation, locale }: BeginItem, now: Date): Asked {
  const { request, payer = {}, expiresAt, createdAt } = payment
  const end = choice === undefined && expiresAt !== undefined ? expiresAt : checkoutEnd(createdAt, request)
  const own = choice?.expiryMs === undefined ? end : addMs(now, choice.expiryMs)
  const [name, email, taxId] = [
    payer.name ?? request.customerName,
    payer.email ?? request.customerEmail,
    payer.taxId ?? request.customerTaxId,
  ]
  return {
    expiresAt: (own < end ? own : end).toISOString(),
    ...(presentation === undefined ? {} : { presentation }),
    ...(locale === undefined ? {} : { locale }),
    ...(name === undefined ? {} : { customerName: name }),
    ...(email === undefined ? {} : { customerEmail: email }),
    ...(taxId === undefined ? {} : { customerTaxId: taxId }),
  }
}

/** Whether what this attempt's opening gave can be shown for such a wish. */
export function fits(attempt: TriedAttempt, presentation: 'HOSTED' | undefined, now: Date): boolean {
  const { artifacts, asked, overAt } = attempt
  if (overAt !== null) return false
  if (artifacts === null || isPast(artifacts['expiresAt'], now) || isPast(asked?.expiresAt, now)) return false
  return artifacts['presentation'] === presentation || asked?.presentation === presentation
}

function isPast(instant: unknown, now: Date): boolean {
  return typeof instant === 'string' && new Date(instant) <= now
}

/** Whether asking for this attempt is what is wanted, and its provider may still say yes. */
function isUnopened(attempt: TriedAttempt, presentation: 'HOSTED' | undefined, now: Date): boolean {
  const { artifacts, asked, refusal } = attempt
  if (artifacts !== null || refusal !== null || isPast(asked?.expiresAt, now)) return false
  return asked === null ? true : asked.presentation === presentation
}

function stillRefuses({ refusal, asked }: TriedAttempt, wanted: Asked, now: Date): boolean {
  if (refusal === null || addMs(new Date(refusal.at), refusalMs) <= now) return false
  return canonicalJson({ ...asked, expiresAt: '' }) === canonicalJson({ ...wanted, expiresAt: '' })
}

function begin(
  view: View,
  payment: Payment,
  told: Payment,
  { attemptId, connection, method }: BeginItem & { readonly connection: ConnectionId },
  asked: Asked,
): Decided {
  const { merchantId, id: paymentId, amountMinor } = payment
  const currency = ledgerCurrency(payment.currency, method)
  const begun: BegunAttempt = {
    id: attemptId,
    merchantId,
    paymentId,
    method,
    connection,
    amountMinor,
    currency,
    artifacts: null,
    refusal: null,
    overAt: null,
    asked,
  }
  const verdict = { kind: 'begun' as const, payment: told, begun }
  const after = decided(view, payment, told, verdict, true)
  return { ...after, change: { ...after.change, fresh: toAttempt(begun) } }
}

/** What later items of the batch see, and what is written. */
function decided(
  view: View,
  before: Payment,
  after: Payment,
  verdict: BeginVerdict,
  isAsked = false,
): Decided {
  if (after !== before) view.payments.set(after.id, after)
  const begun = verdict.kind === 'begun' && isAsked ? verdict.begun : undefined
  if (begun !== undefined) {
    const others = (view.tried.get(before.id) ?? []).filter(({ id }) => id !== begun.id)
    view.tried.set(before.id, [...others, begun])
  }
  if (after === before && begun === undefined) return { verdict }
  return {
    verdict,
    change: {
      ...(after === before ? {} : { payment: after }),
      ...(begun === undefined
        ? {}
        : { asked: { merchantId: begun.merchantId, attemptId: begun.id, asked: begun.asked } }),
    },
  }
}

function toOpened(attempt: TriedAttempt): OpenedAttempt {
  return { ...toAttempt(attempt), artifacts: attempt.artifacts ?? {} }
}

async function write(rails: Rails, { tx, at }: Batch, changes: readonly Change[]): Promise<void> {
  const fresh = changes.flatMap((change) => change.fresh ?? [])
  const asked = changes.flatMap((change) => change.asked ?? [])
  const payments = changes.flatMap((change) => change.payment ?? [])
  // Rows are there before what is added to them: statements of one transaction run in the order in which they are sent.
  await Promise.all([
    fresh.length > 0 &&
      insertAttempts(
        tx,
        fresh,
        fresh.map(() => at),
      ),
    ...[...Map.groupBy(fresh, ({ method }) => method)].map(([method, group]) =>
      writeOpened(tx, rails.get(method)?.opens, group),
    ),
    asked.length > 0 && queries.writeAsked(tx, asked),
    payments.length > 0 && writePayments(tx, payments),
    payments.length > 0 && queries.writePayers(tx, payments),
  ])
}

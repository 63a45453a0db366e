// Opens an attempt whose provider makes what the payer needs: the attempt is committed, the provider is called, and its answer is
// committed. The attempt's id is our reference there, so a repeated request is the same charge. First the payment of a creation, then the
// page of its payer.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError, ProviderError, messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type AttemptId, type ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { hideTexts } from '#/kernel/private.ts'
import { secondMs, type Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Attempt, Issue } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import {
  type Opened,
  type OpenedAttempt,
  type Rail,
  type Rails,
  pageOf,
  type Opens,
  type OpensAtCreation,
} from '#/rails/rail.ts'
import type { Routing } from '#/rails/routing.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as attempts from './attempt-queries.ts'
import type { OpeningTerms, TriedAttempt } from './attempt-queries.ts'
import { endAfter, fits } from './attempt-state.ts'
import { initiateKind, type InitiateItem, type InitiateVerdict, type InitiatedAttempt } from './initiate.ts'
import { joinCalls } from './join-calls.ts'
import { openKind, type OpenKind, type OpenVerdict } from './open-kind.ts'
import { type Choice, type PageChoice, lackingNeeds, payerDetailsOf } from './payer-choice.ts'
import { ledgerCurrency, type Payment } from './payment.ts'
import * as queries from './queries.ts'

export type PaymentOpener = {
  /**
   * Opens the payment if its rail opens in the request or at once and it is no checkout, and returns it. 503 with the payment's id
   * when the provider does not answer: the payment stays as it is, and a repeated request with the same key continues. `made`: the
   * payment's attempt, if it was made just now and need not be read.
   */
  open(payment: Payment, made?: Attempt): Promise<OpenVerdict>
}

export type OpenerDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly lane: LedgerLane<EventDraft>
  readonly kind: OpenKind
  readonly log: Log
  /** Writes down what is handed out, before it is. Absent: nothing is written down. */
  readonly issue?: Issue | undefined
}

export function createPaymentOpener(deps: OpenerDeps): PaymentOpener {
  const openAtProvider = providerCalls(deps)
  const openWithPage = pageOpening(deps)
  const joinPayment = joinCalls<OpenVerdict>()

  const openAttempt = (payment: Payment, attempt: attempts.KeptAttempt, isAnswered: boolean) => {
    const initiated = { ...attempt, terms: termsAtCreation(payment), refusal: null, overAt: null, movedMs: 0 }
    return openAtProvider(payment, initiated, { isChosen: false, isAnswered })
  }

  async function open(payment: Payment, made?: Attempt): Promise<OpenVerdict> {
    if (made !== undefined && payment.status === 'PENDING')
      return openAttempt(payment, attempts.toKept(made), true)
    const all = await attempts.selectAttempts(deps.sql, [refOf(payment)])
    const attempt = must(
      all.findLast((each) => each.method === payment.method),
      'a payment has an attempt of its method',
    )
    if (attempt.artifacts !== null) {
      // Another process may have opened it since the payment was read.
      const isRead = payment.status !== 'PENDING'
      const [now] = isRead ? [payment] : await queries.selectPayments(deps.sql, [refOf(payment)])
      const opened = must(now, 'a payment that was opened exists')
      return { payment: opened, attempt: { id: attempt.id, artifacts: attempt.artifacts } }
    }
    if (payment.status !== 'PENDING') return { payment }
    // An earlier answer may have shown the payment as PENDING.
    return openAttempt(payment, attempt, false)
  }

  /** As the page does, which the payer may have open already: both are one attempt with the same terms. */
  async function openAtOnce(payment: Payment, method: Method, made?: Attempt): Promise<OpenVerdict> {
    if (made !== undefined) return openWithPage(payment, { method }, { isAnswered: true })
    const all = await attempts.selectAttempts(deps.sql, [refOf(payment)])
    const [kept] = all
      .flatMap(({ id, artifacts, ...each }) =>
        each.method === method && artifacts !== null ? [{ id, artifacts }] : [],
      )
      .slice(-1)
    if (kept !== undefined) return { payment, attempt: kept }
    return payment.status === 'WAITING_PAYMENT' ? openWithPage(payment, { method }) : { payment }
  }

  return {
    async open(payment, made) {
      const { id, method, request } = payment
      if (method === undefined || request.checkout !== undefined) return { payment }
      const opens = deps.rails.get(method)?.opens
      if (opens?.at === 'REQUEST') return joinPayment(id, () => open(payment, made))
      const isAtOnce = opens?.at === 'PAGE' && opens.atOnce === true
      return isAtOnce ? joinPayment(id, () => openAtOnce(payment, method, made)) : { payment }
    },
  }
}

function termsAtCreation({ request, expiresAt }: Payment): OpeningTerms {
  const { customerName, customerEmail, customerTaxId, customerPhone, customerAddress } = request
  return {
    expiresAt: must(expiresAt, 'a payment that waits for its payer ends').toISOString(),
    ...given({ customerName, customerEmail, customerTaxId, customerPhone, customerAddress }),
  }
}

function refOf({ merchantId, id }: Payment) {
  return { merchantId, paymentId: id }
}

/**
 * Opens an attempt at its provider and stores the answer; in this process at most one call at a time for each attempt.
 * - `isChosen`: the payer chose the attempt while the payment was in the state that is passed here.
 * - `isAnswered`: the answer to the creation contains the result.
 */
type OpenAtProvider = (
  payment: Payment,
  initiated: InitiatedAttempt,
  how: { readonly isChosen: boolean; readonly isAnswered: boolean },
) => Promise<OpenVerdict>

function providerCalls(deps: OpenerDeps): OpenAtProvider {
  const joinAttempt = joinCalls<OpenVerdict>()
  return (payment, initiated, { isChosen, isAnswered }) =>
    joinAttempt(initiated.id, async () => {
      const { id: attemptId, method, terms, movedMs } = initiated
      const { opens } = must(deps.rails.get(method), `there is a rail for ${method}`)
      const opened = opens.at === 'CREATION' ? undefined : await askProvider(deps, opens, payment, initiated)
      const chosen = isChosen ? { before: payment.method, end: endAfter(terms, movedMs) } : undefined
      const item = { ...refOf(payment), attemptId, method, isAnswered, ...given({ opened, chosen }) }
      return deps.lane.submit(deps.kind, item)
    })
}

/**
 * Written down before the provider is called: from then on it may have a charge that somebody can pay, whatever happens to its
 * answer.
 */
async function askProvider(
  { log, issue }: Pick<OpenerDeps, 'log' | 'issue'>,
  opens: Exclude<Opens, OpensAtCreation>,
  payment: Payment,
  initiated: InitiatedAttempt,
): Promise<Opened> {
  const { page, request } = payment
  const { description, captureMode } = request
  const { expiresAt, rest: _rest, ...terms } = initiated.terms
  const attempt = attempts.toAttempt(initiated)
  const sent = [description, payerDetailsOf(payment)]
  await issue?.(attempt)
  try {
    const opened = await opens.open({
      ...attempt,
      ...terms,
      expiresAt: new Date(expiresAt),
      ...(page === undefined ? {} : { pageUrl: page.url }),
      ...given({ description, captureMode }),
    })
    if (!opened.ok) {
      const { code, said = '' } = opened
      log.warn(
        { payment: payment.id, attempt: initiated.id, code, said: hideTexts(said, sent) },
        'a provider refuses a payment',
      )
    }
    const name = opened.ok && opens.namedBy !== undefined ? opened.artifacts[opens.namedBy] : undefined
    if (typeof name === 'string') await issue?.(attempt, name)
    return opened
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn(
      { payment: payment.id, outcome: error.outcome, error: hideTexts(messageOf(error), sent) },
      'a provider did not open a payment',
    )
    const detail = 'The provider does not answer. The payment is kept; send the same request again to go on.'
    throw new AppError('provider_unavailable', detail, {
      cause: error,
      extra: { paymentId: payment.id },
      retryAfterMs: 2 * secondMs,
    })
  }
}

/** The payment as it is now. Without an attempt: it cannot be paid by this method any more, or its provider refuses. */
export type PageAttempt = { readonly payment: Payment; readonly attempt?: OpenedAttempt }

export type PageOpener = {
  /**
   * Opens the payment's method at its provider, once for all concurrent calls. Returns the stored attempt as long as it can be
   * paid, and makes a new one after that, unless the rail opens only what a payer chose. 503 `provider_unavailable` when the provider
   * does not answer: a repeated call continues.
   */
  openPage(payment: Payment, page: PageChoice): Promise<PageAttempt>
  /**
   * The same for a method that the payer of a checkout chooses now. Errors:
   * - 400 with pointers into `/customer`: the method needs more data of the payer
   * - 422 `method_not_available`: the payment does not have the method, or no connection accepts it at present
   */
  openChosen(payment: Payment, page: PageChoice, choice: Choice): Promise<PageAttempt>
  /**
   * The same for what is missing after a part came: a new attempt of exactly that amount, or the one that is open for it already.
   * `unclosed`: nothing was opened, because these attempts can still be paid.
   */
  openRest(payment: Payment, page: PageChoice): Promise<PageAttempt & Unclosed>
}

export type Unclosed = { readonly unclosed?: readonly OpenedAttempt[] }

export type PageOpenerDeps = Omit<OpenerDeps, 'kind'> & { readonly clock: Clock }

/** `isAnswered`: the answer to the creation contains the result. */
type PageOpening = (
  payment: Payment,
  page: PageChoice,
  more?: Pick<InitiateItem, 'choice' | 'rest'> & { readonly isAnswered?: boolean },
) => Promise<PageAttempt & Unclosed>

/** Commits the attempt with its terms, or finds it, and then opens it. */
function pageOpening(deps: OpenerDeps): PageOpening {
  const { rails, lane } = deps
  const initiate = initiateKind(rails)
  const openAtProvider = providerCalls(deps)

  async function open(
    payment: Payment,
    page: PageChoice,
    { isAnswered = false, ...more }: Parameters<PageOpening>[2] = {},
  ): Promise<PageAttempt & Unclosed> {
    const { method } = page
    const rail = rails.get(method)
    const routing = rail === undefined ? undefined : routingOf(rail, payment)
    const attemptId = newId<'attempt'>()
    if (rail !== undefined && routing?.ok)
      await issueLocal(deps, payment, rail, attemptId, routing.connection)
    const connection = routing?.ok ? routing.connection : undefined
    const item = { ...refOf(payment), ...page, ...more, attemptId, ...given({ connection }) }
    const verdict: InitiateVerdict = await lane.submit(initiate, item)
    if (verdict.kind === 'opened') return verdict
    if (verdict.kind === 'unclosed')
      return { payment: verdict.payment, unclosed: await openedOf(verdict.payment, verdict.unclosed) }
    if (verdict.kind !== 'initiated') return withoutAttempt(payment, method, verdict, routing)
    const opened = await openAtProvider(verdict.payment, verdict.initiated, {
      isChosen: more.choice !== undefined,
      isAnswered,
    })
    // Paid by another attempt, or ended, while its provider was asked: the page must not offer it.
    const isOver = opened.payment.status !== 'WAITING_PAYMENT'
    if (opened.attempt === undefined || isOver) return { payment: opened.payment }
    return {
      payment: opened.payment,
      attempt: { ...attempts.toAttempt(verdict.initiated), artifacts: opened.attempt.artifacts },
    }
  }

  /** Opens the attempts that have no answer of their provider first: a call that was cut off may have made a charge there. */
  async function openedOf(
    payment: Payment,
    tried: readonly TriedAttempt[],
  ): Promise<readonly OpenedAttempt[]> {
    const answers = await Promise.all(
      tried.map(async (attempt) => {
        const { artifacts } = attempt
        if (artifacts !== null) return { ...attempts.toAttempt(attempt), artifacts }
        const initiated = { ...attempt, terms: attempt.terms ?? termsAtCreation(payment) }
        const opened = await openAtProvider(payment, initiated, { isChosen: false, isAnswered: false })
        return opened.attempt && { ...attempts.toAttempt(attempt), artifacts: opened.attempt.artifacts }
      }),
    )
    return answers.flatMap((each) => each ?? [])
  }

  return open
}

export function createPageOpener(deps: PageOpenerDeps): PageOpener {
  const { sql, rails, clock } = deps
  const open = pageOpening({ ...deps, kind: openKind(rails) })
  const joinPage = joinCalls<PageAttempt>()

  return {
    async openPage(payment, page) {
      const opens = pageOf(rails.get(page.method))
      if (opens === undefined) return { payment }
      return joinPage(`${payment.id}/${page.method}/${page.presentation}`, async () => {
        const kept = await keptFor(sql, payment, page, clock)
        if (kept !== undefined) return { payment, attempt: kept }
        return opens.onlyChosen === true ? { payment } : open(payment, page)
      })
    },
    openChosen: async (payment, page, choice) =>
      open(payment, page, { choice: possibleChoice(rails.get(page.method), payment, choice) }),
    openRest: (payment, page) => open(payment, page, { rest: true }),
  }
}

/** The attempt that was opened before, if the payment waits for it. Read without a transaction, because each view of a page needs it. */
async function keptFor(
  sql: Sql,
  payment: Payment,
  { method, presentation }: PageChoice,
  clock: Clock,
): Promise<OpenedAttempt | undefined> {
  if (payment.status !== 'WAITING_PAYMENT' || payment.method !== method) return undefined
  const tried = await attempts.selectTried(sql, [refOf(payment)])
  const found = tried.findLast(
    (attempt) => attempt.method === method && fits(attempt, presentation, clock.now()),
  )
  if (found === undefined) return undefined
  return { ...attempts.toAttempt(found), artifacts: found.artifacts ?? {} }
}

/**
 * Writes down the attempt that the payment gets unless it has one of this method: it can be paid as soon as it is committed.
 * Attempts at a provider are written down when the provider is called.
 */
async function issueLocal(
  { issue }: Pick<OpenerDeps, 'issue'>,
  { merchantId, id: paymentId, amountMinor: minor, currency }: Payment,
  { method, opens }: Rail,
  id: AttemptId,
  connection: ConnectionId,
): Promise<void> {
  if (opens.at !== 'CREATION') return
  const amount = { minor, currency: ledgerCurrency(currency, method) }
  await issue?.({ id, merchantId, paymentId, method, connection, amount })
}

function withoutAttempt(
  payment: Payment,
  method: Method,
  verdict: Exclude<InitiateVerdict, { kind: 'opened' | 'initiated' | 'unclosed' }>,
  routing: Routing | undefined,
): PageAttempt {
  switch (verdict.kind) {
    case 'over':
    case 'refused':
      return { payment: verdict.payment }
    case 'not_offered':
      throw notAvailable(`${method} is no method of this payment.`)
    case 'unconnected':
      throw notAvailable(routing?.ok === false ? routing.detail : `${method} is not available now.`)
    case 'not_found':
      throw new AppError('not_found', `There is no payment ${payment.id}.`)
  }
}

function notAvailable(detail: string): AppError {
  const faults = [{ pointer: '/method', code: 'not_available', message: 'is not available' }]
  return new AppError('method_not_available', detail, { faults })
}

/** The choice within the method's own limits. Throws AppError when the method needs more of the payer. */
function possibleChoice(rail: Rail | undefined, { request, payer }: Payment, choice: Choice): Choice {
  const now = choice.payer ?? payer
  const lacking = lackingNeeds(rail?.needs ?? [], payerDetailsOf({ request, ...given({ payer: now }) }))
  if (lacking.length === 0) return withLimits(rail, choice)
  const faults = lacking.map((need) => ({
    pointer: `/customer/${need}`,
    code: 'required',
    message: `is required for ${rail?.method}`,
  }))
  throw new AppError('invalid_request', `${rail?.method} needs more of the payer.`, { faults })
}

/** The choice, limited to the method's longest time, and with the time that the method's own document (such as a boleto) is valid. */
function withLimits(rail: Rail | undefined, choice: Choice): Choice {
  if (rail === undefined) return choice
  const { lifetimeMs, lifetimeMaxMs, opens } = rail
  const most =
    lifetimeMaxMs === undefined ? choice.expiryMs : Math.min(choice.expiryMs ?? Infinity, lifetimeMaxMs)
  return {
    ...choice,
    ...given({ expiryMs: most }),
    ...(opens.at === 'PAGE' ? { lifetimeMs } : {}),
  }
}

/** The connection for a new attempt of this payment now. */
function routingOf(rail: Rail, { merchantId, mode, currency, amountMinor, request }: Payment): Routing {
  const { metadata } = request
  return rail.route({ mode, merchantId, currency, amountMinor, ...given({ metadata }) })
}

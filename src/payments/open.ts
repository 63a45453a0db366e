// Opening an attempt whose provider makes what the payer needs: the intent is committed, the provider is asked, and the
// answer is committed. The attempt's id is our reference there, so asking again is the same charge.
import type { Attempt, Method } from '#/rails/words.ts'
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError, ProviderError, messageOf } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs, type Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Routing } from '#/rails/routing.ts'
import {
  type Opened,
  type OpenedAttempt,
  type Rail,
  type Rails,
  pageOf,
  type Opens,
  type OpensAtCreation,
} from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as attempts from './attempt-queries.ts'
import { initiateKind, type InitiateVerdict, type InitiatedAttempt } from './initiate.ts'
import type { Choice, PageChoice } from './payer-choice.ts'
import { fits } from './tried.ts'
import { selectTried, type OpeningTerms } from './initiate-queries.ts'
import { openKind, type OpenKind, type OpenVerdict } from './open-kind.ts'
import type { Payment } from './payment.ts'
import * as queries from './queries.ts'

/** The payment as it is now. No attempt: nobody can pay it by this method any more, or its provider refuses. */
export type PageAttempt = { readonly payment: Payment; readonly attempt?: OpenedAttempt }

export type PageOpener = {
  /**
   * Opens the payment's method at its provider, once for all who ask, and answers what was kept as long as it can be
   * paid; then a new attempt. 503 `provider_unavailable` when the provider does not answer: asking again goes on.
   */
  openPage(payment: Payment, wish: PageChoice): Promise<PageAttempt>
  /**
   * The same for a method that the payer of a checkout chooses just now. 422 `method_not_available` when it is not one of
   * the payment's, or nothing takes it at present.
   */
  openChosen(payment: Payment, wish: PageChoice, choice: Choice): Promise<PageAttempt>
}

export type PageOpenerDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly lane: LedgerLane<EventDraft>
  readonly clock: Clock
  readonly log: Log
}

export function createPageOpener(deps: PageOpenerDeps): PageOpener {
  const { sql, rails, lane, clock } = deps
  const kinds = { begin: initiateKind(rails), open: openKind(rails) }
  const asking = createAsking({ ...deps, kind: kinds.open })
  const pages = createSharing<PageAttempt>()

  async function open(payment: Payment, wish: PageChoice, choice?: Choice): Promise<PageAttempt> {
    const { method, presentation, locale } = wish
    const rail = rails.get(method)
    const routing = rail === undefined ? undefined : routingOf(rail, payment)
    const verdict = await lane.submit(kinds.begin, {
      ...refOf(payment),
      method,
      attemptId: newId(),
      ...(routing?.ok ? { connection: routing.connection } : {}),
      ...(presentation === undefined ? {} : { presentation }),
      ...(locale === undefined ? {} : { locale }),
      ...(choice === undefined ? {} : { choice }),
    })
    if (verdict.kind === 'opened') return verdict
    if (verdict.kind !== 'initiated') return withoutAttempt(payment, method, verdict, routing)
    const { initiated } = verdict
    const opened = await asking.ask(verdict.payment, initiated, {
      isChosen: choice !== undefined,
      isAnswered: false,
    })
    // Paid by another attempt, or ended, while its provider was asked: nobody is led to pay it again.
    const isOver = opened.payment.status !== 'WAITING_PAYMENT'
    if (opened.attempt === undefined || isOver) return { payment: opened.payment }
    return {
      payment: opened.payment,
      attempt: { ...attempts.toAttempt(initiated), artifacts: opened.attempt.artifacts },
    }
  }

  return {
    async openPage(payment, wish) {
      if (pageOf(rails.get(wish.method)) === undefined) return { payment }
      return pages.share(`${payment.id}/${wish.method}/${wish.presentation}`, async () => {
        const kept = await keptFor(sql, payment, wish, clock)
        return kept === undefined ? open(payment, wish) : { payment, attempt: kept }
      })
    },
    openChosen: open,
  }
}

/** What was opened before, as long as the payment waits for it: looked up without a transaction, for every view of a page. */
async function keptFor(
  sql: Sql,
  payment: Payment,
  { method, presentation }: PageChoice,
  clock: Clock,
): Promise<OpenedAttempt | undefined> {
  if (payment.status !== 'WAITING_PAYMENT' || payment.method !== method) return undefined
  const tried = await selectTried(sql, [refOf(payment)])
  const found = tried.findLast(
    (attempt) => attempt.method === method && fits(attempt, presentation, clock.now()),
  )
  if (found === undefined) return undefined
  return { ...attempts.toAttempt(found), artifacts: found.artifacts ?? {} }
}

function withoutAttempt(
  payment: Payment,
  method: Method,
  verdict: Exclude<InitiateVerdict, { kind: 'opened' | 'initiated' }>,
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

/** Which connection would take a new attempt of this payment now. */
function routingOf(rail: Rail, { merchantId, mode, currency, amountMinor, request }: Payment): Routing {
  const { metadata } = request
  return rail.route({
    mode,
    merchantId,
    currency,
    amountMinor,
    ...(metadata === undefined ? {} : { metadata }),
  })
}

export type PaymentOpener = {
  /**
   * The payment, opened if its rail opens in the request. 503 naming the payment when the provider does not answer: it
   * stays PENDING, and the same key goes on from there. What the payer of a checkout chose is not the creator's.
   * `own`: its attempt, when it was made just now and need not be looked up.
   */
  open(payment: Payment, own?: Attempt): Promise<OpenVerdict>
}

export type OpenerDeps = Omit<PageOpenerDeps, 'clock'> & { readonly kind: OpenKind }

export function createPaymentOpener(deps: OpenerDeps): PaymentOpener {
  const asking = createAsking(deps)
  const payments = createSharing<OpenVerdict>()

  const ask = (payment: Payment, attempt: attempts.KeptAttempt, isAnswered: boolean) => {
    const initiated = { ...attempt, asked: askedAtCreation(payment), refusal: null, overAt: null }
    return asking.ask(payment, initiated, { isChosen: false, isAnswered })
  }

  async function open(payment: Payment, own?: Attempt): Promise<OpenVerdict> {
    if (own !== undefined && payment.status === 'PENDING') return ask(payment, attempts.toKept(own), true)
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
    // The creation did not answer the payment's new state: somebody has seen it as PENDING.
    return ask(payment, attempt, false)
  }

  return {
    async open(payment, own) {
      const rail = payment.method === undefined ? undefined : deps.rails.get(payment.method)
      if (rail?.opens.at !== 'REQUEST' || payment.request.checkout !== undefined) return { payment }
      return payments.share(payment.id, () => open(payment, own))
    },
  }
}

function askedAtCreation({ request, expiresAt }: Payment): OpeningTerms {
  const { customerName, customerEmail, customerTaxId } = request
  return {
    expiresAt: must(expiresAt, 'a payment that waits for its payer ends').toISOString(),
    ...(customerName === undefined ? {} : { customerName }),
    ...(customerEmail === undefined ? {} : { customerEmail }),
    ...(customerTaxId === undefined ? {} : { customerTaxId }),
  }
}

function refOf({ merchantId, id }: Payment) {
  return { merchantId, paymentId: id }
}

/** Asks providers and keeps their answers: of one attempt once at a time in this process. */
function createAsking(deps: OpenerDeps) {
  const attempts = createSharing<OpenVerdict>()
  return {
    /**
     * `isChosen`: the payer chose it, when the payment was to be paid as it is here. `isAnswered`: the creation's own answer
     * says what came of it.
     */
    ask(
      payment: Payment,
      initiated: InitiatedAttempt,
      { isChosen, isAnswered }: { readonly isChosen: boolean; readonly isAnswered: boolean },
    ): Promise<OpenVerdict> {
      return attempts.share(initiated.id, async () => {
        const { opens } = must(deps.rails.get(initiated.method), `there is a rail for ${initiated.method}`)
        const opened =
          opens.at === 'CREATION' ? undefined : await askProvider(deps.log, opens, payment, initiated)
        return deps.lane.submit(deps.kind, {
          ...refOf(payment),
          attemptId: initiated.id,
          method: initiated.method,
          isAnswered,
          ...(opened === undefined ? {} : { opened }),
          ...(isChosen ? { chosen: { before: payment.method, expiresAt: initiated.asked.expiresAt } } : {}),
        })
      })
    },
  }
}

/** Work under way by its name: who asks for the same meanwhile waits for the same answer. */
function createSharing<Result>() {
  const underWay = new Map<string, Promise<Result>>()
  return {
    share(name: string, work: () => Promise<Result>): Promise<Result> {
      const running = underWay.get(name)
      if (running !== undefined) return running
      const started = work().finally(() => underWay.delete(name))
      underWay.set(name, started)
      return started
    },
  }
}

async function askProvider(
  log: Log,
  opens: Exclude<Opens, OpensAtCreation>,
  payment: Payment,
  initiated: InitiatedAttempt,
): Promise<Opened> {
  const { page, request } = payment
  const { description, captureMode } = request
  const { expiresAt, ...asked } = initiated.asked
  try {
    const opened = await opens.open({
      ...attempts.toAttempt(initiated),
      ...asked,
      expiresAt: new Date(expiresAt),
      ...(page === undefined ? {} : { pageUrl: page.url }),
      ...(description === undefined ? {} : { description }),
      ...(captureMode === undefined ? {} : { captureMode }),
    })
    if (!opened.ok) {
      const { code, said } = opened
      log.warn({ payment: payment.id, attempt: initiated.id, code, said }, 'a provider refuses a payment')
    }
    return opened
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn(
      { payment: payment.id, outcome: error.outcome, error: messageOf(error) },
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

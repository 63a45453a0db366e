// Opens a payment at its provider when its page is opened, without delaying the page for long, and checks attempts at their
// provider, at a limited rate.
import { AppError, messageOf } from '#/kernel/error.ts'
import type { PaymentId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { createRecent } from '#/kernel/recent.ts'
import { monotonicMs, secondMs, sleep, type Clock } from '#/kernel/time.ts'
import type { PageOpener } from '#/payments/open.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import { type OpenedAttempt, type Rails, pageOf } from '#/rails/rail.ts'
import { brandOf } from './brand.ts'
import type { Problem } from './message.ts'
import type { Snapshot } from './snapshot.ts'
import type { PageTemplate } from './template.ts'

/** How long a page may wait for its provider before it is shown without. */
const patienceMs = 700
/** How long a provider that did not answer, or refused, is left alone. */
const pauseMs = 5 * secondMs
const checkEveryMs = 2 * secondMs
const checkPatienceMs = 3 * secondMs
/** The most payments in memory: of those that a provider did not open, and of those that were checked. */
const rememberedMax = 10_000

export type OpeningsDeps = {
  readonly rails: Rails
  readonly clock: Clock
  readonly log: Log
  readonly openPage: PageOpener['openPage']
  readonly templateOf: (payment: Payment) => Promise<PageTemplate>
  /** Queries the provider for the attempt, and settles the answer. */
  readonly check: (attempt: OpenedAttempt) => Promise<void>
  /** Called when an opening has ended, with success or not. */
  readonly onEnd: (paymentId: PaymentId) => void
}

export type Openings = {
  /** Whether the page still needs something that only its provider can give, and can still get it. */
  needsOpening(snapshot: Snapshot): boolean
  /** Asks the provider in the background, once for all callers. Resolves when it has answered. */
  open(snapshot: Snapshot, locale: string): Promise<void>
  /** The same, but waits only as long as a page may. Resolves to whether the provider has answered. */
  openSoon(snapshot: Snapshot, locale: string): Promise<boolean>
  problemOf(paymentId: PaymentId): Problem | undefined
  /** Stores the problem of the payer's last choice; undefined: the choice worked. */
  note(paymentId: PaymentId, problem: Problem | undefined): void
  /** Queries the provider for the payment, at most every 2 s. Resolves to whether it was queried. */
  check(snapshot: CheckedPayment): Promise<boolean>
}

type CheckedPayment = Pick<Snapshot, 'attempts'> & { readonly payment: { readonly id: PaymentId } }

type Failure = { readonly problem: Problem; readonly atMs: number }

export function createOpenings(deps: OpeningsDeps): Openings {
  const underWay = new Map<PaymentId, Promise<void>>()
  const failures = createRecent<PaymentId, Failure>(rememberedMax)
  const checkedAt = createRecent<PaymentId, number>(rememberedMax)

  function note(id: PaymentId, problem: Problem | undefined): void {
    if (problem === undefined) failures.delete(id)
    else failures.set(id, { problem, atMs: monotonicMs() })
  }

  function open(snapshot: Snapshot, locale: string): Promise<void> {
    const { id } = snapshot.payment
    const running = underWay.get(id)
    if (running !== undefined) return running
    const failure = failures.get(id)
    if (failure !== undefined && monotonicMs() - failure.atMs < pauseMs) return Promise.resolve()
    const opening = openAtProvider(deps, snapshot, locale)
      .then((problem) => note(id, problem))
      .finally(() => {
        underWay.delete(id)
        deps.onEnd(id)
      })
    underWay.set(id, opening)
    return opening
  }

  return {
    needsOpening: (snapshot) => needsOpening(deps, snapshot),
    open,
    openSoon: (snapshot, locale) => endsWithin(open(snapshot, locale), patienceMs),
    note,
    problemOf: (paymentId) => failures.get(paymentId)?.problem,
    async check({ payment: { id }, attempts }) {
      const lastMs = checkedAt.get(id)
      const checkable = attempts.filter(({ method }) => pageOf(deps.rails.get(method)) !== undefined)
      if (checkable.length === 0) return false
      if (lastMs !== undefined && monotonicMs() - lastMs < checkEveryMs) return false
      checkedAt.set(id, monotonicMs())
      const checking = checkable.map((attempt) =>
        deps.check(attempt).catch((error: unknown) => {
          deps.log.warn(
            { payment: id, error: messageOf(error) },
            'a provider did not report the state of a payment',
          )
        }),
      )
      await endsWithin(
        Promise.all(checking).then(() => {}),
        checkPatienceMs,
      )
      return true
    },
  }
}

function needsOpening({ rails, clock }: OpeningsDeps, { payment, means }: Snapshot): boolean {
  const { method, status, expiresAt } = payment
  return (
    status === 'WAITING_PAYMENT' &&
    method !== undefined &&
    pageOf(rails.get(method)) !== undefined &&
    means.presentation === undefined &&
    (expiresAt === undefined || expiresAt > clock.now())
  )
}

/** Asks the provider. Returns the problem that keeps the page from going on, if there is one. */
async function openAtProvider(
  { openPage, templateOf, log }: OpeningsDeps,
  { payment }: Snapshot,
  locale: string,
): Promise<Problem | undefined> {
  const { id, method } = payment
  if (method === undefined) return undefined
  try {
    const { payment: now, attempt } = await openPage(payment, {
      method,
      locale,
      brand: brandOf(await templateOf(payment)),
    })
    return attempt === undefined && now.status === 'WAITING_PAYMENT' ? { kind: 'refused', method } : undefined
  } catch (error) {
    log.warn({ payment: id, method, error: messageOf(error) }, 'a payment could not be opened for its page')
    return problemOf(error, method)
  }
}

/** The problem to show to a payer when a method could not be opened. */
export function problemOf(error: unknown, method: Method): Problem {
  const isRefused =
    error instanceof AppError && ['method_not_available', 'invalid_request'].includes(error.code)
  return { kind: isRefused ? 'refused' : 'provider_away', method }
}

/** Whether the work ends in time. If not, it continues all the same. */
async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const waiting = new AbortController()
  try {
    return await Promise.race([work.then(() => true), sleep(ms, waiting.signal).then(() => false)])
  } finally {
    waiting.abort()
  }
}

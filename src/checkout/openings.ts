// Opening a payment at its provider when its page is, without letting the page wait for it; and asking a provider what
// became of an attempt, without asking too often.
import type { Method } from '#/rails/words.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import type { PaymentId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { createRecent } from '#/kernel/recent.ts'
import { monotonicMs, secondMs, sleep, type Clock } from '#/kernel/time.ts'
import type { PageOpener } from '#/payments/open.ts'
import { type OpenedAttempt, type Rails, pageOf } from '#/rails/rail.ts'
import type { Problem } from './message.ts'
import type { Snapshot } from './snapshot.ts'

/** As long as a page may wait for its provider before it is shown without. */
const patienceMs = 700
/** So long nobody asks a provider again that did not answer, or refused. */
const pauseMs = 5 * secondMs
const checkEveryMs = 2 * secondMs
const checkPatienceMs = 3 * secondMs
/** At most, of payments that a provider did not open and of those that were asked about. */
const rememberedMax = 10_000

export type OpeningsDeps = {
  readonly rails: Rails
  readonly clock: Clock
  readonly log: Log
  readonly openPage: PageOpener['openPage']
  /** Asks the provider what became of the attempt, and settles it. */
  readonly check: (attempt: OpenedAttempt) => Promise<void>
  /** Told when an opening has ended, however it did. */
  readonly onEnd: (paymentId: PaymentId) => void
}

export type Openings = {
  /** Whether the page lacks what only its provider can give, which can still be had. */
  isWanted(snapshot: Snapshot): boolean
  /** Asks the provider in the background, once for all who want it. Resolves when it has answered. */
  open(snapshot: Snapshot, locale: string): Promise<void>
  /** The same for as long as a page may wait. Whether it has answered. */
  openSoon(snapshot: Snapshot, locale: string): Promise<boolean>
  problemOf(paymentId: PaymentId): Problem | undefined
  /** What a choice of the payer's came to; nothing: it worked. */
  note(paymentId: PaymentId, problem: Problem | undefined): void
  /** Asks the provider what became of the payment, at most every 2 s. Whether it was asked. */
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
    const opening = ask(deps, snapshot, locale)
      .then((problem) => note(id, problem))
      .finally(() => {
        underWay.delete(id)
        deps.onEnd(id)
      })
    underWay.set(id, opening)
    return opening
  }

  return {
    isWanted: (snapshot) => isWanted(deps, snapshot),
    open,
    openSoon: (snapshot, locale) => endsWithin(open(snapshot, locale), patienceMs),
    note,
    problemOf: (paymentId) => failures.get(paymentId)?.problem,
    async check({ payment: { id }, attempts }) {
      const lastMs = checkedAt.get(id)
      const asked = attempts.filter(({ method }) => pageOf(deps.rails.get(method)) !== undefined)
      if (asked.length === 0) return false
      if (lastMs !== undefined && monotonicMs() - lastMs < checkEveryMs) return false
      checkedAt.set(id, monotonicMs())
      const checking = asked.map((attempt) =>
        deps.check(attempt).catch((error: unknown) => {
          deps.log.warn(
            { payment: id, error: messageOf(error) },
            'a provider did not say what became of a payment',
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

function isWanted({ rails, clock }: OpeningsDeps, { payment, means }: Snapshot): boolean {
  const { method, status, expiresAt } = payment
  return (
    status === 'WAITING_PAYMENT' &&
    method !== undefined &&
    pageOf(rails.get(method)) !== undefined &&
    means.presentation === undefined &&
    (expiresAt === undefined || expiresAt > clock.now())
  )
}

/** Asks the provider. Answers what keeps the page from going on, if something does. */
async function ask(
  { openPage, log }: OpeningsDeps,
  { payment }: Snapshot,
  locale: string,
): Promise<Problem | undefined> {
  const { id, method } = payment
  if (method === undefined) return undefined
  try {
    const { payment: now, attempt } = await openPage(payment, { method, locale })
    return attempt === undefined && now.status === 'WAITING_PAYMENT' ? { kind: 'refused', method } : undefined
  } catch (error) {
    log.warn({ payment: id, method, error: messageOf(error) }, 'a page has no provider for now')
    return problemOf(error, method)
  }
}

/** What a payer can be told of why a method could not be opened. */
export function problemOf(error: unknown, method: Method): Problem {
  const isRefused =
    error instanceof AppError && ['method_not_available', 'invalid_request'].includes(error.code)
  return { kind: isRefused ? 'refused' : 'provider_away', method }
}

/** Whether the work ends in time. It goes on either way. */
async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const waiting = new AbortController()
  try {
    return await Promise.race([work.then(() => true), sleep(ms, waiting.signal).then(() => false)])
  } finally {
    waiting.abort()
  }
}

// The payer pays what is missing after a part came, for methods whose charge is paid only once. Every earlier attempt is ended at
// its provider and its money is booked; then a new attempt is opened for the rest. The lane decides the amount (initiate.ts).
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError, ProviderError, messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import type { Checked, OpenedAttempt, Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { selectPaidRefs, writeOver } from './attempt-queries.ts'
import { joinCalls } from './join-calls.ts'
import type { PageAttempt, PageOpener } from './open.ts'
import type { Payment } from './payment.ts'

export type RestPayer = {
  /**
   * Opens the rest of the payment, once for all concurrent calls in any number of processes. Returns the payment as it is now, and
   * the attempt for exactly what it lacks. There is no attempt when the payment lacks nothing, is over, or its provider refuses.
   * Errors:
   * - 422 `method_not_available`
   * - 503 `provider_unavailable`: a repeated call continues
   */
  payRest(payment: Payment, page: { readonly locale?: string }): Promise<PageAttempt>
}

export type RestPayerDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly log: Log
  readonly opener: Pick<PageOpener, 'openRest'>
  /** Settles what a provider answered. */
  readonly settle: (receipts: readonly Receipt[]) => Promise<unknown>
}

/** Usually one round. Another one is needed when money, a refund or another tab came in between. */
const roundsMax = 4

export function createRestPayer(deps: RestPayerDeps): RestPayer {
  const joinPayment = joinCalls<PageAttempt>()

  async function pay(payment: Payment, method: Method, locale: string | undefined): Promise<PageAttempt> {
    const page = { method, ...given({ locale }) }
    for (let round = 0; round < roundsMax; round += 1) {
      const { unclosed, ...answer } = await deps.opener.openRest(payment, page)
      if (unclosed === undefined) return answer
      await Promise.all(unclosed.map((attempt) => close(deps, attempt)))
    }
    throw unavailable(payment)
  }

  return {
    payRest: async (payment, { locale }) =>
      payment.method === undefined
        ? { payment }
        : joinPayment(payment.id, () => pay(payment, must(payment.method, 'a method'), locale)),
  }
}

/**
 * Ends the attempt at its provider, books its money, and only then records that it is over. After a crash in between, all of it is
 * repeated.
 */
async function close(deps: RestPayerDeps, attempt: OpenedAttempt): Promise<void> {
  const { merchantId, paymentId, id } = attempt
  const named = { payment: paymentId, attempt: id }
  const { receipts, isOver } = await endAtProvider(deps, attempt).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn({ ...named, error: messageOf(error) }, 'a provider did not end an attempt')
    throw unavailable({ id: paymentId }, error)
  })
  if (receipts.length > 0) await deps.settle(receipts)
  const paid = receipts.filter(({ outcome }) => outcome === 'paid')
  const booked = paid.length === 0 ? [] : await selectPaidRefs(deps.sql, [{ merchantId, paymentId }])
  const isBooked = paid.every(({ providerRef }) => booked.some((each) => each.providerRef === providerRef))
  if (!isOver || !isBooked) {
    deps.log.warn({ ...named, isOver, isBooked }, 'an attempt can still be paid, or its money is not booked')
    throw unavailable({ id: paymentId })
  }
  await writeOver(deps.sql, [{ merchantId, id }])
}

/** An attempt that no provider knows can always be paid. */
async function endAtProvider({ rails }: RestPayerDeps, attempt: OpenedAttempt): Promise<Checked> {
  const { opens } = must(rails.get(attempt.method), `there is a rail for ${attempt.method}`)
  if (opens.at === 'CREATION') return { receipts: [], isOver: false }
  if (opens.at === 'REQUEST') return opens.close(attempt)
  await opens.cancel(attempt)
  return opens.check(attempt)
}

function unavailable({ id }: Pick<Payment, 'id'>, cause?: unknown): AppError {
  const detail = 'The provider does not answer. Nothing was opened; send the same request again to go on.'
  return new AppError('provider_unavailable', detail, {
    ...given({ cause }),
    extra: { paymentId: id },
    retryAfterMs: 2 * secondMs,
  })
}

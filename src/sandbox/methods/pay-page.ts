// A payer on a provider's page: opens the page as the payer's browser does, and acts for the payer through the provider's remote
// control.
import { AppError } from '#/kernel/error.ts'
import type { Method } from '#/rails/method.ts'
import { member } from '../member.ts'
import type { MethodPayer } from '../pay.ts'
import type { PayerDeps } from './method.ts'

export type PagePayment<Scenario extends string> = {
  readonly method: Method
  readonly scenarios: readonly Scenario[]
  /** The artifact of an opened attempt that names the payment at the provider. */
  readonly artifact: string
  /** For the refusal of another amount: "a card". */
  readonly by: string
  /** The payer's act at the provider. */
  readonly act: (reference: string, scenario: Scenario) => Promise<unknown>
}

/** Rejects with 409 for a payment that can no longer be paid, 400 for another amount than its own, 503 while the provider is away. */
export function createPagePayer<Scenario extends string>(
  { find, openPage }: Pick<PayerDeps, 'find' | 'openPage'>,
  { method, scenarios, artifact, by, act }: PagePayment<Scenario>,
): MethodPayer<Scenario> {
  return {
    scenarios,
    async pay({ merchantId, paymentId }, { minor, scenario }) {
      const payment = await find(merchantId, paymentId)
      if (payment === undefined) throw new AppError('not_found', 'There is no such payment.')
      if (minor !== payment.amountMinor) throw otherAmount(by)
      const { attempt } = await openPage(payment, { method })
      const reference = member(attempt?.artifacts, artifact)
      if (typeof reference !== 'string')
        throw new AppError('invalid_state', 'Nobody can pay this payment any more.')
      await act(reference, scenario)
      return {}
    },
  }
}

function otherAmount(by: string): AppError {
  const message = `${by} pays the exact amount: leave it out`
  return new AppError('invalid_request', `The amount cannot be chosen: ${message}.`, {
    faults: [{ pointer: '/amount', code: 'not_allowed', message }],
  })
}

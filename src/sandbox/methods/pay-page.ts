// The payers on providers' pages: each opens the page as the payer's browser does, and acts for the payer through the provider's remote
// control. The payer's own page need not be open.
import { AppError } from '#/kernel/error.ts'
import { card } from '#/rails/acquirer/method.ts'
import type { LocalMethod } from '#/rails/acquirer/methods/method.ts'
import type { Method } from '#/rails/method.ts'
import { partnerPay } from '#/rails/partner-pay/method.ts'
import { member } from '../member.ts'
import type { MethodPayer } from '../pay.ts'
import type { PayerDeps } from './method.ts'
import type { RunningProvider } from './provider.ts'

type PagePayment<Scenario extends string> = {
  readonly method: Method
  readonly scenarios: readonly Scenario[]
  /** The artifact of an opened attempt that names the payment at the provider. */
  readonly artifact: string
  /** For the refusal of another amount: "a card". */
  readonly by: string
  /** The control call that is the payer's act at the provider. */
  readonly act: (reference: string, scenario: Scenario) => readonly [path: string, body: object]
}

export type PagePayerDeps = Pick<PayerDeps, 'find' | 'openPage'> & {
  readonly provider: Pick<RunningProvider, 'control'>
}

/** Types a test card into the page of the sandbox's acquirer, which has a card of each scenario's name. */
export const createCardPayer = pagePayer({
  method: 'CREDIT_CARD',
  scenarios: card.sandbox.scenarios,
  artifact: 'sessionId',
  by: 'a card',
  act: (session, card) => ['/_sim/pay', { session, card, challenge: 'pass' }],
})

/** Confirms or refuses in the sandbox's wallet app. */
export const createPartnerPayer = pagePayer({
  method: 'PARTNER_PAY',
  scenarios: partnerPay.sandbox.scenarios,
  artifact: 'prepayId',
  by: 'a wallet app',
  act: (prepayId, action) => [`/_sim/orders/${prepayId}`, { action }],
})

/** Confirms one of the acquirer's local methods at the bank or in the app, or pays a voucher. */
export function localPayer({ method, sandbox }: LocalMethod<Method>) {
  return pagePayer<string>({
    method,
    scenarios: sandbox.scenarios,
    artifact: 'intentId',
    by: `a payer by ${method}`,
    act: (intent, act) => ['/_sim/pay', { intent, act }],
  })
}

/** Rejects with 409 for a payment that can no longer be paid, 400 for another amount than its own, 503 while the provider is away. */
function pagePayer<Scenario extends string>({ method, scenarios, artifact, by, act }: PagePayment<Scenario>) {
  return ({ find, openPage, provider }: PagePayerDeps): MethodPayer<Scenario> => ({
    scenarios,
    async pay({ merchantId, paymentId }, { minor, scenario }) {
      const payment = await find(merchantId, paymentId)
      if (payment === undefined) throw new AppError('not_found', 'There is no such payment.')
      if (minor !== payment.amountMinor) throw otherAmount(by)
      const { attempt } = await openPage(payment, { method })
      const reference = member(attempt?.artifacts, artifact)
      if (typeof reference !== 'string')
        throw new AppError('invalid_state', 'Nobody can pay this payment any more.')
      await provider.control('POST', ...act(reference, scenario))
      return {}
    },
  })
}

function otherAmount(by: string): AppError {
  const message = `${by} pays the exact amount: leave it out`
  return new AppError('invalid_request', `The amount cannot be chosen: ${message}.`, {
    faults: [{ pointer: '/amount', code: 'not_allowed', message }],
  })
}

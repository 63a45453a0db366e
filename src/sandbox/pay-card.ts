// The payer of CREDIT_CARD: types a test card into the page of the sandbox's acquirer, as if the payer's page had been open.
import { AppError } from '#/kernel/error.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import type { PageOpener } from '#/payments/open.ts'
import type { Payment } from '#/payments/payment.ts'
import type { CardAcquirer } from './acquirer.ts'
import { member } from './member.ts'
import type { MethodPayer } from './pay.ts'

/**
 * - `success`: the card is taken. - `decline`, `insufficient_funds`: it is not, which the payment's `lastError` tells.
 * - `challenge`: its bank asks who is there (3-D Secure), and is answered. - `dispute`: it is taken, and its holder wants
 *   the money back a moment after it was captured.
 */
export const cardScenarios = ['success', 'decline', 'insufficient_funds', 'challenge', 'dispute'] as const
export type CardScenario = (typeof cardScenarios)[number]

export type CardPayerDeps = {
  readonly acquirer: Pick<CardAcquirer, 'control'>
  readonly find: (merchantId: MerchantId, paymentId: PaymentId) => Promise<Payment | undefined>
} & Pick<PageOpener, 'openPage'>

/** Answers 409 for a payment that nobody can pay any more, 400 for another amount than its own, 503 while the acquirer is away. */
export function createCardPayer({ acquirer, find, openPage }: CardPayerDeps): MethodPayer<CardScenario> {
  return {
    scenarios: cardScenarios,
    async pay({ merchantId, paymentId }, { minor, scenario }) {
      const payment = await find(merchantId, paymentId)
      if (payment === undefined) throw new AppError('not_found', 'There is no such payment.')
      if (minor !== payment.amountMinor) throw otherAmount()
      const { attempt } = await openPage(payment, { method: 'CREDIT_CARD' })
      const session = member(attempt?.artifacts, 'sessionId')
      if (typeof session !== 'string')
        throw new AppError('invalid_state', 'Nobody can pay this payment any more.')
      // The acquirer has a card of each scenario's name.
      await acquirer.control('POST', '/_sim/pay', { session, card: scenario, challenge: 'pass' })
      return {}
    },
  }
}

function otherAmount(): AppError {
  const message = 'a card pays the exact amount: leave it out'
  return new AppError('invalid_request', `The amount cannot be chosen: ${message}.`, {
    faults: [{ pointer: '/amount', code: 'not_allowed', message }],
  })
}

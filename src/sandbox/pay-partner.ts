// The payer of PARTNER_PAY: confirms or refuses in the sandbox's wallet app, as if the payer's page had been open.
import { AppError } from '#/kernel/error.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { member } from './member.ts'
import type { PageOpener } from '#/payments/open.ts'
import type { Payment } from '#/payments/payment.ts'
import type { PartnerWallet } from './partner-wallet.ts'
import type { MethodPayer } from './pay.ts'

/** `confirm`: pays the order. `refuse`: cancels it, which the payment's `lastError` tells. */
export const partnerScenarios = ['confirm', 'refuse'] as const
export type PartnerScenario = (typeof partnerScenarios)[number]

export type PartnerPayerDeps = {
  readonly wallet: Pick<PartnerWallet, 'control'>
  readonly find: (merchantId: MerchantId, paymentId: PaymentId) => Promise<Payment | undefined>
} & Pick<PageOpener, 'openPage'>

/** Answers 409 for a payment that nobody can pay any more, 400 for another amount than its own, 503 while the app is away. */
export function createPartnerPayer({
  wallet,
  find,
  openPage,
}: PartnerPayerDeps): MethodPayer<PartnerScenario> {
  return {
    scenarios: partnerScenarios,
    async pay({ merchantId, paymentId }, { minor, scenario }) {
      const payment = await find(merchantId, paymentId)
      if (payment === undefined) throw new AppError('not_found', 'There is no such payment.')
      if (minor !== payment.amountMinor) throw otherAmount()
      const { attempt } = await openPage(payment, { method: 'PARTNER_PAY' })
      const prepayId = member(attempt?.artifacts, 'prepayId')
      if (typeof prepayId !== 'string')
        throw new AppError('invalid_state', 'Nobody can pay this payment any more.')
      await wallet.control('POST', `/_sim/orders/${prepayId}`, { action: scenario })
      return {}
    },
  }
}

function otherAmount(): AppError {
  const message = 'a wallet app pays the exact amount: leave it out'
  return new AppError('invalid_request', `The amount cannot be chosen: ${message}.`, {
    faults: [{ pointer: '/amount', code: 'not_allowed', message }],
  })
}

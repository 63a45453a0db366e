// The payer that a merchant's developer plays by one call: each method has its own, and pays by the real wire.
import { AppError } from '#/kernel/error.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { missingMinor, type Payment } from '#/payments/payment.ts'
import type { Method, PaymentRef } from '#/rails/rail.ts'

/** The provider's names of what was paid. */
export type PaidNames = { readonly txHashes?: readonly string[]; readonly endToEndIds?: readonly string[] }

export type MethodPayer<Scenario extends string = string> = {
  /** The ways in which it can pay. */
  readonly scenarios: readonly Scenario[]
  /** Pays `minor` in one of them. Throws AppError. */
  pay(payment: PaymentRef, how: { readonly minor: bigint; readonly scenario: Scenario }): Promise<PaidNames>
}

export type SandboxPayer = {
  pay(
    merchantId: MerchantId,
    paymentId: PaymentId,
    wish: { readonly amount?: bigint; readonly scenario: string },
  ): Promise<PaidNames & { readonly paymentId: PaymentId; readonly scenario: string }>
}

/**
 * Pays as the scenario says. Without an amount: what is still missing, or the whole amount again when nothing is.
 * 404 for a payment that is not the merchant's, 400 for a scenario that its method does not have, 503 while the other
 * side is away.
 */
export function createSandboxPayer(deps: {
  readonly payers: ReadonlyMap<Method, MethodPayer>
  readonly find: (merchantId: MerchantId, paymentId: PaymentId) => Promise<Payment | undefined>
}): SandboxPayer {
  return {
    async pay(merchantId, paymentId, { amount, scenario }) {
      const payment = await deps.find(merchantId, paymentId)
      const payer = payment?.method === undefined ? undefined : deps.payers.get(payment.method)
      if (payment === undefined || payer === undefined)
        throw new AppError('not_found', 'There is no such payment.')
      if (!payer.scenarios.includes(scenario)) throw unknownScenario(payment, payer)
      const missing = missingMinor(payment)
      const minor = amount ?? (missing === 0n ? payment.amountMinor : missing)
      return { paymentId, scenario, ...(await payer.pay({ merchantId, paymentId }, { minor, scenario })) }
    },
  }
}

function unknownScenario({ method }: Payment, { scenarios }: MethodPayer): AppError {
  const message = `${method} can be paid as: ${scenarios.join(', ')}`
  return new AppError('invalid_request', `${message}.`, {
    errors: [{ pointer: '/scenario', code: 'not_allowed', message }],
  })
}

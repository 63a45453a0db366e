// The payer that a merchant's developer plays by one call: each method has its own, and pays over the real wire.
import { AppError } from '#/kernel/error.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { missingMinor, type Payment } from '#/payments/payment.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import { anyScenarios } from '#/rails/methods.ts'

/** The provider's ids of what was paid. */
export type PaidNames = { readonly txHashes?: readonly string[]; readonly endToEndIds?: readonly string[] }

export type MethodPayer<Scenario extends string = string> = {
  /** The scenarios by which it can pay. */
  readonly scenarios: readonly Scenario[]
  /** Pays `minor` by one of them. Throws AppError. */
  pay(payment: PaymentRef, how: { readonly minor: bigint; readonly scenario: Scenario }): Promise<PaidNames>
}

export type SandboxPayer = {
  pay(
    merchantId: MerchantId,
    paymentId: PaymentId,
    how: {
      readonly amount?: bigint
      readonly scenario: string
      readonly method?: Method
      /** Called when nothing refuses it here any more, before the payer pays: writes down who plays the payer. */
      readonly beforePaying?: () => Promise<void>
    },
  ): Promise<PaidNames & { readonly paymentId: PaymentId; readonly scenario: string }>
}

/**
 * Pays as the scenario says, or lets the payment expire, which needs no method. Without an amount: what is still missing, or the whole amount again when nothing is missing. With a
 * method: the payer of a checkout chooses it first. Rejects with:
 * - 404 for a payment that is not the merchant's;
 * - 409 for `expire` of a payment that has ended, or whose whole amount is on its way;
 * - 400 for a scenario that its method does not have, and for a checkout without a chosen method;
 * - 422 for a method that is not one of the payment's;
 * - 503 while the other side is away.
 */
export function createSandboxPayer(deps: {
  readonly payers: ReadonlyMap<Method, MethodPayer>
  readonly find: (merchantId: MerchantId, paymentId: PaymentId) => Promise<Payment | undefined>
  /** Chooses a method as the payer of a checkout does. Throws AppError. */
  readonly choose: (payment: Payment, method: Method) => Promise<unknown>
  /** Lets the payment expire now. Returns whether it is expired. */
  readonly expire: (merchantId: MerchantId, paymentId: PaymentId) => Promise<boolean>
}): SandboxPayer {
  return {
    async pay(merchantId, paymentId, { amount, scenario, method: requested, beforePaying }) {
      const payment = await deps.find(merchantId, paymentId)
      if (payment === undefined) throw new AppError('not_found', 'There is no such payment.')
      if (anyScenarios.some((each) => each === scenario)) {
        await beforePaying?.()
        if (await deps.expire(merchantId, paymentId)) return { paymentId, scenario }
        throw new AppError(
          'invalid_state',
          'The payment cannot expire: it has ended, or its money is on its way.',
        )
      }
      const method = methodOf(payment, requested)
      const payer = deps.payers.get(method)
      if (payer === undefined) throw new AppError('not_found', `Nobody pays by ${method} in this sandbox.`)
      if (!payer.scenarios.includes(scenario)) throw unknownScenario(method, payer)
      await beforePaying?.()
      if (method !== payment.method) await deps.choose(payment, method)
      const missing = missingMinor(payment)
      const minor = amount ?? (missing === 0n ? payment.amountMinor : missing)
      return { paymentId, scenario, ...(await payer.pay({ merchantId, paymentId }, { minor, scenario })) }
    },
  }
}

/** The method by which to pay. A payment without a checkout has its own. */
function methodOf({ method, methods, request }: Payment, requested: Method | undefined): Method {
  const named = requested ?? method
  if (named === undefined) {
    const message = `is required until the payer has chosen: ${methods.join(', ')}`
    throw new AppError('invalid_request', `method ${message}.`, {
      faults: [{ pointer: '/method', code: 'required', message }],
    })
  }
  if (named === method || (request.checkout !== undefined && methods.includes(named))) return named
  const message = `is one of ${methods.join(', ')}`
  throw new AppError('method_not_available', `${named} is no method of this payment.`, {
    faults: [{ pointer: '/method', code: 'not_available', message }],
  })
}

function unknownScenario(method: Method, { scenarios }: MethodPayer): AppError {
  const message = `${method} can be paid as: ${scenarios.join(', ')}`
  return new AppError('invalid_request', `${message}.`, {
    faults: [{ pointer: '/scenario', code: 'not_allowed', message }],
  })
}

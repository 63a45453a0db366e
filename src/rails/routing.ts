// What a creation asks of a rail, and what the rail answers: which connection would take the payment, or why none can.
import type { Method } from './words.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Fault, ProblemCode } from '#/kernel/error.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import { toDecimal, type Currency, type Money } from '#/kernel/money.ts'

/** What a creation asks of a rail. */
export type RoutingRequest = {
  readonly mode: Mode
  readonly merchantId: MerchantId
  readonly currency?: string
  /** In the payment's currency. Absent: any that the provider takes. */
  readonly amountMinor?: bigint
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** The connection and currency that would take a payment, or why none can. `fault`: what is wrong at the pointer. */
export type Routing =
  | { readonly ok: true; readonly connection: ConnectionId; readonly currency: Currency }
  | Unroutable

type Unroutable = {
  readonly ok: false
  readonly code: ProblemCode
  readonly detail: string
  readonly pointer?: string
  readonly fault?: Fault
}

/** The least and the most that a provider takes with one payment, in minor units. */
export type AmountLimits = { readonly min: bigint; readonly max: bigint }

/** Why a provider with these limits takes no such payment; undefined when it does. */
export function beyondLimits(
  method: Method,
  { min, max }: AmountLimits,
  { minor, currency }: Money,
): Unroutable | undefined {
  if (minor >= min && minor <= max) return undefined
  const decimal = (limit: bigint) => toDecimal({ minor: limit, currency })
  const [code, message] =
    minor < min
      ? (['too_small', `is at least ${min}`] as const)
      : (['too_large', `is at most ${max}`] as const)
  return {
    ok: false,
    code: 'limit_exceeded',
    detail: `${method} takes from ${decimal(min)} to ${decimal(max)} ${currency}, not ${decimal(minor)}.`,
    pointer: '/amount',
    fault: { code, message: `${message} for ${method} in ${currency}` },
  }
}

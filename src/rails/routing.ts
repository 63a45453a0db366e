// How a rail routes a new payment: the connection that would accept it, or why there is none.
import type { Fault, ProblemCode } from '#/kernel/error.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { toDecimal, type Currency, type Money } from '#/kernel/money.ts'
import type { AmountLimits } from './descriptor.ts'
import type { Method } from './method.ts'

/** The creation's request to a rail. */
export type RoutingRequest = {
  readonly mode: Mode
  readonly merchantId: MerchantId
  readonly currency?: string
  /** In the payment's currency. Absent: any amount that the provider accepts. */
  readonly amountMinor?: bigint
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** The connection and currency that would accept a payment, or why none can. `fault`: what is wrong at the pointer. */
export type Routing =
  | { readonly ok: true; readonly connection: ConnectionId; readonly currency: Currency }
  | Unroutable

export type Unroutable = {
  readonly ok: false
  readonly code: ProblemCode
  readonly detail: string
  readonly pointer?: string
  readonly fault?: Fault
}

/** Returns why a provider with these limits refuses the amount; undefined when it accepts it. */
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

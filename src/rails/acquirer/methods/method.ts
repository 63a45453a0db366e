// A local method of the acquirer as a table. local-rail.ts makes a rail of it.
import { minuteMs } from '#/kernel/time.ts'
import type { Method, PayerNeed } from '#/rails/method.ts'
import type { AmountLimits } from '#/rails/routing.ts'

/**
 * How the payer pays.
 * - `REDIRECT`: on a page of the provider or the bank.
 * - `PUSH`: in an app on the phone.
 * - `VOUCHER`: at a bank, with what the page shows.
 * - `DEBIT`: from the account that the payer named; the bank answers days later.
 */
export type Flow = 'REDIRECT' | 'PUSH' | 'VOUCHER' | 'DEBIT'

export type LocalMethod = {
  readonly method: Method
  /** The provider's name of it (https://docs.stripe.com/api/payment_methods/object, `type`). */
  readonly type: string
  readonly currency: 'EUR' | 'BRL'
  /** Whose payers use it, ISO 3166-1 alpha-2. */
  readonly countries: readonly string[]
  /** The only country whose accounts have it. Absent: accounts of any country but Brazil. */
  readonly accountIn?: 'BR'
  readonly needs: readonly PayerNeed[]
  readonly limits: AmountLimits
  readonly lifetimeMs: number
  /** Absent: the merchant can give the payer more time. */
  readonly lifetimeMaxMs?: number
  /** The most days that the caller can give a voucher. Absent: the provider sets its end. */
  readonly daysMax?: number
  readonly refunds: 'PART' | 'NONE'
  /** The money is reported hours or days after the payer acted. */
  readonly isDelayed: boolean
  readonly flow: Flow
}

/** The provider's limits in EUR where a method has none of its own: at least 0.50, and at most eight digits. */
export const euroLimits: AmountLimits = { min: 50n, max: 99_999_999n }

/** How long a payer may take on the page of a bank, and on a phone. */
export const redirectMs = 60 * minuteMs
export const pushMs = 4 * minuteMs

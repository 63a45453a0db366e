// What the hosted pages need from the rest of the program. app.ts hands it in.
import type { Method } from '#/rails/words.ts'
import type { Sql } from '#/db/client.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import type { Payer, Payment } from '#/payments/payment.ts'
import type { PageAttempt, PageOpener } from '#/payments/open.ts'
import type { OpenedAttempt, Rails } from '#/rails/rail.ts'
import type { PageLimit } from './limits.ts'
import type { PageTemplate } from './template.ts'
import type { CheckoutView } from './view.ts'

export type CheckoutDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly clock: Clock
  readonly log: Log
  readonly view: CheckoutView
  /** The template that the payment keeps to, or its merchant's usual one. */
  readonly templateOf: (payment: Payment) => Promise<PageTemplate>
  readonly openPage: PageOpener['openPage']
  /**
   * What the payer of a checkout chose. No attempt: the provider refuses, or nobody can pay it any more. Throws AppError: 422
   * when the method is not to be had, 503 when its provider is silent.
   */
  readonly choose: (
    payment: Payment,
    choice: { readonly method: Method; readonly customer?: Payer; readonly locale?: string },
  ) => Promise<PageAttempt>
  /** The payer gives up. Nothing happens when money is on its way, or it is over. */
  readonly cancel: (payment: Payment) => Promise<unknown>
  /** Asks the provider what became of the attempt, and settles it. */
  readonly check: (attempt: OpenedAttempt) => Promise<void>
  /** Rung when payments may have changed. */
  readonly onChange: Set<() => void>
  /** Of each page and address. */
  readonly limit?: PageLimit
  /** Between two looks for what no wake-up told. */
  readonly tickMs?: number
  /** Proxies in front whose word on the caller's address is believed: addresses or networks. None unless told. */
  readonly trustProxy?: readonly string[]
}

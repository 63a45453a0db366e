// The dependencies of the hosted pages. app/pages.ts passes them in.
import type { Sql } from '#/db/client.ts'
import type { Drain } from '#/edge/drain.ts'
import type { EdgeOptions } from '#/edge/server.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import type { PaymentLink } from '#/payment-links/link.ts'
import type { LinkUse } from '#/payment-links/pay.ts'
import type { PageAttempt, PageOpener } from '#/payments/open.ts'
import type { RestPayer } from '#/payments/pay-rest.ts'
import type { Payer, Payment } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
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
  /** The template that the payment pinned, or its merchant's default one. */
  readonly templateOf: (payment: Payment) => Promise<PageTemplate>
  readonly openPage: PageOpener['openPage']
  /**
   * Commits the method that the payer of a checkout chose, and opens it. Returns no attempt when the provider refused, or the
   * payment can no longer be paid. Throws AppError: 422 when the method is not available, 503 when its provider does not answer.
   */
  readonly choose: (
    payment: Payment,
    choice: { readonly method: Method; readonly customer?: Payer; readonly locale?: string },
  ) => Promise<PageAttempt>
  /** Opens a charge for the rest of a payment after a part came (pay-rest.ts). Throws AppError: 503 when a provider does not answer. */
  readonly payRest: RestPayer['payRest']
  /** Cancels for the payer. Changes nothing when money is on its way, or when the payment is over. */
  readonly cancel: (payment: Payment) => Promise<unknown>
  /** Queries the provider for the attempt, and settles the answer. */
  readonly check: (attempt: OpenedAttempt) => Promise<void>
  /** Called when payments may have changed. */
  readonly onChange: Set<() => void>
  readonly links: {
    /** The template of the link's payments as it is now. */
    readonly templateOf: (link: PaymentLink) => Promise<PageTemplate>
    /** Makes a payment of a link (payment-links/pay.ts). Throws AppError. */
    readonly use: (link: PaymentLink, use: LinkUse) => Promise<Payment>
  }
  /** Plays the payer of a sandbox's payment. Absent: no sandbox runs here, and no page offers or accepts it. */
  readonly simulator?: {
    /** Plays a scenario of the payment (rails/methods.ts), over the simulators. Throws AppError. */
    readonly pay: (
      merchantId: Payment['merchantId'],
      paymentId: Payment['id'],
      how: { readonly scenario: string },
    ) => Promise<unknown>
  }
  /** Payments through links, for each network. */
  readonly linkLimit?: PageLimit
  /** For each page and address. */
  readonly limit?: PageLimit
  /** Between two polls for changes without a wake-up. */
  readonly tickMs?: number
  /** Proxies in front whose header on the caller's address is trusted: addresses or networks. Default: none. */
  readonly trustProxy?: readonly string[]
  /** Called for each request that ended, for metrics. */
  readonly onRequestEnd?: EdgeOptions['onRequestEnd']
  /** Ends the servers of the process together. */
  readonly drain?: Drain
}

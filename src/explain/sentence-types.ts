// The types of the catalogue of sentences: a function for each cause and language. A catalogue that lacks one does not compile.
import type { Money } from '#/kernel/money.ts'
import type { PaymentStatus } from '#/payments/payment.ts'
import type { RefundStatus } from '#/refunds/refund.ts'
import type { WithdrawalStatus } from '#/withdrawals/withdrawal.ts'
import type { Cause, FactsOf } from './step.ts'

export type Sentences = { readonly [Each in Cause]: (facts: FactsOf<Each>) => string }

/** One sentence about how a record stands, by its status. */
export type Summaries = {
  readonly payment: Readonly<Record<PaymentStatus, (facts: PaymentSums) => string>>
  readonly refund: Readonly<Record<RefundStatus, (facts: RefundSums) => string>>
  readonly withdrawal: Readonly<Record<WithdrawalStatus, (facts: WithdrawalSums) => string>>
}

export type PaymentSums = {
  readonly amount: Money
  readonly received: Money
  readonly missing: Money
  readonly refunded: Money
  /** In disputes that are OPEN or LOST. */
  readonly disputed: Money
}
export type RefundSums = {
  readonly amount: Money
  readonly isHeldBack: boolean
  readonly approvalRequired: boolean
}
export type WithdrawalSums = {
  readonly amount: Money
  readonly returned: Money
  readonly reviewRequired: boolean
}

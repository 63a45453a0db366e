// The types of the catalogue of sentences: a function for each cause, with its languages side by side. A catalogue that lacks one does not
// compile.
import type { Texts } from '#/kernel/dictionary.ts'
import type { Money } from '#/kernel/money.ts'
import type { PaymentStatus } from '#/payments/payment.ts'
import type { RefundStatus } from '#/refunds/refund.ts'
import type { WithdrawalStatus } from '#/withdrawals/withdrawal.ts'
import type { Say } from './say.ts'
import type { Cause, FactsOf } from './step.ts'

export type Sentences = { readonly [Each in Cause]: (facts: FactsOf<Each>) => string }

/** One sentence about how a record stands, by its status. */
export type Summaries = {
  readonly payment: Readonly<Record<PaymentStatus, (facts: PaymentSums) => string>>
  readonly refund: Readonly<Record<RefundStatus, (facts: RefundSums) => string>>
  readonly withdrawal: Readonly<Record<WithdrawalStatus, (facts: WithdrawalSums) => string>>
}

/** The same as functions of all languages at once. `say`: in the language whose text is taken. */
type Spoken<Said> = Said extends (facts: infer Facts) => string
  ? (facts: Facts, say: Say) => Texts
  : { readonly [Name in keyof Said]: Spoken<Said[Name]> }

export type Entries = Spoken<Sentences>
export type SummaryEntries = Spoken<Summaries>

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

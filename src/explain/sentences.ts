// Steps as plain sentences. The catalogue is a function for each cause and language: one that is missing does not compile.
import type { Locale } from '#/kernel/language.ts'
import type { Money } from '#/kernel/money.ts'
import type { PaymentStatus } from '#/payments/payment.ts'
import type { RefundStatus } from '#/refunds/refund.ts'
import type { WithdrawalStatus } from '#/withdrawals/withdrawal.ts'
import type { Cause, FactsOf, Told } from './step.ts'
import * as en from './words/en.ts'
import * as es from './words/es.ts'
import * as ptBR from './words/pt-br.ts'

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

export const catalogue: Readonly<Record<Locale, Sentences>> = {
  en: en.sentences,
  'pt-BR': ptBR.sentences,
  es: es.sentences,
}

/** Every cause. */
export const causes = Object.keys(en.sentences) as readonly Cause[]

export const summaries: Readonly<Record<Locale, Summaries>> = {
  en: en.summaries,
  'pt-BR': ptBR.summaries,
  es: es.summaries,
}

/** The sentence of a step. */
export function sentenceOf(language: Locale, { cause, facts }: Told): string {
  // The facts are those of the cause; TypeScript does not connect the two members of a union.
  const sentence = catalogue[language][cause] as (facts: Told['facts']) => string
  return sentence(facts)
}

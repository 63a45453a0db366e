// The scenarios of each method and their meaning, without the payers' code. A new method is a line here.
import type { Method } from '#/rails/words.ts'
import type { Rehearsal } from './method.ts'
import { cardRehearsal } from './pay-card.ts'
import { cryptoRehearsal } from './pay-crypto.ts'
import { partnerRehearsal } from './pay-partner.ts'
import { pixRehearsal } from './pay-pix.ts'

export const rehearsals = {
  CRYPTO: cryptoRehearsal,
  PIX: pixRehearsal,
  CREDIT_CARD: cardRehearsal,
  PARTNER_PAY: partnerRehearsal,
} satisfies Readonly<Record<Method, Rehearsal>>

/** The meaning of scenarios that several methods share. */
const commonMeaning =
  'exact: the amount. under, over: less, more. twice: two payments of it. late: after the payment expired.'

/** All scenarios in plain words: the common ones, then each method's own. */
export function scenarioMeanings(): string {
  const ofMethods = Object.entries(rehearsals).map(([method, { meaning }]) => `${method}: ${meaning}`)
  return [commonMeaning, ...ofMethods].join(' ')
}

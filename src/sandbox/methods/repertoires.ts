// The scenarios of each method and their meaning, without the payers' code. A new method is a line here.
import type { Method } from '#/rails/method.ts'
import type { Repertoire } from './method.ts'
import { cardRepertoire } from './pay-card.ts'
import { cryptoRepertoire } from './pay-crypto.ts'
import { localRepertoire, paperRepertoire } from './pay-local.ts'
import { partnerRepertoire } from './pay-partner.ts'
import { pixRepertoire } from './pay-pix.ts'
import { sepaRepertoire } from './pay-sepa.ts'

export const repertoires = {
  CRYPTO: cryptoRepertoire,
  PIX: pixRepertoire,
  CREDIT_CARD: cardRepertoire,
  PARTNER_PAY: partnerRepertoire,
  MULTIBANCO: paperRepertoire,
  MB_WAY: localRepertoire,
  IDEAL: localRepertoire,
  BANCONTACT: localRepertoire,
  BIZUM: localRepertoire,
  BOLETO: paperRepertoire,
  SEPA_TRANSFER: sepaRepertoire,
} satisfies Readonly<Record<Method, Repertoire>>

/** The meaning of scenarios that several methods share. */
const commonMeaning =
  'exact: the amount. under, over: less, more. twice: two payments of it. late: after the payment expired.'

/** All scenarios in plain words: the common ones, then each method's own. */
export function scenarioMeanings(): string {
  const ofMethods = Object.entries(repertoires).map(([method, { meaning }]) => `${method}: ${meaning}`)
  return [commonMeaning, ...ofMethods].join(' ')
}

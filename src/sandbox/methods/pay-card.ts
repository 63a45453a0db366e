// The payer of CREDIT_CARD: types a test card into the page of the sandbox's acquirer. The payer's page need not be open.
import { card } from '#/rails/acquirer/method.ts'
import type { MethodPayer } from '../pay.ts'
import type { PayerDeps } from './method.ts'
import { createPagePayer } from './pay-page.ts'
import type { RunningProvider } from './provider.ts'

const { scenarios } = card.sandbox
export type CardScenario = (typeof scenarios)[number]

export type CardPayerDeps = Pick<PayerDeps, 'find' | 'openPage'> & {
  readonly provider: Pick<RunningProvider, 'control'>
}

/** Refuses as `createPagePayer` describes. */
export function createCardPayer({ provider, ...deps }: CardPayerDeps): MethodPayer<CardScenario> {
  return createPagePayer(deps, {
    method: 'CREDIT_CARD',
    scenarios,
    artifact: 'sessionId',
    by: 'a card',
    // The acquirer has a card of each scenario's name.
    act: (session, card) => provider.control('POST', '/_sim/pay', { session, card, challenge: 'pass' }),
  })
}

// The payer of CREDIT_CARD: types a test card into the page of the sandbox's acquirer. The payer's page need not be open.
import type { MethodPayer } from '../pay.ts'
import type { PayerDeps, Repertoire } from './method.ts'
import { createPagePayer } from './pay-page.ts'
import type { RunningProvider } from './provider.ts'

/**
 * - `success`: the card is accepted.
 * - `decline`, `insufficient_funds`: the card is declined, which the payment's `lastError` shows.
 * - `challenge`: the card's bank asks for authentication (3-D Secure), which the payer passes.
 * - `dispute`: the card is accepted, and its holder disputes the charge a moment after the capture.
 */
export const cardScenarios = ['success', 'decline', 'insufficient_funds', 'challenge', 'dispute'] as const
export type CardScenario = (typeof cardScenarios)[number]

export const cardRepertoire: Repertoire<CardScenario> = {
  scenarios: cardScenarios,
  meaning:
    'success, decline, insufficient_funds; challenge: with 3-D Secure; dispute: its holder wants the money back.',
}

export type CardPayerDeps = Pick<PayerDeps, 'find' | 'openPage'> & {
  readonly provider: Pick<RunningProvider, 'control'>
}

/** Refuses as `createPagePayer` describes. */
export function createCardPayer({ provider, ...deps }: CardPayerDeps): MethodPayer<CardScenario> {
  return createPagePayer(deps, {
    method: 'CREDIT_CARD',
    scenarios: cardScenarios,
    artifact: 'sessionId',
    by: 'a card',
    // The acquirer has a card of each scenario's name.
    act: (session, card) => provider.control('POST', '/_sim/pay', { session, card, challenge: 'pass' }),
  })
}

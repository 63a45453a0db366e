// The payer of CREDIT_CARD: types a test card into the page of the sandbox's acquirer, as if the payer's page had been open.
import type { MethodPayer } from '../pay.ts'
import type { PayerDeps, Rehearsal } from './method.ts'
import { createPagePayer } from './pay-page.ts'
import type { RunningProvider } from './provider.ts'

/**
 * - `success`: the card is taken. - `decline`, `insufficient_funds`: it is not, which the payment's `lastError` tells.
 * - `challenge`: its bank asks who is there (3-D Secure), and is answered. - `dispute`: it is taken, and its holder wants
 *   the money back a moment after it was captured.
 */
export const cardScenarios = ['success', 'decline', 'insufficient_funds', 'challenge', 'dispute'] as const
export type CardScenario = (typeof cardScenarios)[number]

export const cardRehearsal: Rehearsal<CardScenario> = {
  scenarios: cardScenarios,
  meaning:
    'success, decline, insufficient_funds; challenge: with 3-D Secure; dispute: its holder wants the money back.',
}

export type CardPayerDeps = Pick<PayerDeps, 'find' | 'openPage'> & {
  readonly provider: Pick<RunningProvider, 'control'>
}

/** Refuses as `createPagePayer` says. */
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

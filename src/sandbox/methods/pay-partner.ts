// The payer of PARTNER_PAY: confirms or refuses in the sandbox's wallet app. The payer's page need not be open.
import type { MethodPayer } from '../pay.ts'
import type { PayerDeps, Repertoire } from './method.ts'
import { createPagePayer } from './pay-page.ts'
import type { RunningProvider } from './provider.ts'

/** `confirm`: pays the order. `refuse`: cancels it, which the payment's `lastError` shows. */
export const partnerScenarios = ['confirm', 'refuse'] as const
export type PartnerScenario = (typeof partnerScenarios)[number]

export const partnerRepertoire: Repertoire<PartnerScenario> = {
  scenarios: partnerScenarios,
  meaning: 'confirm, refuse.',
}

export type PartnerPayerDeps = Pick<PayerDeps, 'find' | 'openPage'> & {
  readonly provider: Pick<RunningProvider, 'control'>
}

/** Refuses as `createPagePayer` describes. */
export function createPartnerPayer({ provider, ...deps }: PartnerPayerDeps): MethodPayer<PartnerScenario> {
  return createPagePayer(deps, {
    method: 'PARTNER_PAY',
    scenarios: partnerScenarios,
    artifact: 'prepayId',
    by: 'a wallet app',
    act: (prepayId, action) => provider.control('POST', `/_sim/orders/${prepayId}`, { action }),
  })
}

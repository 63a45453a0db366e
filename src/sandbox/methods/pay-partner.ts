// The payer of PARTNER_PAY: confirms or refuses in the sandbox's wallet app. The payer's page need not be open.
import { partnerPay } from '#/rails/partner-pay/method.ts'
import type { MethodPayer } from '../pay.ts'
import type { PayerDeps } from './method.ts'
import { createPagePayer } from './pay-page.ts'
import type { RunningProvider } from './provider.ts'

const { scenarios } = partnerPay.sandbox
export type PartnerScenario = (typeof scenarios)[number]

export type PartnerPayerDeps = Pick<PayerDeps, 'find' | 'openPage'> & {
  readonly provider: Pick<RunningProvider, 'control'>
}

/** Refuses as `createPagePayer` describes. */
export function createPartnerPayer({ provider, ...deps }: PartnerPayerDeps): MethodPayer<PartnerScenario> {
  return createPagePayer(deps, {
    method: 'PARTNER_PAY',
    scenarios,
    artifact: 'prepayId',
    by: 'a wallet app',
    act: (prepayId, action) => provider.control('POST', `/_sim/orders/${prepayId}`, { action }),
  })
}

import { nameOfKey } from '#/rails/kit/connection-type.ts'
import type { RailModule } from '#/rails/module.ts'
import { probePartnerPay } from './probe.ts'
import { createPartnerPayRail } from './rail.ts'
import {
  checkPartnerPaySettings,
  partnerPayProvider,
  partnerPaySecrets,
  partnerPaySettings,
} from './settings.ts'

/** Payments that the payer confirms in a wallet provider's app. */
export const partnerPayModule: RailModule = {
  methods: ['PARTNER_PAY'],
  connections: [
    {
      method: 'PARTNER_PAY',
      providers: [partnerPayProvider],
      page: 'docs/rails/partner-pay.md',
      settings: partnerPaySettings,
      secrets: partnerPaySecrets,
      refundSecrets: partnerPaySecrets,
      faults({ settings, secrets }) {
        const checked = checkPartnerPaySettings(settings, secrets)
        return checked.ok ? [] : checked.faults
      },
      accountsOf: ({ secrets, refundSecrets }) => [
        ...nameOfKey('binance-key', secrets['apiKey']),
        ...nameOfKey('binance-key', refundSecrets?.['apiKey']),
      ],
      probe: probePartnerPay,
    },
  ],
  open(deps) {
    const rail = createPartnerPayRail(deps)
    return { rails: [rail], payoutRails: [], stop: rail.stop }
  },
}

import type { RailModule } from '#/rails/module.ts'
import { probeCard } from './probe.ts'
import { createCardRail } from './rail.ts'
import {
  cardProvider,
  cardRefundSecrets,
  cardSecrets,
  cardSettings,
  checkCardRefundSecrets,
  checkCardSettings,
} from './settings.ts'

/** Payments by card at a provider that speaks Stripe's API. */
export const acquirerModule: RailModule = {
  methods: ['CREDIT_CARD'],
  connections: [
    {
      method: 'CREDIT_CARD',
      providers: [cardProvider],
      page: 'docs/rails/card.md',
      settings: cardSettings,
      secrets: cardSecrets,
      refundSecrets: cardRefundSecrets,
      faults({ settings, secrets }) {
        const checked = checkCardSettings(settings, secrets)
        return checked.ok ? [] : checked.faults
      },
      faultsOfRefunds(secrets) {
        const checked = checkCardRefundSecrets(secrets)
        return checked.ok ? [] : checked.faults
      },
      probe: probeCard,
    },
  ],
  open(deps) {
    const rail = createCardRail(deps)
    return { rails: [rail], payoutRails: [], stop: rail.stop }
  },
}

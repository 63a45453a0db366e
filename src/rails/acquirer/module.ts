import { nameOfKey } from '#/rails/kit/connection-type.ts'
import type { RailModule } from '#/rails/module.ts'
import { openConnections } from './connections.ts'
import { createLocalRails } from './local-rail.ts'
import { localMethods } from './methods/all.ts'
import { askCardAccounts, probeCard } from './probe.ts'
import { createCardRail } from './rail.ts'
import {
  cardProvider,
  cardRefundSecrets,
  cardSecrets,
  cardSettings,
  checkCardRefundSecrets,
  checkCardSettings,
} from './settings.ts'

/** Payments by card and by local methods at a provider that speaks Stripe's API. */
export const acquirerModule: RailModule = {
  methods: ['CREDIT_CARD', ...localMethods.map(({ method }) => method)],
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
      // Its settings do not name the account. A key belongs to one account, which may have several.
      accountsOf: ({ settings, secrets, refundSecrets }) => [
        ...nameOfKey('stripe-key', settings['publishableKey']),
        ...nameOfKey('stripe-key', secrets['secretKey']),
        ...nameOfKey('stripe-key', refundSecrets?.['secretKey']),
      ],
      askAccounts: askCardAccounts,
      faultsOfRefunds(secrets) {
        const checked = checkCardRefundSecrets(secrets)
        return checked.ok ? [] : checked.faults
      },
      probe: probeCard,
    },
  ],
  open(deps) {
    const open = openConnections(deps)
    const card = createCardRail({ ...deps, open })
    return { rails: [card, ...createLocalRails({ ...deps, open })], payoutRails: [], stop: card.stop }
  },
}

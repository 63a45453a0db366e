import { nameOfKey, type ConnectionParts } from '#/rails/kit/connection-type.ts'
import type { RailModule } from '#/rails/module.ts'
import { payoutMethod, createPixPayoutRail } from './payout.ts'
import { probePix, probePixPayout } from './probe.ts'
import { payoutProfileNames, profileNames } from './profile.ts'
import { createPixRail } from './rail.ts'
import {
  checkPixPayoutSettings,
  checkPixSettings,
  pixPayoutSettings,
  pixSecrets,
  pixSettings,
} from './settings.ts'

const page = 'docs/rails/pix.md'

/** A Pix key belongs to one account in all of Brazil. A PSP's client can read everything that its account received, by whichever key. */
const accountsOf = ({ provider, settings: { pixKey }, secrets, refundSecrets }: ConnectionParts) => [
  `pix-key:${String(pixKey).toLowerCase()}`,
  ...nameOfKey(`pix-client:${provider}`, secrets['clientId']),
  ...nameOfKey(`pix-client:${provider}`, refundSecrets?.['clientId']),
]

/** Payments and payouts by Pix, at a PSP that speaks API Pix. One connection receives and returns money, another one sends it. */
export const pixModule: RailModule = {
  methods: ['PIX'],
  connections: [
    {
      method: 'PIX',
      providers: profileNames,
      page,
      settings: pixSettings,
      secrets: pixSecrets,
      refundSecrets: pixSecrets,
      faults({ provider, settings, secrets }) {
        const checked = checkPixSettings({ profile: provider, ...settings }, secrets)
        return checked.ok ? [] : checked.faults
      },
      remarks: ({ settings: { callbackCa, ca } }) =>
        callbackCa === undefined && ca === undefined
          ? ['There is no callbackCa: callbacks are accepted only from a proxy that checked the certificate.']
          : [],
      accountsOf,
      probe: probePix,
    },
    {
      method: payoutMethod,
      providers: payoutProfileNames,
      page,
      settings: pixPayoutSettings,
      secrets: pixSecrets,
      faults({ provider, settings, secrets }) {
        const checked = checkPixPayoutSettings({ profile: provider, ...settings }, secrets)
        return checked.ok ? [] : checked.faults
      },
      accountsOf,
      probe: probePixPayout,
    },
  ],
  open(deps) {
    const [rail, payouts] = [createPixRail(deps), createPixPayoutRail(deps)]
    return {
      rails: [rail],
      payoutRails: [payouts],
      stop: async () => {
        await Promise.all([rail.stop(), payouts.stop()])
      },
    }
  },
}

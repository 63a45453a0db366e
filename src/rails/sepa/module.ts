import { Type as T } from 'typebox'
import type { RailModule } from '#/rails/module.ts'
import { createSepaPayoutRail } from './payout.ts'
import { createSepaRail } from './rail.ts'
import { checkSepaSettings, sepaFaults, sepaSecrets, sepaSettings } from './settings.ts'

/** Payments by SEPA credit transfer to the operator's account, as the bank's files report them. */
export const sepaModule: RailModule = {
  methods: ['SEPA_TRANSFER'],
  connections: [
    {
      method: 'SEPA_TRANSFER',
      providers: ['camt'],
      page: 'docs/rails/sepa.md',
      settings: sepaSettings,
      secrets: sepaSecrets,
      // Money is sent by files that a person uploads: no secret of ours moves it.
      refundSecrets: T.Object({}),
      faults: sepaFaults,
      faultsOfRefunds: () => [],
      accountsOf: ({ settings: { iban } }) => [`iban:${String(iban)}`],
      remarks: ({ settings: { bic } }) =>
        bic === undefined ? ['There is no bic: a payer outside the EEA needs it.'] : [],
      async probe(_deps, { settings, secrets }) {
        const checked = checkSepaSettings(settings, secrets)
        if (!checked.ok) {
          const said = checked.faults.map(({ pointer, message }) => `${pointer}: ${message}`).join(' ')
          return [{ what: 'account', ok: false, said }]
        }
        const said = 'there is nothing to call: money is known from the files that you import'
        return [{ what: 'account', ok: true, said, key: 'nothing_to_call' }]
      },
    },
  ],
  open(deps) {
    return { rails: [createSepaRail(deps)], payoutRails: [createSepaPayoutRail(deps)], stop: async () => {} }
  },
}

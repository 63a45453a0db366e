// The sandbox's bank of euro accounts: the simulator, the connection that points at an account there, and the delivery of files of
// payments to it.
import { must } from '#/kernel/check.ts'
import { toDecimal } from '#/kernel/money.ts'
import type { ControlCall } from '../control-call.ts'
import {
  accountName,
  connectAccount,
  isRefused,
  startProvider,
  type Customer,
  type SandboxProvider,
} from './provider.ts'

const name = 'SEPA bank'

/** Cents of the operator in the sandbox's account, so that money earned by card can leave by bank transfer. */
const ownFunds = 100_000_000

export const sepaBank: SandboxProvider = {
  name,
  key: 'sepaBank',
  portOffset: 14,
  welcome: {
    link: { words: 'SEPA bank', about: 'where bank transfers in euro are sent' },
    payment: {
      title: 'Take one by bank transfer',
      about: 'Of 45.00 EUR: IBAN and reference are in the answer. Pay it with call 2. The other side is',
      pageWords: 'the SEPA bank’s page',
      terms: [`"amount": 4500, "currency": "EUR",`, `"paymentMethods": ["SEPA_TRANSFER"],`],
    },
  },
  start: (place) => startProvider(place, { name, program: 'sepa-bank' }),
  connect: (running, deps) =>
    connectAccount(deps, {
      name,
      method: 'SEPA_TRANSFER',
      provider: 'camt',
      urls: {},
      enrol: () => openAccount(running.control, accountName(deps)),
      register: (id, { settings }) =>
        running.control('POST', `/_sim/accounts/${String(settings['iban'])}/webhook`, {
          url: `${deps.apiUrl}/callbacks/sepa-transfer/${id}`,
        }),
      isForgotten: isRefused,
    }),
}

async function openAccount(control: ControlCall, holder: string): Promise<Customer> {
  const balance = toDecimal({ minor: BigInt(ownFunds), currency: 'EUR' })
  const made = (await control('POST', '/_sim/accounts', { holder: holder.slice(0, 70), balance })) as {
    readonly iban: string
    readonly bic: string
    readonly holder: string
    readonly callbackKey: string
  }
  return {
    settings: {
      iban: made.iban,
      bic: must(made.bic, 'the bank has a BIC'),
      beneficiary: made.holder,
      ownFunds: { EUR: ownFunds },
    },
    secrets: { callbackKey: made.callbackKey },
    refundSecrets: {},
  }
}

// The sandbox's wallet app: the partner's simulator, and the connection that points at it.
import { partnerPayProvider } from '#/rails/partner-pay/settings.ts'
import {
  accountName,
  connectAccount,
  isRefused,
  startProvider,
  type Customer,
  type RunningProvider,
  type SandboxProvider,
} from './provider.ts'

const name = 'wallet app'

export const partnerWallet: SandboxProvider = {
  name,
  key: 'partnerWallet',
  portOffset: 13,
  welcome: {
    link: { words: 'Wallet app', about: 'where its orders are paid' },
    payment: {
      title: 'Take one by wallet app',
      about: 'Of 10.00 USDT. Open its cardRedirectUrl, or pay it with call 2. The other side is',
      pageWords: 'the wallet app’s page',
      terms: [`"amount": 1000, "currency": "USDT",`, `"paymentMethods": ["PARTNER_PAY"],`],
    },
  },
  start: (place) => startProvider(place, { name, program: 'partner-wallet' }),
  connect: (running, deps) =>
    connectAccount(deps, {
      name,
      method: 'PARTNER_PAY',
      provider: partnerPayProvider,
      urls: { apiUrl: running.apiUrl },
      enrol: () => becomeMerchant(running, accountName(deps)),
      register: (id, { secrets }) =>
        running.control('POST', `/_sim/merchants/${String(secrets['apiKey'])}/webhook`, {
          url: `${deps.apiUrl}/callbacks/partner-pay/${id}`,
        }),
      isForgotten: isRefused,
    }),
}

/** Two keys of one merchant: one collects money, the other refunds it. */
async function becomeMerchant({ apiUrl, control }: RunningProvider, name: string): Promise<Customer> {
  const keyOf = async (request: Readonly<Record<string, unknown>>) => {
    const made = (await control('POST', '/_sim/merchants', request)) as { apiKey: string; apiSecret: string }
    return { apiKey: made.apiKey, apiSecret: made.apiSecret }
  }
  const secrets = await keyOf({ name, permissions: ['orders'] })
  const refundSecrets = await keyOf({ of: secrets.apiKey, permissions: ['refunds'] })
  return { settings: { apiUrl }, secrets, refundSecrets }
}

// The sandbox's acquirer: the card provider's simulator, and the connection that points at it.
import type { ConnectionId } from '#/kernel/id.ts'
import { localMethods } from '#/rails/acquirer/methods/all.ts'
import { cardProvider } from '#/rails/acquirer/settings.ts'
import {
  accountName,
  connectAccount,
  isRefused,
  startProvider,
  type ConnectDeps,
  type Customer,
  type RunningProvider,
  type SandboxProvider,
} from './provider.ts'

const name = 'acquirer'

export const acquirer: SandboxProvider = {
  name,
  key: 'acquirer',
  portOffset: 12,
  welcome: {
    link: { words: 'Card provider', about: 'where cards are paid' },
    payment: {
      title: 'Take one by card',
      about:
        'Of 19.90 EUR. Open its cardRedirectUrl and pay with 4242 4242 4242 4242, or pay it with call 2. The other side is',
      pageWords: 'the card provider’s page',
      terms: [`"amount": 1990, "currency": "EUR",`, `"paymentMethods": ["CREDIT_CARD"],`],
    },
  },
  start: (place) => startProvider(place, { name, program: 'acquirer' }),
  async connect(running, deps) {
    const collecting = await connectOne(running, deps, places.europe)
    await connectOne(running, deps, places.brazil)
    return collecting
  },
}

/** An account in Europe takes cards and the local methods of EUR. Those of Brazil need one there. */
const places = {
  europe: { country: 'PT', currencies: ['BRL', 'EUR'], methods: methodsIn(undefined) },
  brazil: { country: 'BR', currencies: ['BRL'], methods: methodsIn('BR') },
}
type Place = (typeof places)[keyof typeof places]

function methodsIn(country: 'BR' | undefined): readonly string[] {
  return localMethods.filter(({ accountIn }) => accountIn === country).map(({ method }) => method)
}

function connectOne(running: RunningProvider, deps: ConnectDeps, place: Place): Promise<ConnectionId> {
  const { country, methods } = place
  return connectAccount(deps, {
    name,
    method: 'CREDIT_CARD',
    provider: cardProvider,
    urls: { ...urlsOf(running), country, methods },
    // The account of a sandbox from before local methods has no country: it is the one in Europe.
    isIt: ({ settings }) => (settings['country'] === 'BR') === (country === 'BR'),
    enrol: () => openAccount(running, accountName(deps), place),
    register: (id, { settings }) =>
      running.control('POST', `/_sim/accounts/${String(settings['accountId'])}/webhook`, {
        url: `${deps.apiUrl}/callbacks/credit-card/${id}`,
      }),
    isForgotten: isRefused,
  })
}

/** Two keys of one account: one collects money, the other refunds it. */
async function openAccount(
  running: RunningProvider,
  name: string,
  { country, currencies, methods }: Place,
): Promise<Customer> {
  const request = { name, currencies, country }
  const made = (await running.control('POST', '/_sim/accounts', request)) as Readonly<
    Record<'accountId' | 'secretKey' | 'refundKey' | 'publishableKey' | 'webhookSecret', string>
  >
  const { accountId, secretKey, refundKey, publishableKey, webhookSecret } = made
  return {
    settings: {
      ...urlsOf(running),
      accountId,
      publishableKey,
      currencies,
      country,
      methods,
      presentation: 'frame',
    },
    secrets: { secretKey, webhookSecrets: [webhookSecret] },
    refundSecrets: { secretKey: refundKey },
  }
}

function urlsOf({ apiUrl }: RunningProvider) {
  return { apiUrl, scriptUrl: `${apiUrl}/endive/stripe.js`, origins: [apiUrl] }
}

// The accounts that accept cards here, and their keys.
import { randomBytes } from 'node:crypto'
import { bad } from '../kit/control-fields.ts'
import { given } from '../kit/given.ts'
import { newId, type Account, type Acquirer } from './acquirer.ts'
import { addEndpoint } from './endpoints.ts'
import { localMethods, methodsIn } from './local-methods.ts'

/** Default of `methods`: all that an account of this country can have. */
type AccountTerms = Pick<Account, 'name' | 'country' | 'currencies'> & {
  readonly methods: readonly string[] | undefined
  readonly origins: readonly string[] | undefined
}

/** The only answer that contains the keys. */
export function createAccount(acquirer: Acquirer, terms: AccountTerms): Account {
  const { name, country, currencies, origins } = terms
  const possible = methodsIn(country)
  const methods = terms.methods ?? possible
  if (methods.some((each) => !possible.includes(each)))
    throw bad(`methods in ${country} are ${possible.join(', ')}`)
  const key = (prefix: string) => `${prefix}_test_${randomBytes(32).toString('hex')}`
  const account: Account = {
    id: newId(acquirer, 'acct', 16),
    name,
    currencies: currencies.map((each) => each.toLowerCase()),
    country,
    methods,
    secretKey: key('sk'),
    refundKey: key('rk'),
    publishableKey: key('pk'),
    webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
    ...given({ origins }),
  }
  acquirer.log.add(`Account for ${account.name}`, account.id)
  return acquirer.accounts.put(account.id, account)
}

/** Sets the address of the account's own webhook, which gets every event. */
export function setWebhook(acquirer: Acquirer, account: Account, url: string): { readonly id: string } {
  const id = `we_${account.id.slice('acct_'.length)}`
  acquirer.log.add('Webhook registered', url)
  return addEndpoint(acquirer, account.id, { url, eventTypes: ['*'], secret: account.webhookSecret }, id)
}

/** GET /v1/account. */
export function accountObject({ id, country, methods }: Account) {
  const local = localMethods.map(({ type }) => [
    `${type}_payments`,
    methods.includes(type) ? 'active' : 'inactive',
  ])
  return {
    id,
    object: 'account',
    capabilities: { card_payments: 'active', ...(Object.fromEntries(local) as Record<string, string>) },
    charges_enabled: true,
    country,
    type: 'standard',
  }
}

/** An account without its secrets. */
export function accountView({ id, name, currencies, country, methods, publishableKey, origins }: Account) {
  return {
    id,
    name,
    currencies,
    country,
    methods,
    publishableKey,
    ...given({ origins }),
  }
}

// The accounts that accept cards here, and their keys.
import { randomBytes } from 'node:crypto'
import { asText, type Fields } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import { controlProblem } from '../kit/refusal.ts'
import { newId, type Account, type Acquirer } from './acquirer.ts'
import { addEndpoint } from './endpoints.ts'
import { localMethods, methodsIn } from './local-methods.ts'

const usualCurrencies = ['brl', 'eur', 'usd']

/** The only answer that contains the keys. */
export function createAccount(acquirer: Acquirer, body: Fields): Account {
  const currencies = textList(body, 'currencies', /^[a-z]{3}$/i)?.map((each) => each.toLowerCase())
  const origins = readOrigins(body)
  const country = asText(body['country'], 2) ?? 'PT'
  const key = (prefix: string) => `${prefix}_test_${randomBytes(32).toString('hex')}`
  const account: Account = {
    id: newId(acquirer, 'acct', 16),
    name: asText(body['name'], 100) ?? 'Loja Simulada',
    currencies: currencies ?? usualCurrencies,
    country,
    methods: readMethods(body, country),
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

/** Default: all that an account of this country can have. */
function readMethods(body: Fields, country: string): readonly string[] {
  const possible = methodsIn(country)
  const methods = textList(body, 'methods', /^[a-z_]+$/) ?? possible
  if (methods.some((each) => !possible.includes(each)))
    throw controlProblem(400, 'invalid_request', `methods in ${country} are ${possible.join(', ')}`)
  return methods
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

function readOrigins(body: Fields): readonly string[] | undefined {
  const origins = textList(body, 'origins', /^https?:\/\/\S+$/)
  if (origins?.some((each) => !URL.canParse(each) || new URL(each).origin !== each) === true)
    throw controlProblem(400, 'invalid_request', 'origins are such as https://pay.example.com')
  return origins
}

function textList(body: Fields, name: string, pattern: RegExp): readonly string[] | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  const isList =
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => typeof each === 'string' && pattern.test(each))
  if (!isList) throw controlProblem(400, 'invalid_request', `${name} is a list of texts such as they must be`)
  return value as readonly string[]
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

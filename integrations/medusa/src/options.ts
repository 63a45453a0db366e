// What medusa-config says of this provider.

/** The `options` of the provider in `medusa-config.ts`. */
export type VintemOptions = {
  /** `vtm_live_…` or `vtm_test_…`, with the scopes `payments:read` and `payments:write`. */
  readonly apiKey: string
  /** Where Vintem's API is, such as `https://pay.example.com`. */
  readonly baseUrl: string
  /** `whsec_…`; several while you roll it. */
  readonly webhookSecret: string | readonly string[]
  /**
   * Medusa's own address for these webhooks, such as `https://shop.example.com/hooks/payment/vintem_vintem`. Leave it out if you registered
   * that address in Vintem as an endpoint.
   */
  readonly webhookUrl?: string
  /** Slug of the checkout's template. Default: `default`. */
  readonly checkout?: string
  /** Where Vintem's page leads after the payment, with `paymentId` added. Default: what the template says. */
  readonly returnUrl?: string
  /** Where it leads while nothing is paid. Default: what the template says. */
  readonly cancelUrl?: string
  /** `manual`: cards are authorised, and captured in Medusa; there are no other methods then. Default: `automatic`. */
  readonly capture?: 'automatic' | 'manual'
  /** How many seconds the payer has. Default: Vintem's, one day. */
  readonly expiresIn?: number
}

const needed = ['apiKey', 'baseUrl', 'webhookSecret'] as const
const texts = ['apiKey', 'baseUrl', 'webhookUrl', 'checkout', 'returnUrl', 'cancelUrl'] as const
const names: ReadonlySet<string> = new Set([...needed, ...texts, 'capture', 'expiresIn'])

/** Throws when the options cannot work, so that Medusa does not start with them. */
export function checkOptions(given: Readonly<Record<string, unknown>> | undefined): void {
  const options = given ?? {}
  const fault = (text: string) => new Error(`The options of the payment provider vintem: ${text}`)
  for (const name of needed) if (isMissing(options[name])) throw fault(`${name} is missing`)
  for (const name of Object.keys(options)) if (!names.has(name)) throw fault(`there is no option ${name}`)
  for (const name of texts)
    if (options[name] !== undefined && typeof options[name] !== 'string') throw fault(`${name} is no text`)
  const secrets = [options['webhookSecret']].flat()
  if (!secrets.every((secret) => typeof secret === 'string' && /^whsec_./.test(secret)))
    throw fault('webhookSecret is whsec_…, or a list of such')
  if (!URL.canParse(options['baseUrl'] as string)) throw fault('baseUrl is no address')
  if (!['automatic', 'manual', undefined].includes(options['capture'] as string | undefined))
    throw fault('capture is automatic or manual')
  if (options['expiresIn'] !== undefined && !Number.isSafeInteger(options['expiresIn']))
    throw fault('expiresIn is a number of seconds')
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

// Tests the credentials of a card connection: a harmless read with each of its keys. Nothing is changed there.
import { ProviderError } from '#/kernel/error.ts'
import { addMs, minuteMs, type Clock } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import type { ConnectionParts } from '#/rails/kit/connection-type.ts'
import { bookOf } from '#/rails/kit/connections.ts'
import {
  noRefunds,
  probe,
  probesOf,
  works,
  type Probe,
  type ProbeDeps,
  type Said,
} from '#/rails/kit/probe.ts'
import { createCardClient, type CardClient, type CardClientOptions } from './client.ts'
import { openConnections } from './connections.ts'
import { localMethods } from './methods/all.ts'
import type { LocalMethod } from './methods/method.ts'
import { checkCardMode, checkCardRefundSecrets, checkCardSettings } from './settings.ts'

/** A name of the right form that no object has. */
const unusedIntent = 'pi_000000000000000000000000'

/** Asks the provider, and changes nothing there. */
export async function probeCard(
  { clock }: Pick<ProbeDeps, 'clock'>,
  connection: ProviderConnection,
): Promise<readonly Probe[]> {
  const faults = faultsOf(connection)
  if (faults.length > 0) return faults
  const open = openConnections({ connections: bookOf(connection) })
  try {
    const { client, webhookSecrets, settings } = open.collecting(connection.id)
    const hasRefunds = connection.refundSecrets !== undefined
    const locals = localMethods.filter(({ method }) => settings.methods.includes(method))
    return [
      ...(locals.length === 0
        ? []
        : [await probe('local methods', () => readMethods(client, settings.country, locals))]),
      await probe('collection: read what happened', () => readEvents(client, clock)),
      {
        what: 'callbacks',
        ok: webhookSecrets.length > 0,
        ...saidOfSecrets(webhookSecrets.length),
      },
      hasRefunds
        ? await probe('refunds: read refunds', () => readRefunds(open.refunding(connection.id).client))
        : noRefunds,
    ]
  } finally {
    await open.close()
  }
}

/** The accounts that the keys open: `stripe:acct_…`. A restricted key that may not read its account, and a provider that is away, name none. */
export async function askCardAccounts({
  settings,
  secrets,
  refundSecrets,
}: ConnectionParts): Promise<readonly string[]> {
  const checked = checkCardSettings(settings, secrets)
  if (!checked.ok) return []
  const refunds = refundSecrets === undefined ? undefined : checkCardRefundSecrets(refundSecrets)
  const keys = [checked.secrets.secretKey, ...(refunds?.ok === true ? [refunds.secretKey] : [])]
  const { apiUrl } = checked.settings
  const named = await Promise.all(keys.map((secretKey) => askAccount({ apiUrl, secretKey })))
  return [...new Set(named.flat())]
}

async function askAccount(options: CardClientOptions): Promise<readonly string[]> {
  const client = createCardClient(options)
  try {
    return [`stripe:${(await client.getAccount()).id}`]
  } catch (error) {
    if (error instanceof ProviderError) return []
    throw error
  } finally {
    await client.close()
  }
}

function saidOfSecrets(count: number): Said {
  return count > 0
    ? { said: `${count} of their secrets are known`, key: 'secrets_known', values: { count } }
    : { said: 'no webhookSecrets: no callback is believed', key: 'no_secrets' }
}

function faultsOf({ mode, settings, secrets, refundSecrets }: ProviderConnection): readonly Probe[] {
  const checked = checkCardSettings(settings, secrets)
  const refunds = refundSecrets === undefined ? undefined : checkCardRefundSecrets(refundSecrets)
  const faults = [
    ...(checked.ok ? [] : checked.faults),
    ...(refunds === undefined || refunds.ok ? [] : refunds.faults),
    ...checkCardMode(mode, {
      '/settings/publishableKey': settings['publishableKey'],
      '/secrets/secretKey': secrets['secretKey'],
      '/refundSecrets/secretKey': refundSecrets?.['secretKey'],
    }),
  ]
  return probesOf(faults)
}

/** Compares what the connection names with what the account may do. Throws ProviderError. */
async function readMethods(
  client: CardClient,
  country: string | undefined,
  locals: readonly LocalMethod[],
): Promise<Said> {
  const account = await client.getAccount()
  if (account.country !== country)
    throw new ProviderError(
      'refused',
      `the account is in ${account.country ?? 'no country'}, not in ${country}`,
    )
  const isActive = ({ type }: LocalMethod) => account.capabilities[`${type}_payments`] === 'active'
  const missing = locals.filter((each) => !isActive(each)).map(({ method }) => method)
  if (missing.length > 0)
    throw new ProviderError('refused', `the account has not enabled ${missing.join(', ')}`)
  const names = locals.map(({ method }) => method).join(', ')
  return { said: `${names} are enabled`, key: 'enabled', values: { methods: names } }
}

async function readEvents(client: CardClient, clock: Clock): Promise<Said> {
  const to = clock.now()
  let count = 0
  for await (const page of client.listEvents({ from: addMs(to, -minuteMs), to }, [])) count += page.length
  return { said: `works, ${count} events in the last minute`, key: 'events', values: { count } }
}

async function readRefunds(client: CardClient): Promise<Said> {
  try {
    await client.listRefunds(unusedIntent, false)
  } catch (error) {
    // A refusal of the name shows that the key may ask.
    if (!(error instanceof ProviderError) || error.outcome !== 'refused') throw error
  }
  return works
}

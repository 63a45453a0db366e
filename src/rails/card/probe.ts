// Whether the credentials of a card connection work: a harmless read with each of its keys. Nothing is changed there.
import type { ProviderConnection } from '#/rails/words.ts'
import { ProviderError, messageOf } from '#/kernel/error.ts'
import { addMs, minuteMs, type Clock } from '#/kernel/time.ts'
import type { CardClient } from './client.ts'
import { openConnections } from './connections.ts'
import { checkCardMode, checkCardRefundSecrets, checkCardSettings } from './settings.ts'

/** One thing that was tried, and what came of it. */
type Probe = { readonly what: string; readonly ok: boolean; readonly said: string }

/** A name of the right shape that nobody has. */
const nobodys = 'pi_000000000000000000000000'

/** Asks the provider, and changes nothing there. */
export async function probeCard(
  { clock }: { readonly clock: Clock },
  connection: ProviderConnection,
): Promise<readonly Probe[]> {
  const faults = faultsOf(connection)
  if (faults.length > 0) return faults
  const book = { of: () => [], find: () => connection, all: () => [connection] }
  const open = openConnections({ connections: book })
  try {
    const { client, webhookSecrets } = open.collecting(connection.id)
    const hasRefunds = connection.refundSecrets !== undefined
    return [
      await probe('collection: read what happened', () => readEvents(client, clock)),
      {
        what: 'callbacks',
        ok: webhookSecrets.length > 0,
        said:
          webhookSecrets.length > 0
            ? `${webhookSecrets.length} of their secrets are known`
            : 'no webhookSecrets: no callback is believed',
      },
      hasRefunds
        ? await probe('refunds: read refunds', () => readRefunds(open.refunding(connection.id).client))
        : { what: 'refunds', ok: true, said: 'no refundSecrets: nothing can be given back' },
    ]
  } finally {
    await open.close()
  }
}

function faultsOf({ mode, settings, secrets, refundSecrets }: ProviderConnection): readonly Probe[] {
  const checked = checkCardSettings(settings, secrets)
  const refunds = refundSecrets === undefined ? undefined : checkCardRefundSecrets(refundSecrets)
  const faults = [
    ...(checked.ok ? [] : checked.errors),
    ...(refunds === undefined || refunds.ok ? [] : refunds.errors),
    ...checkCardMode(mode, {
      '/settings/publishableKey': settings['publishableKey'],
      '/secrets/secretKey': secrets['secretKey'],
      '/refundSecrets/secretKey': refundSecrets?.['secretKey'],
    }),
  ]
  return faults.map(({ pointer, message }) => ({ what: pointer, ok: false, said: message }))
}

async function probe(what: string, ask: () => Promise<string>): Promise<Probe> {
  try {
    return { what, ok: true, said: await ask() }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { what, ok: false, said: messageOf(error) }
  }
}

async function readEvents(client: CardClient, clock: Clock): Promise<string> {
  const to = clock.now()
  let count = 0
  for await (const page of client.listEvents({ from: addMs(to, -minuteMs), to }, [])) count += page.length
  return `works, ${count} events in the last minute`
}

async function readRefunds(client: CardClient): Promise<string> {
  try {
    await client.listRefunds(nobodys, false)
  } catch (error) {
    // A refusal of the name is an answer to somebody who may ask.
    if (!(error instanceof ProviderError) || error.outcome !== 'refused') throw error
  }
  return 'works'
}

// Whether the credentials of a connection work: a harmless question with each.
import type { ProviderConnection } from '#/rails/words.ts'
import { ProviderError, messageOf } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import type { Clock } from '#/kernel/time.ts'
import { createPartnerClient, type PartnerClient } from './client.ts'
import { toReference } from './receipts.ts'
import { checkPartnerPaySettings } from './settings.ts'

/** One thing that was tried, and what came of it. */
export type PartnerProbe = { readonly what: string; readonly ok: boolean; readonly said: string }

/** Asks the provider, and changes nothing there. */
export async function probePartnerPay(
  clock: Clock,
  connection: ProviderConnection,
): Promise<readonly PartnerProbe[]> {
  const { secrets, refundSecrets } = connection
  const collecting = await withClient(clock, connection, secrets, async (client) => [
    await probe('collection: look for an order', () => client.findOrder({ tradeNo: nobodys() })),
    await probe('callbacks: read the keys that sign them', async () => {
      const count = (await client.certificates()).length
      return `works, ${count === 1 ? '1 key' : `${count} keys`}`
    }),
  ])
  const refunding =
    refundSecrets === undefined
      ? [{ what: 'refunds', ok: true, said: 'no refundSecrets: nothing can be given back' }]
      : await withClient(clock, connection, refundSecrets, async (client) => [
          await probe('refunds: look for a refund', () => client.findRefund(nobodys())),
        ])
  return [...collecting, ...refunding]
}

/** A reference of the right shape that nobody has. */
function nobodys(): string {
  return toReference(newId<'attempt'>())
}

async function withClient(
  clock: Clock,
  { settings }: ProviderConnection,
  secrets: ProviderConnection['secrets'],
  work: (client: PartnerClient) => Promise<readonly PartnerProbe[]>,
): Promise<readonly PartnerProbe[]> {
  const checked = checkPartnerPaySettings(settings, secrets)
  if (!checked.ok)
    return checked.errors.map(({ pointer, message }) => ({ what: pointer, ok: false, said: message }))
  const { apiUrl } = checked.settings
  const client = createPartnerClient({ apiUrl, credentials: checked.credentials, clock })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

async function probe(what: string, ask: () => Promise<unknown>): Promise<PartnerProbe> {
  try {
    const said = await ask()
    return { what, ok: true, said: typeof said === 'string' ? said : 'works' }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { what, ok: false, said: messageOf(error) }
  }
}

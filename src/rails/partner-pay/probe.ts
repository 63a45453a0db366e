// Tests the credentials of a connection: a harmless query with each.
import { newId } from '#/kernel/id.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { noRefunds, probe, probesOf, works, type Probe, type ProbeDeps } from '#/rails/kit/probe.ts'
import { createPartnerClient, type PartnerClient } from './client.ts'
import { toReference } from './receipts.ts'
import { checkPartnerPaySettings } from './settings.ts'

/** Asks the provider, and changes nothing there. */
export async function probePartnerPay(
  { clock }: Pick<ProbeDeps, 'clock'>,
  connection: ProviderConnection,
): Promise<readonly Probe[]> {
  const { secrets, refundSecrets } = connection
  const collecting = await withClient(clock, connection, secrets, async (client) => [
    await probe('collection: look for an order', async () => {
      await client.findOrder({ tradeNo: unusedReference() })
      return works
    }),
    await probe('callbacks: read the keys that sign them', async () => {
      const count = (await client.certificates()).length
      return { said: `works, ${count === 1 ? '1 key' : `${count} keys`}`, key: 'keys', values: { count } }
    }),
  ])
  const refunding =
    refundSecrets === undefined
      ? [noRefunds]
      : await withClient(clock, connection, refundSecrets, async (client) => [
          await probe('refunds: look for a refund', async () => {
            await client.findRefund(unusedReference())
            return works
          }),
        ])
  return [...collecting, ...refunding]
}

/** A reference of the right form that no order or refund has. */
function unusedReference(): string {
  return toReference(newId<'attempt'>())
}

async function withClient(
  clock: Clock,
  { settings }: ProviderConnection,
  secrets: ProviderConnection['secrets'],
  work: (client: PartnerClient) => Promise<readonly Probe[]>,
): Promise<readonly Probe[]> {
  const checked = checkPartnerPaySettings(settings, secrets)
  if (!checked.ok) return probesOf(checked.faults)
  const { apiUrl } = checked.settings
  const client = createPartnerClient({ apiUrl, credentials: checked.credentials, clock })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

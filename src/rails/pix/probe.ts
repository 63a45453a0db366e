// Tests the credentials of a PIX connection: a token and a harmless read with each, and the callback URL.
import { X509Certificate } from 'node:crypto'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { addMs, minuteMs, type Clock } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
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
import { createPixClient, type PixClient } from './client.ts'
import { clientOptionsOf } from './connections.ts'
import { createPixPayoutRail } from './payout.ts'
import { checkPixSettings } from './settings.ts'

/** An end-to-end id of the right form (API Pix 2.9.0, `EndToEndId`: 32 letters and digits) that no Pix has. */
const unusedEndToEndId = 'E0000000020200101000000000000000'

/** Asks the provider, and changes nothing there. */
export async function probePix(deps: ProbeDeps, connection: ProviderConnection): Promise<readonly Probe[]> {
  const { secrets, refundSecrets } = connection
  const collecting = await withClient(deps, connection, secrets, async (client, pixKey) => [
    await probe('collection: token, read what was received', () => readReceived(client, deps.clock)),
    await probe('callbacks: token, read where they go', async () => {
      const url = await client.getWebhook(pixKey)
      return url === undefined
        ? { said: 'nowhere yet: ./vintem connection register', key: 'goes_nowhere' }
        : { said: `to ${url}`, key: 'goes_to', values: { url } }
    }),
  ])
  const refunding =
    refundSecrets === undefined
      ? [noRefunds]
      : await withClient(deps, connection, refundSecrets, async (client) => [
          await probe('refunds: token, read a refund', () => readReturn(client)),
        ])
  return [
    ...certificateProbe('collection: certificate', secrets, deps.clock),
    ...collecting,
    ...certificateProbe('refunds: certificate', refundSecrets, deps.clock),
    ...refunding,
  ]
}

/** The same for a connection that sends: a token, and the latest payouts. */
export async function probePixPayout(
  { clock, log }: ProbeDeps,
  connection: ProviderConnection,
): Promise<readonly Probe[]> {
  const { refundSecrets } = connection
  if (refundSecrets === undefined)
    return [
      {
        what: 'payouts',
        ok: false,
        said: 'there are no secrets that can be decrypted',
        key: 'not_decrypted',
      },
    ]
  const rail = createPixPayoutRail({ connections: bookOf(connection), clock, log })
  try {
    return [
      ...certificateProbe('payouts: certificate', refundSecrets, clock),
      await probe('payouts: token, read what was sent', async () => {
        const to = clock.now()
        const span = { from: addMs(to, -minuteMs), to }
        for await (const page of must(rail.list, 'PIX lists payouts')(connection.id, span))
          return {
            said: `works, ${page.length} of ours in the last minute`,
            key: 'sent',
            values: { count: page.length },
          }
        return works
      }),
    ]
  } finally {
    await rail.stop()
  }
}

async function withClient(
  deps: ProbeDeps,
  connection: ProviderConnection,
  secrets: ProviderConnection['secrets'],
  work: (client: PixClient, pixKey: string) => Promise<readonly Probe[]>,
): Promise<readonly Probe[]> {
  const { provider, settings } = connection
  const checked = checkPixSettings({ profile: provider, ...settings }, secrets)
  if (!checked.ok) return probesOf(checked.faults)
  const client = createPixClient({ ...clientOptionsOf(checked, connection).options, ...deps })
  try {
    return await work(client, checked.settings.pixKey)
  } finally {
    await client.close()
  }
}

async function readReceived(client: PixClient, clock: Clock): Promise<Said> {
  const to = clock.now()
  for await (const page of client.listReceived({ from: addMs(to, -minuteMs), to })) {
    const said =
      page.length === 0
        ? 'works, nothing came in the last minute'
        : `works, ${page.length} in the last minute`
    return { said, key: 'received', values: { count: page.length } }
  }
  return works
}

/** A refusal of the id shows that the credentials may ask. */
async function readReturn(client: PixClient): Promise<Said> {
  try {
    await client.getReturn(unusedEndToEndId, 'vintem')
  } catch (error) {
    if (!(error instanceof ProviderError) || error.outcome !== 'refused') throw error
  }
  return works
}

/** Tests a certificate in PEM. The dates of a PKCS #12 file cannot be read without its passphrase. */
function certificateProbe(
  what: string,
  secrets: ProviderConnection['secrets'] | undefined,
  clock: Clock,
): readonly Probe[] {
  const pem = secrets?.['certificate']
  if (typeof pem !== 'string') return []
  const { validToDate } = new X509Certificate(pem)
  const ends = validToDate.toISOString().slice(0, 10)
  const isOver = validToDate <= clock.now()
  const said: Said = isOver
    ? { said: `ended on ${ends}`, key: 'ended_on', values: { date: ends } }
    : { said: `valid until ${ends}`, key: 'valid_until', values: { date: ends } }
  return [{ what, ok: !isOver, ...said }]
}

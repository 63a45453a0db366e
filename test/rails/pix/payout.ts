// For tests of payouts: an account at the bank whose key has a webhook, as the bank wants of who sends.
import type { ProviderConnection } from '#/rails/words.ts'
import { once } from 'node:events'
import { createServer } from 'node:https'
import { TLSSocket } from 'node:tls'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { createPixClient } from '#/rails/pix/client.ts'
import { createPixPayoutRail, payoutMethod, type PixPayoutRail } from '#/rails/pix/payout.ts'
import { checkPixSettings } from '#/rails/pix/settings.ts'
import type { TestBank } from './bank.ts'
import { connectionOf } from './rail.ts'
import { must } from '#/kernel/check.ts'

export type PayingAccount = {
  readonly connection: ProviderConnection
  /** Callbacks of the bank, as they came. */
  readonly heard: Buffer[]
  stop(): Promise<void>
}

/** A connection that sends, and a server that hears the bank's callbacks. */
export async function openPayingAccount(bank: TestBank): Promise<PayingAccount> {
  const { settings, secrets } = await bank.application()
  const { certificate, privateKey } = await bank.control('POST', '/server-certificates', {
    hosts: ['127.0.0.1'],
  })
  const heard: Buffer[] = []
  const tls = {
    cert: String(certificate),
    key: String(privateKey),
    requestCert: true,
    rejectUnauthorized: false,
  }
  const server = createServer(tls, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const isBank =
        request.socket instanceof TLSSocket && request.socket.getPeerX509Certificate() !== undefined
      if (isBank) heard.push(Buffer.concat(parts))
      response.writeHead(isBank ? 200 : 403).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const checked = checkPixSettings(settings, secrets)
  const { settings: read, credentials } = must(checked.ok ? checked : undefined, 'the account is well set up')
  const client = createPixClient({ ...read, credentials, clock: systemClock, log: silentLog })
  await client.putWebhook(settings.pixKey, `https://127.0.0.1:${port}/hook`)
  await client.close()
  heard.length = 0
  return {
    connection: connectionOf(
      { ...settings, profile: 'efi', baseUrl: bank.apiUrl },
      {},
      { method: payoutMethod, provider: 'efi', refundSecrets: secrets },
    ),
    heard,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A rail over these connections. */
export function payoutRailOf(
  t: Pick<TestContext, 'after'>,
  connections: readonly ProviderConnection[],
  more: Partial<Parameters<typeof createPixPayoutRail>[0]> = {},
): PixPayoutRail {
  const rail = createPixPayoutRail({
    connections: {
      of: ({ method, mode }) => connections.filter((each) => each.mode === mode && each.method === method),
      find: (id) => connections.find((each) => each.id === id),
      all: (method) => connections.filter((each) => each.method === method),
    },
    clock: systemClock,
    log: silentLog,
    ...more,
  })
  t.after(() => rail.stop())
  return rail
}

/** Centavos in the account that a connection pays from. */
export async function heldBy(
  rail: Pick<PixPayoutRail, 'balance'>,
  connection: ConnectionId,
): Promise<bigint> {
  return (await rail.balance(connection)).reduce((sum, { minor }) => sum + minor, 0n)
}

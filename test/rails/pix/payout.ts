// For tests of payouts: an account at the bank whose key has a webhook, as the bank requires of payers.
import { createServer } from 'node:https'
import type { TestContext } from 'node:test'
import { TLSSocket } from 'node:tls'
import { must } from '#/kernel/check.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { createPixClient } from '#/rails/pix/client.ts'
import { createPixPayoutRail, payoutMethod, type PixPayoutRail } from '#/rails/pix/payout.ts'
import { checkPixSettings } from '#/rails/pix/settings.ts'
import { hearing } from '../../../simulators/kit/harness.ts'
import { bookOf } from '../rail.ts'
import type { BankCustomer, PixBank } from './bank.ts'
import { connectionOf } from './rail.ts'

export type PayingAccount = {
  readonly connection: ProviderConnection
  /** Callbacks of the bank, as they came. */
  readonly callbacks: Buffer[]
  stop(): Promise<void>
}

/** A connection that sends, and a server that receives the bank's callbacks. `from`: the customer whose account it is; usually a new one. */
export async function openPayingAccount(bank: PixBank, from?: BankCustomer): Promise<PayingAccount> {
  const { settings, secrets } = from ?? (await bank.customer())
  const { certificate, privateKey } = await bank.control('POST', '/server-certificates', {
    hosts: ['127.0.0.1'],
  })
  const callbacks: Buffer[] = []
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
      if (isBank) callbacks.push(Buffer.concat(parts))
      response.writeHead(isBank ? 200 : 403).end()
    })
  })
  const { port, ...ending } = await hearing(server)

  const checked = checkPixSettings(settings, secrets)
  const { settings: read, credentials } = must(checked.ok ? checked : undefined, 'the account is well set up')
  const client = createPixClient({ ...read, credentials, clock: systemClock, log: silentLog })
  await client.putWebhook(settings.pixKey, `https://127.0.0.1:${port}/hook`)
  await client.close()
  callbacks.length = 0
  return {
    connection: connectionOf(
      { ...settings, profile: 'efi', baseUrl: bank.apiUrl },
      {},
      { method: payoutMethod, provider: 'efi', refundSecrets: secrets },
    ),
    callbacks,
    stop: async () => await ending[Symbol.asyncDispose](),
  }
}

/** A rail over these connections. */
export function payoutRailOf(
  t: Pick<TestContext, 'after'>,
  connections: readonly ProviderConnection[],
  more: Partial<Parameters<typeof createPixPayoutRail>[0]> = {},
): PixPayoutRail {
  const rail = createPixPayoutRail({
    connections: bookOf(connections),
    clock: systemClock,
    log: silentLog,
    ...more,
  })
  t.after(() => rail.stop())
  return rail
}

/** The balance in centavos of the account that a connection pays from. */
export async function heldBy(
  rail: Pick<PixPayoutRail, 'balance'>,
  connection: ConnectionId,
): Promise<bigint> {
  return (await rail.balance(connection)).reduce((sum, { minor }) => sum + minor, 0n)
}

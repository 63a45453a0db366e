// Withdrawals by PIX in a world: a connection that sends, and requests of a merchant.
import type { Core } from '#/app/core.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { connectionKeys, addConnection, type NewConnection } from '#/merchants/connections.ts'
import { withdrawalKind, type WithdrawalVerdict } from '#/withdrawals/request.ts'
import type { Merchant } from './pix-world.ts'
import type { PayingAccount } from './rails/pix/payout.ts'
import { worldKeys } from './world-keys.ts'

/** Adds a connection of any method to the world's database. */
export async function addWorldConnection(
  core: Core,
  method: string,
  more: Partial<NewConnection> = {},
): Promise<ConnectionId> {
  const keyOf = (name: keyof typeof worldKeys) => Buffer.from(worldKeys[name], 'hex')
  const keys = connectionKeys(keyOf('VINTEM_MASTER_KEY'), keyOf('VINTEM_WORKER_KEY'))
  const id = await addConnection(
    { sql: core.sql, cell: 'a1', keys },
    { mode: 'SANDBOX', method, provider: 'any', settings: {}, secrets: {}, ...more },
  )
  await core.connections.refresh()
  return id
}

/** A connection that sends by PIX from the paying account. `more`: settings besides the usual ones. */
export function addPayoutConnection(
  core: Core,
  paying: Pick<PayingAccount, 'connection'>,
  more: Readonly<Record<string, unknown>>,
): Promise<ConnectionId> {
  const { settings, refundSecrets } = paying.connection
  const sends = must(refundSecrets, 'it sends')
  const connection = { provider: 'efi', settings: { ...settings, ...more }, refundSecrets: sends }
  return addWorldConnection(core, 'PIX_PAYOUT', connection)
}

/** The merchant requests a withdrawal by PIX over the connection; with a key, as often as it likes. */
export function requestPixWithdrawal(
  core: Pick<Core, 'lane'>,
  merchant: Merchant,
  {
    connection,
    minor,
    key,
  }: { readonly connection: ConnectionId; readonly minor: number; readonly key?: string },
): Promise<WithdrawalVerdict> {
  const fields = { pixKey: 'ana@example.com', pixKeyType: 'EMAIL' } as const
  return core.lane.submit(withdrawalKind(), {
    merchantId: merchant.id,
    mode: merchant.mode,
    id: newId<'withdrawal'>(),
    request: { type: 'PIX', amount: minor, currency: 'BRL', ...fields },
    requestedBy: newId<'api-key'>(),
    routing: {
      ok: true,
      connection,
      currency: 'BRL',
      destination: { text: 'ana@example.com', fields },
    },
    ...given({ idempotencyKey: key }),
  })
}

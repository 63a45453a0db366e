// SEPA_TRANSFER without a network: a merchant whose euro account is known from files. Everything else is the PIX world's.
import { must } from '#/kernel/check.ts'
import { newId, type ConnectionId, type PaymentId } from '#/kernel/id.ts'
import { connectionKeys, addConnection } from '#/merchants/connections.ts'
import type { CreationAnswer } from '#/payments/create.ts'
import type { PaymentRequest } from '#/payments/payment.ts'
import { importFile, type ImportDeps, type Imported } from '#/rails/sepa/import.ts'
import { drainOnce, signalKeeper } from '#/settlement/inbox.ts'
import { openPixWorld, type PixWorld } from './pix-world.ts'
import { worldKeys } from './world-keys.ts'

/** The IBAN that the Banco de Portugal publishes as an example. */
export const iban = 'PT50000201231234567890154'
export const account = { iban, bic: 'BCOMPTPL', beneficiary: 'Vintem Lda' }
export const callbackKey = 'a-key-of-thirty-two-characters-at-least'

export type SepaFields = {
  readonly iban: string
  readonly bic?: string
  readonly beneficiary: string
  readonly reference: string
  readonly epcQrCode?: string
}

export type SepaWorld = AsyncDisposable & {
  readonly pix: PixWorld
  readonly account: ConnectionId
  create(minor: number, request?: Partial<PaymentRequest>, key?: string): Promise<CreationAnswer>
  /** The reference that the payer of this payment quotes, without spaces. */
  referenceOf(id: PaymentId): Promise<string>
  /** Imports a file, and settles what it brought. */
  hand(bytes: Buffer, name?: string): Promise<Imported>
  readonly deps: ImportDeps
  /** Settles what waits. */
  drain(): Promise<void>
}

export async function openSepaWorld(): Promise<SepaWorld> {
  const pix = await openPixWorld()
  const { core } = pix
  const keys = connectionKeys(
    Buffer.from(worldKeys.VINTEM_MASTER_KEY, 'hex'),
    Buffer.from(worldKeys.VINTEM_WORKER_KEY, 'hex'),
  )
  const connection = await addConnection(
    { sql: core.sql, cell: core.config.VINTEM_CELL, keys },
    {
      mode: 'SANDBOX',
      method: 'SEPA_TRANSFER',
      provider: 'camt',
      settings: account,
      secrets: { callbackKey },
    },
  )
  await core.connections.refresh()
  const deps = { sql: core.sql, connections: core.connections, keep: signalKeeper(pix.clock) }
  const drain = async () => {
    await drainOnce({ ...core, kind: core.settleKind })
  }
  return {
    pix,
    account: connection,
    create: (minor, request = {}, key = newId()) =>
      pix.create({ amount: minor, currency: 'EUR', paymentMethods: ['SEPA_TRANSFER'], ...request }, key),
    async referenceOf(id) {
      const shown = (await pix.shown(id)) as { readonly sepa?: SepaFields }
      return must(shown.sepa, 'it shows where to pay').reference
    },
    deps,
    async hand(bytes, name = 'a.xml') {
      const imported = await importFile(deps, { bytes, name, by: 'a test' })
      await drain()
      return imported
    },
    drain,
    [Symbol.asyncDispose]: () => pix[Symbol.asyncDispose](),
  }
}

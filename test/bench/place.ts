// Where everything runs: a new PostgreSQL of our own, as `npm start` has it, with fsync on; migrated; and a
// merchant with a key.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#/db/client.ts'
import { startEmbeddedPostgres } from '#/db/embedded.ts'
import { migrate } from '#/db/migrate.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { ensureChain } from '#/rails/crypto/queries.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { freePort } from '../ports.ts'
import { benchChain } from './chain.ts'

/** The options that contenders get. They travel between processes, where a Buffer becomes a Uint8Array. */
export type Place = {
  /** As the application's role. */
  readonly url: string
  /** Absent: `cell`. */
  readonly cell?: string
  readonly merchantId: MerchantId
  readonly pepper: Uint8Array
  readonly auditKey: Uint8Array
}

export type BenchSetup = AsyncDisposable & {
  readonly place: Place
  readonly ownerUrl: string
  readonly apiKey: string
}

export const cell = 'a1'

export async function openPlace(): Promise<BenchSetup> {
  const postgres = await openPostgres()
  const { place, apiKey } = await prepareCell(postgres, cell)
  return {
    place,
    ownerUrl: postgres.ownerUrl,
    apiKey,
    [Symbol.asyncDispose]: postgres[Symbol.asyncDispose],
  }
}

/** A new PostgreSQL, with nothing in it. */
export async function openPostgres(): Promise<
  AsyncDisposable & { readonly ownerUrl: string; readonly appUrl: string }
> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vintem-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, port: await freePort(), log: silentLog })
  return {
    ownerUrl: postgres.ownerUrl,
    appUrl: postgres.appUrl,
    async [Symbol.asyncDispose]() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The tables of a cell where these URLs lead, a merchant in it, and its key. */
export async function prepareCell(
  { ownerUrl, appUrl }: { readonly ownerUrl: string; readonly appUrl: string },
  code: string,
): Promise<{ readonly place: Place; readonly apiKey: string }> {
  await migrate(ownerUrl, { appRole: decodeURIComponent(new URL(appUrl).username) })
  return prepareMerchant(appUrl, code)
}

/** A merchant in a cell that has its tables, and its key. */
export async function prepareMerchant(
  appUrl: string,
  code: string,
): Promise<{ readonly place: Place; readonly apiKey: string }> {
  const sql = connect(appUrl, { max: 2 })
  const pepper = randomBytes(32)
  const deps = { sql, clock: systemClock, sealKey: randomBytes(32), openWallets: openStartingWallets }
  const { merchant } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Bench' })
  const { key } = await issueApiKey(
    { sql, clock: systemClock, pepper, cell: code },
    { merchantId: merchant.id, name: 'bench' },
  )
  await ensureChain(sql, benchChain)
  await sql.end()
  return {
    place: { url: appUrl, cell: code, merchantId: merchant.id, pepper, auditKey: randomBytes(32) },
    apiKey: key,
  }
}

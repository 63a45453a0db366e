// Where everything runs: a PostgreSQL of our own from nothing, as `npm start` has it, with fsync on; migrated; and a
// merchant with a key.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
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
import { benchChain } from './chain.ts'

export type Place = {
  /** As the application's role. */
  readonly url: string
  readonly ownerUrl: string
  readonly merchantId: MerchantId
  readonly apiKey: string
  readonly pepper: Buffer
  readonly auditKey: Buffer
}

export const cell = 'a1'

export async function openPlace(): Promise<Place & AsyncDisposable> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vintem-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, port: await freePort(), log: silentLog })
  await migrate(postgres.ownerUrl, { appRole: new URL(postgres.appUrl).username })
  const sql = connect(postgres.appUrl, { max: 2 })
  const pepper = randomBytes(32)
  const deps = { sql, clock: systemClock, sealKey: randomBytes(32), openWallets: openStartingWallets }
  const { merchant } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Bench' })
  const { key } = await issueApiKey({ sql, clock: systemClock, pepper, cell }, { merchantId: merchant.id, name: 'bench' })
  await ensureChain(sql, benchChain)
  await sql.end()
  return {
    url: postgres.appUrl,
    ownerUrl: postgres.ownerUrl,
    merchantId: merchant.id,
    apiKey: key,
    pepper,
    auditKey: randomBytes(32),
    async [Symbol.asyncDispose]() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

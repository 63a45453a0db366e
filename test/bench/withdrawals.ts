// POST /v1/withdrawals over real HTTP, all out of one wallet: what group commit saves, and what a refusal costs.
import { randomBytes } from 'node:crypto'
import { connect } from '#/db/client.ts'
import { systemClock } from '#/kernel/time.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { fund } from './funds.ts'
import type { HttpLoadOptions } from './http-load.ts'
import type { HttpServerOptions } from './http-server.ts'
import { cell, type Place } from './place.ts'
import { startChild } from './process.ts'
import { table } from './report.ts'
import { takeTurns, type Contender, type Pace } from './rounds.ts'

const connections = 200

export async function measureWithdrawals(place: Place, apiKey: string, pace: Pace): Promise<string> {
  await fund(place)
  const empty = await emptyMerchant(place)
  const accepted = { apiKey, status: 201 } as const
  const contenders = await Promise.all([
    serve('one by one', { place, creator: 'one by one' }, accepted),
    serve('lane', { place, creator: 'lane' }, accepted),
    serve('refused', { place, creator: 'lane' }, { apiKey: empty, status: 422 }),
  ])
  const of = await takeTurns(contenders, pace)
  return table(`POST /v1/withdrawals, one wallet, ${connections} connections`, [
    { what: 'batches of one', samples: of('one by one') },
    {
      what: '**as it is**',
      samples: of('lane'),
      aims: [{ than: 'batches of one', samples: of('one by one'), atLeast: 10, as: 'times' }],
    },
    {
      what: 'refused: the wallet is empty',
      samples: of('refused'),
      aims: [{ than: 'of those accepted', samples: of('lane'), atLeast: 1, as: 'percent' }],
    },
  ])
}

async function emptyMerchant({ url, pepper }: Place): Promise<string> {
  const sql = connect(url, { max: 1 })
  const deps = { sql, clock: systemClock, sealKey: randomBytes(32), openWallets: openStartingWallets }
  const { merchant } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Empty' })
  const keys = { sql, clock: systemClock, pepper: Buffer.from(pepper), cell }
  const { key } = await issueApiKey(keys, { merchantId: merchant.id, name: 'bench' })
  await sql.end()
  return key
}

async function serve(
  name: string,
  options: HttpServerOptions,
  { apiKey, status }: { readonly apiKey: string; readonly status: 201 | 422 },
): Promise<Contender> {
  const server = await startChild('./http-server.ts', options)
  const wanted = { for: 'withdrawals', status } as const
  const target = { url: String(server.opened), apiKey, connections, asks: wanted } satisfies HttpLoadOptions
  const load = await startChild('./http-load.ts', target)
  return {
    name,
    run: load.run,
    async close() {
      await load.close()
      await server.close()
    },
  }
}

// POST /v1/payments with PIX over real HTTP: each makes a charge at the bank, and is answered after the bank has answered.
import { connect } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { startPixBank, type BankCustomer } from '../rails/pix/bank.ts'
import type { HttpLoadOptions } from './http-load.ts'
import type { HttpServerOptions } from './http-server.ts'
import type { PixBankOptions } from './pix-bank.ts'
import type { Place } from './place.ts'
import { startChild } from './process.ts'
import { table } from './report.ts'
import { takeTurns, type Contender, type Pace } from './rounds.ts'

const connections = 100

export async function measurePix(
  place: Place,
  { ownerUrl, apiKey }: { readonly ownerUrl: string; readonly apiKey: string },
  pace: Pace,
): Promise<string> {
  await using bank = await startPixBank()
  const connection = connectionOf(await bank.customer())
  await keepConnection(ownerUrl, connection)
  const alone = await startChild('./pix-bank.ts', {
    connection,
    callers: connections,
  } satisfies PixBankOptions)
  const contenders = [
    { name: 'bank', run: alone.run, close: alone.close },
    await serve({ place, creator: 'one by one', pix: connection }, apiKey),
    await serve({ place, creator: 'lane', pix: connection }, apiKey),
  ]
  const of = await takeTurns(contenders, pace)
  return table(`POST /v1/payments with PIX, ${connections} connections`, [
    { what: 'the simulated bank alone, called by the same rail', samples: of('bank') },
    { what: 'batches of one', samples: of('one by one') },
    {
      what: '**as it is**',
      samples: of('lane'),
      aims: [
        { than: 'of the bank alone', samples: of('bank'), as: 'percent' },
        { than: 'batches of one', samples: of('one by one'), as: 'times' },
      ],
    },
  ])
}

export function connectionOf({ settings, secrets }: BankCustomer): ProviderConnection {
  return {
    id: 'a1-pix' as ConnectionId,
    mode: 'SANDBOX',
    method: 'PIX',
    provider: 'bacen',
    settings,
    secrets,
  }
}

/** Inserts the connection, to which attempts refer. Its secrets are not stored: the processes get them as options. */
export async function keepConnection(
  ownerUrl: string,
  { id, mode, method, provider }: ProviderConnection,
): Promise<void> {
  const sql = connect(ownerUrl, { max: 1 })
  await sql`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${id}, ${mode}, ${method}, ${provider}, '{}', clock_timestamp())`
  await sql.end()
}

async function serve(options: HttpServerOptions, apiKey: string): Promise<Contender> {
  const server = await startChild('./http-server.ts', options)
  const wanted = { for: 'pix', status: 201 } as const
  const target = { url: String(server.opened), apiKey, connections, asks: wanted } satisfies HttpLoadOptions
  const load = await startChild('./http-load.ts', target)
  return {
    name: options.creator,
    run: load.run,
    async close() {
      await load.close()
      await server.close()
    },
  }
}

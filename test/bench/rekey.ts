// `./vintem rekey` over many webhook secrets: how long it takes, and what it costs the creation of payments beside it.
import { randomBytes } from 'node:crypto'
import { connect, list, type Sql } from '#/db/client.ts'
import { invariant } from '#/kernel/check.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { deriveKey, seal } from '#/kernel/secret.ts'
import { monotonicMs } from '#/kernel/time.ts'
import { webhookSecretPlace } from '#/merchants/merchant.ts'
import { resealUnderMaster } from '#/rekey/reseal.ts'
import type { HttpLoadOptions } from './http-load.ts'
import type { HttpServerOptions } from './http-server.ts'
import type { Place } from './place.ts'
import { startChild } from './process.ts'
import { table } from './report.ts'
import { takeTurns, type Contender, type Pace } from './rounds.ts'
import { sampleOf } from './stats.ts'

export async function measureRekey(
  place: Place,
  apiKey: string,
  { pace, secrets }: { readonly pace: Pace; readonly secrets: number },
): Promise<string> {
  const sql = connect(place.url, { max: 2 })
  const keys = turningKeys()
  await insertMerchants(sql, secrets, keys.present())
  const changeKeys = async () => {
    const { resealed } = await resealUnderMaster({ sql, masterKey: keys.turn() })
    invariant(resealed === secrets, `${resealed} of ${secrets} secrets were sealed again`)
  }
  const server = await startChild('./http-server.ts', { place, creator: 'lane' } satisfies HttpServerOptions)
  const options: HttpLoadOptions = { url: String(server.opened), apiKey, connections: 100 }
  const load = await startChild('./http-load.ts', options)
  const contenders: readonly Contender[] = [
    { name: 'alone', run: load.run, close: async () => {} },
    {
      name: 'beside',
      async run(spanMs) {
        const over = new AbortController()
        const changing = (async () => {
          while (!over.signal.aborted) await changeKeys()
        })()
        const sample = await load.run(spanMs)
        over.abort()
        await changing
        return sample
      },
      async close() {
        await load.close()
        await server.close()
      },
    },
    {
      name: 'rekey',
      async run() {
        const beganMs = monotonicMs()
        await changeKeys()
        const tookMs = monotonicMs() - beganMs
        return { ...sampleOf([tookMs], tookMs), perSecond: (secrets * 1_000) / tookMs }
      },
      close: () => sql.end(),
    },
  ]
  const of = await takeTurns(contenders, pace)
  return [
    table('POST /v1/payments, 100 connections', [
      { what: 'no key changes', samples: of('alone') },
      {
        what: '**keys change all the time**',
        samples: of('beside'),
        aims: [{ than: 'of creation alone', samples: of('alone'), as: 'percent' }],
      },
    ]),
    table(`./vintem rekey over ${secrets.toLocaleString('en-US')} secrets: secrets, and a whole run`, [
      { what: 'nothing beside it', samples: of('rekey') },
    ]),
  ].join('\n\n')
}

/** Two master keys, of which each turn puts the other one first. */
function turningKeys() {
  let [first, second] = [randomBytes(32), randomBytes(32)]
  return {
    present: () => first,
    turn(): readonly [Buffer, Buffer] {
      ;[first, second] = [second, first]
      return [first, second]
    },
  }
}

/** Merchants with a webhook secret each. That of the merchant who is measured was sealed under another key, and stays. */
async function insertMerchants(sql: Sql, count: number, masterKey: Buffer): Promise<void> {
  const key = deriveKey(masterKey, 'webhook secrets')
  const ids = Array.from({ length: count }, () => newId<'merchant'>() as MerchantId)
  const sealed = ids.map((id) => seal(key, webhookSecretPlace(id), randomBytes(32)))
  await sql`
    insert into merchant (id, mode, name, webhook_secret, created_at)
    select given.id, 'SANDBOX', 'Bench', given.secret, clock_timestamp()
      from unnest(${list(ids)}::uuid[], ${list(sealed)}::bytea[]) as given (id, secret)`
}

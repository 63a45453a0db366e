// Any number of concurrent requests, in any number of processes: no cent leaves twice, and no limit is exceeded.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { connect, type Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { provider, walletAvailable } from '#/ledger/chart.ts'
import { createLedgerLane, type LedgerLane } from '#/ledger/post.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { writeLimit } from '#/money-out/queries.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { HttpServerOptions } from '../bench/http-server.ts'
import { startChild, type Child } from '../bench/process.ts'
import { move, posting } from '../books.ts'
import { withdrawalBody } from '../contract/world.ts'
import { count } from '../counts.ts'
import { testDatabase, type TestDatabase } from '../postgres.ts'

type Row = Readonly<Record<string, unknown>>

const [pepper, auditKey, sealKey] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const atOnce = 256

let database: TestDatabase
let sql: Sql
let lane: LedgerLane<EventDraft>
const processes: Child[] = []

before(async () => {
  database = await testDatabase()
  sql = connect(database.appUrl, { max: 4 })
  const openSql = () => connect(database.appUrl, { max: 1 })
  lane = await createLedgerLane({ openSql, cell: 'a1', auditKey, announce, log: silentLog })
  const place = { url: database.appUrl, merchantId: '' as MerchantId, pepper, auditKey }
  const options = { place, creator: 'lane' } satisfies HttpServerOptions
  for (let nth = 1; nth <= 2; nth++) processes.push(await startChild('./http-server.ts', options))
})
after(async () => {
  await Promise.all(processes.map((each) => each.close()))
  await lane.close()
  await sql.end({ timeout: 5 })
  await database[Symbol.asyncDispose]()
})

async function openTenant(funds: bigint) {
  const deps = { sql, clock: systemClock, sealKey, openWallets: openStartingWallets }
  const { merchant } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Test' })
  const { id } = merchant
  const { key } = await issueApiKey(
    { sql, clock: systemClock, pepper, cell: 'a1' },
    { merchantId: id, name: 'test' },
  )
  const [wallet] = await selectDefaultWallets(sql, [{ merchantId: id, currency: 'BRL' }])
  const available = walletAvailable('SANDBOX', must(wallet, 'a wallet').id, 'BRL')
  const bank = provider('SANDBOX', 'a1-funds', 'BRL')
  await lane.submit(move, { postings: [posting(bank, available, funds, { kind: 'ADJUSTMENT' })] })
  return { id, key }
}

/** Makes these calls at once, half of them to each process. */
async function request(
  key: string,
  bodies: readonly Row[],
): Promise<readonly { status: number; body: Row }[]> {
  return Promise.all(
    bodies.map(async (body, nth) => {
      const response = await fetch(`${String(processes[nth % processes.length]?.opened)}/v1/withdrawals`, {
        method: 'POST',
        headers: { apikey: key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: response.status, body: (await response.json()) as Row }
    }),
  )
}

/** How many answers of each kind there were. */
function tally(answers: readonly { status: number; body: Row }[]): Row {
  const kinds = answers.map(({ status, body }) => (status === 201 ? 'accepted' : String(body['code'])))
  return Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]))
}

/** The held and available balances, and what the withdrawals add up to. */
async function sums(merchantId: MerchantId) {
  const [row] = await sql<{ held: bigint; requested: bigint; balance: bigint }[]>`
    select (select coalesce(sum(amount_minor + fee_minor), 0)::bigint from withdrawal where merchant_id = ${merchantId})
             as requested,
           coalesce(sum(balance.minor) filter (where account.name like '%:held'), 0)::bigint as held,
           coalesce(sum(balance.minor) filter (where account.name like '%:available'), 0)::bigint as balance
      from wallet
      join account on account.name like 'wallet:' || wallet.id || ':%'
      join balance on balance.account_id = account.id
     where wallet.merchant_id = ${merchantId} and wallet.currency = 'BRL'`
  return must(row, 'sums')
}

test(`${atOnce} calls at once for the last cent: one is accepted`, async () => {
  for (let round = 0; round < count({ quick: 3, soak: 40 }); round++) {
    const { id, key } = await openTenant(1n)
    const answers = await request(
      key,
      Array.from({ length: atOnce }, () => withdrawalBody({ amount: 1 })),
    )
    assert.deepEqual(tally(answers), { accepted: 1, insufficient_funds: atOnce - 1 })
    assert.deepEqual(await sums(id), { requested: 1n, held: 1n, balance: 0n })
  }
})

test('of many calls at once exactly those are accepted that the wallet covers', async () => {
  for (let round = 0; round < count({ quick: 3, soak: 40 }); round++) {
    const funds = 37 + round
    const { id, key } = await openTenant(BigInt(funds))
    const answers = await request(
      key,
      Array.from({ length: atOnce }, () => withdrawalBody({ amount: 1 })),
    )
    assert.deepEqual(tally(answers), { accepted: funds, insufficient_funds: atOnce - funds })
    const mixed = await openTenant(1_000n)
    const amounts = Array.from({ length: atOnce }, (_, nth) => 1 + ((nth * 37) % 50))
    const accepted = await request(
      mixed.key,
      amounts.map((amount) => withdrawalBody({ amount })),
    )
    const after = await sums(mixed.id)
    assert.equal(after.balance + after.held, 1_000n)
    assert.equal(after.requested, after.held)
    // What was refused is more than what is left now: nothing was refused that could be paid.
    for (const [nth, { status }] of accepted.entries())
      if (status !== 201) assert.ok(BigInt(amounts[nth] ?? 0) > after.balance, `${amounts[nth]} was refused`)
    assert.deepEqual(await sums(id), { requested: BigInt(funds), held: BigInt(funds), balance: 0n })
  }
})

test('of many calls at once no more are accepted than the day allows, and one call of a key', async () => {
  const { id, key } = await openTenant(10_000n)
  await writeLimit(sql, {
    merchantId: id,
    type: 'PIX',
    currency: 'BRL',
    eachMinor: 5n,
    dayMinor: 100n,
    approvalAboveMinor: null,
    listedOnly: false,
  })
  const answers = await request(
    key,
    Array.from({ length: atOnce }, () => withdrawalBody({ amount: 5 })),
  )
  assert.deepEqual(tally(answers), { accepted: 20, limit_exceeded: atOnce - 20 })
  assert.equal((await sums(id)).held, 100n)

  const one = await openTenant(10_000n)
  const same = await request(
    one.key,
    Array.from({ length: atOnce }, () => withdrawalBody({ idempotencyKey: 'k' })),
  )
  assert.deepEqual(tally(same), { accepted: atOnce })
  assert.equal(new Set(same.map(({ body }) => body['id'])).size, 1)
  assert.equal((await sums(one.id)).held, 100n)
})

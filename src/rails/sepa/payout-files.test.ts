// Payouts by bank transfer: who may be paid, when one is queued, what a file of payments takes, and what the account reports.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId, Id, MerchantId, WithdrawalId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import type { PayoutOrder } from '#/rails/payout-rail.ts'
import { bareId, onRows } from '../../../test/bare-rows.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { beginningBy, openSepaInbox } from '../../../test/sepa-inbox.ts'
import { makeBatch, takeFile, type MadeBatch } from './batch.ts'
import { createSepaPayoutRail, destinationOf } from './payout.ts'
import { createSepaRail } from './rail.ts'
import { sepaFaults } from './settings.ts'

const inbox = openForTests(openSepaInbox)

const iban = 'PT50000201231234567890154'
const connection: ProviderConnection = {
  id: 'bank-a' as ConnectionId,
  mode: 'SANDBOX',
  method: 'SEPA_TRANSFER',
  provider: 'camt',
  settings: { iban, beneficiary: 'Vintem' },
  secrets: {},
}
const connections = { of: () => [connection], all: () => [connection], find: () => connection }
const now = new Date('2026-11-22T10:00:00Z')
const clock = { now: () => now }
const rail = () => {
  const { send, check, list } = createSepaPayoutRail({ connections, clock, sql: inbox.sql })
  return {
    send: (each: PayoutOrder) => send(each, false),
    check: (each: PayoutOrder) => must(check, 'payouts can be asked about')(each),
    list: must(list, 'payouts can be listed'),
  }
}
const merchantId = bareId(1) as MerchantId
let ids = 100
const order = (more: Partial<PayoutOrder> = {}): PayoutOrder => ({
  id: bareId((ids += 1)) as WithdrawalId,
  merchantId,
  reference: `R${ids}`,
  connection: connection.id,
  amount: { minor: 100n, currency: 'EUR' },
  destination: { iban, beneficiary: 'Ana' },
  ...more,
})

test('a recipient has an IBAN of a SEPA country and a name of 1 to 70 characters with a letter for the file', () => {
  const pointerOf = (to: string, name: string) => {
    const destination = destinationOf(to, name)
    return 'code' in destination ? destination.pointer : undefined
  }
  for (const name of ['A', 'N'.repeat(70), 'Zoë']) assert.equal(pointerOf(iban, name), undefined, name)
  for (const name of ['', '  ', 'N'.repeat(71), '日本', '...'])
    assert.equal(pointerOf(iban, name), '/beneficiary', name)
  assert.equal(pointerOf('PT51000201231234567890154', 'Ana'), '/iban')
})

test('the holder of a connected account has 1 to 70 characters in one line, and a letter or digit', () => {
  const isTaken = (beneficiary: string) =>
    sepaFaults({ settings: { iban, beneficiary }, secrets: {} }).length === 0
  for (const name of ['A', 'N'.repeat(70), 'Ana Rui', '7']) assert.ok(isTaken(name), name)
  for (const name of ['', ' A', 'A ', 'N'.repeat(71), 'A\nB', '日本', '...']) assert.ok(!isTaken(name), name)
})

test('a payout is queued once, while it may leave and before its time is over', async () => {
  const unavailable = { outcome: 'unavailable' }
  const isQueued = async ({ reference }: PayoutOrder) =>
    (await rail().check({ ...order(), reference })) !== undefined
  for (const more of [{ sendBefore: now }, { mayLeave: async () => false }]) {
    const late = order(more)
    await assert.rejects(rail().send(late), unavailable)
    assert.equal(await isQueued(late), false)
  }
  const sent = order({ sendBefore: new Date(now.getTime() + 1), mayLeave: async () => true })
  assert.equal((await rail().send(sent)).state, 'sent')
  assert.equal(await isQueued(sent), true)
  // Queued before, it is as it stands, whatever the time.
  assert.equal((await rail().send({ ...sent, sendBefore: now })).state, 'sent')
})

test('a payout that is done has returned what came back of it', async () => {
  const one = order()
  await rail().send(one)
  const standing = async (returned: number) => {
    await inbox.sql`
      update sepa_payout set state = 'DONE', batch_id = ${bareId(9)}, returned_minor = ${returned} where reference = ${one.reference}`
    return rail().check(one)
  }
  assert.equal((await standing(0))?.state, 'done')
  assert.equal((await standing(1))?.state, 'returned')
})

test('changed payouts are listed in pages of 500, each once', async () => {
  const span = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-01-03T00:00:00Z') }
  const pagesOf = async (id: string) => {
    const sizes: number[] = []
    const seen = new Set<string>()
    for await (const page of rail().list(id as ConnectionId, span)) {
      sizes.push(page.length)
      for (const { reference } of page) seen.add(reference)
    }
    return [sizes, seen.size]
  }
  const fill = (id: string, count: number) => inbox.sql`
    insert into sepa_payout (reference, connection, kind, payout_id, merchant_id, amount_minor, iban, beneficiary, state, created_at,
                             changed_at)
    select ${id}::text || n, 'list' || ${id}::text, 'WITHDRAWAL', gen_random_uuid(), ${merchantId}, 1, 'X', 'Ana', 'WAITING',
           '2026-01-02', '2026-01-02'
      from generate_series(1, ${count}::integer) as n`
  await fill('x', 501)
  await fill('y', 500)
  await fill('z', 1)
  assert.deepEqual(await pagesOf('listx'), [[500, 1], 501])
  assert.deepEqual(await pagesOf('listy'), [[500], 500])
  assert.deepEqual(await pagesOf('listz'), [[1], 1])
  assert.deepEqual(await pagesOf('listnone'), [[], 0])
})

/** Makes a file of this many payouts of 1 cent, without those of these places. Returns what it made, and the places that went into it. */
async function fileOf(count: number, staying: readonly number[] = []) {
  const idOf = (at: number) => bareId(10_000 + at)
  const places = Array.from({ length: count }, (_, at) => at)
  const rows = {
    sepa_batch: [],
    refund: [],
    money_freeze: [],
    withdrawal: places.map((at) => ({ merchant_id: merchantId, id: idOf(at), status: 'PROCESSING' })),
    sepa_payout: places.map((at) => ({
      reference: `P${10_000 + at}`,
      connection: connection.id,
      kind: 'WITHDRAWAL',
      payout_id: idOf(at),
      merchant_id: merchantId,
      amount_minor: 1,
      returned_minor: 0,
      iban,
      beneficiary: 'Ana',
      state: 'WAITING',
    })),
  }
  return onRows(inbox.sql, rows, async (tx) => {
    const noted: MadeBatch[] = []
    const stay = new Set(staying.map(idOf))
    const made = await makeBatch(
      {
        sql: beginningBy(inbox.sql, (work) => work(tx)),
        connections,
        clock,
        stillLeaving: async (_, payouts) => new Set(payouts.filter((id) => !stay.has(id))),
      },
      { connection: connection.id, by: 'ana', note: async (_, each) => void noted.push(each) },
    )
    const batched = await tx<{ place: number }[]>`
      select substr(reference, 2)::integer - 10000 as place from sepa_payout where state = 'BATCHED' order by 1`
    const files = await tx<{ sum: bigint }[]>`select sum_minor as sum from sepa_batch`
    return { made, noted, batched: batched.map(({ place }) => place), sums: files.map(({ sum }) => sum) }
  })
}

test('a file takes the payouts that may leave, and is noted; where none may, there is none', async () => {
  const { made, noted, batched, sums } = await fileOf(3, [1])
  assert.deepEqual([made?.payouts, made?.sumMinor, batched, sums], [2, 2n, [0, 2], [2n]])
  assert.deepEqual(noted, [made])
  assert.deepEqual((await fileOf(1)).batched, [0])
  for (const none of [await fileOf(0), await fileOf(1, [0])])
    assert.deepEqual(none, { made: undefined, noted: [], batched: [], sums: [] })
})

test('a file has at most 1000 payouts, and goes on behind those that stay', async () => {
  assert.equal((await fileOf(1_001)).batched.at(-1), 999)
  const { made, batched } = await fileOf(1_002, [0])
  assert.deepEqual([made?.payouts, batched.length, batched[0], batched.at(-1)], [1_000, 1_000, 1, 1_000])
})

test('a file is handed out once', async () => {
  const id = bareId(7) as Id<'sepa-batch'>
  await inbox.sql`
    insert into sepa_batch (id, connection, message_id, bytes, payouts, sum_minor, made_by, created_at)
    values (${id}, 'bank-a', 'M', '\x01'::bytea, 1, 1, 'ana', now())`
  const written: Buffer[] = []
  const take = () => takeFile(inbox.sql, { id, by: 'ana', write: async (bytes) => void written.push(bytes) })
  assert.deepEqual([await take(), await take()], [true, false])
  assert.equal(written.length, 1)
})

test('a payment is in euro, for seven days; its code is shown in full alone', () => {
  const sepa = createSepaRail({ connections, clock, sql: inbox.sql, log: silentLog })
  assert.equal(sepa.lifetimeMs, 7 * 24 * 60 * 60 * 1_000)
  const routed = (currency?: 'EUR' | 'USD', amountMinor?: bigint) => {
    const asked = { mode: 'SANDBOX', merchantId } as const
    return sepa.route({
      ...asked,
      ...(currency && { currency }),
      ...given({ amountMinor }),
    }).ok
  }
  assert.deepEqual([routed(), routed('EUR'), routed('USD')], [true, true, false])
  assert.deepEqual(
    [0n, 1n, 99_999_999_999n, 100_000_000_000n].map((minor) => routed('EUR', minor)),
    [false, true, true, false],
  )
})

test('the balance is that of statements in euro: before the first one there is none', async () => {
  const sepa = createSepaRail({ connections, clock, sql: inbox.sql, log: silentLog })
  const state = (id: string, currency: string, number: number) => inbox.sql`
    insert into sepa_statement (connection, number, currency, bank_id, opening_minor, closing_minor, closed_on, file_sha256)
    values (${id}, ${number}, ${currency}, ${currency}, 0, 700, '2026-01-02', '')`
  const balance = (id: string) => sepa.balance?.(id as ConnectionId)
  await state('dollars', 'USD', 1)
  await assert.rejects(async () => balance('dollars'), { outcome: 'unavailable' })
  await inbox.sql`
    insert into sepa_entry (connection, reference, part, credit, amount_minor, currency, booked_on, fact, kind, file_sha256, created_at,
                            names)
    values ('notified', 'A', 0, true, 5, 'EUR', '2026-01-02', '{}', 'UNATTRIBUTED', '', now(), '{}')`
  await assert.rejects(async () => balance('notified'), { outcome: 'unavailable' })
  await state('dollars', 'EUR', 2)
  assert.deepEqual(await balance('dollars'), [
    { minor: 700n, currency: 'EUR' },
    { minor: 700n, currency: 'USD' },
  ])
})

test('a refused file of a call is told in the log', async () => {
  const reported: unknown[] = []
  const log = { ...silentLog, error: (fields: unknown) => reported.push(fields) }
  const sepa = createSepaRail({ connections, clock, sql: inbox.sql, keepSignals: inbox.deps.keep, log })
  assert.deepEqual(
    await sepa.read({ connection: connection.id, receivedAt: now, body: Buffer.from('<x/>') }),
    [],
  )
  assert.equal(reported.length, 1)
})

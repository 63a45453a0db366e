// Credentials at providers: encrypted for the processes that need them, found by merchant, and renewed without a restart.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { connect, type Sql } from '#/db/client.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { deriveSealingPair, sealTo } from '#/kernel/seal-to.ts'
import { systemClock } from '#/kernel/time.ts'
import { eventually } from '../../test/eventually.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { archiveConnections, setActive } from './connection-queries.ts'
import {
  addConnection,
  openConnectionBook,
  replaceConnection,
  type OpenConnectionBook,
  type ConnectionKeys,
} from './connections.ts'
import { createMerchant } from './merchant.ts'

const pair = deriveSealingPair(randomBytes(32))
const keys = {
  collecting: randomBytes(32),
  worker: { pair, symmetric: randomBytes(32) },
  sealForWorker: (place: string, plain: Buffer) => sealTo(pair.publicKey, place, plain),
}
const cell = 'a1'
let database: TestDatabase
let sql: Sql
const books: OpenConnectionBook[] = []

before(async () => {
  database = await testDatabase()
  sql = connect(database.appUrl, { max: 2 })
})
after(async () => {
  for (const book of books) book.close()
  await sql.end({ timeout: 1 })
  await database[Symbol.asyncDispose]()
})

async function open(with_: ConnectionKeys = keys, log = silentLog): Promise<OpenConnectionBook> {
  const book = await openConnectionBook({ sql, keys: with_, log })
  books.push(book)
  return book
}

const add = (more: Partial<Parameters<typeof addConnection>[1]> = {}) =>
  addConnection(
    { sql, cell, keys },
    {
      mode: 'SANDBOX',
      method: 'PIX',
      provider: 'bacen',
      settings: { baseUrl: 'https://psp.example' },
      secrets: { clientSecret: 'the one that collects' },
      refundSecrets: { clientSecret: 'the one that refunds' },
      ...more,
    },
  )

test('a connection that was added is found, decrypted, by its id, which carries the cell’s code', async () => {
  const id = await add()
  assert.ok(id.startsWith(`${cell}-`))
  const found = (await open()).find(id)
  assert.deepEqual(found, {
    id,
    mode: 'SANDBOX',
    method: 'PIX',
    provider: 'bacen',
    settings: { baseUrl: 'https://psp.example' },
    secrets: { clientSecret: 'the one that collects' },
    refundSecrets: { clientSecret: 'the one that refunds' },
  })
})

test('without the worker’s key the credentials that send money out are absent, and the others present', async () => {
  const id = await add()
  const found = (await open({ collecting: keys.collecting })).find(id)
  assert.deepEqual(
    [found?.secrets, found?.refundSecrets],
    [{ clientSecret: 'the one that collects' }, undefined],
  )
})

test('no secret is stored in the database as plain text', async () => {
  const id = await add()
  const [row] = await sql<{ sealed: Buffer; sealedRefunds: Buffer; text: string }[]>`
    select sealed, sealed_refunds as "sealedRefunds", connection::text as text from connection where id = ${id}`
  assert.ok(row)
  for (const place of [row.sealed.toString('latin1'), row.sealedRefunds.toString('latin1'), row.text])
    assert.ok(!place.includes('the one that'))
})

test('a secret moved to another connection or column is not decrypted, and the others still are', async () => {
  const [one, other, good] = [await add(), await add(), await add()]
  await sql`update connection set sealed = (select sealed from connection where id = ${other}), changed_at = now()
             where id = ${one}`
  await sql`update connection set sealed = sealed_refunds, changed_at = now() where id = ${other}`
  const lines: string[] = []
  const book = await open(keys, pino({ level: 'error' }, { write: (line: string) => lines.push(line) }))
  assert.deepEqual([book.find(one), book.find(other)], [undefined, undefined])
  assert.ok(book.find(good) !== undefined)
  assert.equal(lines.filter((line) => line.includes(one) || line.includes(other)).length, 2)
  assert.ok(!lines.join('').includes('the one that'))
})

test('a merchant’s own connections come before the operator’s, of one method and one mode, and no other merchant’s', async () => {
  const deps = { sql, clock: systemClock, sealKey: randomBytes(32), openWallets: async () => {} }
  const make = async () => (await createMerchant(deps, { mode: 'SANDBOX', name: 'Ana' })).merchant.id
  const [merchantId, stranger] = [await make(), await make()]
  const method = 'PARTNER_PAY'
  const shared = await add({ method })
  const ofMerchant = await add({ method, merchantId })
  const second = await add({ method, merchantId })
  await add({ method, merchantId: stranger })
  await add({ method, mode: 'LIVE' })
  await add({ method: 'CREDIT_CARD', merchantId })
  const book = await open()
  const of = (filter: Parameters<OpenConnectionBook['of']>[0]) => book.of(filter).map(({ id }) => id)
  const offered = of({ method, mode: 'SANDBOX', merchantId })
  assert.deepEqual(
    [offered.slice(0, 2).toSorted(), ...offered.slice(2)],
    [[ofMerchant, second].toSorted(), shared],
  )
  assert.deepEqual(of({ method, mode: 'SANDBOX', merchantId: newId() }), [shared])
  assert.deepEqual(of({ method: 'CREDIT_CARD', mode: 'LIVE', merchantId }), [])
})

test('an inactive connection gets no new payments, and is still found for what arrives through it', async () => {
  const method = 'CREDIT_CARD'
  const id = await add({ method })
  const book = await open()
  const filter = { method, mode: 'SANDBOX', merchantId: newId<'merchant'>() } as const
  assert.deepEqual(
    book.of(filter).map((each) => each.id),
    [id],
  )
  assert.ok(await setActive(sql, id, false))
  await book.refresh()
  assert.deepEqual(book.of(filter), [])
  assert.equal(book.find(id)?.id, id)
  assert.ok(book.all(method).some((each) => each.id === id))
  assert.equal(await setActive(sql, 'a1-nothing' as ConnectionId, true), false)
})

test('when a merchant’s own connections are archived, it gets none, not even shared ones, and they cannot be enabled', async () => {
  const deps = { sql, clock: systemClock, sealKey: randomBytes(32), openWallets: async () => {} }
  const { merchant } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Ana' })
  const [method, mode] = ['PIX', 'SANDBOX'] as const
  const shared = await add({ method })
  const id = await add({ method, merchantId: merchant.id })
  const book = await open()
  await archiveConnections(sql, merchant.id, systemClock.now())
  assert.equal(await setActive(sql, id, true), false)
  await book.refresh()
  assert.deepEqual(book.of({ method, mode, merchantId: merchant.id }), [])
  assert.ok(book.of({ method, mode, merchantId: newId() }).some((each) => each.id === shared))
  assert.equal(book.find(id)?.id, id)
})

test('a running process picks up connections that were added or replaced, and keeps the others', async () => {
  const book = await open()
  const id = await add()
  await book.refresh()
  const before = book.find(id)
  await book.refresh()
  assert.equal(book.find(id), before)
  const renewed = { settings: { baseUrl: 'https://new.example' }, secrets: { clientSecret: 'new' } }
  await replaceConnection({ sql, cell, keys }, id, renewed)
  await book.refresh()
  const { settings, secrets, refundSecrets } = book.find(id) ?? assert.fail('it is there')
  assert.deepEqual({ settings, secrets, refundSecrets }, { ...renewed, refundSecrets: undefined })
})

test('changes are looked for every second', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const book = await open()
  const id = await add()
  t.mock.timers.tick(999)
  await sql`select 1`
  assert.equal(book.find(id), undefined)
  t.mock.timers.tick(1)
  await eventually('it is found', () => book.find(id) !== undefined)
})

test('a change that took long to commit is still found', async () => {
  const book = await open()
  const late = await add()
  // Its time is earlier, and it is committed after a change with a later time was found.
  await sql`update connection set changed_at = now() - interval '5 seconds' where id = ${late}`
  await add()
  await book.refresh()
  assert.equal(book.find(late)?.id, late)
})

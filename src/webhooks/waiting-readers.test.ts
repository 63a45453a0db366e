// Readers that wait for events: none is missed or repeated, and many cost one query.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type ApiKeyId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { announce } from './announce.ts'
import type { EventType } from './event.ts'
import { listEvents } from './queries.ts'
import { createWaitingReaders, type Reader, type WaitingReadersDeps } from './waiting-readers.ts'

let batch = 0n

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 4 }))

async function write(merchantId: MerchantId, ...types: readonly EventType[]): Promise<void> {
  batch += 1n
  const drafts = types.map((type) => {
    const id = newId()
    return { merchantId, mode: 'SANDBOX', type, resourceId: id, data: { id } } as const
  })
  await sql.begin((tx) => announce(tx, drafts, { batch, at: new Date() }))
}

function open(more: Partial<WaitingReadersDeps> = {}) {
  const readers = createWaitingReaders({ sql, log: silentLog, tickMs: 100, ...more })
  return Object.assign(readers, { [Symbol.dispose]: () => readers.close() })
}

const merchant = () => newId<'merchant'>() as MerchantId
const key = () => newId<'api-key'>() as ApiKeyId
const readerOf = (merchantId: MerchantId, more: Partial<Reader> = {}): Reader => ({
  merchantId,
  keyId: key(),
  from: 0n,
  waitMs: 10_000,
  whenGone: () => {},
  ...more,
})

test('a reader is told of an event that another process wrote, and of no other merchant’s', async () => {
  using readers = open()
  const [mine, theirs] = [merchant(), merchant()]
  await write(mine, 'payment.completed')
  const waiting = readers.wait(readerOf(mine, { from: 1n }))
  const quiet = readers.wait(readerOf(theirs, { waitMs: 600 }))
  await write(mine, 'payment.expired')
  assert.deepEqual(await waiting, { hasNews: true, readTo: 1n })
  assert.deepEqual(await quiet, { hasNews: false, readTo: 0n })
})

test('a wake-up answers long before the next poll is due', async () => {
  using readers = open({ tickMs: 3_600_000 })
  const mine = merchant()
  const waiting = readers.wait(readerOf(mine, { waitMs: 3_600_000 }))
  await write(mine, 'payment.completed')
  readers.wake()
  assert.equal((await waiting).hasNews, true)
})

test('a reader of one type is not told of others, and learns how far it has looked', async () => {
  using readers = open()
  const mine = merchant()
  const waiting = readers.wait(readerOf(mine, { types: ['dispute.opened'], waitMs: 1_000 }))
  await write(mine, ...Array.from({ length: 450 }, () => 'payment.completed' as const))
  const { hasNews, readTo } = await waiting
  assert.equal(hasNews, false)
  assert.equal(readTo, 450n)
  const rare = readers.wait(readerOf(mine, { types: ['dispute.opened'], from: readTo }))
  await write(mine, ...Array.from({ length: 450 }, () => 'payment.completed' as const), 'dispute.opened')
  assert.deepEqual(await rare, { hasNews: true, readTo: 450n })
})

test('a reader that comes with an older position than others have reached is told of what lies between', async () => {
  using readers = open()
  const mine = merchant()
  const ahead = readers.wait(readerOf(mine, { types: ['dispute.opened'], from: 0n, waitMs: 3_000 }))
  await write(mine, 'payment.completed', 'payment.expired')
  await pause(400)
  const late = await readers.wait(readerOf(mine, { types: ['payment.expired'], from: 1n, waitMs: 2_000 }))
  assert.deepEqual(late, { hasNews: true, readTo: 1n })
  assert.deepEqual(await ahead, { hasNews: false, readTo: 2n })
})

test('three readers that go on from where they stand read every event once, in order, while events are written', async () => {
  using readers = open({ tickMs: 60 })
  const mine = merchant()
  const total = 300n
  const read = async (types?: readonly EventType[]) => {
    const received: bigint[] = []
    const only = types === undefined ? {} : { types }
    for (let from = 0n; from < total;) {
      const page = await listEvents(sql, mine, { after: from, limit: 7, ...only })
      received.push(...page.events.map(({ sequence }) => sequence))
      from = page.readTo
      if (page.events.length > 0 || from >= total) continue
      from = (await readers.wait(readerOf(mine, { from, ...only, waitMs: 300 }))).readTo
    }
    return received
  }
  const reading = Promise.all([
    read(),
    read(['payment.expired']),
    read(['dispute.lost', 'payment.completed']),
  ])
  for (let written = 0n; written < total; written += 6n) {
    await write(
      mine,
      ...(['payment.completed', 'payment.expired', 'refund.created'] as const),
      ...(['payment.completed', 'payment.completed', 'dispute.lost'] as const),
    )
    if (written % 60n === 0n) await pause(120)
  }
  const all = Array.from({ length: Number(total) }, (_, index) => BigInt(index + 1))
  const [any, expired, two] = await reading
  assert.deepEqual(any, all)
  assert.deepEqual(
    expired,
    all.filter((each) => each % 6n === 2n),
  )
  assert.deepEqual(
    two,
    all.filter((each) => [1n, 4n, 5n, 0n].includes(each % 6n)),
  )
})

test('two hundred readers that wait cost one query at each poll', async () => {
  let queries = 0
  const counted = new Proxy(sql, {
    apply(target, self, parts: Parameters<Sql>) {
      queries += 1
      return Reflect.apply(target, self, parts) as unknown
    },
  })
  using readers = open({ sql: counted, tickMs: 100 })
  const waiting = Array.from({ length: 200 }, () =>
    readers.wait(readerOf(merchant(), { types: ['dispute.opened'], waitMs: 1_000 })),
  )
  await Promise.all(waiting)
  assert.ok(queries > 0)
  assert.ok(queries <= 11, `${queries} queries in a second`)
})

test('a database that does not answer for a while delays the news, and loses none', async () => {
  let failures = 0
  const failing = new Proxy(sql, {
    apply(target, self, parts: Parameters<Sql>) {
      if (failures >= 3) return Reflect.apply(target, self, parts) as unknown
      failures += 1
      return Promise.reject(new Error('the database is away'))
    },
  })
  using readers = open({ sql: failing, tickMs: 60 })
  const mine = merchant()
  const waiting = readers.wait(readerOf(mine))
  await write(mine, 'payment.completed')
  assert.deepEqual(await waiting, { hasNews: true, readTo: 0n })
  assert.equal(failures, 3)
})

test('a key, a merchant and a process each have only so many places; one that is left is free again', async () => {
  using readers = open({ caps: { key: 2, merchant: 3, process: 4 } })
  const [mine, other] = [merchant(), merchant()]
  const mineKey = key()
  const leave: (() => void)[] = []
  const whenGone = (listener: () => void) => void leave.push(listener)
  const first = readers.wait(readerOf(mine, { keyId: mineKey, whenGone }))
  void readers.wait(readerOf(mine, { keyId: mineKey }))
  const codeOf = (error: unknown) => error instanceof AppError && error.code
  const refused = (reader: Reader) => readers.wait(reader).then(() => 'waited', codeOf)
  assert.equal(await refused(readerOf(mine, { keyId: mineKey })), 'rate_limited')
  leave[0]?.()
  assert.deepEqual(await first, { hasNews: false, readTo: 0n })
  void readers.wait(readerOf(mine, { keyId: mineKey }))
  void readers.wait(readerOf(mine))
  assert.equal(await refused(readerOf(mine)), 'rate_limited')
  void readers.wait(readerOf(other))
  assert.equal(await refused(readerOf(other)), 'unavailable')
})

test('closing answers all that wait at once, and nobody waits afterwards', async () => {
  const readers = open({ tickMs: 3_600_000 })
  const waiting = [merchant(), merchant()].map((each) => readers.wait(readerOf(each, { waitMs: 3_600_000 })))
  readers.close()
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ hasNews }) => hasNews),
    [false, false],
  )
  assert.equal((await readers.wait(readerOf(merchant(), { waitMs: 3_600_000 }))).hasNews, false)
})

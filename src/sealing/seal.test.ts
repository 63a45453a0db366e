// Every entry of the audit log is sealed once, by one batch, whatever happens to clocks, workers and connections meanwhile.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { workerParts } from '#/app/work.ts'
import { connect, type Sql, type Tx } from '#/db/client.ts'
import { stepsOf } from '#/db/migration.ts'
import { hourMs, minuteMs } from '#/kernel/time.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { accounts, move, openBooks, posting, type Books } from '../../test/books.ts'
import { count } from '../../test/counts.ts'
import { eventually } from '../../test/eventually.ts'
import { openPixWorld } from '../../test/pix-world.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { createSealer } from './seal.ts'

const write = (sql: Sql | Tx, entries = 1) =>
  writeAudit(
    sql,
    Array.from({ length: entries }, (_, nth) => ({
      actor: { kind: 'SYSTEM', id: 'test' },
      action: 'a.b',
      subject: `c:${nth}`,
      after: { nth },
    })),
  )

async function openSealer(books: Books) {
  const lane = await books.openLane()
  return createSealer({ sql: books.sql, lane })
}

/** How many entries each batch sealed, in the order of batches. */
async function sealsOf({ sql }: Books): Promise<readonly bigint[]> {
  const rows = await sql<{ count: bigint }[]>`
    select count(audit_seal.id) from batch left join audit_seal on audit_seal.batch = number group by number order by number`
  return rows.map((row) => row.count)
}

async function faultsOf(books: Books): Promise<readonly string[]> {
  return (await books.verify()).faults.map(({ what }) => what)
}

test('entries are sealed once; when none waits, nothing is committed', async () => {
  await using books = await openBooks()
  const sealer = await openSealer(books)
  assert.equal(await sealer.poll(), 0)
  await write(books.sql, 3)
  assert.deepEqual(await faultsOf(books), [], 'entries may wait')
  assert.equal(await sealer.poll(), 3)
  assert.equal(await sealer.poll(), 0)
  await write(books.sql)
  assert.equal(await sealer.poll(), 1)
  assert.deepEqual(await sealsOf(books), [3n, 1n])
  const { faults, checked } = await books.verify()
  assert.deepEqual(faults, [])
  const sealed = checked.filter(({ inspection }) => inspection === 'audit log')
  assert.deepEqual(
    sealed.map(({ what, count: rows }) => `${rows} ${what}`),
    ['4 entries', '4 seals'],
  )
})

test('a batch may hold money and seals', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  const sealer = createSealer({ sql: books.sql, lane })
  const deposit = () => lane.submit(move, { postings: [posting(accounts.bank(), accounts.wallet(1), 10)] })
  await write(books.sql, 2)
  // The first occupies the lane, so that the others are one batch.
  await Promise.all([deposit(), ...Array.from({ length: 30 }, () => deposit()), sealer.poll()])
  await deposit()
  assert.deepEqual(await faultsOf(books), [])
})

test('of several workers at once each entry is sealed by one, and none commits an empty batch', async () => {
  await using books = await openBooks()
  const sealers = await Promise.all([1, 2, 3].map(() => openSealer(books)))
  for (let round = 0; round < 5; round += 1) {
    await write(books.sql, 4)
    const sealed = await Promise.all(sealers.map((sealer) => sealer.poll()))
    assert.equal(
      sealed.reduce((sum, each) => sum + each, 0),
      4,
    )
  }
  assert.deepEqual(await sealsOf(books), [4n, 4n, 4n, 4n, 4n])
  assert.deepEqual(await faultsOf(books), [])
})

test('an entry that is committed long after later ones were sealed is sealed too', async () => {
  await using books = await openBooks()
  const sealer = await openSealer(books)
  const slow = connect(books.ownerUrl, { max: 1, transactionSeconds: 0 })
  const later = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const writing = slow.begin(async (tx) => {
    await write(tx)
    written.resolve()
    await later.promise
  })
  await written.promise
  await books.clock.advance(hourMs)
  await write(books.sql)
  assert.equal(await sealer.poll(), 1)
  assert.deepEqual(await faultsOf(books), [])
  later.resolve()
  await writing
  await slow.end()
  assert.equal(await sealer.poll(), 1)
  assert.deepEqual(await faultsOf(books), [])
})

test('an entry that is rolled back does not wait', async () => {
  await using books = await openBooks()
  const sealer = await openSealer(books)
  const failing = books.sql.begin(async (tx) => {
    await write(tx)
    throw new Error('the change failed')
  })
  await assert.rejects(failing, /the change failed/)
  assert.equal(await sealer.poll(), 0)
  assert.deepEqual(await faultsOf(books), [])
})

test('entries of a clock that went back, or was ahead, are sealed as others', async () => {
  await using books = await openBooks()
  const sealer = await openSealer(books)
  for (const ms of [0, 2 * hourMs, -3 * hourMs, minuteMs]) {
    await books.clock.advance(ms)
    await write(books.sql)
    assert.equal(await sealer.poll(), 1)
    assert.deepEqual(await faultsOf(books), [])
  }
})

test('what was written while no worker ran is no fault, and is sealed oldest first, a thousand in a batch', async () => {
  await using books = await openBooks()
  const sealer = await openSealer(books)
  await write(books.sql)
  assert.equal(await sealer.poll(), 1)
  const rows = count({ quick: 2_500, soak: 100_000 })
  for (let written = 0; written < rows; written += 500) {
    await write(books.sql, 500)
    await books.clock.advance(minuteMs)
  }
  await books.clock.advance(hourMs)
  assert.deepEqual(await faultsOf(books), [])
  for (let left = rows; left > 0; left -= 1_000) assert.equal(await sealer.poll(), Math.min(left, 1_000))
  assert.equal(await sealer.poll(), 0)
  const ids = await books.sql<{ id: string }[]>`select id from audit_seal order by batch, position`
  assert.deepEqual(
    ids.map(({ id }) => id),
    ids.map(({ id }) => id).toSorted(),
  )
  assert.deepEqual(await faultsOf(books), [])
})

test('after a commit whose answer was lost, or that was lost itself, each entry is sealed once', async () => {
  await using books = await openBooks()
  await using proxy = await startTcpProxy(books.appUrl)
  const lane = await books.openLane({ openSql: () => connect(proxy.url, { max: 1 }) })
  const sealer = createSealer({ sql: books.sql, lane })
  for (const fate of ['lost', 'answer lost'] as const) {
    for (const statement of [/^commit/i, /insert into audit_seal/]) {
      await write(books.sql, 2)
      const struck = proxy.strike(statement, fate)
      assert.equal(await sealer.poll(), 2)
      await struck
    }
  }
  assert.deepEqual(await sealsOf(books), [2n, 2n, 2n, 2n])
  assert.deepEqual(await faultsOf(books), [])
})

test('the migration lets the entries that exist wait, those of its own time once', async () => {
  await using books = await openBooks()
  await write(books.sql, 3)
  await books.owner`alter table audit_log disable trigger audit_log_noted`
  await books.owner`truncate audit_unsealed`
  await write(books.sql, 2)
  await books.owner`alter table audit_log enable trigger audit_log_noted`
  await write(books.sql)
  const name = '0046_audit_seal.sql'
  const text = await readFile(join(import.meta.dirname, '../../migrations', name), 'utf8')
  const last = stepsOf({ name, text }).at(-1)
  assert.ok(last?.kind !== 'OUTSIDE' && last !== undefined)
  for (const statement of last.statements) await books.owner.unsafe(statement.text)
  const sealer = await openSealer(books)
  assert.equal(await sealer.poll(), 6)
  for (const statement of last.statements) await books.owner.unsafe(statement.text)
  assert.equal(await sealer.poll(), 0)
  assert.deepEqual(await faultsOf(books), [])
})

test('what waits though it is sealed is not sealed again', async () => {
  await using books = await openBooks()
  const sealer = await openSealer(books)
  await write(books.sql)
  assert.equal(await sealer.poll(), 1)
  await books.owner`insert into audit_unsealed select id from audit_log`
  assert.equal(await sealer.poll(), 0)
  assert.deepEqual(await sealsOf(books), [1n])
})

test('a worker of the program seals what waits', async () => {
  await using world = await openPixWorld()
  const { sql } = world.core
  const part = workerParts(world.core).find(({ name }) => name === 'seals of the audit log')
  const stopping = new AbortController()
  const running = part?.run(stopping.signal) ?? assert.fail('a worker has this part')
  await write(sql, 2)
  await eventually('no entry waits', async () => (await sql`select from audit_unsealed`).count === 0)
  stopping.abort()
  await running
  const [row] = await sql<{ same: boolean }[]>`
    select (select count(*) from audit_seal) = count(*) and count(*) >= 2 as same from audit_log`
  assert.equal(row?.same, true)
})

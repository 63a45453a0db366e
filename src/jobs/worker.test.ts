// The runner, on a table of durable work in a real database, with a provider that hangs.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { connect } from '#/db/client.ts'
import { dueIn } from '#/db/due.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { minuteMs } from '#/kernel/time.ts'
import { createHttpClient } from '#/rails/http.ts'
import { eventually } from '../../test/eventually.ts'
import { startHangingServer } from '../../test/hanging-server.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import type { Claim } from './claim.ts'
import { chosen, someDue } from './due-queries.ts'
import { dueWorker, type DueWork } from './worker.ts'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 4 }))
beforeEach(() => sql`delete from attempt_closing`)

/** Inserts due rows, the first one due longest. Returns their ids in that order. */
async function keep(connection: string, count: number, dueSecondsAgo = 10): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => newId())
  for (const [nth, id] of ids.entries())
    await sql`
      insert into attempt_closing (merchant_id, attempt_id, connection, due_at)
      values (${id}, ${id}, ${connection},
              now() - make_interval(secs => ${dueSecondsAgo}::float8) + ${nth} * interval '1 microsecond')`
  return ids
}

type Item = { readonly claim: Claim }

/** A worker of that table. It deletes rows that have ended. */
function workerOf(
  run: (claim: Claim) => Promise<'done' | 'later'>,
  more: Pick<Partial<DueWork<Item>>, 'concurrency' | 'log' | 'leaseMs' | 'privateTexts'> = {},
) {
  const claims: number[] = []
  const work: DueWork<Item> = {
    name: 'attempt',
    log: silentLog,
    leaseMs: minuteMs,
    pollMs: 20,
    ...more,
    isDue: someDue({ name: 'attempt_closing' }),
    async claim(slots, leaseMs) {
      const claimed = await sql<{ id: string; connection: string; number: number }[]>`
        with recursive ${chosen(sql, { name: 'attempt_closing' }, slots)}
        update attempt_closing set due_at = ${dueIn(sql, leaseMs)}, tries = tries + 1
         where ctid = any (array(select ctid from chosen))
        returning attempt_id as id, connection, tries as number`
      assert.ok(claimed.length <= slots.total, 'no more is claimed than there are slots')
      claims.push(claimed.length)
      return claimed.map((claim) => ({ claim }))
    },
    async run({ claim }) {
      const next = await run(claim)
      if (next === 'done')
        await sql`delete from attempt_closing where attempt_id = ${claim.id} and tries = ${claim.number}`
      return next
    },
    async postpone({ claim }, waitMs) {
      const { count } = await sql`
        update attempt_closing set due_at = ${dueIn(sql, waitMs)}
         where attempt_id = ${claim.id} and tries = ${claim.number}`
      return count === 1
    },
  }
  return { ...dueWorker(work), claims }
}

const left = async (connection: string) => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from attempt_closing where connection = ${connection}`
  return row?.count ?? 0
}

test('while one provider hangs, all due rows of the others are done', async () => {
  await using provider = await startHangingServer()
  const http = createHttpClient({ connectMs: 1_000, totalMs: 10 * minuteMs, maxConnections: 100 })
  // Its rows were due long before the others, and are more than a connection has slots.
  await keep('hangs', 60, 1_000)
  await keep('works', 300)
  const stopping = new AbortController()
  const worker = workerOf(
    async ({ connection }) => {
      if (connection === 'hangs') await http.request({ method: 'GET', url: provider.url })
      return 'done'
    },
    { concurrency: { each: 20, total: 100 } },
  )
  const running = worker.run(stopping.signal)
  await eventually('the others are done', async () => (await left('works')) === 0)
  assert.equal(await left('hangs'), 60)
  await eventually('calls hang', () => provider.waiting === 4)
  // Later rows are done as well.
  await keep('works', 50)
  await eventually('the others are done', async () => (await left('works')) === 0)
  assert.equal(provider.waiting, 4)
  stopping.abort()
  provider.cutAll()
  await running
  await http.close()
})

test('any number of providers may hang: there is a slot for the next one', async () => {
  const hanging = Array.from({ length: 40 }, (_, nth) => `hangs ${nth}`)
  for (const connection of hanging) await keep(connection, 10, 1_000)
  const goesOn = Promise.withResolvers<void>()
  const stopping = new AbortController()
  const worker = workerOf(
    async ({ connection }) => {
      if (connection !== 'works') await goesOn.promise
      return 'done'
    },
    { concurrency: { each: 10, total: 200 } },
  )
  const running = worker.run(stopping.signal)
  await eventually('all slots are claimed', () => worker.claims.at(-1) === 0)
  await keep('works', 30)
  await eventually('the others are done', async () => (await left('works')) === 0)
  stopping.abort()
  goesOn.resolve()
  await running
})

test('an item that always fails is named in the log, waits longer each time, and does not delay others', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  )
  const [poison = ''] = await keep('same', 1, 1_000)
  await keep('same', 40)
  const worker = workerOf(
    ({ id }) =>
      id === poison ? Promise.reject(new Error('it is spoiled')) : Promise.resolve('done' as const),
    { log },
  )
  assert.equal(await worker.once(), 41)
  assert.equal(await left('same'), 1)
  assert.deepEqual(
    lines.map(({ attempt, claim, error }) => [attempt, claim, error]),
    [[poison, 1, 'it is spoiled']],
  )
  assert.equal(await worker.once(), 0)
})

test('an error that repeats a private text of the item is logged without it', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  await keep('same', 1)
  const worker = workerOf(() => Promise.reject(new Error('the bank refuses CONCEICAO QUITERIA (17)')), {
    log,
    privateTexts: () => ({ name: 'Conceicao Quiteria' }),
  })
  assert.equal(await worker.once(), 1)
  assert.match(lines.join(), /the bank refuses \[hidden\] \(17\)/)
  assert.doesNotMatch(lines.join(), /quiteria/i)
})

test('a worker that stood still beyond its lease postpones nothing, and logs that', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  )
  const [id = ''] = await keep('same', 1)
  const [started, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = workerOf(
    async () => {
      started.resolve()
      await goesOn.promise
      return 'later'
    },
    { log, leaseMs: 50 },
  ).once()
  await started.promise
  const numbers: number[] = []
  const other = workerOf(
    async (claim) => {
      numbers.push(claim.number)
      return 'later'
    },
    { leaseMs: 10 * minuteMs },
  )
  await eventually('the lease is over', async () => (await other.once()) === 1)
  const dueAt = () =>
    sql<{ at: string }[]>`select due_at::text as at from attempt_closing where attempt_id = ${id}`
  const [before] = await dueAt()
  goesOn.resolve()
  assert.equal(await slow, 1)
  assert.deepEqual([...(await dueAt())], [before])
  assert.deepEqual(numbers, [2])
  assert.match(String(lines.at(-1)?.['msg']), /another worker has claimed it/)
  assert.equal(lines.at(-1)?.['attempt'], id)
})

test('two workers share the due rows, and a worker that is woken claims at once', async () => {
  await keep('one', 50)
  await keep('two', 50)
  const done: string[] = []
  const work = async ({ id }: Claim) => (done.push(id), 'done' as const)
  await Promise.all([1, 2, 3].map(() => workerOf(work).once()))
  while ((await workerOf(work).once()) > 0);
  assert.deepEqual([done.length, new Set(done).size], [100, 100])

  const stopping = new AbortController()
  const worker = workerOf(work)
  const running = worker.run(stopping.signal)
  await keep('three', 1)
  worker.wake()
  await eventually('it is done', () => done.length === 101)
  stopping.abort()
  await running
})

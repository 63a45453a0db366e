// The real errors of a server, and their classification.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { InvariantError } from '#/kernel/check.ts'
import { testDatabase } from '../../test/postgres.ts'
import { connect, type Sql } from './client.ts'
import { classify, CommitFailed, type Failure } from './failure.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let sql: Sql

before(async () => {
  database = await testDatabase()
  sql = connect(database.ownerUrl, { max: 4 })
  await sql`create table thing (id integer primary key, size smallint check (size > 0))`
  await sql`insert into thing values (1, 1), (2, 1)`
})

after(async () => {
  await sql.end()
  await database[Symbol.asyncDispose]()
})

async function failureOf(work: () => PromiseLike<unknown>): Promise<Failure> {
  try {
    await work()
  } catch (error) {
    return classify(error)
  }
  return assert.fail('it did not fail')
}

/** The server's own error with this code. */
async function raise(code: string): Promise<unknown> {
  return sql.unsafe(`do $$ begin raise exception 'on purpose' using errcode = '${code}'; end $$`)
}

test('data that the database refuses is poison', async () => {
  assert.equal(await failureOf(() => sql`insert into thing values (1, 1)`), 'poison')
  assert.equal(await failureOf(() => sql`insert into thing values (3, 0)`), 'poison')
  assert.equal(await failureOf(() => sql`insert into thing values (3, 70000)`), 'poison')
  assert.equal(await failureOf(() => sql`select ${'a\0b'}::text`), 'poison')
  assert.equal(await failureOf(() => sql`select 'x'::text::uuid`), 'poison')
})

test('a lock timeout and a deadlock are tried again', async () => {
  await sql.begin(async (tx) => {
    await tx`select 1 from thing where id = 1 for update`
    const waiting = sql.begin(async (other) => {
      await other`set local lock_timeout = '10ms'`
      await other`select 1 from thing where id = 1 for update`
    })
    assert.equal(await failureOf(() => waiting), 'again')
  })
  const bothLocked = Promise.withResolvers<void>()
  let locked = 0
  const cross = (first: number, second: number) =>
    sql.begin(async (tx) => {
      await tx`update thing set size = 2 where id = ${first}`
      if (++locked === 2) bothLocked.resolve()
      await bothLocked.promise
      await tx`update thing set size = 2 where id = ${second}`
    })
  const settled = await Promise.allSettled([cross(1, 2), cross(2, 1)])
  const failed = settled.find((each) => each.status === 'rejected')
  assert.equal(failed && classify(failed.reason), 'again')
})

test('a statement that took too long is late, and a server that ended the connection is lost', async () => {
  const slow = sql.begin(async (tx) => {
    await tx`set local statement_timeout = '10ms'`
    await tx`select pg_sleep(5)`
  })
  assert.equal(await failureOf(() => slow), 'late')
  const idle = sql.begin(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = '10ms'`
    await new Promise((resolve) => setTimeout(resolve, 60))
    await tx`select 1`
  })
  assert.equal(await failureOf(() => idle), 'lost')
  const ended = sql.begin((tx) => tx`select pg_terminate_backend(pg_backend_pid())`)
  assert.equal(await failureOf(() => ended), 'lost')
})

test('a server that is not there, or lacks the database, is lost', async () => {
  const unreachable = new URL(database.ownerUrl)
  unreachable.port = '1'
  const other = new URL(database.ownerUrl)
  other.pathname = '/no_such_database'
  for (const url of [unreachable, other]) {
    const away = connect(url.href, { max: 1, connectTimeoutSeconds: 1 })
    assert.equal(await failureOf(() => away`select 1`), 'lost')
    assert.equal(await failureOf(() => away.begin((tx) => tx`select 1`)), 'lost')
    await away.end({ timeout: 0 })
  }
})

test('a server that takes no writes is lost: it is not the primary', async () => {
  const standby = sql.begin('read only', (tx) => tx`insert into thing values (9, 1)`)
  assert.equal(await failureOf(() => standby), 'lost')
})

test('what a connection has prepared and the server has not, or has otherwise, is stale', async () => {
  const single = connect(database.ownerUrl, { max: 2 })
  assert.equal(await failureOf(() => single.unsafe('execute nothing')), 'stale')
  await single.unsafe('prepare twice as select 1')
  assert.equal(await failureOf(() => single.unsafe('prepare twice as select 1')), 'stale')
  await single.unsafe('prepare whole as select * from thing')
  await single.unsafe('execute whole')
  await single.unsafe('alter table thing add column more integer')
  assert.equal(await failureOf(() => single.unsafe('execute whole')), 'stale')
  await single.end()
})

test('a transaction that the server has given up is stale, and what it does not support is poison', async () => {
  assert.equal(await failureOf(() => raise('25P02')), 'stale')
  assert.equal(await failureOf(() => sql`select distinct id from thing for update`), 'poison')
})

test('where the server itself failed, nobody knows the cause', async () => {
  for (const code of ['58030', '58P01', 'XX000', 'XX001'])
    assert.equal(await failureOf(() => raise(code)), 'doubtful', code)
})

test('a COMMIT that failed is doubtful, unless its error says more', async () => {
  const ofCommit = async (code: string) =>
    classify(new CommitFailed(await raise(code).catch((error: unknown) => error)))
  assert.equal(await ofCommit('23505'), 'doubtful')
  assert.equal(await ofCommit('XX000'), 'doubtful')
  assert.equal(await ofCommit('40001'), 'again')
  assert.equal(await ofCommit('57014'), 'late')
  assert.equal(await ofCommit('57P01'), 'lost')
})

test('our own mistakes are poison', () => {
  assert.equal(classify(new InvariantError('no')), 'poison')
  assert.equal(classify(new TypeError('no')), 'poison')
  assert.equal(classify('no'), 'poison')
})

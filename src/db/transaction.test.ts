// Transactions whose connection dies. The driver alone would run their statements on another connection; see transaction.ts.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { count } from '../../test/counts.ts'
import { eventually } from '../../test/eventually.ts'
import { testDatabase } from '../../test/postgres.ts'
import { startTcpProxy, type TcpProxy } from '../../test/tcp-proxy.ts'
import { usualLimits } from '../../test/usual-limits.ts'
import { connect, type Sql, type Tx } from './client.ts'
import { classify } from './failure.ts'
import { lengthenLimits } from './limits.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let proxy: TcpProxy
/** A client that does not use the proxy. */
let direct: Sql

before(async () => {
  database = await testDatabase()
  proxy = await startTcpProxy(database.ownerUrl)
  direct = connect(database.ownerUrl, { max: 4, applicationName: 'direct' })
  await direct`create table trace (work text not null, part integer not null, tx text not null default txid_current()::text)`
})

after(async () => {
  await direct.end()
  await proxy[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function parts(work: string): Promise<readonly number[]> {
  const rows = await direct<{ part: number }[]>`select part from trace where work = ${work} order by part`
  return rows.map((row) => row.part)
}

function write(tx: Tx | Sql, work: string, part: number): Promise<unknown> {
  return tx`insert into trace (work, part) values (${work}, ${part})`.then(() => undefined)
}

async function kill(pid: number): Promise<void> {
  await direct`select pg_terminate_backend(${pid})`
}

async function killMost(): Promise<void> {
  await direct`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and application_name <> 'direct'
       and random() < 0.7`
}

async function pidOf(tx: Tx): Promise<number> {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}

const isLost = (error: unknown) => classify(error) === 'lost'

for (const max of [1, 6]) {
  describe(`with a pool of ${max}`, () => {
    test('nothing of a transaction is sent on another connection after its own died while it was idle', async () => {
      const work = `idle ${max}`
      await using sql = disposable(connect(proxy.url, { max }))
      const outcomes: PromiseSettledResult<unknown>[] = []
      const others: Promise<unknown>[] = []
      const transaction = sql.begin(async (tx) => {
        await write(tx, work, 1)
        const pid = await pidOf(tx)
        // Other queries wait for a connection, so the driver would connect the dead one again for them.
        others.push(...[1, 2, 3].map((part) => write(sql, `${work} others`, part)))
        await kill(pid)
        await Promise.all(others)
        await wait(20)
        for (const part of [2, 3]) outcomes.push(...(await Promise.allSettled([write(tx, work, part)])))
      })
      await assert.rejects(transaction, isLost)
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['rejected', 'rejected'],
      )
      assert.deepEqual(await parts(work), [])
      assert.deepEqual(await parts(`${work} others`), [1, 2, 3])
    })

    test('a connection that dies under a statement fails it, those behind it and those after it', async () => {
      const work = `busy ${max}`
      await using sql = disposable(connect(proxy.url, { max }))
      const outcomes: PromiseSettledResult<unknown>[] = []
      const transaction = sql.begin(async (tx) => {
        await write(tx, work, 1)
        const pid = await pidOf(tx)
        const sleeping = tx`select pg_sleep(${30})`.then(() => undefined)
        const together = Promise.allSettled([sleeping, ...[2, 3, 4].map((part) => write(tx, work, part))])
        await wait(20)
        await kill(pid)
        outcomes.push(...(await together), ...(await Promise.allSettled([write(tx, work, 5)])))
      })
      await assert.rejects(transaction, isLost)
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        Array(5).fill('rejected'),
      )
      assert.deepEqual(await parts(work), [])
      assert.equal(await sql.begin(pidOf).then((pid) => typeof pid), 'number')
    })
  })
}

test('a transaction rejects only after its work has ended', async () => {
  await using sql = disposable(connect(proxy.url, { max: 2 }))
  let isOver = false
  const transaction = sql.begin(async (tx) => {
    const pid = await pidOf(tx)
    await kill(pid)
    await wait(60)
    isOver = true
  })
  await assert.rejects(transaction, isLost)
  assert.equal(isOver, true)
})

test('work that fails is rolled back, and the transaction rejects with its error', async () => {
  await using sql = disposable(connect(proxy.url, { max: 2 }))
  const failure = new Error('not today')
  const transaction = sql.begin(async (tx) => {
    await write(tx, 'failing', 1)
    throw failure
  })
  await assert.rejects(transaction, failure)
  assert.deepEqual(await parts('failing'), [])
})

test('statements that a part of the work sends after the whole has failed are refused', async () => {
  await using sql = disposable(connect(proxy.url, { max: 2 }))
  const late = Promise.withResolvers<PromiseSettledResult<unknown> | undefined>()
  const transaction = sql.begin(async (tx) => {
    const slowPart = async () => {
      await write(tx, 'slow part', 1)
      await wait(30)
      const [outcome] = await Promise.allSettled([write(tx, 'slow part', 2)])
      late.resolve(outcome)
    }
    await Promise.all([slowPart(), tx`select 1 / 0`])
  })
  await assert.rejects(transaction, { code: '22012' })
  assert.equal((await late.promise)?.status, 'rejected')
  assert.deepEqual(await parts('slow part'), [])
})

test('a COMMIT that never arrived wrote nothing, a COMMIT whose answer was lost wrote all, and both reject', async () => {
  await using sql = disposable(connect(proxy.url, { max: 2 }))
  for (const fate of ['lost', 'answer lost'] as const) {
    // Twice, because the second time the statement is a prepared one.
    for (const round of [1, 2]) {
      const work = `${fate} ${round}`
      const struck = proxy.strike(/^commit$/, fate)
      await assert.rejects(
        sql.begin((tx) => write(tx, work, 1)),
        isLost,
      )
      await struck
      await sql.begin((tx) => write(tx, 'in between', round))
      assert.deepEqual(await parts(work), fate === 'lost' ? [] : [1])
    }
  }
})

test('what did not wait for the synchronous standby rejects, in a transaction and outside of one', async () => {
  await using sql = disposable(connect(proxy.url, { max: 2 }))
  for (let round = 1; round <= 3; round++) {
    const struck = proxy.strike(/^commit$/, 'wait cut')
    await assert.rejects(
      sql.begin((tx) => write(tx, 'cut wait', round)),
      isLost,
    )
    await struck
    const struckAlone = proxy.strike(/into trace/, 'wait cut')
    await assert.rejects(write(sql, 'cut wait alone', round), isLost)
    await struckAlone
    await write(sql, 'after it', round)
  }
  for (const work of ['cut wait', 'cut wait alone', 'after it'])
    assert.deepEqual(await parts(work), [1, 2, 3])
})

test('a transaction whose connections hold plans of an older schema runs once more, on a new connection', async () => {
  await direct`create table shape (id integer)`
  const sql = connect(database.ownerUrl, { max: 6 })
  // The driver prepares a statement at its second use.
  const read = () => sql.begin((tx) => Promise.all([tx`select * from shape`, tx`select * from shape`]))
  await Promise.all([read(), read(), read()])
  await Promise.all([read(), read(), read()])
  await direct`alter table shape add column name text`
  let runs = 0
  await Promise.all(
    [1, 2, 3].map((part) =>
      sql.begin(async (tx) => {
        runs += 1
        await write(tx, 'stale', part)
        await tx`select * from shape`
      }),
    ),
  )
  assert.deepEqual(await parts('stale'), [1, 2, 3])
  assert.ok(runs > 3, 'a plan was stale')
  await sql.end()
})

/** Spoils what the connection of a transaction has prepared, behind the driver's back: text without parameters is not prepared. */
const spoiling = {
  // As a pooler that gives the transaction another server connection, or somebody who sends DISCARD ALL.
  '26000': async (tx: Tx) => void (await tx.unsafe('deallocate all')),
  // As a pooler whose server connection was another client's. The driver numbers the names of its statements.
  '42P05': async (tx: Tx) => {
    const [last] = await tx<{ name: string }[]>`
      select name from pg_prepared_statements where name ~ '\\d$' order by prepare_time desc limit 1`
    const [, prefix = '', number = ''] = /^(.*?)(\d{1,3})$/.exec(last?.name ?? '') ?? []
    for (let next = 1; next <= 20; next += 1)
      await tx.unsafe(`prepare "${prefix}${Number(number) + next}" as select 1`)
  },
} as const

for (const [code, spoil] of Object.entries(spoiling)) {
  test(`a transaction whose connection has prepared something else (${code}) runs again on a fresh statement`, async () => {
    const work = `spoiled ${code}`
    const answered: string[] = []
    await using spoiled = await startTcpProxy(database.ownerUrl)
    await using sql = disposable(connect(spoiled.url, { max: 1 }))
    // The driver prepares a statement at its second use.
    for (const part of [1, 2, 3]) await sql.begin((tx) => write(tx, work, part))
    await sql.begin((tx) => spoil(tx))
    let runs = 0
    const pids: number[] = []
    await sql.begin(async (tx) => {
      runs += 1
      const [row] = await tx.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid')
      pids.push(row?.pid ?? 0)
      await write(tx, work, 4).catch((error: unknown) => {
        answered.push(String((error as { readonly code?: unknown }).code))
        throw error
      })
      // Not prepared before on this connection: its name is the next one.
      await tx`select ${work}::text, count(*) from trace where part > ${0}`.catch((error: unknown) => {
        answered.push(String((error as { readonly code?: unknown }).code))
        throw error
      })
    })
    assert.deepEqual([answered, runs, new Set(pids).size], [[code], 2, 2])
    assert.deepEqual(await parts(work), [1, 2, 3, 4])
  })
}

test('after an error of its COMMIT a transaction does not run again: it may have been written', async () => {
  await using struck = await startTcpProxy(database.ownerUrl)
  await using sql = disposable(connect(struck.url, { max: 1 }))
  for (const code of ['26000', '42P05', '25P02']) {
    const done = struck.strike(/^commit$/, { answeredWith: code })
    let runs = 0
    const transaction = sql.begin(async (tx) => {
      runs += 1
      await write(tx, `commit ${code}`, runs)
    })
    await assert.rejects(transaction, { code })
    await done
    assert.deepEqual([runs, await parts(`commit ${code}`)], [1, [1]])
  }
})

test('transactions beyond the limit wait for their turn', async () => {
  await using sql = disposable(connect(proxy.url, { max: 4 }))
  let now = 0
  let most = 0
  const sum = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((each) =>
      sql.begin(async (tx) => {
        most = Math.max(most, ++now)
        await tx`select pg_sleep(0.01)`
        now -= 1
        return each
      }),
    ),
  )
  assert.deepEqual(sum, [1, 2, 3, 4, 5, 6])
  assert.equal(most, 2)
})

test('the database itself limits the lock, statement and idle time of a transaction, and the limits end with it', async () => {
  using _usual = usualLimits()
  await using sql = disposable(connect(proxy.url, { max: 2 }))
  const names = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']
  const read = (tx: Tx) =>
    tx<{ name: string; setting: string }[]>`select name, setting from pg_settings where name = any (${names})`
  const within = await sql.begin((tx) => read(tx))
  assert.ok(within.every(({ setting }) => Number(setting) > 0 && Number(setting) <= 5_000))
  const whole = await sql.begin((tx) => tx`select current_setting('transaction_timeout', true) as setting`)
  assert.equal(whole[0]?.['setting'], '5s')
  assert.ok((await read(sql)).every(({ setting }) => setting === '0'))
  // Where processors are shared, each is longer by the same factor.
  lengthenLimits(7)
  const longer = await sql.begin((tx) => read(tx))
  assert.deepEqual(
    longer.map(({ name, setting }) => [name, Number(setting)]),
    within.map(({ name, setting }) => [name, 7 * Number(setting)]),
  )
  // A migration has no limit.
  await using patient = disposable(connect(proxy.url, { max: 2, transactionSeconds: 0 }))
  assert.ok((await patient.begin((tx) => read(tx))).every(({ setting }) => setting === '0'))
})

test('a transaction that takes too long loses its connection', async () => {
  await using sql = disposable(connect(proxy.url, { max: 2, transactionSeconds: 1 }))
  const struck = proxy.strike(/into trace/, 'unanswered')
  await assert.rejects(
    sql.begin((tx) => write(tx, 'unanswered', 1)),
    isLost,
  )
  await struck
  assert.equal((await sql`select 1 as one`)[0]?.['one'], 1)
})

test('a server that accepts connections and sends nothing, or closes them, is an error in time', async () => {
  await using sql = disposable(connect(proxy.url, { max: 2, connectTimeoutSeconds: 0.2 }))
  try {
    for (const how of ['by closing', 'with silence'] as const) {
      proxy.greet(how)
      proxy.cutAll()
      await assert.rejects(Promise.resolve(sql`select 1`), isLost)
      await assert.rejects(
        sql.begin((tx) => tx`select 1`),
        isLost,
      )
    }
  } finally {
    proxy.greet('well')
    proxy.cutAll()
  }
  // On a busy machine a connection may need longer than this client waits.
  await eventually('the client is connected again', () =>
    sql`select`.then(
      () => true,
      () => false,
    ),
  )
})

test('connections may be cut at any time: a transaction is written whole or not at all, and acknowledged ones are', async () => {
  const rounds = count({ quick: 24, soak: 1_000 })
  await using sql = disposable(connect(proxy.url, { max: 8 }))
  const acknowledged: string[] = []
  const cutting = new AbortController()
  let works = 0
  const client = async (name: number) => {
    while (!cutting.signal.aborted) {
      const work = `chaos ${name} ${works++}`
      await sql
        .begin(async (tx) => {
          await write(tx, work, 1)
          if (works % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
          // Both are sent before either is awaited, so some wait inside the driver.
          await Promise.all([write(tx, work, 2), write(tx, work, 3)])
          await write(tx, work, 4)
        })
        .then(
          () => acknowledged.push(work),
          (error: unknown) => assert.ok(isLost(error), String(error)),
        )
      await sql`select count(*) from trace where work = ${work}`.catch((error: unknown) =>
        assert.ok(isLost(error)),
      )
    }
  }
  const clients = [1, 2, 3, 4, 5, 6].map(client)
  try {
    // On a busy machine nothing may come through between two cuts: then they come less often.
    for (let round = 0; round < rounds || acknowledged.length === 0; round++) {
      await wait(round % 3 === 0 ? 2 : 60 * Math.ceil((round + 1) / rounds))
      if (round % 2 === 0) proxy.cutAll()
      else await killMost()
    }
  } finally {
    cutting.abort()
    await Promise.all(clients)
  }
  const broken = await direct`
    select work, array_agg(part) as parts from trace where work like 'chaos %'
     group by work having count(*) <> 4 or count(distinct tx) <> 1`
  assert.deepEqual([...broken], [])
  const [found] = await direct<{ count: bigint }[]>`
    select count(distinct work) from trace where work = any (${acknowledged})`
  assert.equal(found?.count, BigInt(acknowledged.length))
  // No connection is left that accepts statements and does not run them.
  await Promise.all(Array.from({ length: 40 }, () => sql`select 1`))
})

function disposable(sql: Sql): Sql & AsyncDisposable {
  return Object.assign(sql, { [Symbol.asyncDispose]: () => sql.end({ timeout: 1 }) })
}

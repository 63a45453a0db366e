// Several servers in one URL. The servers are proxies to one database: a real standby is in test/cluster.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { startTcpProxy, type TcpProxy } from '../../test/tcp-proxy.ts'
import { connect, type Sql } from './client.ts'
import { classify } from './failure.ts'

const database = openForTests(testDatabase)

/** Two proxies, and the URL that names both. */
async function twoServers() {
  const first = await startTcpProxy(database.ownerUrl)
  const second = await startTcpProxy(database.ownerUrl)
  const url = first.url.replace(/127\.0\.0\.1:\d+/, `${hostOf(first)},${hostOf(second)}`)
  const open: Sql[] = []
  return {
    first,
    second,
    connect: (max: number) => {
      const sql = connect(url, { max })
      open.push(sql)
      return sql
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(open.map((sql) => sql.end({ timeout: 0 })))
      await Promise.all([first[Symbol.asyncDispose](), second[Symbol.asyncDispose]()])
    },
  }
}

function hostOf({ url }: TcpProxy): string {
  return new URL(url).host
}

const isLost = (error: unknown) => classify(error) === 'lost'
const one = (sql: Sql) => sql<{ one: number }[]>`select 1 as one`
const oneInside = (sql: Sql) => sql.begin((tx) => tx<{ one: number }[]>`select 1 as one`)

for (const how of ['with silence', 'by closing'] as const)
  test(`a first server that greets ${how} holds up nothing, and is not asked again by others`, async () => {
    await using servers = await twoServers()
    servers.first.greet(how)
    const sql = servers.connect(4)
    const answers = await Promise.all([one(sql), oneInside(sql), one(sql), oneInside(sql)])
    assert.deepEqual(
      answers.map(([row]) => row?.one),
      [1, 1, 1, 1],
    )
    // The process knows the server now, so another client does not try the first one.
    const { opened } = servers.first
    await one(servers.connect(2))
    assert.equal(servers.first.opened, opened)
  })

test('work that waits for a server without power is cut, and the next work is done by the other one', async () => {
  await using servers = await twoServers()
  const sql = servers.connect(4)
  await Promise.all([one(sql), oneInside(sql)])
  assert.ok(servers.first.connections > 0 && servers.second.connections === 0)
  servers.first.muteAll()
  servers.first.greet('with silence')
  const cut = await Promise.allSettled([
    one(sql),
    oneInside(sql),
    sql.begin(async (tx) => tx`select pg_sleep(0)`),
  ])
  for (const each of cut) assert.ok(each.status === 'rejected' && isLost(each.reason))
  const answers = await Promise.all([one(sql), oneInside(sql)])
  assert.deepEqual(
    answers.map(([row]) => row?.one),
    [1, 1],
  )
  assert.ok(servers.second.connections > 0)
})

test('a statement that takes long at a server that stands is not cut', async () => {
  await using servers = await twoServers()
  const sql = servers.connect(2)
  const [row] = await sql`select pg_sleep(6), 1 as one`
  assert.equal(row?.['one'], 1)
})

test('where no server answers, the error names each; work goes on when one does', async () => {
  await using servers = await twoServers()
  const sql = servers.connect(2)
  for (const server of [servers.first, servers.second]) server.greet('by closing')
  await assert.rejects(() => oneInside(sql), isLost)
  await assert.rejects(
    () => one(sql),
    (error: Error) =>
      isLost(error) &&
      [servers.first, servers.second].every((server) => error.message.includes(hostOf(server))),
  )
  servers.second.greet('well')
  const [row] = await oneInside(sql)
  assert.equal(row?.one, 1)
})

test('a single statement that the server refuses as read-only leaves that server', async () => {
  await using servers = await twoServers()
  const sql = servers.connect(2)
  const pid = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid
  const before = await pid()
  await sql`set default_transaction_read_only = on`
  await assert.rejects(() => sql`create table never (id integer)`, isLost)
  assert.notEqual(await pid(), before)
  await sql`create temporary table written (id integer)`
})

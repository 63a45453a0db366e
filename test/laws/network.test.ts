// The guard of law 3 detects what it must. The journeys run under it and show that the program keeps the law.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { fetch as undiciFetch } from 'undici'
import type { Sql, Tx } from '#/db/client.ts'
import type { TestDatabase } from '../postgres.ts'
import { exempt, takeReport } from './network-guard.ts'

let database: TestDatabase
let sql: Sql
let url: string
const agent = new http.Agent({ keepAlive: true })
const server = http.createServer((_request, response) => response.end('ok'))

before(async () => {
  // Imported after the guard, which must be installed first.
  const { testDatabase } = await import('../postgres.ts')
  const { connect } = await import('#/db/client.ts')
  database = await testDatabase()
  const { addressOf } = await import('#/db/address.ts')
  const [place] = addressOf(database.appUrl).servers
  exempt('path' in place ? place.path : place.port)
  sql = connect(database.appUrl, { max: 4 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
after(async () => {
  agent.destroy()
  server.closeAllConnections()
  server.close()
  await sql.end({ timeout: 1 })
  await database[Symbol.asyncDispose]()
})

async function request(): Promise<void> {
  const [response] = (await once(http.get(url, { agent }), 'response')) as [http.IncomingMessage]
  response.resume()
  await once(response, 'end')
}

const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  'node:http': request,
  'node:http, over a connection that was kept': async () => {
    await request()
    await request()
  },
  fetch: async () => (await fetch(url)).text(),
  'the fetch of undici': async () => (await undiciFetch(url)).text(),
  'a socket': async () => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
  },
}

for (const [name, call] of Object.entries(ways)) {
  test(`a call by ${name} is recorded inside a transaction, at any depth, and not before or after it`, async () => {
    await call()
    takeReport()
    await sql.begin(async (tx) => {
      await tx`select 1`
      await Promise.all([tx`select 2`, (async () => call())()])
    })
    const { transactions, calls, violations } = takeReport()
    assert.equal(transactions, 1)
    assert.ok(calls > 0 && violations.length === calls, `${violations.length} of ${calls}`)
    assert.match(violations[0] ?? '', /network\.test\.ts/)

    await call()
    await sql.begin('read only', (tx) => tx`select 1`)
    await call()
    const outside = takeReport()
    assert.deepEqual([outside.transactions, outside.violations], [1, []])
    assert.ok(outside.calls > 0)
  })
}

test('a call of one part is not counted as a violation of another part whose transaction is open', async () => {
  takeReport()
  const gate = Promise.withResolvers<void>()
  const open = sql.begin(async (tx) => {
    await tx`select 1`
    await gate.promise
  })
  await request()
  gate.resolve()
  await open
  assert.deepEqual(takeReport().violations, [])
})

test('work that a transaction only schedules, and calls to the database, are no violations', async () => {
  takeReport()
  const late: Promise<void>[] = []
  await sql.begin(async (tx: Tx) => {
    // New connections to the database, at the same time.
    await Promise.all([tx`select 1`, sql`select 2`, sql`select 3`])
    late.push(tx`select 4`.then(() => new Promise((resolve) => setTimeout(resolve, 100))).then(request))
  })
  await Promise.all(late)
  assert.deepEqual(takeReport().violations, [])
})

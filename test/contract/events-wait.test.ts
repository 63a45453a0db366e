// Waiting for events over HTTP, with two API processes' worth of servers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { eventually } from '../eventually.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, type Answer, type Tenant } from './world.ts'

type Row = Readonly<Record<string, unknown>>

let tenant: Tenant

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())
const other = makeForTests(() => world.openApi())

async function events(query: string, key = tenant.key, at = api): Promise<Answer> {
  const answer = await at.ask('GET', `/v1/events${query}`, { key })
  assertDocumented('GET', '/v1/events', answer)
  return answer
}

const rows = (answer: Answer) => answer.body['data'] as readonly Row[]

async function openWallet(label: string, at = other): Promise<unknown> {
  const body = { currency: 'BRL', walletType: 'SPENDABLE', label }
  const answer = await at.ask('POST', '/v1/wallets', { key: tenant.key, body })
  assert.equal(answer.status, 201)
  return answer.body['id']
}

test('an answer says how far it has looked, with types too, so that no event is read twice', async () => {
  tenant = await world.openTenant()
  assert.deepEqual((await events('')).body, { data: [], readTo: 0 })
  for (const label of ['a', 'b', 'c']) await openWallet(label)
  const first = await events('?limit=2')
  assert.equal(first.body['readTo'], 2)
  assert.equal(typeof first.body['nextCursor'], 'string')
  assert.deepEqual((await events('?after=2')).body['readTo'], 3)
  assert.deepEqual((await events('?types=dispute.opened')).body, { data: [], readTo: 3 })
  assert.deepEqual((await events('?types=dispute.opened&after=1&wait=1')).body, { data: [], readTo: 3 })
  assert.deepEqual((await events('?after=900')).body, { data: [], readTo: 900 })
  const typed = await events('?types=wallet.created&limit=2')
  assert.deepEqual([rows(typed).length, typed.body['readTo']], [2, 2])
})

test('a waiting reader gets the event that another API process writes, and a stranger gets none', async () => {
  tenant = await world.openTenant()
  const stranger = await world.openTenant()
  const waiting = events('?after=0&wait=30')
  const quiet = events('?wait=2', stranger.key)
  const typed = events('?types=wallet.created&wait=30', tenant.key, other)
  const id = await openWallet('x')
  for (const answer of [await waiting, await typed]) {
    assert.deepEqual(
      rows(answer).map(({ type, sequence, data }) => [type, sequence, (data as Row)['id']]),
      [['wallet.created', 1, id]],
    )
    assert.equal(answer.body['readTo'], 1)
  }
  assert.deepEqual((await quiet).body, { data: [], readTo: 0 })
})

test('an event that is already there is answered at once, however long the wait', async () => {
  tenant = await world.openTenant()
  const id = await openWallet('x')
  assert.deepEqual(
    rows(await events('?wait=30')).map(({ data }) => (data as Row)['id']),
    [id],
  )
})

test('a reader that goes on from readTo gets every event once and in order while they are written', async () => {
  tenant = await world.openTenant()
  const wanted: unknown[] = []
  const writing = (async () => {
    for (let nth = 0; nth < 25; nth += 1)
      wanted.push(await openWallet(`w${nth}`, nth % 2 === 0 ? api : other))
  })()
  const got: unknown[] = []
  for (let from = 0; from < 25;) {
    const answer = await events(`?after=${from}&wait=5&limit=4`, tenant.key, from % 2 === 0 ? other : api)
    got.push(...rows(answer).map(({ data }) => (data as Row)['id']))
    from = Number(answer.body['readTo'])
  }
  await writing
  assert.deepEqual(got, wanted)
})

test('a wait that is out of bounds is refused', async () => {
  tenant = await world.openTenant()
  for (const wait of ['31', '-1', '1.5', 'long']) {
    const answer = await events(`?wait=${wait}`)
    assert.deepEqual([answer.status, answer.body['code']], [400, 'invalid_request'], wait)
  }
})

test('a key has five places; a caller that hangs up leaves its own', async () => {
  tenant = await world.openTenant()
  const leaving = new AbortController()
  // The calls that count may take a place for a moment before one of these has it.
  const ask = async (signal?: AbortSignal): Promise<Response> => {
    const response = await fetch(`${api.url}/v1/events?wait=30`, {
      headers: { apikey: tenant.key },
      ...given({ signal }),
    })
    return response.status === 429 ? ask(signal) : response
  }
  const five = [0, 1, 2, 3].map(() => ask())
  const gone = ask(leaving.signal).catch(() => 'gone')
  await eventually('five wait', async () => {
    const answer = await events('?wait=1')
    if (answer.status !== 429) return false
    assert.equal(answer.body['code'], 'rate_limited')
    assert.equal(answer.headers.get('retry-after'), '1')
    return true
  })
  assert.equal((await events('')).status, 200, 'reading without waiting needs no place')
  assert.equal((await events('?wait=1', tenant.key, other)).status, 200, 'each process has its own places')
  leaving.abort()
  assert.equal(await gone, 'gone')
  await eventually('a place is free', async () => (await events('?wait=1')).status === 200)
  await openWallet('x')
  for (const each of await Promise.all(five)) assert.equal(each.status, 200)
})

test('a server that ends answers those that wait at once, and tells them where to go on', async () => {
  tenant = await world.openTenant()
  await openWallet('x')
  const ending = await world.openApi()
  // A client keeps its connections. They must not keep the server.
  const waiting = events('?after=1&wait=30', tenant.key, ending)
  const typed = events('?types=dispute.lost&wait=30', tenant.key, ending)
  await new Promise((resolve) => setTimeout(resolve, 500))
  await ending.close()
  assert.deepEqual((await waiting).body, { data: [], readTo: 1 })
  assert.deepEqual((await typed).body, { data: [], readTo: 1 })
})

test('a waiting request counts once against the rate of its key', async () => {
  tenant = await world.openTenant()
  const limited = await world.openApi({ rateLimit: { perSecond: 0.001, burst: 3 } })
  const answer = await events('?wait=2', tenant.key, limited)
  assert.match(String(answer.headers.get('ratelimit')), /r=2;/)
})

// Callbacks that providers sign: which are accepted, what is stored, and how often.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import type { ConnectionBook, ProviderConnection } from '#/rails/connection.ts'
import { openCardWorld, type CardWorld } from '../../test/card-world.ts'
import { sendProblem } from './errors.ts'
import { serveSignedCallbacks } from './signed-callbacks.ts'

let world: CardWorld
let server: FastifyInstance
let signalled = 0

before(async () => {
  world = await openCardWorld()
  const card: ProviderConnection = {
    id: world.connection,
    mode: 'SANDBOX',
    method: 'CREDIT_CARD',
    provider: 'stripe',
    settings: {},
    secrets: {},
  }
  const pix = { ...card, id: 't1-pix' as ConnectionId, method: 'PIX' }
  const connections: ConnectionBook = {
    of: () => [],
    all: () => [],
    find: (id) => [card, pix].find((each) => each.id === id),
  }
  server = Fastify()
  server.setErrorHandler((error, request, reply) => sendProblem({ log: silentLog }, error, request, reply))
  const { sql, clock } = world.line
  const onSignal = () => (signalled += 1)
  serveSignedCallbacks(server, { sql, clock, log: silentLog, connections, onSignal, rails: world.rails })
  await server.ready()
})
after(async () => {
  await server.close()
  await world[Symbol.asyncDispose]()
})

async function post(payload: string, signature?: string, connection: string = world.connection) {
  const answer = await server.inject({
    method: 'POST',
    url: `/callbacks/credit-card/${connection}`,
    headers: {
      'content-type': 'application/json',
      ...(signature === undefined ? {} : { 'x-signature': signature }),
    },
    payload,
  })
  return { status: answer.statusCode, body: answer.body }
}

const kept = async () => {
  const rows = await world.line.sql<{ body: Buffer }[]>`select body from inbox order by id`
  return rows.map(({ body }) => body.toString('utf8'))
}

test('a signed callback is stored to the byte and answered as its provider needs; the same event is stored once', async () => {
  const body = '{ "id" : "evt_1" }'
  for (let times = 0; times < 3; times++)
    assert.deepEqual(await post(body, 'right'), { status: 200, body: '{"received":true}' })
  const both = await Promise.all(['evt_2', 'evt_2'].map((each) => post(each, 'right')))
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(await kept(), [body, 'evt_2'])
  assert.equal(signalled, 2)
})

test('a callback that is forged or not signed is refused and nothing is stored', async () => {
  const before = await kept()
  for (const signature of ['wrong', undefined]) {
    const answer = await post('{}', signature)
    assert.equal(answer.status, 400)
    assert.equal((JSON.parse(answer.body) as { code: string }).code, 'invalid_request')
  }
  assert.deepEqual(await kept(), before)
})

test('a callback that cannot be verified now is answered so that it is sent again', async () => {
  const before = await kept()
  assert.equal((await post('evt_3', 'unknown')).status, 503)
  assert.deepEqual(await kept(), before)
  assert.equal((await post('evt_3', 'right')).status, 200)
  assert.deepEqual(await kept(), [...before, 'evt_3'])
})

test('a connection of another method, or none, is answered with 404', async () => {
  assert.equal((await post('evt_4', 'right', 't1-pix')).status, 404)
  assert.equal((await post('evt_4', 'right', `t1-${newId()}`)).status, 404)
})

test('events of long ago are deleted', async () => {
  const { line } = world
  await line.clock.advance(100 * 24 * 3_600_000)
  for (let event = 0; event < 20; event++) await post(`evt_new_${event}`, 'right')
  const rows = await line.sql<{ eventId: string }[]>`select event_id as "eventId" from callback_event`
  assert.deepEqual(
    rows.map(({ eventId }) => eventId.slice(0, 8)),
    Array.from({ length: 20 }, () => 'evt_new_'),
  )
})

test('however many old events there are, each new event deletes some of them', async () => {
  const { line } = world
  await line.sql`
    insert into callback_event (connection, event_id, received_at)
    select 'x', 'old ' || number, ${line.clock.now()}::timestamptz - interval '46 days'
      from generate_series(1, 25_000) as number`
  for (let event = 0; event < 500; event += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, nth) => post(`evt_more_${event + nth}`, 'right')))
  }
  const [old] = await line.sql<{ left: bigint }[]>`
    select count(*) as left from callback_event where event_id like 'old %'`
  assert.equal(old?.left, 0n)
})

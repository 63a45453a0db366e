// Law 8: a process without the worker's key adds a connection and accepts refunds; only a worker can send them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openCore, type Core } from '#/app/core.ts'
import { openServer } from '#/app/server.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { openSealed, pairOf } from '#/kernel/seal-to.ts'
import { deriveKey, firstKey, unseal } from '#/kernel/secret.ts'
import { minuteMs } from '#/kernel/time.ts'
import { selectConnection, selectPublicKey } from '#/merchants/connection-queries.ts'
import {
  connectionKeys,
  connectionSeal,
  workerKeyMac,
  addConnection,
  openForWorker,
  refundPlace,
} from '#/merchants/connections.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { publishWorkerKey } from '#/merchants/worker-key.ts'
import { insertSignals } from '#/settlement/inbox-queries.ts'
import { asId } from '../as-id.ts'
import { eventually } from '../eventually.ts'
import { auditKey, openPixWorld, type PixWorld } from '../pix-world.ts'
import { freePort } from '../ports.ts'
import { startPixBank, type PixBank } from '../rails/pix/bank.ts'

let bank: PixBank
let world: PixWorld
let api: Core
let http: Awaited<ReturnType<typeof openServer>>
let url: string

before(async () => {
  bank = await startPixBank()
  // The world's core is the worker: it has the worker's key.
  world = await openPixWorld(await bank.customer())
  const { config, masterKey } = world.core
  const port = await freePort()
  url = `http://127.0.0.1:${port}/v1`
  api = await openCore({
    config: { ...config, PORT: port, VINTEM_HOST: '127.0.0.1' },
    databaseUrl: world.appUrl,
    masterKey,
    auditKey,
    log: silentLog,
    ownClock: world.clock,
  })
  http = await openServer(api, {})
})
after(async () => {
  await http.close()
  await api.close()
  await world[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

/** Adds a connection to another account of the bank, in the API's process. */
async function addFromApi(): Promise<ConnectionId> {
  const { sql, masterKey, connections } = api
  const keys = await connectionSeal(sql, masterKey, 'SANDBOX')
  const { settings, secrets, refundSecrets } = await bank.customer()
  const id = await addConnection(
    { sql, cell: api.config.VINTEM_CELL, keys },
    {
      merchantId: world.merchant.id,
      mode: 'SANDBOX',
      method: 'PIX',
      provider: 'bacen',
      settings,
      secrets,
      refundSecrets,
    },
  )
  await Promise.all([connections.refresh(), world.core.connections.refresh()])
  return id
}

async function post(path: string, key: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json', 'idempotency-key': path },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  assert.ok(answer.ok, text)
  return JSON.parse(text) as Readonly<Record<string, unknown>>
}

test('an API process without the worker’s key adds a connection, and a worker refunds by it', async () => {
  await assert.rejects(addFromApi(), /public key is not in the database yet/)
  const published = await publishWorkerKey({
    sql: world.core.sql,
    macKey: workerKeyMac(world.core.masterKey),
    publicKey: connectionKeys(world.core.masterKey, Buffer.alloc(32, 0xef)).worker.pair.publicKey,
    origin: 'OPERATOR',
    by: { kind: 'SYSTEM', id: 'test' },
  })
  assert.equal(published, 'published')
  const id = await addFromApi()
  assert.equal(api.connections.find(id)?.refundSecrets, undefined)

  const { sql, clock, masterKey } = api
  const { key } = await issueApiKey(
    { sql, clock, pepper: deriveKey(masterKey, 'api keys'), cell: api.config.VINTEM_CELL },
    { merchantId: world.merchant.id, name: 'shop' },
  )
  const created = await post('/payments', key, { amount: 1_000, currency: 'BRL', paymentMethods: ['PIX'] })
  const payment = await world.payment(asId(created['id']))
  const [attempt] = await sql<{ connection: string }[]>`
    select connection from attempt where payment_id = ${payment.id}`
  assert.equal(attempt?.connection, id)
  const pix = await bank.pay(await world.txidOf(payment), { webhook: 'lose' })
  const body = Buffer.from(JSON.stringify({ pix }))
  await insertSignals(sql, [{ method: 'PIX', connection: id, body }], clock.now())
  await world.callback({ pix: [] })
  assert.equal((await world.payment(payment.id)).status, 'PAID')

  const refund = await post(`/payments/${payment.id}/refunds`, key, { amount: 400 })
  assert.equal(refund['status'], 'PENDING')
  const ended = await eventually('the end of the refund', async () => {
    await world.clock.advance(minuteMs)
    await world.sendRefunds()
    const found = await world.refundOf(asId(refund['id']))
    return found.status !== 'PENDING' && found
  })
  assert.equal(ended.status, 'COMPLETED')
  const [charge] = await bank.charges(await world.txidOf(payment))
  const returned = charge?.pix?.flatMap(({ devolucoes }) => devolucoes ?? []) ?? []
  assert.deepEqual(
    returned.map(({ status }) => status),
    ['DEVOLVIDO'],
  )
})

test('nothing that the process without the worker’s key has opens what it sealed', async () => {
  const id = await addFromApi()
  const { sql, masterKey } = api
  const row = await selectConnection(sql, id)
  const sealed = row?.sealedRefunds ?? assert.fail('it is sealed')
  const place = refundPlace(id)
  const published = (await selectPublicKey(sql)) ?? assert.fail('it is published')
  // Every key of the process, every key that it can derive for this purpose, and what is public.
  const keys = [
    firstKey(masterKey),
    auditKey,
    published.publicKey,
    published.mac,
    ...['provider secrets', 'refund secrets', 'webhook secrets', 'worker public key', 'api keys'].map(
      (purpose) => firstKey(deriveKey(masterKey, purpose)),
    ),
  ]
  for (const key of keys) {
    assert.throws(() => unseal(key, place, sealed))
    const pair = pairOf(key)
    assert.throws(() => openSealed(pair, place, sealed))
    assert.throws(() => openSealed({ ...pair, publicKey: published.publicKey }, place, sealed))
    assert.throws(() => openForWorker(connectionKeys(masterKey, key).worker, id, sealed))
  }
  const { worker } = connectionKeys(masterKey, Buffer.alloc(32, 0xef))
  assert.match(openForWorker(worker, id, sealed).toString('utf8'), /clientSecret/)
})

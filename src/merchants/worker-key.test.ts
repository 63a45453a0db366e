// The worker's public key in the database, and the credentials that are sealed to it again.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { connect } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { isSealedTo } from '#/kernel/seal-to.ts'
import { seal } from '#/kernel/secret.ts'
import { eventually } from '../../test/eventually.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { selectConnection } from './connection-queries.ts'
import {
  connectionKeys,
  workerKeyMac,
  addConnection,
  openForWorker,
  refundPlace,
  replaceConnection,
} from './connections.ts'
import { resealConnections, type ResealDeps } from './reseal.ts'
import { openWorkerSeal, publishWorkerKey, renewWorkerKeyMac, type PublishDeps } from './worker-key.ts'

const masterKey = randomBytes(32)
const macKey = workerKeyMac(masterKey)
const keys = connectionKeys(masterKey, randomBytes(32))
const others = connectionKeys(masterKey, randomBytes(32))

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 4 }))
beforeEach(async () => {
  await sql`delete from worker_public_key`
  await sql`delete from connection`
})

function publish(more: Partial<PublishDeps> & { readonly replace?: boolean } = {}) {
  const { replace, ...deps } = more
  return publishWorkerKey(
    {
      sql,
      macKey,
      publicKey: keys.worker.pair.publicKey,
      origin: 'OPERATOR',
      by: { kind: 'SYSTEM', id: 'start' },
      ...deps,
    },
    replace === undefined ? {} : { replace },
  )
}
const another = { publicKey: others.worker.pair.publicKey }
const canOpen = async (which: typeof keys, mode: 'LIVE' | 'SANDBOX' = 'LIVE') => {
  const sealed = (await openWorkerSeal(sql, macKey, mode))('here', Buffer.from('hush'))
  return isSealedTo(which.worker.pair.publicKey, sealed)
}

test('a worker publishes its key once, each time with an entry in the audit log, and a process seals to it', async () => {
  await assert.rejects(openWorkerSeal(sql, macKey, 'SANDBOX'), /Start a worker with VINTEM_WORKER_KEY/)
  assert.deepEqual([await publish(), await publish()], ['published', 'unchanged'])
  assert.ok(await canOpen(keys))
  const rows = await sql<{ after: { publicKey: string } }[]>`
    select after from audit_log where action = 'worker-key.publish'`
  assert.deepEqual(
    rows.map(({ after }) => after.publicKey),
    [keys.worker.pair.publicKey.toString('hex')],
  )
})

test('of many workers that start at once one publishes, and one with another key takes nothing over', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => publish()))
  assert.equal(all.filter((each) => each === 'published').length, 1)
  assert.equal(all.filter((each) => each === 'unchanged').length, 5)
  assert.equal(await publish(another), 'other')
  assert.ok(await canOpen(keys))
  assert.equal(await publish({ ...another, replace: true }), 'replaced')
  assert.ok(await canOpen(others))
})

test('a key that is replaced is in the audit log with the one before', async () => {
  await publish()
  await publish({ ...another, replace: true })
  const [row] = await sql<{ before: { publicKey: string }; after: { publicKey: string } }[]>`
    select before, after from audit_log where action = 'worker-key.publish' order by id desc limit 1`
  assert.deepEqual(
    [row?.before.publicKey, row?.after.publicKey],
    [keys, others].map(({ worker }) => worker.pair.publicKey.toString('hex')),
  )
})

test('while the master key is changed the published key is authenticated under the new one, if it was before', async () => {
  const fresh = randomBytes(32)
  assert.equal(await renewWorkerKeyMac(sql, workerKeyMac([fresh, masterKey])), true, 'there is none')
  await publish()
  assert.equal(await renewWorkerKeyMac(sql, workerKeyMac(fresh)), false)
  await assert.rejects(openWorkerSeal(sql, workerKeyMac(fresh), 'LIVE'), /was not written by/)
  assert.equal(await renewWorkerKeyMac(sql, workerKeyMac([fresh, masterKey])), true)
  await openWorkerSeal(sql, workerKeyMac(fresh), 'LIVE')
})

test('nothing is sealed to a key that was only written to the database', async () => {
  await publish()
  const [{ mac } = assert.fail('it is there')] = await sql<
    { mac: Buffer }[]
  >`select mac from worker_public_key`
  const forged = others.worker.pair.publicKey
  for (const wrong of [mac, randomBytes(32), Buffer.alloc(0)]) {
    await sql`update worker_public_key set public_key = ${forged}, mac = ${wrong}`
    await assert.rejects(openWorkerSeal(sql, macKey, 'SANDBOX'), /was not written by a process with our/)
  }
  // A worker with the true key does not take over silently either: a person finds out first.
  assert.equal(await publish(), 'other')
  assert.equal(await publish({ replace: true }), 'replaced')
  await sql`update worker_public_key set origin = 'SANDBOX'`
  await assert.rejects(openWorkerSeal(sql, macKey, 'SANDBOX'), /was not written by/)
  assert.equal(await publish(), 'renewed')
  await assert.rejects(openWorkerSeal(sql, workerKeyMac(randomBytes(32)), 'SANDBOX'), /was not written by/)
})

test('credentials of live merchants are not sealed to a key that a sandbox made, and an operator’s replaces it', async () => {
  await publish({ ...another, origin: 'SANDBOX' })
  await assert.rejects(canOpen(others), /A live connection needs VINTEM_WORKER_KEY, which is not set/)
  assert.ok(await canOpen(others, 'SANDBOX'))
  assert.equal(await publish(), 'replaced')
  assert.ok(await canOpen(keys))
  assert.equal(await publish({ ...another, origin: 'SANDBOX' }), 'other')
})

const hush = { clientSecret: 'the one that refunds' }

/** A connection as a release without a public key sealed it. */
async function addOld(which = keys, more: Partial<Parameters<typeof addConnection>[1]> = {}) {
  const common = { mode: 'SANDBOX', method: 'PIX', provider: 'bacen', settings: {}, secrets: {} } as const
  const id = await addConnection(
    { sql, cell: 'a1', keys: which },
    { ...common, refundSecrets: hush, ...more },
  )
  const sealed = seal(which.worker.symmetric, refundPlace(id), Buffer.from(JSON.stringify(hush)))
  await sql`update connection set sealed_refunds = ${sealed} where id = ${id}`
  return id
}

const sealedOf = async (id: ConnectionId) =>
  (await selectConnection(sql, id))?.sealedRefunds ?? assert.fail('it is sealed')
const isNew = async (id: ConnectionId) => isSealedTo(keys.worker.pair.publicKey, await sealedOf(id))
const reseal = (more: Partial<ResealDeps> = {}) =>
  resealConnections({
    sql,
    workers: [keys.worker],
    sealForWorker: keys.sealForWorker,
    by: { kind: 'OPERATOR', id: 'ana@office' },
    batchMax: 3,
    ...more,
  })

test('all credentials are sealed again in batches, each with its entry in the audit log, and once', async () => {
  const ids: ConnectionId[] = []
  for (let nth = 0; nth < 8; nth += 1) ids.push(await addOld())
  await sql`update connection set sealed_refunds = null where id = ${ids[4] ?? ''}`
  const progress: number[] = []
  const first = await reseal({ onProgress: ({ read }) => progress.push(read) })
  assert.deepEqual([first, progress], [{ read: 8, resealed: 7, unopened: [] }, [3, 6, 8]])
  for (const id of ids.filter((_, nth) => nth !== 4)) {
    assert.ok(await isNew(id))
    assert.deepEqual(JSON.parse(openForWorker(keys.worker, id, await sealedOf(id)).toString()), hush)
  }
  assert.deepEqual(await reseal(), { read: 8, resealed: 0, unopened: [] })
  const rows = await sql`select 1 from audit_log
    where action = 'connection.reseal' and subject = any (${ids.map((id) => `connection:${id}`)}::text[])`
  assert.equal(rows.length, 7)
})

test('what an earlier worker’s key sealed is sealed again with that key, and without it stays as it is', async () => {
  const [old, added, mine] = [await addOld(others), await addOld(others), await addOld()]
  await replaceConnection({ sql, cell: 'a1', keys: others }, added, {
    settings: {},
    secrets: {},
    refundSecrets: hush,
  })
  const before = await Promise.all([old, added].map(sealedOf))
  const without = await reseal()
  assert.deepEqual([without.resealed, without.unopened.toSorted()], [1, [old, added].toSorted()])
  assert.deepEqual(await Promise.all([old, added].map(sealedOf)), before)
  const withIt = await reseal({ workers: [keys.worker, others.worker] })
  assert.deepEqual([withIt.resealed, withIt.unopened], [2, []])
  assert.deepEqual(await Promise.all([old, added, mine].map(isNew)), [true, true, true])
})

test('credentials that are replaced while they are sealed again keep what they were replaced by', async () => {
  const [first, second] = [await addOld(), await addOld()]
  const newer = { clientSecret: 'renewed' }
  // The page is read, the first is sealed, and before the batch is written somebody replaces it.
  const locked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = sql.begin(async (tx) => {
    await tx`select 1 from connection where id = ${first} for update`
    locked.resolve()
    await held.promise
    await replaceConnection({ sql: tx, cell: 'a1', keys }, first, {
      settings: {},
      secrets: {},
      refundSecrets: newer,
    })
  })
  await locked.promise
  const resealing = reseal()
  await eventually('the batch waits for the row', async () => {
    const waiting = await sql`
      select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%set sealed_refunds%'`
    return waiting.length > 0
  })
  held.resolve()
  await holding
  const counts = await resealing
  assert.deepEqual(counts, { read: 2, resealed: 1, unopened: [] })
  assert.deepEqual(JSON.parse(openForWorker(keys.worker, first, await sealedOf(first)).toString()), newer)
  assert.ok(await isNew(second))
})

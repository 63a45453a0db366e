// The command `connection` and the worker's key: what is done without it, and what happens when it changes.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectionKeys, workerKeyMac } from '#/merchants/connections.ts'
import { publishWorkerKey } from '#/merchants/worker-key.ts'
import {
  connectionWorld,
  keys,
  ownKeys,
  shared,
  withoutWorker,
  type Shown,
} from '../../test/connection-world.ts'

const { folder, openOffice, run, json, partsAtBank, write } = connectionWorld()

test('a live connection requires keys of the operator, and the public half of a worker key of the operator', async () => {
  const file = write({ provider: 'bacen', ...(await partsAtBank()) })
  const live = ['add', 'pix', '--shared', '--mode', 'LIVE', '--file', file]
  for (const name of ['VINTEM_MASTER_KEY', 'VINTEM_AUDIT_KEY']) {
    const { code, err } = await run(live, { ...ownKeys, [name]: '' })
    assert.equal(code, 1)
    assert.match(err, new RegExp(`${name}, which is not set`))
  }
  const { sql } = openOffice()
  const masterKey = Buffer.from(keys.VINTEM_MASTER_KEY, 'hex')
  const { worker } = connectionKeys(masterKey, Buffer.alloc(32, 3))
  const ofSandbox = {
    sql,
    macKey: workerKeyMac(masterKey),
    publicKey: worker.pair.publicKey,
    origin: 'SANDBOX',
    by: { kind: 'SYSTEM', id: 'start' },
  } as const
  assert.equal(await publishWorkerKey(ofSandbox, { replace: true }), 'replaced')
  await sql.end()
  const refused = await run(live, withoutWorker)
  assert.deepEqual([refused.code, /needs VINTEM_WORKER_KEY, which is not set/.test(refused.err)], [1, true])
  assert.match((await run(['publish-key', '--json'])).out, /"published":"replaced"/)
  assert.equal((await json<Shown>(live, withoutWorker)).mode, 'LIVE')
})

test('connections are added and replaced without the worker key; to try them, it is needed', async () => {
  const file = write({ provider: 'bacen', ...(await partsAtBank()) })
  const { id, canRefund } = await json<Shown>(['add', 'pix', ...shared, '--file', file], withoutWorker)
  assert.equal(canRefund, true)
  assert.equal((await run(['replace', id, '--file', file], withoutWorker)).code, 0)
  const outside = { ...withoutWorker, VINTEM_SANDBOX: 'off' }
  assert.match((await run(['test', id], outside)).err, /VINTEM_WORKER_KEY is not set/)
  const tested = await run(['test', id])
  assert.equal(tested.code, 0, tested.err)
  assert.match(tested.out, /refunds: token, read a refund: works/)
})

test('another worker key is published only when that is said, and the credentials are sealed to it again', async () => {
  const file = write({ provider: 'bacen', ...(await partsAtBank()) })
  const { id } = await json<Shown>(['add', 'pix', ...shared, '--file', file])
  const changed = { ...ownKeys, VINTEM_WORKER_KEY: '77'.repeat(32) }
  for (const args of [['publish-key'], ['reseal']]) {
    const { code, err } = await run(args, changed)
    assert.equal(code, 1, args.join())
    assert.match(err, /public half|sealed to it cannot be opened/)
  }
  assert.equal((await run(['publish-key', '--replace'], changed)).code, 0)
  const stuck = await run(['reseal', '--json'], changed)
  assert.equal(stuck.code, 1)
  assert.ok((JSON.parse(stuck.out) as { unopened: string[] }).unopened.includes(id))
  const previous = join(folder, 'previous.key')
  writeFileSync(previous, `${keys.VINTEM_WORKER_KEY}\n`)
  const done = await run(['reseal', '--previous-key-file', previous], changed)
  assert.deepEqual([done.code, done.err], [0, ''])
  assert.equal((await run(['test', id], changed)).code, 0)
  // Back, so that the other tests have the key with which they began.
  writeFileSync(previous, '77'.repeat(32))
  assert.equal((await run(['publish-key', '--replace'])).code, 0)
  assert.equal((await run(['reseal', '--previous-key-file', previous])).code, 0)
  assert.equal((await run(['test', id])).code, 0)
})

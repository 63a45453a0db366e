import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newId } from '#/kernel/id.ts'
import { count } from '../../test/counts.ts'
import { startReceiver, type Call } from '../../test/receiver.ts'
import { openWebhooks } from '../../test/webhooks.ts'
import type { DeliveryRow } from './delivery-queries.ts'

const program = fileURLToPath(new URL('../../test/webhook-worker.ts', import.meta.url))
const idOf = ({ headers }: Call) => String(headers['webhook-id'])

test('every event arrives although the worker is killed again and again between sending and recording', async () => {
  await using world = await openWebhooks('running')
  const kills = count({ quick: 4, soak: 100 })
  const events = kills * 15
  let worker: ChildProcess | undefined
  let killed = 0
  // The receiver got the call at which the worker is killed: only the answer and the record of it are lost.
  await using receiver = await startReceiver((_call, calls) => {
    if (killed >= kills || calls % 12 !== 0) return {}
    killed += 1
    worker?.kill('SIGKILL')
    return undefined
  })
  const merchantId = newId<'merchant'>()
  const written = await world.tell(merchantId, receiver.origin, events, new Date())

  const env = { ...process.env, WEBHOOK_DATABASE: world.appUrl, WEBHOOK_SECRET: world.secret.toString('hex') }
  const over = new AbortController()
  const workers = (async () => {
    while (!over.signal.aborted) {
      worker = fork(program, { env, execArgv: process.execArgv.filter((each) => !each.startsWith('--test')) })
      await once(worker, 'exit')
    }
  })()
  try {
    const arrived = (rows: readonly DeliveryRow[]) => rows.every(({ status }) => status === 'DELIVERED')
    // A receiver that timed out once, as can happen on a busy machine, gets its next attempt after a minute.
    const rows = await world.deliveries(merchantId, arrived, kills * 5_000 + 120_000)
    assert.equal(rows.length, events)
  } finally {
    over.abort()
    worker?.kill('SIGKILL')
    await workers
  }
  assert.equal(killed, kills)
  assert.deepEqual([...new Set(receiver.calls.map(idOf))].sort(), written.map(({ id }) => id).sort())
  const bodies = Map.groupBy(receiver.calls, idOf)
  const repeated = [...bodies.values()].filter(({ length }) => length > 1)
  assert.ok(repeated.length >= kills, 'what was under way at a kill came again')
  for (const [first, ...others] of bodies.values()) {
    for (const other of others) assert.ok(first && other.body.equals(first.body))
  }
})

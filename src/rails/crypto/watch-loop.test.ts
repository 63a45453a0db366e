// The watcher's loop on a chain in memory: which errors halt a chain, which are only told, and what it leaves when it ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql } from '#/db/client.ts'
import type { Rpc } from '#/evm/client.ts'
import { FencedOff } from '#/evm/fence.ts'
import { HistoryTooShort } from '#/evm/read.ts'
import { fileDatabase } from '../../../test/file-database.ts'
import { makeChain } from '../../../test/rails/made-chain.ts'
import { watchingChain } from '../../../test/rails/watched-chain.ts'
import { createWatcher, FinalityViolation, type WatcherDeps } from './watch.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

/** Runs until the log has a line, on a chain that was followed before; every poll of the node fails with `error`. */
async function runInto(error: Error, more: Partial<WatcherDeps> = {}, isHalted = false) {
  const made = makeChain()
  made.mineTo(10)
  const stop = new AbortController()
  const lines: { readonly level: number; readonly msg: string; readonly error: string }[] = []
  const log = pino(
    { level: 'warn' },
    {
      write: (line) => {
        lines.push(JSON.parse(line) as (typeof lines)[number])
        stop.abort()
      },
    },
  )
  const failing: Rpc['getBlockByNumber'] = () => Promise.reject(error)
  const watcher = await watchingChain(sql, made, { log, ...more })
  await watcher.begin()
  await sql`
    update chain set lease_until = null, halted = ${isHalted ? 'finality' : null} where key = ${watcher.key}`
  const deps = { ...watcher.deps, rpc: { ...made.rpc, getBlockByNumber: failing } }
  await createWatcher(deps).run(stop.signal)
  return {
    lines: lines.map(({ level, msg }) => `${level} ${msg}`),
    said: lines[0]?.error,
    row: await watcher.row(),
  }
}

test('an error is told by its weight; only changed history halts the chain, and only where nothing rebuilds it', async () => {
  const violation = new FinalityViolation('block 8 changed')
  const cannot = '50 the chain cannot be followed'
  for (const [error, line, isRebuilt] of [
    [new Error('away'), '40 the watcher makes no progress', false],
    [new HistoryTooShort('no block 7', true), '40 the watcher makes no progress', true],
    [new HistoryTooShort('no block 7'), cannot, true],
    [violation, cannot, true],
  ] as const) {
    let rebuilds = 0
    const onViolation = async () => void (rebuilds += 1)
    const { lines, said, row } = await runInto(error, { onViolation })
    assert.deepEqual([lines, said, rebuilds], [[line], error.message, isRebuilt ? 1 : 0])
    assert.deepEqual([row['halted'], row['leased']], [null, false], error.message)
  }
  const { lines, row } = await runInto(violation)
  assert.deepEqual(lines, ['50 final history changed: crypto is halted'])
  assert.deepEqual([row['halted'], row['leased']], ['block 8 changed', false])
  const short = await runInto(new HistoryTooShort('no block 7'))
  assert.deepEqual([short.lines, short.row['halted']], [[cannot], null])
})

test('a halted chain is not followed, says why, and leaves its lease', async () => {
  const { lines, said, row } = await runInto(new Error('it is not asked'), {}, true)
  assert.deepEqual([lines, said], [['50 the chain cannot be followed'], 'halted: finality'])
  assert.deepEqual([row['halted'], row['leased']], ['finality', false])
})

test('a rebuild that fails is told, and tried again', async () => {
  const onViolation = () => Promise.reject(new Error('no accounts'))
  const { lines } = await runInto(new FinalityViolation('block 8 changed'), { onViolation })
  assert.deepEqual(lines, ['50 the chain cannot be followed', '50 the chain cannot be rebuilt yet'])
})

test('a watcher that another one fenced off says nothing and stands by', async () => {
  const made = makeChain()
  made.mineTo(10)
  const stop = new AbortController()
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
  const watcher = await watchingChain(sql, made, { log })
  await watcher.begin()
  const free = () => sql`update chain set lease_until = null where key = ${watcher.key}`
  let polls = 0
  const fencing: Rpc['getBlockByNumber'] = async () => {
    polls += 1
    if (polls === 2) stop.abort()
    await free()
    throw new FencedOff('another watcher')
  }
  await free()
  await createWatcher({ ...watcher.deps, rpc: { ...made.rpc, getBlockByNumber: fencing } }).run(stop.signal)
  assert.deepEqual(lines, [])
})

test('it follows the chain until it is stopped, and then leaves its lease', async () => {
  const made = makeChain()
  made.mineTo(10)
  const stop = new AbortController()
  let polls = 0
  const counted: Rpc['getBlockByNumber'] = (at) => {
    if (at === 'latest') polls += 1
    // It would rest now for a minute.
    if (polls === 3) setImmediate(() => stop.abort())
    return made.rpc.getBlockByNumber(at)
  }
  const watcher = await watchingChain(sql, made)
  made.mineTo(11)
  const deps = { ...watcher.deps, rpc: { ...made.rpc, getBlockByNumber: counted } }
  await createWatcher(deps).run(stop.signal)
  const { number, leased } = await watcher.row()
  assert.deepEqual([number, leased], [11n, false])
  assert.ok(polls <= 3, `${polls} polls`)
})

test('while the chain stands still, the lease is renewed every two seconds', async (t) => {
  const made = makeChain({ finalizedBehind: 0 })
  made.mineTo(10)
  const watcher = await watchingChain(sql, made, { pollMs: 1 })
  await watcher.begin()
  const free = () => sql`update chain set lease_until = null where key = ${watcher.key}`
  await free()
  let now = 1_000_000
  t.mock.method(performance, 'now', () => now)
  const stop = new AbortController()
  const leased: unknown[] = []
  const waits = [1_999, 1]
  const timed: Rpc['getBlockByNumber'] = async (at) => {
    if (at === 'latest') {
      leased.push((await watcher.row())['leased'])
      await free()
      const wait = waits.shift()
      if (wait === undefined) stop.abort()
      else now += wait
    }
    return made.rpc.getBlockByNumber(at)
  }
  await createWatcher({ ...watcher.deps, rpc: { ...made.rpc, getBlockByNumber: timed } }).run(stop.signal)
  assert.deepEqual(leased, [true, false, true])
})

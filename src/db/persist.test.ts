import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvariantError } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { silentLog } from '#/kernel/log.ts'
import { monotonicMs } from '#/kernel/time.ts'
import type { Settled } from './lane.ts'
import { commitPersistently, type Persistence } from './persist.ts'

const closed = () => Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })

function persistence(
  commit: (items: readonly number[]) => void,
  patienceMs = 10_000,
): Persistence<number, string> {
  return {
    commit: async (items): Promise<readonly Settled<string>[]> => {
      commit(items)
      return items.map((item) => ({ ok: true, verdict: `v${item}` }))
    },
    log: silentLog,
    patienceMs,
    nameOf: String,
  }
}

function valuesOf(settled: readonly Settled<string>[]): readonly unknown[] {
  return settled.map((each) => (each.ok ? each.verdict : each.error))
}

test('an item that cannot be written is set apart, wherever it lies, and all others are committed', async () => {
  const poison = new InvariantError('cannot be written')
  for (const bad of [0, 1, 4, 6]) {
    const committed: number[] = []
    const settled = await commitPersistently(
      persistence((items) => {
        if (items.includes(bad)) throw poison
        committed.push(...items)
      }),
      [0, 1, 2, 3, 4, 5, 6],
    )
    const others = [0, 1, 2, 3, 4, 5, 6].filter((item) => item !== bad)
    assert.deepEqual(committed, others)
    assert.deepEqual(
      valuesOf(settled),
      [0, 1, 2, 3, 4, 5, 6].map((item) => (item === bad ? poison : `v${item}`)),
    )
  }
})

test('two items that cannot be written are both set apart', async () => {
  const settled = await commitPersistently(
    persistence((items) => {
      if (items.includes(2) || items.includes(3)) throw new TypeError('no')
    }),
    [1, 2, 3, 4],
  )
  assert.deepEqual(
    settled.map(({ ok }) => ok),
    [true, false, false, true],
  )
})

test('a batch whose connection was lost is tried again, whole', async () => {
  const tries: number[][] = []
  const settled = await commitPersistently(
    persistence((items) => {
      tries.push([...items])
      if (tries.length < 3) throw closed()
    }),
    [1, 2],
  )
  assert.deepEqual(tries, [
    [1, 2],
    [1, 2],
    [1, 2],
  ])
  assert.deepEqual(valuesOf(settled), ['v1', 'v2'])
})

test('when the database stays away longer than the patience, the answer is 503', async () => {
  const startedAt = monotonicMs()
  const asked = commitPersistently(
    persistence(() => {
      throw closed()
    }, 60),
    [1],
  )
  await assert.rejects(asked, (error) => error instanceof AppError && error.code === 'unavailable')
  assert.ok(monotonicMs() - startedAt >= 60)
})

test('what cannot be decided is not tried again', async () => {
  let tries = 0
  const unavailable = new AppError('unavailable', 'nobody knows')
  const asked = commitPersistently(
    persistence(() => {
      tries += 1
      throw unavailable
    }),
    [1],
  )
  await assert.rejects(asked, unavailable)
  assert.equal(tries, 1)
})

test('when the database goes away while a bad item is looked for, the halves that were committed keep their verdicts', async () => {
  const settled = await commitPersistently(
    persistence((items) => {
      if (items.length === 4) throw new TypeError('one of these')
      if (items.includes(3)) throw closed()
    }, 30),
    [1, 2, 3, 4],
  )
  assert.deepEqual(
    settled.map(({ ok }) => ok),
    [true, true, false, false],
  )
  const last = settled[3]
  assert.ok(last !== undefined && !last.ok && last.error instanceof AppError)
})

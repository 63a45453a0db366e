import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import { InvariantError } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { silentLog } from '#/kernel/log.ts'
import { monotonicMs } from '#/kernel/time.ts'
import { CommitFailed } from './failure.ts'
import type { Settled } from './lane.ts'
import { commitPersistently, FailedAlone, type Persistence } from './persist.ts'

/** PostgreSQL's error for a statement that took too long. */
const late = () =>
  Object.assign(Object.create(postgres.PostgresError.prototype) as postgres.PostgresError, {
    code: '57014',
    severity: 'ERROR',
    message: 'canceling statement due to statement timeout',
  })

/** PostgreSQL's error for a failure of its own. */
const broken = () => Object.assign(late(), { code: 'XX000', message: 'could not read block' })

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

test('an item that cannot be written is isolated at any position, and all others are committed', async () => {
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

test('two items that cannot be written are both isolated', async () => {
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

test('when the database is not reachable for longer than `patienceMs`, the answer is 503', async () => {
  const startedAt = monotonicMs()
  const result = commitPersistently(
    persistence(() => {
      throw closed()
    }, 60),
    [1],
  )
  await assert.rejects(result, (error) => error instanceof AppError && error.code === 'unavailable')
  assert.ok(monotonicMs() - startedAt >= 60)
})

test('an item whose result cannot be found out is not tried again', async () => {
  let tries = 0
  const unavailable = new AppError('unavailable', 'unknown result')
  const result = commitPersistently(
    persistence(() => {
      tries += 1
      throw unavailable
    }),
    [1],
  )
  await assert.rejects(result, unavailable)
  assert.equal(tries, 1)
})

test('when the connection is lost during the search for a bad item, the committed halves keep their verdicts', async () => {
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

test('a batch that takes too long is halved until it is in time, and no item fails', async () => {
  const tries: number[] = []
  const items = Array.from({ length: 100 }, (_, index) => index)
  const settled = await commitPersistently(
    persistence((part) => {
      tries.push(part.length)
      if (part.length > 30) throw late()
    }),
    items,
  )
  assert.deepEqual(
    valuesOf(settled),
    items.map((item) => `v${item}`),
  )
  assert.deepEqual(tries, [100, 50, 50, 25, 25, 25, 25])
})

test('an item that takes too long alone is found, and all others are committed before the search ends', async () => {
  for (const bad of [0, 3, 7]) {
    const committed: number[] = []
    const settled = await commitPersistently(
      persistence((items) => {
        if (items.includes(bad)) throw late()
        committed.push(...items)
      }),
      [0, 1, 2, 3, 4, 5, 6, 7],
    )
    assert.equal(committed.length, 7)
    for (const [item, each] of settled.entries())
      assert.ok(item === bad ? !each.ok && each.error instanceof FailedAlone : each.ok)
  }
})

test('when no part is in time, the search ends after `patienceMs`, and no item is blamed', async () => {
  let tries = 0
  const settled = await commitPersistently(
    {
      ...persistence(() => {}, 20),
      commit: async () => {
        tries += 1
        await new Promise((resolve) => setTimeout(resolve, 15))
        throw late()
      },
    },
    Array.from({ length: 500 }, (_, index) => index),
  )
  assert.ok(tries < 10)
  assert.equal(settled.length, 500)
  for (const each of settled)
    assert.ok(!each.ok && each.error instanceof AppError && !(each.error instanceof FailedAlone))
})

test('a batch at which the server fails is tried again three times, and then part by part', async () => {
  const tries: number[] = []
  const settled = await commitPersistently(
    persistence((items) => {
      tries.push(items.length)
      if (items.includes(2)) throw broken()
    }),
    [0, 1, 2, 3],
  )
  assert.deepEqual(tries, [4, 4, 4, 4, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1])
  for (const [item, each] of settled.entries())
    assert.ok(item === 2 ? !each.ok && each.error instanceof FailedAlone : each.ok)
})

test('an item that fails alone is named in the log, so that a person finds it', async () => {
  const named: unknown[] = []
  const log = { ...silentLog, error: (fields: object) => void named.push(fields) }
  await commitPersistently(
    {
      ...persistence((items) => {
        if (items.includes(2)) throw broken()
      }),
      log,
    },
    [0, 1, 2, 3],
  )
  assert.deepEqual(named, [{ item: '2', error: 'could not read block' }])
})

test('a server that fails three times and then commits fails no item', async () => {
  let tries = 0
  const settled = await commitPersistently(
    persistence(() => {
      tries += 1
      if (tries < 4) throw new CommitFailed(broken())
    }),
    [1, 2],
  )
  assert.deepEqual(valuesOf(settled), ['v1', 'v2'])
  assert.equal(tries, 4)
})

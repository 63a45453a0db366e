import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import { createLane, type LaneOptions, type Settled } from './lane.ts'

type Item = { readonly name: string; readonly bytes?: number }

/** A lane whose commits wait until the test lets them run. */
function openLane(more: Partial<LaneOptions<Item, string>> = {}) {
  const batches: string[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const lane = createLane<Item, string>({
    name: 'test',
    itemsMax: 3,
    bytesMax: 100,
    queueMax: 6,
    bytesOf: (item) => item.bytes ?? 1,
    commit: async (items) => {
      batches.push(items.map((item) => item.name))
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      return items.map(({ name }): Settled<string> => {
        return name.startsWith('bad')
          ? { ok: false, error: new Error(name) }
          : { ok: true, verdict: `${name}!` }
      })
    },
    ...more,
  })
  return {
    lane,
    batches,
    /** Lets all commits run, also later ones. */
    async letRun(): Promise<void> {
      while (lane.depth() > 0 || gates.length > 0) {
        gates.shift()?.resolve()
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

const named = (...names: string[]): Item[] => names.map((name) => ({ name }))

test('items that arrive while a commit runs are committed together, in the order of arrival', async () => {
  const { lane, batches, letRun } = openLane({ itemsMax: 10 })
  const first = lane.submit({ name: 'a' })
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  const others = named('b', 'c', 'd').map((item) => lane.submit(item))
  await letRun()
  assert.deepEqual(await Promise.all([first, ...others]), ['a!', 'b!', 'c!', 'd!'])
  assert.deepEqual(batches, [['a'], ['b', 'c', 'd']])
})

test('a lane of two commits runs two at a time, loses nothing and waits for both at its end', async () => {
  const { lane, batches, letRun } = openLane({ commitsMax: 2 })
  const answers: Promise<string>[] = []
  for (const item of named('a', 'b', 'c')) {
    answers.push(lane.submit(item))
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.deepEqual(batches, [['a'], ['b']], 'the third waits for one of the two')
  const ended = lane.close()
  await letRun()
  await ended
  assert.deepEqual(await Promise.all(answers), ['a!', 'b!', 'c!'])
  assert.deepEqual(batches, [['a'], ['b'], ['c']])
})

test('a commit has no more items than allowed, and no more bytes unless a single item is larger', async () => {
  const { lane, batches, letRun } = openLane({ queueMax: 100 })
  const items = [
    ...named('a', 'b', 'c', 'd'),
    { name: 'e', bytes: 60 },
    { name: 'f', bytes: 60 },
    { name: 'g', bytes: 500 },
  ]
  const all = Promise.all(items.map((item) => lane.submit(item)))
  await letRun()
  await all
  assert.deepEqual(batches, [['a', 'b', 'c'], ['d', 'e'], ['f'], ['g']])
})

test('crowded items let others go first, and each commit has some of them', async () => {
  const { lane, batches, letRun } = openLane({ itemsMax: 4, queueMax: 100, crowd: { alone: 3, beside: 1 } })
  const crowd = named('x1', 'x2', 'x3', 'x4', 'x5').map((item) => lane.submit(item, { isCrowded: true }))
  const others = named('a', 'b', 'c', 'd', 'e').map((item) => lane.submit(item))
  await letRun()
  await Promise.all([...crowd, ...others])
  assert.deepEqual(batches, [
    ['x1', 'a', 'b', 'c'],
    ['x2', 'd', 'e'],
    ['x3', 'x4', 'x5'],
  ])
})

test('a bad item fails alone', async () => {
  const { lane, letRun } = openLane()
  const answers = Promise.allSettled(named('a', 'bad', 'c').map((item) => lane.submit(item)))
  await letRun()
  assert.deepEqual(
    (await answers).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('a commit that rejects fails all of its items, and the lane goes on', async () => {
  let commits = 0
  const { lane } = openLane({
    commit: async (items) => {
      if (++commits === 1) throw new Error('down')
      return items.map(({ name }) => ({ ok: true, verdict: name }))
    },
  })
  const down = Promise.allSettled(named('a', 'b').map((item) => lane.submit(item)))
  assert.deepEqual(
    (await down).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await lane.submit({ name: 'c' }), 'c')
})

test('with too many waiting items or bytes, new items get 503 with a time to retry', async () => {
  for (const [items, more] of [
    [named('a', 'b', 'c', 'd'), { queueMax: 3, itemsMax: 1 }],
    [
      [
        { name: 'a', bytes: 50 },
        { name: 'b', bytes: 50 },
        { name: 'c', bytes: 50 },
      ],
      { queueBytesMax: 120 },
    ],
  ] as const) {
    const { lane, letRun } = openLane(more)
    const answers = Promise.allSettled(items.map((item) => lane.submit(item)))
    await letRun()
    const settled = await answers
    const last = settled.at(-1)
    assert.ok(settled.slice(0, -1).every(({ status }) => status === 'fulfilled'))
    assert.ok(last?.status === 'rejected' && last.reason instanceof AppError)
    assert.equal(last.reason.code, 'unavailable')
    assert.equal(last.reason.retryAfterMs, 1_000)
    assert.equal(lane.depth(), 0)
  }
})

test('an item that cannot be weighed is its sender’s error, and the lane goes on', async () => {
  const { lane, letRun } = openLane({
    bytesOf: ({ name }) => {
      if (name === 'weightless') throw new TypeError('no weight')
      return 1
    },
  })
  await assert.rejects(lane.submit({ name: 'weightless' }), TypeError)
  const next = lane.submit({ name: 'a' })
  await letRun()
  assert.equal(await next, 'a!')
})

test('a closing lane accepts no new items and finishes waiting ones', async () => {
  const { lane, batches, letRun } = openLane()
  const waiting = Promise.all(named('a', 'b', 'c', 'd').map((item) => lane.submit(item)))
  await new Promise((resolve) => setImmediate(resolve))
  const closing = lane.close()
  await assert.rejects(lane.submit({ name: 'e' }), AppError)
  await letRun()
  await closing
  assert.deepEqual(await waiting, ['a!', 'b!', 'c!', 'd!'])
  assert.deepEqual(batches.flat(), ['a', 'b', 'c', 'd'])
})

test('a batch is limited by the weight of its items, not only by their number', async () => {
  const { lane, batches, letRun } = openLane({
    itemsMax: 10,
    queueMax: 20,
    weight: { of: ({ name }) => (name.startsWith('heavy') ? 60 : 10), max: 100 },
  })
  const sent = ['first', 'heavy1', 'heavy2', 'a', 'b', 'c', 'd', 'e'].map((name) => lane.submit({ name }))
  await letRun()
  await Promise.all(sent)
  assert.deepEqual(batches, [['first', 'heavy1'], ['heavy2', 'a', 'b', 'c', 'd'], ['e']])
})

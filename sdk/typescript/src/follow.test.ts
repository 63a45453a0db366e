// Following events at a server that fails, hangs and repeats: every event comes once, in its order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver, type Reply } from '../../../test/receiver.ts'
import { createClient, VintemProblem } from './vintem.ts'

const page = (from: number, count: number): Reply => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    data: Array.from({ length: count }, (_, nth) => ({ sequence: from + nth, type: 'payment.completed' })),
    readTo: from + count - 1,
  }),
})
const afterOf = (path: string) => Number(new URL(path, 'http://x').searchParams.get('after'))

test('every event comes once, in order, over answers that fail and answers that are empty', async () => {
  await using receiver = await startReceiver(({ path }, count) => {
    if (count % 3 === 0) return { status: 503, headers: { 'retry-after': '0' } }
    return page(afterOf(path) + 1, count % 4 === 0 ? 0 : 2)
  })
  const client = createClient({ apiKey: 'k', baseUrl: receiver.origin })
  const sequences: number[] = []
  for await (const event of client.events.follow({ after: 7 })) {
    sequences.push(event.sequence)
    if (sequences.length === 8) break
  }
  assert.deepEqual(sequences, [8, 9, 10, 11, 12, 13, 14, 15])
  const [first] = receiver.calls
  assert.equal(new URL(first?.path ?? '', 'http://x').searchParams.get('wait'), '30')
})

test('types skip what is between: readTo is the next position, and comes with its batch', async () => {
  await using receiver = await startReceiver(({ path }) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      data: [{ sequence: afterOf(path) + 5, type: 'refund.failed' }],
      readTo: afterOf(path) + 9,
    }),
  }))
  const client = createClient({ apiKey: 'k', baseUrl: receiver.origin })
  const batches: (readonly [number, number])[] = []
  for await (const { events, readTo } of client.events.followBatches({
    after: 0,
    types: ['refund.failed'],
  })) {
    batches.push([events[0]?.sequence ?? 0, readTo])
    if (batches.length === 2) break
  }
  assert.deepEqual(batches, [
    [5, 9],
    [14, 18],
  ])
})

test('the signal ends a wait that the service keeps open, and a refusal is thrown', async () => {
  await using hanging = await startReceiver(() => undefined)
  const stop = new AbortController()
  const client = createClient({ apiKey: 'k', baseUrl: hanging.origin })
  const followed = Array.fromAsync(client.events.follow({ after: 0, signal: stop.signal }))
  await hanging.until((calls) => calls.length === 1)
  stop.abort()
  assert.deepEqual(await followed, [])

  await using refusing = await startReceiver(() => ({ status: 401, body: '{"code":"unauthenticated"}' }))
  const wrong = createClient({ apiKey: 'k', baseUrl: refusing.origin })
  await assert.rejects(Array.fromAsync(wrong.events.follow({ after: 0 })), VintemProblem)
})

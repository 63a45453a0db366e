import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { fc } from '../../test/chance.ts'
import { delaysMs, isSuccess, waitBeforeNext } from './attempt.ts'
import type { Answer } from './send.ts'

const at = new Date('2026-11-21T02:03:04.000Z')
const answered = (responseStatus: number, retryAfter?: string): Answer => ({
  durationMs: 1,
  responseStatus,
  responseBody: '',
  ...given({ retryAfter }),
})
const waitSeconds = (answer: Answer, failures = 1, random = 0.5) =>
  (waitBeforeNext(answer, failures, at, random) ?? NaN) / 1_000

test('a round has ten attempts at the published delays, then it is over', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((failures) => waitSeconds(answered(500), failures) / 60)
  assert.deepEqual(minutes, [5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440])
  assert.equal(delaysMs[0], 0)
  assert.equal(waitBeforeNext(answered(500), 10, at, 0.5), undefined)
})

test('each delay is spread by a fifth at most, to both sides', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, random) => {
        const share = (waitSeconds(answered(500), failures, random) * 1_000) / (delaysMs[failures] ?? 0)
        assert.ok(share >= 0.8 && share <= 1.2, `${share}`)
      },
    ),
  )
  assert.equal(waitSeconds(answered(500), 1, 0), 4)
  assert.equal(waitSeconds(answered(500), 1, 1), 6)
})

test('a receiver that did not answer in time gets its next attempt after a minute at the earliest', () => {
  assert.equal(waitSeconds({ durationMs: 15_000, error: 'timeout' }), 60)
  assert.equal(waitSeconds({ durationMs: 15_000, error: 'timeout' }, 2), 300)
  assert.equal(waitSeconds({ durationMs: 1, error: 'connection_refused' }), 5)
})

test('Retry-After of 429 and 503 is honoured, as seconds or as a date, up to ten hours and never below the schedule', () => {
  assert.equal(waitSeconds(answered(429, '120')), 120)
  assert.equal(waitSeconds(answered(503, 'Sat, 21 Nov 2026 02:13:04 GMT')), 600)
  assert.equal(waitSeconds(answered(429, '1')), 5)
  assert.equal(waitSeconds(answered(429, '999999999')), 36_000)
  assert.equal(waitSeconds(answered(429, '120'), 9), 86_400)
  for (const nonsense of ['', 'soon', '-5', '1.5', '0x10'])
    assert.equal(waitSeconds(answered(429, nonsense)), 5, nonsense)
  assert.equal(waitSeconds(answered(500, '120')), 5)
})

test('only 2xx is a success: a redirect is a failure', () => {
  for (const status of [200, 201, 204, 299]) assert.ok(isSuccess(answered(status)))
  for (const status of [100, 199, 300, 301, 302, 304, 307, 400, 410, 500])
    assert.ok(!isSuccess(answered(status)))
  assert.ok(!isSuccess({ durationMs: 1, error: 'timeout' }))
})

// The runner of work without claims.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '#/kernel/log.ts'
import { minuteMs } from '#/kernel/time.ts'
import { createPoller } from './poller.ts'

test('it polls again without a pause while it finds something, then when it is woken, until it is to stop', async () => {
  const stopping = new AbortController()
  const found = [2, 1, 0, 1, 0]
  let polls = 0
  const poller = createPoller({
    name: 'work',
    log: silentLog,
    pollMs: 24 * 60 * minuteMs,
    poll: () => {
      const count = found[polls] ?? 0
      polls += 1
      // A wake-up while it polls is not lost.
      if (polls === 3) poller.wake()
      if (polls === found.length) stopping.abort()
      return Promise.resolve(count)
    },
  })
  await poller.run(stopping.signal)
  assert.equal(polls, found.length)
})

test('a poll that failed is reported, and tried again after the pause', async () => {
  const stopping = new AbortController()
  const warnings: unknown[] = []
  const warn = (about: unknown) => {
    warnings.push(about)
    if (warnings.length === 2) stopping.abort()
  }
  const poll = () => Promise.reject(new Error('no database'))
  await createPoller({ name: 'work', log: { ...silentLog, warn }, pollMs: 1, poll }).run(stopping.signal)
  assert.deepEqual(warnings, [
    { part: 'work', error: 'no database' },
    { part: 'work', error: 'no database' },
  ])
})

// For every test, those of the simulators included: it imports no file of src.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls until the answer is neither undefined nor false. The limit only ends a test that hangs; it asserts no speed.
 * `what`: the awaited state, for the error. As a function it is called at the end, and can describe the last state.
 */
export async function eventually<Value>(
  what: string | (() => string),
  poll: () => Value | undefined | false | Promise<Value | undefined | false>,
  limitMs = 60_000,
): Promise<Value> {
  const limitAt = performance.now() + limitMs
  for (let pauseMs = 15; performance.now() < limitAt; pauseMs = Math.min(pauseMs * 1.3, 100)) {
    const value = await poll()
    if (value !== undefined && value !== false) return value
    await sleep(pauseMs)
  }
  return assert.fail(`${typeof what === 'string' ? what : what()}: never`)
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs, hourMs } from '#/kernel/time.ts'
import { fc } from '../../../test/chance.ts'
import { stepOf } from './step.ts'

/** The steps of an advance, with the next date always `nextIn` away. */
function stepsOf(spanMs: number, nextIn: (steps: number) => number | undefined): readonly number[] {
  const made: number[] = []
  for (let movedMs = 0; movedMs < spanMs; movedMs += made.at(-1) ?? 0) {
    const nextInMs = nextIn(made.length)
    const next = nextInMs === undefined ? {} : { nextInMs }
    made.push(stepOf({ spanMs, movedMs, steps: made.length, ...next }))
    assert.ok(made.length <= 64, `${made.length} steps`)
  }
  return made
}

test('for any dates an advance has at most 64 steps of more than nothing, and they make exactly its span', () => {
  const waits = fc.array(fc.option(fc.integer({ min: 1, max: 400 * dayMs })), { minLength: 1, maxLength: 64 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 * dayMs }), waits, (spanMs, nexts) => {
      const made = stepsOf(spanMs, (steps) => nexts[steps % nexts.length] ?? undefined)
      assert.ok(made.every((step) => step > 0))
      assert.equal(
        made.reduce((sum, step) => sum + step, 0),
        spanMs,
      )
    }),
  )
})

test('a step ends at the next date; without one an hour is one step, and days have sixteen', () => {
  assert.equal(stepOf({ spanMs: 2 * dayMs, movedMs: 0, steps: 0, nextInMs: hourMs }), hourMs)
  assert.deepEqual(
    stepsOf(hourMs, () => undefined),
    [hourMs],
  )
  assert.equal(stepsOf(2 * dayMs, () => undefined).length, 16)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRecent } from './recent.ts'

test('never more than the maximum is held, and the newer half of it always', () => {
  const use = fc.record({ does: fc.constantFrom('set', 'get', 'delete'), key: fc.nat(30) } as const)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(use, { maxLength: 200 }), (max, uses) => {
      const recent = createRecent<number, number>(max)
      // All keys that were used, in the order of their last use, with what was set last. One that was deleted keeps its
      // place: what it had pushed out does not come back.
      const model = new Map<number, number | undefined>()
      for (const [index, { does, key }] of uses.entries()) {
        const known = model.get(key)
        const use = (value: number) => {
          model.delete(key)
          model.set(key, value)
        }
        if (does === 'set') {
          recent.set(key, index)
          use(index)
        } else if (does === 'delete') {
          recent.delete(key)
          if (model.has(key)) model.set(key, undefined)
        } else {
          const found = recent.get(key)
          assert.ok(found === undefined || found === known, 'nothing old is found')
          if (found !== undefined) use(found)
        }
        const held = [...recent.values()]
        assert.ok(held.length <= max, `${held.length} of at most ${max} are held`)
        for (const [kept, value] of [...model].slice(-((max + 1) >> 1)))
          if (value !== undefined) assert.equal(recent.peek(kept), value)
      }
    }),
  )
})

test('what only was looked at does not count as used', () => {
  const recent = createRecent<string, number>(3)
  recent.set('a', 1).set('b', 2)
  recent.peek('a')
  recent.has('a')
  recent.get('b')
  recent.set('c', 3)
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => recent.has(key)),
    [false, true, true],
  )
})

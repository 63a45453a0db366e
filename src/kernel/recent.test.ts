import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/chance.ts'
import { createRecent } from './recent.ts'

test('the cache never holds more than the maximum, and always the most recently used half of it', () => {
  const use = fc.record({ does: fc.constantFrom('set', 'get', 'delete'), key: fc.nat(30) } as const)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(use, { maxLength: 200 }), (max, uses) => {
      const recent = createRecent<number, number>(max)
      // All used keys in the order of their last use, with their last value. A deleted key keeps its place, because the keys
      // that it displaced do not come back.
      const model = new Map<number, number | undefined>()
      for (const [index, { does, key }] of uses.entries()) {
        const expected = model.get(key)
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
          assert.ok(found === undefined || found === expected, 'no outdated value is found')
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

test('`peek` and `has` do not count as uses', () => {
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

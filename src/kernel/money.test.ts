import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/chance.ts'
import { toJson } from './json.ts'
import { amountFromJson, amountToJson, toJsonInteger } from './money.ts'

const most = 2n ** 53n - 1n

test('an amount survives writing and reading JSON unchanged, and is a number as long as that is exact', () => {
  fc.assert(
    fc.property(fc.oneof(fc.bigInt({ min: -most - 9n, max: most + 9n }), fc.bigInt()), (minor) => {
      const sent = amountToJson(minor)
      assert.equal(toJson(sent), minor.toString())
      assert.equal(typeof sent, minor <= most && minor >= -most ? 'number' : 'bigint')
      if (typeof sent === 'number') assert.equal(amountFromJson(sent), minor)
    }),
  )
  for (const edge of [most, -most]) assert.equal(amountFromJson(toJsonInteger(edge)), edge)
})

test('a number that is no exact integer is refused as an amount', () => {
  for (const number of [0.5, 2 ** 53, -(2 ** 53), NaN, Infinity])
    assert.throws(() => amountFromJson(number), { name: 'InvariantError' })
  for (const integer of [most + 1n, -most - 1n])
    assert.throws(() => toJsonInteger(integer), { name: 'InvariantError' })
})

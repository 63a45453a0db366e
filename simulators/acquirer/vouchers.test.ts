// Vouchers as this acquirer writes them: SIBS's published reference, and the factor of a due date around its roll-over of 2025.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boletoLine, entity, referenceOf } from './vouchers.ts'

test('the reference of the published example is the published one', () => {
  assert.deepEqual([entity, referenceOf(1_231_234, 432_11)], ['90150', '123123451'])
})

test('a line has the factor of its day: 9999 on 2025-02-21, and 1000 again on the day after', () => {
  for (const [day, factor] of [
    ['2000-07-03', '1000'],
    ['2022-05-10', '8981'],
    ['2025-02-21', '9999'],
    ['2025-02-22', '1000'],
    ['2026-12-21', '1667'],
    ['2049-10-13', '9999'],
    ['2049-10-14', '1000'],
  ] as const) {
    const line = boletoLine(17, 102_656, Date.parse(`${day}T23:59:59Z`))
    assert.match(line, /^9999\d{43}$/)
    assert.deepEqual([line.slice(33, 37), line.slice(37)], [factor, '0000102656'], day)
  }
})

// A local method is one small table, and nothing else of the rail names it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { toDecimal } from '#/kernel/money.ts'
import { localMethods } from './all.ts'

const folder = import.meta.dirname
const tables = globSync('*.ts', { cwd: folder }).filter((name) => !/^(?:all|method|.*\.test)\.ts$/.test(name))

test('each method is a table of under 30 lines before its names, in a file of its own', () => {
  assert.equal(tables.length, localMethods.length)
  for (const name of tables) {
    const [terms = ''] = readFileSync(join(folder, name), 'utf8').split('\n  label: ')
    const { length } = terms.split('\n')
    assert.ok(length < 30, `${name} has ${length} lines`)
  }
})

test('every method is listed once, under a type of its own', () => {
  for (const part of ['method', 'type'] as const)
    assert.equal(new Set(localMethods.map((each) => each[part])).size, localMethods.length)
})

test('each method takes what the provider takes, in its currency', () => {
  const most: Readonly<Record<string, readonly [string, string]>> = {
    MB_WAY: ['0.50', '5000.00'],
    BOLETO: ['5.00', '49999.99'],
  }
  for (const { method, currency, limits } of localMethods)
    assert.deepEqual(
      [limits.min, limits.max].map((minor) => toDecimal({ minor, currency })),
      most[method] ?? ['0.50', '999999.99'],
      method,
    )
  const days = localMethods.filter(({ daysMax }) => daysMax !== undefined)
  assert.deepEqual(
    days.map(({ method, daysMax }) => [method, daysMax]),
    [['BOLETO', 60]],
  )
})

test('the rail handles flows and needs: of the methods without a voucher it names none', () => {
  const rail = globSync('local-*.ts', { cwd: join(folder, '..') }).filter(
    (name) => !name.endsWith('.test.ts'),
  )
  assert.ok(rail.length >= 2)
  for (const file of rail) {
    const code = readFileSync(join(folder, '..', file), 'utf8')
    for (const { method, flow } of localMethods)
      if (flow !== 'VOUCHER') assert.ok(!code.includes(`'${method}'`), `${file} names ${method}`)
  }
})

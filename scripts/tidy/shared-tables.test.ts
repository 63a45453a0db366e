import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsIn } from './plant.ts'
import { sharedTableRules } from './shared-tables.ts'

const plain = 'export const x = 1\n'

test('a query over a table that several purposes share, which does not say of which it is, is found', () => {
  const [rule] = sharedTableRules
  assert.ok(rule)
  const found = (statement: string, name = 'selectPlaces', path = 'src/treasury/some-queries.ts') =>
    faultsIn(rule, {
      'src/other.ts': plain,
      [path]: `export function ${name}(sql) {\n  return sql\`${statement}\`\n}\n`,
    })
  const sum = 'select sum(units) from chain_tx where not units_booked'
  assert.match(
    found(sum).join(),
    /^src\/treasury\/some-queries\.ts:2 selectPlaces reads chain_tx without purpose/,
  )
  const named = `${sum} and purpose = 'PAYOUT'`
  assert.deepEqual(found(named), [])
  assert.equal(
    found(`select 1 from place where (${named}) > 0 and (${sum}) > 0`).length,
    1,
    'each part says it',
  )
  assert.equal(found('update chain_tx set units_booked = true').length, 1)
  const listed = 'src/treasury/rescue-queries.ts'
  assert.deepEqual(found(sum, 'selectTx', listed), [])
  assert.match(found(named, 'selectTx', listed).join(), /needs no exception/)
})

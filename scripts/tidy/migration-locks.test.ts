import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOfMigration, migrationLocks } from './migration-locks.ts'
import { faultsIn } from './plant.ts'

const faults = (text: string) => faultsOfMigration({ name: '0099_a.sql', text })

test('an index on a table in use is built beside the traffic', () => {
  assert.match(faults('create index a on payment (id);').join(), /0099_a\.sql:1 locks payment/)
  assert.match(
    faults('create table own (id integer);\ncreate unique index a on payment (id)').join(),
    /sql:2 locks/,
  )
  assert.match(faults('create index concurrently a on payment (id)').join(), /step outside a transaction/)
  assert.deepEqual(faults('-- step outside a transaction\ncreate index concurrently a on payment (id)'), [])
  assert.deepEqual(faults('create table own (id integer); create index a on own (id)'), [])
  assert.deepEqual(faults('-- at once: an operator has few of them\ncreate index a on chain (key)'), [])
  assert.match(faults('-- at once:\ncreate index a on chain (key)').join(), /locks chain/)
})

test('a step outside a transaction is one change of one index', () => {
  const outside = '-- step outside a transaction\n'
  for (const text of [
    'vacuum payment',
    'create index a on payment (id)',
    'create index concurrently a on payment (id); select 1',
  ]) {
    assert.match(faults(outside + text).join(), /creates or drops one index concurrently/, text)
  }
  assert.deepEqual(faults(`${outside}drop index concurrently a;\n-- step\nselect 1`), [])
})

test('a constraint on a table in use is added without checking its rows, and validated in a step of its own', () => {
  for (const added of [
    'add constraint a check (id > 0)',
    'add check (id > 0)',
    'add column more integer, add constraint a foreign key (b) references c',
    'add constraint a unique (id)',
    'add column b integer constraint a check (b > 0)',
    'add column b integer references c (id)',
    'alter column b set not null',
    'alter b type bigint',
    'add constraint a check (id > 0) not valid, add constraint b check (id > 0)',
  ]) {
    assert.match(faults(`alter table payment ${added}`).join(), /locks payment/, added)
    assert.deepEqual(faults(`create table payment (id integer); alter table payment ${added}`), [], added)
  }
  for (const added of [
    'add column more integer not null default 0',
    `add column more text default 'unique, check ('`,
    'add constraint a check (id in (1, 2)) not valid',
    'add constraint a unique using index b',
    'drop constraint a',
    'validate constraint a',
  ]) {
    assert.deepEqual(faults(`alter table payment ${added}`), [], added)
  }
  const add = 'alter table payment add constraint a check (id > 0) not valid;\n'
  const validate = 'alter table payment validate constraint a;'
  assert.match(faults(add + validate).join(), /in the step that adds it/)
  assert.deepEqual(faults(`${add}-- step\n${validate}`), [])
})

test('migrations from before the rule are left as they are', () => {
  const text = 'create index a on payment (id);\n'
  assert.deepEqual(faultsIn(migrationLocks, { 'migrations/0007_a.sql': text }), [])
  assert.equal(faultsIn(migrationLocks, { 'migrations/0099_a.sql': text }).length, 1)
})

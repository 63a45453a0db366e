// Which person acted: a user of the dashboard, or an account at the command line and the user whose account it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { personActing, personNamed, personFrom, type Person } from './person.ts'
import { refusal, refusalOf } from './refusal.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ana, rui] = [bareId(1), bareId(2)]
const people = {
  app_user: [
    { id: ana, email: 'ana@example.com' },
    { id: rui, email: 'rui@example.com' },
  ],
  command_account: [
    { account: 'ana@office', user_id: ana },
    { account: 'rui@office', user_id: rui },
  ],
}
const ofAna = { user: ana, name: 'ana@example.com' }

test('a person is known by their user, and by their account at the command line', async () => {
  const acting = (kind: 'USER' | 'OPERATOR', id: string) =>
    onRows(sql, people, (tx): Promise<Person> => personActing(tx, { kind, id }))
  assert.deepEqual(await acting('USER', ana), personFrom(ofAna))
  assert.deepEqual(await acting('OPERATOR', 'ana@office'), personFrom({ ...ofAna, account: 'ana@office' }))
  assert.deepEqual(await acting('OPERATOR', 'eva@office'), personFrom({ account: 'eva@office' }))
  // Nobody has this user any more.
  assert.deepEqual(await acting('USER', bareId(3)), personFrom({}))
})

test('a name is an account or an address, in whatever spelling', async () => {
  const named = (name: string) => onRows(sql, people, (tx): Promise<Person> => personNamed(tx, name))
  for (const name of ['ana@office', 'Ana <ANA@example.com>'])
    assert.deepEqual(
      await named(name),
      new Set([...personFrom({ account: name, name }), ...personFrom(ofAna)]),
      name,
    )
  assert.deepEqual(await named('Eva'), personFrom({ account: 'Eva', name: 'Eva' }))
})

test('a refusal of a person has one of the reasons that are known', () => {
  assert.equal(refusalOf(refusal('last_owner', 'x')), 'last_owner')
  for (const extra of [{}, { reason: 'own_request' }, { reason: 7 }])
    assert.equal(refusalOf(new AppError('forbidden', 'x', { extra })), undefined, JSON.stringify(extra))
  assert.equal(refusalOf(new Error('last_owner')), undefined)
})

// Movements that have the name of another one, in the console.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { notificationFile } from '../rails/sepa-files.ts'
import { iban, type SepaWorld } from '../sepa-world.ts'
import { openBankFiles, type BankFilesDesk } from './bank-files-desk.ts'
import type { Person } from './desk.ts'
import { auditOf, dataOf, ok, refused, type Row } from './operator-desk.ts'
import { shownBy } from './shown.ts'

let office: BankFilesDesk
let world: SepaWorld
let ana: Person
let bea: Person
before(async () => {
  office = await openBankFiles(shownBy['operator-held.test.ts'])
  ;({ world, ana, bea } = office)
})
after(() => office.close())

test('a movement that has the name of another one is shown beside it, and decided once, with a reason', async () => {
  const sent = (ref: string, minor: number, day = '2027-01-04') =>
    notificationFile({ iban, id: `H${ref}${minor}`, transfers: [{ ref, minor, text: 'rent', day }] })
  for (const [ref, minor] of [
    ['HELD1', 700],
    ['HELD1', 710],
    ['HELD2', 720],
  ] as const)
    await world.hand(sent(ref, minor))
  await world.hand(sent('HELD2', 720, '2027-01-05'))
  const before = await world.pix.balances()
  const one = await ok(ana, 'GET', 'held?limit=1')
  const two = await ok(ana, 'GET', `held?cursor=${String(one['nextCursor'])}`)
  const [first, second] = [...dataOf(one), ...dataOf(two)]
  assert.deepEqual(
    [first, second].map((each) => [
      each?.['amount'],
      (each?.['like'] as Row | undefined)?.['entry'],
      each?.['wrote'],
    ]),
    [
      [710, 'HELD1', 'rent'],
      [720, 'HELD2', 'rent'],
    ],
  )
  const named = (row: Row | undefined) => ({ connection: row?.['connection'], entry: row?.['entry'] })
  const path = 'held/decide'
  assert.deepEqual(await refused(ana, path, { ...named(first), as: 'NEW' }), [400, 'invalid_request'])
  const same = { ...named(first), as: 'SAME', reason: 'it is' }
  assert.deepEqual(await refused(ana, path, same), [409, 'invalid_state'])
  await ok(ana, 'POST', path, { ...named(first), as: 'NEW', reason: 'the bank says so' }, 204)
  await ok(ana, 'POST', path, { ...named(second), as: 'SAME', reason: 'told twice' }, 204)
  assert.deepEqual(await refused(bea, path, { ...named(second), as: 'NEW', reason: 'again' }), [
    409,
    'invalid_state',
  ])
  await world.drain()
  assert.deepEqual(dataOf(await ok(ana, 'GET', 'held')), [])
  assert.equal((await world.pix.balances()).suspense, before.suspense + 710n)
  assert.deepEqual(await auditOf(bea, `entry:${String(first?.['connection'])}/${String(first?.['entry'])}`), [
    ['statement.held-new', 'USER', ana.userId, 'the bank says so'],
  ])
})

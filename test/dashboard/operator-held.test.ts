// Movements that have the name of another one, and corrected statements, in the console.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { notificationFile, statementFile } from '../rails/sepa-files.ts'
import { iban, type SepaWorld } from '../sepa-world.ts'
import { openBankFiles, type BankFilesWorld } from './bank-files-world.ts'
import { auditOf, dataOf, ok, refused, type Row } from './operator-world.ts'
import { shownBy } from './shown.ts'
import type { Person } from './world.ts'

let office: BankFilesWorld
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

test('a refused file is requested as the corrected statement by one person, and approved by another', async () => {
  const account = (dataOf(await ok(ana, 'GET', 'statements'))[0] ?? {})['connection']
  const day = '2028-01-01'
  const { sql } = world.pix.core
  const [last] = await sql<{ minor: bigint }[]>`
    select closing_minor as minor from sepa_statement where connection = ${world.account} and currency = 'EUR'
     order by number desc limit 1`
  const [unstated] = await sql<{ minor: bigint }[]>`
    select coalesce(sum(amount_minor), 0)::bigint as minor from sepa_entry where connection = ${world.account} and statement is null`
  const opening = Number((last?.minor ?? 0n) + (unstated?.minor ?? 0n))
  const of = (ref: string, minor: number) =>
    statementFile({ iban, id: 'CORR', opening, day, transfers: [{ ref, minor, text: 'rent', day }] })
  await world.hand(of('WRONG', 77))
  const before = await world.pix.balances()
  // Like most corrections it has another closing balance.
  await world.hand(of('RIGHT', 80), 'right.xml')
  const file = dataOf(await ok(ana, 'GET', 'statements')).find(({ name }) => name === 'right.xml')
  assert.deepEqual([file?.['state'], file?.['isCorrection']], ['REFUSED', true])
  const body = { connection: account, sha256: file?.['sha256'], reason: 'the bank wrote so' }
  const { proposal } = (await ok(ana, 'POST', 'statements/correct', body, 202)) as { proposal: Row }
  const subject = `statement:${String(file?.['sha256']).slice(0, 16)}`
  assert.deepEqual([proposal['kind'], proposal['subject']], ['statement.correct', subject])
  const { takenBack, added, balances } = proposal['arguments'] as Record<string, readonly string[]>
  assert.deepEqual([takenBack?.length, added?.length, balances?.length], [1, 1, 1])
  const path = `approvals/${String(proposal['id'])}/approve`
  assert.deepEqual(await refused(ana, path, {}), [403, 'forbidden'])
  await ok(bea, 'POST', path, {})
  await world.drain()
  const { suspense, provider } = await world.pix.balances()
  assert.deepEqual([suspense - before.suspense, provider - before.provider], [3n, 3n])
  const [done] = dataOf(await ok(ana, 'GET', 'statements')).filter(({ name }) => name === 'right.xml')
  assert.deepEqual([done?.['state'], done?.['isCorrection']], ['IMPORTED', false])
  const [entry] = dataOf(await ok(ana, 'GET', 'audit?action=statement.correct'))
  assert.deepEqual(
    [entry?.['subject'], entry?.['actorId'], entry?.['reason']],
    [subject, bea.userId, body.reason],
  )
})

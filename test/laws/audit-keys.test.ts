// The table that says which audit key made which batches is only a hint.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutAt, ledgerInspections } from '#/audit/ledger.ts'
import { inspectAll } from '#/db/inspection.ts'
import { fingerprintOf, sha256, type KeyRing } from '#/kernel/secret.ts'
import { deposit, move, openBooks, type Books } from '../books.ts'
import { auditKey, cell } from '../line.ts'

const another = sha256('another key')

async function faultsWith({ sql }: Books, key: KeyRing): Promise<readonly string[]> {
  const { faults } = await inspectAll(ledgerInspections(key), { sql, cell, upTo: await cutAt(sql, cell) })
  return faults.map(({ row, what }) => `${row} ${what}`)
}

/** Says, as somebody who owns the tables could, that this key made the batches. */
async function claim({ owner }: Books, key: Buffer): Promise<void> {
  await owner`alter table audit_key disable trigger audit_key_append_only`
  await owner`update audit_key set fingerprint = ${fingerprintOf(key)}`
  await owner`alter table audit_key enable trigger audit_key_append_only`
  await owner`update head set audit_key = ${fingerprintOf(key)}`
}

test('with another audit key the missing one is named; where it is said to be the right one, no batch is what it must be', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  for (let nth = 0; nth < 3; nth += 1) await lane.submit(move, deposit(1, 10))
  const name = fingerprintOf(auditKey).toString('hex')
  assert.deepEqual(await faultsWith(books, another), [
    `audit key ${name} made batches 1 to 3 and is not given: add it to VINTEM_AUDIT_KEY_PREVIOUS`,
  ])
  assert.deepEqual(await faultsWith(books, auditKey), [])
  await claim(books, another)
  const faults = await faultsWith(books, another)
  assert.equal(faults.length, 3)
  for (const each of faults) assert.match(each, /has another hash than its accounts/)
  assert.match((await faultsWith(books, [another, auditKey])).join(), /has another hash/)
})

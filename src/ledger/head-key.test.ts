// Which key makes the next hash, where the books say it and where they do not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSound, auditKey, deposit, isUnavailable, move, openBooks } from '../../test/books.ts'
import { sha256 } from '#/kernel/secret.ts'

const next = sha256('the next audit key of tests')

test('books that do not say their key are not continued with one of several; a start with one key says it', async () => {
  await using books = await openBooks()
  const before = await books.openLane()
  await before.submit(move, deposit(1, 100))
  // As a release left them that had one key for ever.
  await books.owner`update head set audit_key = null`
  await books.owner`alter table audit_key disable trigger user`
  await books.owner`delete from audit_key`
  await books.owner`alter table audit_key enable trigger user`
  const two = await books.openLane({ auditKey: [next, auditKey] })
  await assert.rejects(two.submit(move, deposit(1, 1)), isUnavailable)
  const [head] = await books.sql<{ batch: bigint }[]>`select batch from head`
  assert.equal(head?.batch, 1n)
  await books.openLane()
  assert.deepEqual(await two.submit(move, deposit(1, 1)), { ok: true })
  await assertSound(books)
})

// Which key makes the next hash, where the books say it and where they do not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { AppError } from '#/kernel/error.ts'
import { fingerprintOf, sha256, type KeyRing } from '#/kernel/secret.ts'
import { minuteMs } from '#/kernel/time.ts'
import { assertSound, auditKey, deposit, isUnavailable, move, openBooks } from '../../test/books.ts'
import { createHeadKey } from './head.ts'

const next = sha256('the next audit key of tests')

/** A process with these keys: what it logs, and the key it takes for a head. */
function processWith(keys: KeyRing) {
  const logged: unknown[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) })
  const keyOf = createHeadKey({ cell: 't1', auditKey: keys, log })
  const take = (inForce: Buffer | null, batch: bigint) => {
    try {
      return keyOf({ auditKey: inForce && fingerprintOf(inForce), batch })
    } catch (error) {
      assert.ok(error instanceof AppError && error.code === 'unavailable')
      return 'refused'
    }
  }
  return { logged, take }
}

test('the head names the key; where it names none, one key alone serves, or the oldest in books without a batch', () => {
  const [one, two] = [processWith(auditKey), processWith([next, auditKey])]
  const foreign = sha256('a key of nobody')
  for (const batch of [0n, 1n, 2n]) {
    assert.deepEqual(one.take(auditKey, batch), auditKey)
    assert.deepEqual(one.take(null, batch), auditKey)
    assert.equal(one.take(next, batch), 'refused')
    assert.deepEqual(two.take(auditKey, batch), auditKey)
    assert.deepEqual(two.take(next, batch), next)
    assert.deepEqual(two.take(null, batch), batch === 0n ? auditKey : 'refused')
    assert.equal(two.take(foreign, batch), 'refused')
  }
})

test('a process without the key in force says so, once a minute', (t) => {
  let atMs = 1_000
  t.mock.method(performance, 'now', () => atMs)
  const { logged, take } = processWith(auditKey)
  const alarmsAfter = (ms: number) => {
    atMs += ms
    take(next, 1n)
    return logged.splice(0).length
  }
  assert.deepEqual([0, minuteMs, 1, minuteMs].map(alarmsAfter), [1, 0, 1, 0])
})

test('a lane with another key records nothing of it and writes nothing', async () => {
  await using books = await openBooks()
  await books.openLane()
  const wrong = await books.openLane({ auditKey: next })
  await assert.rejects(wrong.submit(move, deposit(1, 1)), isUnavailable)
  const [head] = await books.sql<
    { auditKey: Buffer; batch: bigint }[]
  >`select audit_key as "auditKey", batch from head`
  assert.deepEqual({ ...head }, { auditKey: fingerprintOf(auditKey), batch: 0n })
})

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

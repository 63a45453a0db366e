// Which lost attempts and closings the statements of the issuance log find and change: each condition on rows that it alone tells apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { AttemptId } from '#/kernel/id.ts'
import type { Attempt } from '#/rails/attempt.ts'
import {
  asAttempt,
  at,
  attempt,
  bank,
  claimOf,
  first,
  idsOf,
  key,
  other,
  ours,
  rowOf,
  rowsOf,
  second,
  text,
  theirs,
  tries,
  where,
} from '../../test/bare-attempts.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as queries from './queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

test('the books have an attempt under its id, and one of a local method under its payment', async () => {
  const inBooks = async (change: Partial<Attempt>) =>
    (
      await onRows(
        sql,
        { attempt: [attempt, ...beside(attempt, { merchant_id: theirs, id: second })] },
        (tx) => queries.selectInBooks(tx, [{ ...asAttempt, ...change }], ['PIX', 'CREDIT_CARD']),
      )
    ).size === 1
  const [unknown] = [bareId(29) as AttemptId]
  assert.equal(await inBooks({ paymentId: other }), true)
  assert.equal(await inBooks({ id: second, paymentId: other }), false)
  assert.equal(await inBooks({ id: unknown }), true)
  assert.equal(await inBooks({ id: unknown, paymentId: other }), false)
  assert.equal(await inBooks({ id: unknown, method: 'CREDIT_CARD' }), false)
  assert.equal(await inBooks({ id: unknown, method: 'BOLETO' }), false)
  const foreign = beside(attempt, { merchant_id: theirs })
  const found = await onRows(sql, { attempt: foreign }, (tx) =>
    queries.selectInBooks(tx, [asAttempt, { ...asAttempt, id: unknown }], ['PIX']),
  )
  assert.equal(found.size, 0)
})

test('a lost attempt gets its name once', async () => {
  const lost = [...rowsOf({}), ...beside(rowOf(), { attempt_id: bareId(23), name: 'first' })]
  await onRows(sql, { lost_issuance: lost }, async (tx) => {
    const named = { name: 'named', at, merchantId: ours }
    await queries.nameLost(tx, [
      { ...named, attempt: asAttempt },
      { ...named, attempt: { ...asAttempt, id: bareId(23) as AttemptId } },
      { at, attempt: { ...asAttempt, id: second } },
    ])
    assert.deepEqual(await where(tx, 'lost_issuance', `name = 'named'`), ['ours 21'])
    assert.deepEqual(await where(tx, 'lost_issuance', 'name is null'), ['ours 22', 'theirs 21'])
    await queries.nameLost(tx, [{ ...named, attempt: { ...asAttempt, id: second } }])
    assert.deepEqual(await where(tx, 'lost_issuance', 'name is null'), ['theirs 21'])
  })
})

test('closings are of connections that are known', async () => {
  await onRows(sql, { connection: [{ id: bank }], lost_closing: [] }, async (tx) => {
    await queries.insertClosings(tx, [
      asAttempt,
      { ...asAttempt, id: second, connection: 'gone' as typeof bank },
    ])
    assert.deepEqual(await where(tx, 'lost_closing', 'true'), ['ours 21'])
  })
})

test('what was lost is counted by restore and by the end at its provider', async () => {
  const lost = { merchant_id: ours, epoch: 2 }
  const ends = ['CLOSED', 'CLOSED', 'PAID', 'GIVEN_UP', null]
  const rows = {
    lost_issuance: [0, 1, 2, 3, 4, 5, 6].map((nth) => ({
      ...lost,
      attempt_id: bareId(30 + nth),
      epoch: nth === 6 ? 1 : 2,
    })),
    lost_closing: ends.map((outcome, nth) => ({ merchant_id: ours, attempt_id: bareId(30 + nth), outcome })),
  }
  assert.deepEqual(await onRows(sql, rows, (tx) => queries.countLost(tx, 2)), {
    lost: 6,
    open: 1,
    closed: 2,
    paid: 1,
    givenUp: 1,
  })
})

test('a page of what was lost begins after an attempt', async () => {
  const rows = { lost_issuance: rowsOf({}), lost_closing: [] }
  await onRows(sql, rows, async (tx) => {
    const page = async (
      after?: { readonly merchantId: typeof ours; readonly attemptId: AttemptId },
      limit = 10,
    ) => (await queries.selectLostPage(tx, after, limit)).map((each) => [each.merchantId, each.attemptId])
    const all = [
      [ours, first],
      [ours, second],
      [theirs, first],
    ]
    assert.deepEqual(await page(), all)
    assert.deepEqual(await page(undefined, 2), all.slice(0, 2))
    assert.deepEqual(await page({ merchantId: ours, attemptId: first }), all.slice(1))
  })
})

test('a closing is claimed with its attempt, and changed by who claimed it last until it has ended', async () => {
  const closings = rowsOf({ tries: 2 })
  const lost = tries.map(({ id, ...row }) => ({ ...row, attempt_id: id }))
  await onRows(sql, { lost_issuance: lost, lost_closing: closings }, async (tx) => {
    const due = (number: number) => ({ attempt: asAttempt, name: null, claim: claimOf(number) })
    const isOurs = (condition: string) => where(tx, 'lost_closing', condition)
    assert.equal(await queries.postponeClosing(tx, due(1), 1_000), false)
    assert.equal(await queries.postponeClosing(tx, due(2), 1_000), true)
    assert.deepEqual(await isOurs('due_at <> ' + text(at)), ['ours 21'])
    await queries.writeSaid(tx, due(1), 'late')
    assert.deepEqual(await isOurs('said is not null'), [])
    await queries.writeSaid(tx, due(2), 'busy')
    assert.deepEqual(await isOurs('said is not null'), ['ours 21'])
    await queries.endClosing(tx, due(1), 'PAID')
    assert.deepEqual(await isOurs('ended_at is not null'), [])
    await queries.endClosing(tx, due(2), 'GIVEN_UP')
    assert.deepEqual(await isOurs(`outcome = 'GIVEN_UP' and said = 'busy' and ended_at is not null`), [
      'ours 21',
    ])
    // After its end nothing changes.
    assert.equal(await queries.postponeClosing(tx, due(2), 1_000), false)
    await queries.writeSaid(tx, due(2), 'more')
    await queries.endClosing(tx, due(2), 'PAID')
    assert.deepEqual(await isOurs(`outcome = 'GIVEN_UP' and said = 'busy'`), ['ours 21'])
    const slots = { total: 5, each: 5, byConnection: [] }
    const claimed = await queries.claimClosings(tx, slots, 1_000)
    assert.deepEqual(
      new Set(
        idsOf(
          claimed.map((each) => ({
            id: `${each.attempt.merchantId} ${each.attempt.id} ${each.claim.number}`,
          })),
        ),
      ),
      new Set([`${ours} ${second} 3`, `${theirs} ${first} 3`]),
    )
  })
  await onRows(sql, { lost_closing: [rowOf({ tries: 1, said: 'busy' })] }, async (tx) => {
    await queries.endClosing(
      tx,
      { attempt: { ...asAttempt, ...key }, name: null, claim: claimOf(1) },
      'CLOSED',
    )
    assert.deepEqual(await where(tx, 'lost_closing', `outcome = 'CLOSED' and said is null`), ['ours 21'])
  })
})

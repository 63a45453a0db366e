// Which payments their links still accept, on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { PaymentLinkId } from '#/kernel/id.ts'
import { at, earlier, ours, theirs } from '../../test/bare-attempts.ts'
import { paymentOf, paymentRow } from '../../test/bare-payments.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { refusedByLinks } from './link-uses.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

type Row = Readonly<Record<string, unknown>>

const linkId = bareId(31) as PaymentLinkId
const other = bareId(32) as PaymentLinkId
const used = (number: number, change: Row = {}) =>
  paymentRow(number, { link_id: linkId, idempotency_key: `made-${number}`, ...change })

/** Why each of so many payments of the link is refused, in their order. */
async function refused(
  link: Row,
  payments: readonly Row[] = [],
  keys: readonly string[] = ['one'],
  linkIds: readonly (PaymentLinkId | undefined)[] = [],
) {
  const wanted = keys.map((idempotencyKey, index) => {
    const of = linkIds.length === 0 ? linkId : linkIds[index]
    const ref = { merchantId: ours, id: paymentOf(90 + index), idempotencyKey }
    return of === undefined ? ref : { ...ref, linkId: of }
  })
  const links = [{ merchant_id: ours, id: linkId, ...link }]
  const reasons = await onRows(sql, { payment_link: links, payment: payments }, (tx) =>
    refusedByLinks(tx, wanted),
  )
  return wanted.map(({ id }) => reasons.get(id)?.code)
}

test('a link that is archived, has expired, or is not there accepts nothing', async () => {
  assert.deepEqual(await refused({}), [undefined])
  assert.deepEqual(await refused({ archived_at: earlier }), ['invalid_state'])
  assert.deepEqual(await refused({ expires_at: at }), ['invalid_state'])
  assert.deepEqual(await refused({ expires_at: '2999-01-01T00:00:00Z' }), [undefined])
  assert.deepEqual(await refused({ merchant_id: theirs }), ['invalid_state'])
  assert.deepEqual(await refused({}, [], ['one'], [other]), ['invalid_state'])
})

test('a link is used at most as often as it says, by payments that are paid or can still be', async () => {
  const once = { uses_max: 1 }
  assert.deepEqual(await refused(once), [undefined])
  assert.deepEqual(await refused(once, [used(1)]), ['limit_exceeded'])
  assert.deepEqual(await refused({ uses_max: 2 }, [used(1)]), [undefined])
  assert.deepEqual(await refused({}, [used(1), used(2)]), [undefined])
  for (const status of ['EXPIRED', 'FAILED', 'CANCELED'])
    assert.deepEqual(await refused(once, [used(1, { status })]), [undefined])
  for (const status of ['PENDING', 'APPROVED', 'PAID'])
    assert.deepEqual(await refused(once, [used(1, { status })]), ['limit_exceeded'])
  assert.deepEqual(await refused(once, [used(1, { link_id: other }), used(2, { merchant_id: theirs })]), [
    undefined,
  ])
})

test('payments of one batch take the uses that are left, one after the other', async () => {
  const keys = ['one', 'two', 'three']
  assert.deepEqual(await refused({ uses_max: 3 }, [used(1)], keys), [undefined, undefined, 'limit_exceeded'])
  assert.deepEqual(await refused({}, [], keys), [undefined, undefined, undefined])
  assert.deepEqual(await refused({ archived_at: earlier }, [], ['one', 'two'], [undefined, linkId]), [
    undefined,
    'invalid_state',
  ])
})

test('a form that is sent again takes no further use, unless the link is over', async () => {
  const again = ['made-1']
  assert.deepEqual(await refused({ uses_max: 1 }, [used(1)], again), [undefined])
  assert.deepEqual(await refused({ uses_max: 2 }, [used(1)], ['made-1', 'two', 'three']), [
    undefined,
    undefined,
    'limit_exceeded',
  ])
  assert.deepEqual(
    await refused({ uses_max: 1 }, [used(1, { merchant_id: theirs, link_id: null })], ['made-1', 'two']),
    [undefined, 'limit_exceeded'],
  )
  assert.deepEqual(await refused({ uses_max: 1, archived_at: earlier }, [used(1)], again), ['invalid_state'])
})

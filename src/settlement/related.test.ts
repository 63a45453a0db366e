// What was recorded of the same money before, on a test's own rows: what announced it and what ended it count, of its own connection and name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { brl, paidReceipt, paymentRow, said, settle } from '../../test/settle-scene.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const pendingRef = 'p1'
/** Money of the payment that was recorded before, under the provider's name `p1`, unless the change says otherwise. */
const stored = (outcome: string, change: object = {}) => ({
  ...paidReceipt,
  provider_ref: outcome,
  outcome,
  pending_ref: pendingRef,
  ...change,
})
/** Nothing of it is final. */
const seenRow = { ...paymentRow, seen_minor: 1_000, receipts: 1 }

type BareRow = BareRows[string][number]
const after = async (receipts: readonly Receipt[], kept: readonly BareRow[]) => {
  const rows = { payment: [seenRow], receipt: kept }
  const {
    verdicts,
    posted,
    after: booked,
  } = await settle(sql, [{ receipts }], { rows }, async (tx) => {
    const found = await tx<{ booked: string }[]>`
      select concat_ws(' ', provider_ref, outcome, booked_minor) as booked from receipt where ordinal > 1 order by ordinal`
    return found.map((row) => row.booked)
  })
  return { verdicts: verdicts[0], posted, booked }
}
const uncover = (told: { readonly posted: readonly string[] }) =>
  told.posted.filter((each) => each.includes('pending>seen')).map((each) => each.split(' ').at(-1))

test('what was announced by any outcome that announces leaves pending when it is final or gone; nothing else does', async () => {
  for (const announced of ['seen', 'authorised'])
    for (const outcome of ['paid', 'orphaned', 'voided'] as const) {
      const told = await after([said(outcome, { pendingRef })], [stored(announced)])
      assert.deepEqual([told.verdicts, uncover(told)], [['booked'], ['1000']], `${announced} ${outcome}`)
    }
  for (const others of [
    stored('paid'),
    stored('seen', { pending_ref: 'p2' }),
    stored('seen', { connection: 't2-bank' }),
  ])
    assert.deepEqual(uncover(await after([said('orphaned', { pendingRef })], [others])), [])
  assert.deepEqual(
    uncover(await after([said('orphaned')], [stored('seen', { pending_ref: null })])),
    [],
    'a report without a name of money on its way belongs to no other',
  )
  const part = await after([said('paid', { pendingRef })], [stored('seen', { booked_minor: 600 })])
  assert.deepEqual(uncover(part), ['600'], 'as much as was booked of it')
})

test('what ended money on its way ends it for later batches too', async () => {
  for (const end of ['paid', 'orphaned', 'voided']) {
    const kept = [stored('seen'), stored(end, { ordinal: 1, attempt_id: null })]
    const told = await after([said('orphaned', { pendingRef, providerRef: 'e5' })], kept)
    assert.deepEqual([told.verdicts, told.posted], [['booked'], []], end)
    const again = await after([said('seen', { pendingRef, providerRef: 'e6' })], kept)
    assert.deepEqual([again.verdicts, again.posted, again.booked], [['booked'], [], ['e6 seen 0']], end)
  }
})

test('a report that was recorded before is repeated, whatever it says now; another occurrence of it is not', async () => {
  const kept = [stored('paid', { provider_ref: 'e1' })]
  const told = await after([said('paid', brl(5n)), said('paid', { occurrence: 2 })], kept)
  assert.deepEqual([told.verdicts, told.booked], [['repeated', 'booked'], ['e1 paid 1000']])
})

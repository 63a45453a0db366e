// What a batch reads of the splits of its payments, on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, other, ours, wanted } from '../../test/bare-attempts.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { fileDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import type { Sql, Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { loadSplits } from './book-shares.ts'
import type { Payment } from './payment.ts'
import { pieceName } from './shares.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

const [one, two] = [bareId(31), bareId(32)] as const
const payment = (id: Payment['id'], splits?: Payment['request']['splits']) =>
  partly<Payment>({
    merchantId: ours,
    id,
    request: { amount: 1_000, ...(splits === undefined ? {} : { splits }) },
  })
const of = { merchant_id: ours, payment_id: wanted }
const share = {
  ...of,
  id: bareId(51),
  ordinal: 1,
  sub_account_id: one,
  wallet_id: bareId(41),
  rate_ppm: 400_000,
  booked_minor: 100,
  unreleased_minor: 0,
  kept_minor: 0,
  fee_minor: 0,
}
const receipt = {
  ...of,
  connection: 'bank',
  provider_ref: 'E1',
  outcome: 'paid',
  is_duplicate: true,
  ordinal: 1,
  booked_minor: 700,
}
const tables = {
  payment_split: [
    {
      ...of,
      id: bareId(61),
      currency: 'BRL',
      duplicate_minor: 0,
      waiting_minor: 0,
      version: 1,
      created_at: at,
    },
  ],
  payment_share: [share],
  sub_account: [],
  wallet: [
    { id: bareId(41), merchant_id: one, currency: 'BRL' },
    { id: bareId(42), merchant_id: one, currency: 'BRL' },
    { id: bareId(43), merchant_id: one, currency: 'USD' },
    { id: bareId(44), merchant_id: two, currency: 'BRL' },
  ],
  receipt: [receipt, { ...receipt, provider_ref: 'E2', ordinal: 2, is_duplicate: false }],
  release: [
    { ...of, ordinal: 1, share_minors: [30] },
    { ...of, ordinal: 2, share_minors: null },
  ],
}
const split = payment(wanted, [{ subAccountId: one, percent: '40' }])
const [connection, paidRef] = ['bank' as ConnectionId, 'E1']

test('a split is read with all wallets of its recipients in its currency, oldest first', async () => {
  const splits = await onRows(sql, tables, (tx) => loadSplits(tx, [split, payment(other)], []))
  assert.deepEqual([...splits.keys()], [wanted])
  const view = splits.get(wanted)
  assert.deepEqual(
    view?.split.shares.map(({ bookedMinor }) => bookedMinor),
    [100n],
  )
  assert.deepEqual([...(view?.wallets ?? [])], [[one, [bareId(41), bareId(42)]]])
  assert.deepEqual(view?.ahead, { keptMinor: 0n, events: [] })
  // Nothing goes back, so nothing is read of what came.
  assert.deepEqual([...(view?.duplicates ?? [])], [])
  assert.deepEqual(view?.withheld, { unsharedMinor: 0n, shareMinors: [0n] })
})

test('where money may go back, duplicates and what is still to be released are read, of shares and of what is not shared', async () => {
  const pieces = [{ connection, paidRef }]
  const view = await onRows(sql, tables, async (tx) => (await loadSplits(tx, [split], pieces)).get(wanted))
  assert.deepEqual([...(view?.duplicates ?? [])], [pieceName(connection, paidRef)])
  assert.deepEqual(view?.withheld, { unsharedMinor: 700n, shareMinors: [30n] })
  const released = { ...tables, release: [] }
  const none = await onRows(sql, released, async (tx) => (await loadSplits(tx, [split], pieces)).get(wanted))
  assert.deepEqual(none?.withheld, { unsharedMinor: 0n, shareMinors: [0n] })
})

test('payments without a split need no statement', async () => {
  const noStatement = (() => assert.fail('a statement')) as unknown as Tx
  assert.equal((await loadSplits(noStatement, [payment(wanted)], [{ connection, paidRef }])).size, 0)
})

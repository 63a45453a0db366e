// A merchant finds its own refunds, page by page, by what they have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { findRefunds } from './find.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

test('refunds are found by the Pix whose money goes back, or listed, with where the list continues', async () => {
  const [ours, theirs] = [1, 2].map(bareId) as MerchantId[] as [MerchantId, MerchantId]
  const [payment, bank] = [bareId(3), 'bank']
  const refund = {
    payment_id: payment,
    connection: bank,
    method: 'PIX',
    status: 'COMPLETED',
    currency: 'BRL',
  }
  const paid = { payment_id: payment, connection: bank, provider_ref: 'e1', outcome: 'paid' }
  const tables = {
    merchant: [ours, theirs].map((id) => ({ id, mode: 'LIVE' })),
    connection: [{ id: bank, method: 'PIX' }],
    receipt: [ours, theirs].map((merchant_id) => ({ ...paid, merchant_id })),
    refund: [
      ...[31, 32, 33].map((id) => ({ ...refund, merchant_id: ours, id: bareId(id), paid_ref: 'e1' })),
      { ...refund, merchant_id: ours, id: bareId(34), paid_ref: 'e2' },
      { ...refund, merchant_id: theirs, id: bareId(35), paid_ref: 'e1' },
    ],
  }
  const cases = [
    [{ limit: 9 }, [34, 33, 32, 31], undefined],
    [{ limit: 4 }, [34, 33, 32, 31], undefined],
    [{ limit: 3 }, [34, 33, 32], 32],
    [{ limit: 9, endToEndId: 'e1' }, [33, 32, 31], undefined],
    [{ limit: 2, endToEndId: 'e1' }, [33, 32], 32],
    [{ limit: 9, endToEndId: 'e2' }, [], undefined],
    [{ limit: 9, endToEndId: 'e1', before: bareId(32) }, [31], undefined],
  ] as const
  const numberOf = (id: string) => Number(id.slice(-2))
  await onRows(sql, tables, async (tx) => {
    for (const [filter, found, after] of cases) {
      const { rows, next } = await findRefunds(tx, ours, filter as Parameters<typeof findRefunds>[2])
      const numbers = [rows.map(({ id }) => numberOf(id)), next && numberOf(next)]
      assert.deepEqual(numbers, [found, after], JSON.stringify(filter))
    }
  })
})

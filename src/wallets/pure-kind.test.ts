// A pure kind posts what the accounts always cover. If the books refuse it all the same, nothing of the item may be kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as chart from '#/ledger/chart.ts'
import type { Batch } from '#/ledger/kind.ts'
import { postAll } from './pure-kind.ts'

const books = (result: ReturnType<Batch['books']['post']>): Batch['books'] => ({
  load: async () => {},
  post: () => result,
  accepts: () => true,
  isMixed: () => false,
  balance: () => 0n,
})

test('a posting that the books refuse is an error that names their reason', () => {
  const account = chart.fees('SANDBOX', 'BRL')
  const refusal = { reason: 'insufficient_funds', account, missing: 1n } as const
  assert.throws(() => postAll({ books: books({ ok: false, refusal }) }, []), /insufficient_funds/)
  postAll({ books: books({ ok: true }) }, [])
})

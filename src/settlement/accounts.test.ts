// A decision posts only to accounts that were loaded for its receipt before it, whatever the batch decided before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundStatuses } from '#/contract/refunds.ts'
import { newId } from '#/kernel/id.ts'
import { outcomes, type Outcome } from '#/rails/receipt.ts'
import { fc } from '../../test/chance.ts'
import { at, receiptOf, recordingBooks, refundOf, viewOf } from '../../test/settlement-view.ts'
import { accountList, mayDebit } from './accounts.ts'
import { settleReceipt } from './settle.ts'

/** The payment before the batch. */
const starts = fc.record({
  status: fc.constantFrom('WAITING_PAYMENT', 'APPROVED', 'PAID', 'CANCELED'),
  hasMoney: fc.boolean(),
  delayMs: fc.constantFrom(0, 1_000),
  refund: fc.record({
    status: fc.constantFrom(...refundStatuses),
    isHeldBack: fc.boolean(),
    isUnsent: fc.boolean(),
  }),
  wallets: fc.integer({ min: 1, max: 3 }),
})

const refundId = newId<'refund'>()
const reported = (outcome: Outcome, occurrence: number) =>
  receiptOf(outcome, { occurrence }, outcome.startsWith('refund') ? refundId : undefined)

test('for any receipts in any order a decision posts only to accounts that were loaded for its receipt', () => {
  const moved = new Map<Outcome, number>()
  const reports = fc.array(
    fc.record({ outcome: fc.constantFrom(...outcomes), occurrence: fc.integer({ min: 1, max: 3 }) }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  fc.assert(
    fc.property(starts, reports, ({ status, refund, ...start }, reports) => {
      const receipts = reports.map(({ outcome, occurrence }) => reported(outcome, occurrence))
      const { isUnsent, ...isSo } = refund
      const view = viewOf(
        {
          ...start,
          payment: { status },
          refunds: [refundOf({ id: refundId, ...isSo })],
          unsent: isUnsent ? [refundId] : [],
        },
        receipts,
      )
      // Listed before anything of the batch is decided, as when it is loaded.
      const lists = receipts.map(
        (receipt) => new Set(accountList(view.facts, view.draft, receipt).map(({ key }) => key)),
      )
      for (const [nth, receipt] of receipts.entries()) {
        const { books, posted } = recordingBooks()
        settleReceipt(view, receipt, { books, at })
        for (const { debit, credit } of posted)
          for (const { key } of [debit, credit])
            assert.ok(lists[nth]?.has(key), `${receipt.outcome} posts to ${key}, which was not loaded`)
        if (posted.length > 0) moved.set(receipt.outcome, (moved.get(receipt.outcome) ?? 0) + 1)
      }
    }),
    { numRuns: 2_000 },
  )
  const silent = outcomes.filter((outcome) => !moved.has(outcome))
  assert.deepEqual(silent, ['declined'], 'every outcome that moves money moved some')
})

test('only refunds that are done and reports of a dispute may debit wallets', () => {
  assert.deepEqual(
    outcomes.filter((outcome) => mayDebit(reported(outcome, 1))),
    ['refunded', 'dispute_opened', 'dispute_taken', 'dispute_won', 'dispute_lost'],
  )
})

// A decision posts only to accounts that were loaded for its receipt before it, whatever the batch decided before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/chance.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import type { Posting } from '#/ledger/apply.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Rail } from '#/rails/rail.ts'
import { outcomes, type Outcome, type Receipt } from '#/rails/words.ts'
import { refundStatuses, type Refund, type RefundStatus } from '#/refunds/refund.ts'
import { accountList, mayDebit } from './accounts.ts'
import type { Placed } from './placed.ts'
import { decideReceipt } from './settle.ts'
import type { View } from './view.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const connection = 't1-bank' as ConnectionId
const merchantId = newId<'merchant'>()
const paymentId = newId<'payment'>()
const attempt = { id: newId<'attempt'>(), merchantId, paymentId }
const refundId = newId<'refund'>()
const paidRef = 'e1'

/** The payment before the batch. */
type Start = {
  readonly status: Payment['status']
  /** Whether it received money before, so that its wallet is set. */
  readonly hasMoney: boolean
  readonly delayMs: number
  readonly refund: { readonly status: RefundStatus; readonly isHeldBack: boolean; readonly isUnsent: boolean }
  readonly wallets: number
}

const starts: fc.Arbitrary<Start> = fc.record({
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

function receiptOf(outcome: Outcome, occurrence: number): Receipt {
  return {
    method: 'PIX',
    attempt,
    connection,
    providerRef: outcome.startsWith('dispute') ? 'd1' : outcome.startsWith('refund') ? 'r1' : paidRef,
    outcome,
    occurrence,
    amount: { minor: outcome.startsWith('refund') ? 400n : 1_000n, currency: 'BRL' },
    happenedAt: at,
    evidence: Buffer.from('{}'),
    ...(outcome === 'paid' || outcome === 'seen' ? { pendingRef: 'p1' } : {}),
    ...(outcome.startsWith('refund') ? { refund: refundId } : {}),
    ...(outcome.startsWith('dispute') ? { dispute: { paidRef, kind: 'CHARGEBACK', fee: 15n } } : {}),
  }
}

function viewOf(start: Start, receipts: readonly Receipt[]): View {
  const walletIds = Array.from({ length: start.wallets }, () => newId<'wallet'>())
  const [walletId = newId<'wallet'>()] = walletIds
  const money = {
    currency: 'BRL' as const,
    walletId,
    unreleasedMinor: 300n,
    refundedMinor: 400n,
    methods: [{ method: 'PIX' as const, receivedMinor: 1_000n, feeMinor: 10n }],
  }
  const payment: Payment = {
    merchantId,
    id: paymentId,
    mode: 'SANDBOX',
    request: { amount: 1_000 },
    status: start.status,
    amountMinor: 1_000n,
    currency: 'BRL',
    methods: ['PIX'],
    money: start.hasMoney ? [money] : [],
    receivedMinor: 1_000n,
    refundedMinor: 400n,
    disputedMinor: 0n,
    seenMinor: 500n,
    unreleasedMinor: 300n,
    feeMinor: 10n,
    exceptions: [],
    receipts: 3,
    version: 3,
    createdAt: at,
  }
  const refund: Refund = {
    merchantId,
    id: refundId,
    mode: 'SANDBOX',
    paymentId,
    attemptId: attempt.id,
    method: 'PIX',
    connection,
    paidRef,
    walletId,
    amountMinor: 400n,
    unreleasedMinor: 100n,
    currency: 'BRL',
    status: start.refund.status,
    isHeldBack: start.refund.isHeldBack,
    approvalRequired: false,
    version: 1,
    createdAt: at,
  }
  const rail = {
    method: 'PIX',
    arrival: () => ({ at: 'PROVIDER' }),
    settlementDelayMs: () => start.delayMs,
    authorisations: {},
  } as never as Rail
  const placed = receipts.map((receipt): Placed => ({ ...receipt, attempt }))
  const payments = new Map([[paymentId, payment]])
  const key = `${merchantId}/BRL`
  return {
    rails: new Map([['PIX', rail]]),
    placement: {
      placed: new Map(receipts.map((receipt, nth) => [receipt, placed[nth] ?? assert.fail()])),
      misfits: new Map(),
      credited: new Map(),
      undecided: new Map(),
    },
    modes: new Map(),
    payments,
    related: { recorded: new Set(), announced: new Map(), ended: new Set(), reports: new Map() },
    wallets: { defaults: new Map([[key, walletId]]), missing: new Map(), all: new Map([[key, walletIds]]) },
    fees: { inForce: new Map(), past: new Map() },
    back: {
      refunds: new Map([[refundId, refund]]),
      disputes: new Map(),
      pieces: new Map([[`${paymentId}|${connection}|${paidRef}`, 1_000n]]),
      unsent: new Set(start.refund.isUnsent ? [refundId] : []),
      withheld: new Map([[`${paymentId}/BRL`, 500n]]),
    },
    orders: new Map(),
    units: new Map(),
    heldClaims: new Set(),
    additions: [],
    splits: new Map(),
    accounts: new Map(),
    parents: { of: new Map(), passedOn: [], at: new Date(0) },
  }
}

/** Books that accept everything and record what was posted. */
function recordingBooks(): { readonly books: Batch['books']; readonly posted: Posting[] } {
  const posted: Posting[] = []
  const books: Batch['books'] = {
    load: async () => {},
    post(postings) {
      posted.push(...postings)
      return { ok: true }
    },
    accepts: () => true,
    isMixed: () => false,
    balance: () => 0n,
  }
  return { books, posted }
}

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
    fc.property(starts, reports, (start, reported) => {
      const receipts = reported.map(({ outcome, occurrence }) => receiptOf(outcome, occurrence))
      const view = viewOf(start, receipts)
      // Listed before anything of the batch is decided, as when it is loaded.
      const lists = receipts.map((receipt) => new Set(accountList(view, receipt).map(({ key }) => key)))
      for (const [nth, receipt] of receipts.entries()) {
        const { books, posted } = recordingBooks()
        decideReceipt(view, receipt, { books, at })
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
    outcomes.filter((outcome) => mayDebit(receiptOf(outcome, 1))),
    ['refunded', 'dispute_opened', 'dispute_taken', 'dispute_won', 'dispute_lost'],
  )
})

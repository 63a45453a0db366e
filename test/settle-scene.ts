// A payment by PIX and what belongs to it, as rows of a test's own, and what settlement makes of reports about it.
import type { RailFields } from '#/contract/payment-rail-fields.ts'
import type { Sql, Tx } from '#/db/client.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import type { Rail } from '#/rails/rail.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { settleKind, type SettleItem } from '#/settlement/settle.ts'
import { bareId, onRows, type BareRows } from './bare-rows.ts'
import { testRail } from './contract/rail.ts'
import { runOnRows, type RecordedBooks } from './kind-on-rows.ts'

export const at = new Date('2026-11-22T12:00:00.000Z')
const created_at = '2026-11-21T12:00:00.000Z'
const ours = 't1-bank' as ConnectionId
export const theirs = 't2-bank' as ConnectionId
export const [merchant, payment, attemptId] = [
  bareId(1) as MerchantId,
  bareId(2) as PaymentId,
  bareId(3) as AttemptId,
]
export const attempt = { id: attemptId, merchantId: merchant, paymentId: payment }
export const [wallet, refundId, unmatchedId] = [bareId(4), bareId(5) as RefundId, bareId(6)]

/** A payment of 10.00 that waits, with the attempt by which it can be paid, and with one that another tab of its page opened. */
export const paymentRow = {
  merchant_id: merchant,
  id: payment,
  request: { amount: 1_000 },
  status: 'WAITING_PAYMENT',
  amount_minor: 1_000,
  currency: 'BRL',
  methods: ['PIX'],
  method: 'PIX',
  received_minor: 0,
  refunded_minor: 0,
  disputed_minor: 0,
  seen_minor: 0,
  unreleased_minor: 0,
  fee_minor: 0,
  exceptions: [],
  receipts: 0,
  version: 1,
  created_at,
}
/** The same, paid before. */
export const paidRow = {
  ...paymentRow,
  status: 'PAID',
  received_minor: 1_000,
  paid_at: created_at,
  receipts: 1,
  wallet_id: wallet,
  money: [{ currency: 'BRL', walletId: wallet, methods: [{ method: 'PIX' }] }],
}
export const attemptRow = {
  merchant_id: merchant,
  payment_id: payment,
  id: attemptId,
  method: 'PIX',
  connection: ours,
  amount_minor: 1_000,
  currency: 'BRL',
  artifacts: {},
}
export const paidReceipt = {
  merchant_id: merchant,
  payment_id: payment,
  attempt_id: attemptId,
  connection: ours,
  ordinal: 1,
  provider_ref: 'e0',
  outcome: 'paid',
  occurrence: 1,
  booked_minor: 1_000,
  currency: 'BRL',
  evidence: '\\x7b7d',
}
export const refundRow = {
  merchant_id: merchant,
  id: refundId,
  payment_id: payment,
  attempt_id: attemptId,
  method: 'PIX',
  connection: ours,
  paid_ref: 'e0',
  wallet_id: wallet,
  amount_minor: 400,
  unreleased_minor: 0,
  currency: 'BRL',
  is_held_back: false,
  approval_required: false,
  status: 'PENDING',
  version: 1,
  created_at,
  payout_type: 'PIX',
}
export const unmatchedRow = {
  id: unmatchedId,
  mode: 'SANDBOX',
  connection: ours,
  provider_ref: 'e9',
  outcome: 'paid',
  occurrence: 1,
  reason: 'no_attempt',
  amount_minor: 1_000,
  currency: 'BRL',
  recorded_at: created_at,
}

/** A report that names the attempt as the provider does: by its id alone. */
export function said(outcome: Outcome, change: Partial<Receipt> = {}): Receipt {
  return {
    method: 'PIX',
    attempt: { id: attemptId },
    connection: ours,
    providerRef: outcome.startsWith('dispute') ? 'd1' : outcome.startsWith('refund') ? 'r1' : 'e1',
    outcome,
    occurrence: 1,
    amount: { minor: outcome.startsWith('refund') ? 400n : 1_000n, currency: 'BRL' },
    happenedAt: at,
    evidence: Buffer.from('{}'),
    ...(outcome.startsWith('refund') ? { refund: refundId } : {}),
    ...(outcome.startsWith('dispute') ? { dispute: { paidRef: 'e0', kind: 'CHARGEBACK' } } : {}),
    ...change,
  }
}
export const brl = (minor: bigint) => ({ amount: { minor, currency: 'BRL' as const } })
const { attempt: _none, ...unnamed } = said('paid')
/** It names no attempt. */
export const nameless = unnamed

export type Scene = {
  readonly rows?: BareRows
  readonly rail?: Partial<Rail>
  readonly books?: Partial<RecordedBooks>
}

/** Every scene names all these tables: a prepared statement keeps the table that it found first. */
const tables: BareRows = {
  merchant: [{ id: merchant, mode: 'SANDBOX' }],
  connection: [{ id: ours, mode: 'SANDBOX' }],
  payment: [paymentRow],
  attempt: [attemptRow],
  wallet: [{ id: wallet, merchant_id: merchant, currency: 'BRL', is_default: true }],
  receipt: [],
  unmatched: [],
  refund: [],
  refund_due: [],
  dispute: [],
  release: [],
  fee_rule: [],
  fee_rule_past: [],
  inbox: [],
  authorisation_order: [],
  attempt_closing: [],
  withdrawal_spent: [],
}

/** What one batch did with these items. `after`: asks about the tables after it. */
export function settle<After>(
  sql: Sql,
  items: readonly SettleItem[],
  { rows = {}, rail = {}, books = {} }: Scene,
  after: (tx: Tx) => Promise<After>,
) {
  return onRows(sql, { ...tables, ...rows }, async (tx) => {
    await tx`alter table withdrawal_spent add primary key (merchant_id, type, currency, day)`
    await tx`alter table dispute add primary key (merchant_id, id)`
    const pix: Rail = {
      ...testRail(),
      method: 'PIX',
      opens: {
        at: 'REQUEST',
        open: async () => ({ ok: true, artifacts: {} }),
        cancel: async () => {},
        close: async () => ({ receipts: [], isOver: true }),
      },
      authorisations: { capture: async () => [], void: async () => [] },
      record: {
        from: 'ATTEMPTS',
        show: (attempts) =>
          ({ shown: attempts.map(({ paidRefs, means }) => ({ paidRefs, means })) }) as RailFields,
      },
      ...rail,
    }
    const ran = await runOnRows(tx, settleKind(new Map([['PIX', pix]])), items, { at, ...books })
    return { ...ran, after: await after(tx) }
  })
}
export const disputeRow = {
  merchant_id: merchant,
  id: bareId(7),
  payment_id: payment,
  connection: ours,
  provider_ref: 'd1',
  paid_ref: 'e0',
  wallet_id: wallet,
  kind: 'CHARGEBACK',
  status: 'OPEN',
  is_taken: false,
  round: 1,
  amount_minor: 1_000,
  fee_minor: 0,
  currency: 'BRL',
  version: 1,
  created_at,
}

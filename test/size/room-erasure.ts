// The erasure of a payer's data, and its inspection.
import * as inspection from '#/audit/erasures-queries.ts'
import * as erasure from '#/erasure/queries.ts'
import { eraseAction } from '#/erasure/redact.ts'
import { bounded, paged, type Registry, type World } from './registry.ts'

const row = (w: World) => w.some[0] ?? 1
const keyOf = (w: World) => ({ merchantId: w.merchantId, paymentId: w.id('payment', row(w)) })
const sequences = (w: World) => w.some.map(BigInt)
const digest = Buffer.alloc(32, 1)
const inbox = 'reads the inbox of the sandbox, which keeps few'

export const erasureRoom: Registry = {
  'erasure/queries.ts': {
    selectSubjects: (w) =>
      erasure.selectSubjects(
        w.sql,
        w.merchantId,
        w.some.map((each) => w.id('payment', each)),
      ),
    selectPaymentsOf: [
      (w) => erasure.selectPaymentsOf(w.sql, w.merchantId, { taxId: 'none' }, first(w)),
      (w) => erasure.selectPaymentsOf(w.sql, w.merchantId, { email: 'none@shop.example' }, first(w)),
    ],
    selectEventsOf: (w) => erasure.selectEventsOf(w.sql, keyOf(w), { after: 0n, limit: 100 }),
    selectReceiptsOf: (w) => erasure.selectReceiptsOf(w.sql, keyOf(w), { after: 0, limit: 500 }),
    selectRefundsOf: (w) => erasure.selectRefundsOf(w.sql, keyOf(w), first(w)),
    countOthers: (w) => erasure.countOthers(w.sql, keyOf(w)),
    countAnswers: (w) => erasure.countAnswers(w.sql, w.merchantId, sequences(w)),
    countSandboxCopies: bounded(600, inbox, (w) =>
      erasure.countSandboxCopies(w.sql, [w.id('event', row(w))]),
    ),
    insertErased: (w) =>
      erasure.insertErased(
        w.sql,
        { ...keyOf(w), id: w.id('erasure', w.size + 1), erasedBy: 'OPERATOR ana', at: w.now, digest },
        [{ place: 'receipt.evidence', key: 'new', beforeDigest: digest, afterDigest: digest }],
      ),
    updateBodies: {
      why: 'the database lets a body change only into what is written down: the numbers here are of no event',
      calls: [(w) => erasure.updateBodies(w.sql, w.merchantId, [{ key: String(w.size + 9), text: '{}' }])],
    },
    clearAnswers: (w) => erasure.clearAnswers(w.sql, w.merchantId, sequences(w)),
    deleteSandboxCopies: bounded(600, inbox, (w) =>
      erasure.deleteSandboxCopies(w.sql, [w.id('event', row(w))]),
    ),
    clearReceipts: (w) => erasure.clearReceipts(w.sql, keyOf(w), [1, 2]),
    updateRefundRequests: (w) =>
      erasure.updateRefundRequests(w.sql, w.merchantId, [{ key: w.id('refund', row(w)), text: '{}' }]),
    clearOthers: (w) => erasure.clearOthers(w.sql, keyOf(w)),
    deleteIndexed: (w) => erasure.deleteIndexed(w.sql, keyOf(w)),
    updatePayment: (w) => erasure.updatePayment(w.sql, keyOf(w), { request: '{}', at: w.now }),
  },
  'audit/erasures-queries.ts': {
    selectErasures: paged((sql, after: Parameters<typeof inspection.selectErasures>[1], limit) =>
      inspection.selectErasures(sql, after, { action: eraseAction, limit }),
    ),
    selectTexts: (w) =>
      inspection.selectTexts(
        w.sql,
        w.some.map((each) => w.id('erasure', each)),
      ),
    selectErased: paged(inspection.selectErased),
  },
}

const first = (w: World) => ({ after: w.id('payment', 1), limit: 100 })

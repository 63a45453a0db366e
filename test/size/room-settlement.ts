// The inbox, receipts, suspense, passes at providers, releases; refunds and disputes.
import * as verifyDisputes from '#/audit/disputes-queries.ts'
import * as verifyRefunds from '#/audit/refunds-queries.ts'
import * as verify from '#/audit/settlement/queries.ts'
import * as sums from '#/audit/settlement/sums-queries.ts'
import * as suspense from '#/audit/settlement/suspense-queries.ts'
import * as defence from '#/disputes/evidence-queries.ts'
import * as disputes from '#/disputes/queries.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { DueRefund } from '#/refunds/due-queries.ts'
import * as dueRefunds from '#/refunds/due-queries.ts'
import * as findRefunds from '#/refunds/find-queries.ts'
import * as refunds from '#/refunds/queries.ts'
import * as inbox from '#/settlement/inbox-queries.ts'
import * as settlement from '#/settlement/queries.ts'
import * as balances from '#/settlement/reconcile-queries.ts'
import * as releases from '#/settlement/release-queries.ts'
import { partly } from '../partly.ts'
import {
  bounded,
  leaseMs,
  everything,
  notRun,
  paged,
  slots,
  claimOf,
  type Registry,
  type World,
} from './registry.ts'

const page = { limit: 50 }
const connection = 'c2' as ConnectionId
const pass = (w: World) => {
  const { now } = w
  return { connection, pass: 'short', through: now, claim: claimOf('c2/short'), claimedAt: now }
}
/** A refund that a worker has claimed. */
const dueRefund = (w: World) => {
  const id = w.id('refund', w.some[0] ?? 1)
  return partly<DueRefund>({
    refund: partly<DueRefund['refund']>({ merchantId: w.merchantId, id }),
    claim: claimOf(id),
  })
}
const refsOf = (w: World) =>
  w.some.map((row) => ({ connection: `c${1 + (row % 50)}` as ConnectionId, providerRef: `ref${row}` }))
const receiptsOf = (w: World): readonly Receipt[] =>
  refsOf(w).map((ref) => ({
    ...ref,
    method: 'PIX',
    outcome: 'paid',
    occurrence: 1,
    pendingRef: 'pending7',
    amount: { minor: 1n, currency: 'BRL' },
    happenedAt: w.now,
    evidence: Buffer.alloc(1),
  }))
const idsOf = (w: World, table: string) => w.some.map((row) => w.id(table, row))
const keysOf = (w: World, table: string) =>
  w.some.map((row) => ({ merchantId: w.merchantId, id: w.id(table, row) }))
const piecesOf = (w: World) =>
  w.refs.map((ref, index) => ({
    ...ref,
    connection: 'c2' as ConnectionId,
    paidRef: `ref${w.some[index] ?? 1}`,
  }))
const releasesOf = (w: World) => w.refs.map((ref) => ({ ...ref, ordinal: 1 }))

const evidenceOf = (w: World) => ({ merchantId: w.merchantId, disputeId: w.id('dispute', w.some[0] ?? 1) })
const evidenceFile = (w: World) => ({
  id: w.id('dispute', 2),
  kind: 'RECEIPT' as const,
  name: 'a.pdf',
  type: 'application/pdf' as const,
  bytes: Buffer.from('%PDF-'),
  digest: Buffer.alloc(32),
})
const dueEvidence = (w: World) => ({
  ...evidenceOf(w),
  submissionId: w.id('dispute', 1),
  texts: {},
  claim: { id: 'x', connection: 'c2', number: 1 },
})

export const settlementRoom: Registry = {
  'jobs/due-queries.ts': {
    chosen: notRun('a part of other statements'),
    hasten: notRun('called by the rooms of its tables'),
  },
  'disputes/queries.ts': {
    selectByRefs: (w) => disputes.selectByRefs(w.sql, refsOf(w)),
    selectByPieces: (w) => disputes.selectByPieces(w.sql, piecesOf(w)),
    listDisputes: [
      (w) => disputes.listDisputes(w.sql, w.merchantId, page),
      (w) => disputes.listDisputes(w.sql, w.merchantId, { ...page, from: w.at(1), to: w.at(40) }),
      (w) => disputes.listDisputes(w.sql, w.merchantId, { ...page, status: 'OPEN' }),
      (w) => disputes.listDisputes(w.sql, w.merchantId, { ...page, currency: 'EUR' }),
      (w) =>
        disputes.listDisputes(w.sql, w.merchantId, { ...page, paymentId: w.id('payment', w.some[0] ?? 1) }),
      (w) => disputes.listDisputes(w.sql, w.merchantId, { ...page, id: w.id('dispute', w.some[0] ?? 1) }),
    ],
    selectDisputedAttempt: async (w) => {
      const [dispute] = await disputes.listDisputes(w.raw, w.merchantId, page)
      if (dispute?.paymentId !== undefined)
        await disputes.selectDisputedAttempt(w.sql, dispute, dispute.paymentId)
    },
  },
  'disputes/evidence-queries.ts': {
    selectEvidence: (w) => defence.selectEvidence(w.sql, evidenceOf(w)),
    lockEvidence: (w) => defence.lockEvidence(w.sql, evidenceOf(w), w.id('api_key', 1)),
    writeTexts: (w) => defence.writeTexts(w.sql, evidenceOf(w), {}, w.id('api_key', 1)),
    selectFiles: (w) => defence.selectFiles(w.sql, evidenceOf(w)),
    putFile: (w) => defence.putFile(w.sql, evidenceOf(w), evidenceFile(w), w.id('api_key', 1)),
    deleteFiles: (w) => defence.deleteFiles(w.sql, evidenceOf(w), ['RECEIPT']),
    beginSubmission: (w) =>
      defence.beginSubmission(
        w.sql,
        { ...evidenceOf(w), disputeId: w.id('dispute', 0) },
        { id: w.id('dispute', 1), by: w.id('api_key', 1), connection: 'c2' as ConnectionId },
      ),
    claimEvidence: (w) => defence.claimEvidence(w.sql, { total: 2, each: 2, byConnection: [] }, 1_000),
    selectFileContents: (w) => defence.selectFileContents(w.sql, evidenceOf(w)),
    isClaimed: (w) => defence.isClaimed(w.sql, dueEvidence(w)),
    postponeEvidence: (w) => defence.postponeEvidence(w.sql, dueEvidence(w), 1_000),
    endSubmission: (w) => defence.endSubmission(w.sql, dueEvidence(w), undefined),
    selectStanding: (w) => defence.selectStanding(w.sql, evidenceOf(w)),
  },
  'audit/disputes-queries.ts': {
    selectDisputesOfCredited: (w) => verifyDisputes.selectDisputesOfCredited(w.sql, idsOf(w, 'unmatched')),
    selectDisputesOf: (w) => verifyDisputes.selectDisputesOf(w.sql, w.refs),
    selectDisputesAmong: everything('reads all of them, for a sum that is wrong', (w) =>
      verifyDisputes.selectDisputesAmong(w.sql, idsOf(w, 'dispute')),
    ),
    selectOpened: paged(verifyDisputes.selectOpened),
    selectNotified: (w) => verifyDisputes.selectNotified(w.sql, keysOf(w, 'dispute')),
    selectStates: paged(verifyDisputes.selectStates),
  },
  'refunds/due-queries.ts': {
    claimDue: (w) => dueRefunds.claimDue(w.sql, slots, leaseMs),
    postponeDue: (w) => dueRefunds.postponeDue(w.sql, dueRefund(w), { waitMs: 1, wasNotSent: true }),
    isClaimed: (w) => dueRefunds.isClaimed(w.sql, dueRefund(w)),
    releaseDue: (w) => dueRefunds.releaseDue(w.sql, dueRefund(w)),
    lockClaims: (w) => dueRefunds.lockClaims(w.sql, idsOf(w, 'refund').map(claimOf)),
    hastenDue: (w) => dueRefunds.hastenDue(w.sql, idsOf(w, 'refund')),
    lockSends: (w) => dueRefunds.lockSends(w.sql, idsOf(w, 'refund')),
    selectOpen: (w) => dueRefunds.selectOpen(w.sql, 50),
  },
  'refunds/find-queries.ts': {
    searchRefunds: [
      (w) => findRefunds.searchRefunds(w.sql, w.merchantId, { limit: 50, amountMinor: 777n }, []),
      (w) => findRefunds.searchRefunds(w.sql, w.merchantId, { limit: 50, amountMinor: 1n }, []),
      (w) => findRefunds.searchRefunds(w.sql, w.merchantId, { limit: 50, txHash: '0x7' }, []),
      bounded(
        1_100,
        'it counts the candidates of each filter, up to 500, to begin with the fewest',
        (w) =>
          findRefunds.searchRefunds(w.sql, w.merchantId, { limit: 50, endToEndId: 'ref7', amountMinor: 1n }, [
            w.id('payment', w.some[0] ?? 1),
          ]),
        (w) =>
          findRefunds.searchRefunds(
            w.sql,
            w.merchantId,
            { limit: 50, amountMinor: 1n, paymentId: w.id('payment', w.some[0] ?? 1) },
            [],
          ),
      ),
    ],
  },
  'refunds/queries.ts': {
    selectDeparted: (w) =>
      refunds.selectDeparted(
        w.sql,
        w.some.map((row) => w.id('refund', row)),
      ),
    columns: notRun('a part of other queries'),
    selectByKeys: (w) =>
      refunds.selectByKeys(
        w.sql,
        w.some.map((row) => ({ merchantId: w.merchantId, key: `key${row}` })),
      ),
    selectRefundsById: (w) => refunds.selectRefundsById(w.sql, idsOf(w, 'refund')),
    listRefunds: [
      (w) => refunds.listRefunds(w.sql, w.merchantId, page),
      (w) => refunds.listRefunds(w.sql, w.merchantId, { ...page, from: w.at(1), to: w.at(40) }),
      (w) => refunds.listRefunds(w.sql, w.merchantId, { ...page, status: 'FAILED' }),
      (w) => refunds.listRefunds(w.sql, w.merchantId, { ...page, currency: 'EUR' }),
      (w) => refunds.listRefunds(w.sql, w.merchantId, { ...page, status: 'COMPLETED', currency: 'EUR' }),
      (w) =>
        refunds.listRefunds(w.sql, w.merchantId, { ...page, paymentId: w.id('payment', w.some[0] ?? 1) }),
      (w) => refunds.listRefunds(w.sql, w.merchantId, { ...page, id: w.id('refund', w.some[0] ?? 1) }),
    ],
    selectPieces: (w) => refunds.selectPieces(w.sql, w.refs),
    selectByPieces: (w) => refunds.selectByPieces(w.sql, piecesOf(w)),
    insertDue: async (w) => {
      const some = await refunds.selectRefundsById(w.raw, idsOf(w, 'refund'))
      await w.raw`delete from refund_due where refund_id = any (${some.map(({ id }) => id)}::uuid[])`
      await refunds.insertDue(w.sql, some)
    },
    lockUnsent: (w) => refunds.lockUnsent(w.sql, piecesOf(w)),
    countRefunds: (w) => refunds.countRefunds(w.sql, w.refs),
    writeRefunds: async (w) =>
      refunds.writeRefunds(w.sql, await refunds.selectRefundsById(w.raw, idsOf(w, 'refund'))),
    selectEarlier: async (w) => {
      const [refund] = await refunds.selectRefundsById(w.raw, idsOf(w, 'refund'))
      if (refund !== undefined) await refunds.selectEarlier(w.sql, refund)
    },
  },
  'audit/refunds-queries.ts': {
    selectRefundsOf: (w) => verifyRefunds.selectRefundsOf(w.sql, w.refs),
    selectRefundsAmong: (w) => verifyRefunds.selectRefundsAmong(w.sql, idsOf(w, 'refund')),
    selectRequested: paged(verifyRefunds.selectRequested),
    selectDue: paged(verifyRefunds.selectDue),
    selectNotified: (w) => verifyRefunds.selectNotified(w.sql, keysOf(w, 'refund')),
    selectStates: paged(verifyRefunds.selectStates),
  },
  'settlement/reconcile-queries.ts': {
    selectBooked: (w) => balances.selectBooked(w.sql),
    selectUnderWay: (w) => balances.selectUnderWay(w.sql, [connection]),
    claimPasses: everything('one row for each connection and pass', (w) =>
      balances.claimPasses(w.sql, [connection], slots, leaseMs),
    ),
    renewPass: (w) => balances.renewPass(w.sql, pass(w), 1),
    finishPass: (w) => balances.finishPass(w.sql, pass(w), { through: w.now, waitMs: 1 }),
  },
  'settlement/inbox-queries.ts': {
    selectParked: (w) => inbox.selectParked(w.sql),
    selectParkedPage: (w) => inbox.selectParkedPage(w.sql, { after: 1n, limit: 51 }),
    retryParked: (w) => inbox.retryParked(w.sql, 10n),
    dropParked: (w) => inbox.dropParked(w.sql, 10n),
    claimSignals: [false, true].map(
      (isCrowded) => (w: World) => inbox.claimSignals(w.sql, slots, { leaseMs, isCrowded }),
    ),
    postponeSignal: (w) =>
      inbox.postponeSignal(
        w.sql,
        { id: 5n, claim: claimOf('5') },
        { tries: 1, waitMs: 1, parked: true, error: '' },
      ),
    withdrawSignals: everything('crowded signals of the last seconds that wait for the final one', (w) =>
      w.sql.begin((tx) => inbox.withdrawSignals(tx, connection, [{ outcome: 'seen', blockHash: '0x00' }])),
    ),
    deleteSignals: (w) => inbox.deleteSignals(w.sql, [5n, 6n]),
  },
  'settlement/queries.ts': {
    selectRelated: (w) => settlement.selectRelated(w.sql, receiptsOf(w)),
    selectPieceAmounts: (w) => settlement.selectPieceAmounts(w.sql, piecesOf(w)),
    selectRefundReports: (w) => settlement.selectRefundReports(w.sql, receiptsOf(w)),
    selectSuspendedRefs: (w) => settlement.selectSuspendedRefs(w.sql, refsOf(w)),
    selectSuspended: (w) => settlement.selectSuspended(w.sql, false),
    selectUnmatchedPage: [
      (w) => settlement.selectUnmatchedPage(w.sql, { all: false, limit: 51 }),
      (w) => settlement.selectUnmatchedPage(w.sql, { all: true, after: w.id('unmatched', 7), limit: 51 }),
      (w) => settlement.selectUnmatchedPage(w.sql, { all: false, connection: 'c9', limit: 51 }),
      (w) =>
        settlement.selectUnmatchedPage(w.sql, { all: true, connection: 'c9', currency: 'BRL', limit: 51 }),
      (w) => settlement.selectUnmatchedPage(w.sql, { all: false, currency: 'EUR', limit: 51 }),
      (w) => settlement.selectUnmatchedPage(w.sql, { all: true, currency: 'EUR', limit: 51 }),
    ],
    selectUnmatchedById: (w) => settlement.selectUnmatchedById(w.sql, idsOf(w, 'unmatched')),
    writeResolved: (w) =>
      settlement.writeResolved(
        w.sql,
        idsOf(w, 'unmatched').map((id) => ({ id, resolution: 'RETURNED' })),
        w.now,
      ),
    deleteCallbackEvents: (w) => settlement.deleteCallbackEvents(w.sql, w.now, 1_000),
  },
  'settlement/release-queries.ts': {
    selectWithheld: (w) => releases.selectWithheld(w.sql, w.refs),
    selectDueReleases: (w) => releases.selectDueReleases(w.sql, 50),
    selectOpenReleases: (w) => releases.selectOpenReleases(w.sql, releasesOf(w)),
    postponeReleases: (w) => releases.postponeReleases(w.sql, releasesOf(w), 3_600_000),
    writeReleased: (w) =>
      releases.writeReleased(
        w.sql,
        releasesOf(w).map((each) => ({ ...each, releasedMinor: 1n })),
        w.now,
      ),
  },
  'audit/settlement/queries.ts': {
    selectConnections: paged(verify.selectConnections),
    selectPasses: paged(verify.selectPasses),
    selectConnectionsOf: everything('the connections of a method', (w) =>
      verify.selectConnectionsOf(w.sql, 'PIX'),
    ),
    selectReceipts: paged((sql, after: Parameters<typeof verify.selectReceipts>[2], limit) =>
      verify.selectReceipts(sql, connection, after, limit),
    ),
    selectPaymentRows: paged(verify.selectPaymentRows),
    selectReceiptRows: (w) => verify.selectReceiptRows(w.sql, keysOf(w, 'payment')),
    selectReleaseRows: (w) => verify.selectReleaseRows(w.sql, keysOf(w, 'payment')),
    selectShareMoves: (w) => verify.selectShareMoves(w.sql, keysOf(w, 'payment')),
    selectTransferRows: (w) => verify.selectTransferRows(w.sql, keysOf(w, 'payment')),
    selectWallets: (w) => verify.selectWallets(w.sql, [w.merchantId]),
    selectNamedWallets: (w) =>
      verify.selectNamedWallets(w.sql, [{ merchantId: w.merchantId, id: w.id('wallet', 1) }]),
    selectParentWallets: (w) =>
      verify.selectParentWallets(w.sql, [{ merchantId: w.id('merchant', 9), walletId: w.id('wallet', 1) }]),
    selectSubjects: (w) => verify.selectSubjects(w.sql, { after: 100n, upTo: 200n }),
    selectPaymentsAmong: everything('reads all of them, for a sum that is wrong', (w) =>
      verify.selectPaymentsAmong(w.sql, idsOf(w, 'payment')),
    ),
    selectReceiptOwners: paged(verify.selectReceiptOwners),
  },
  'audit/settlement/sums-queries.ts': {
    selectHeldSums: everything('adds up what is open of each merchant of a page', paged(sums.selectHeldSums)),
    selectSuspenseSums: everything('adds up all that is undecided', (w) =>
      sums.selectSuspenseSums(w.sql, undefined, { currencies: ['BRL'], limit: 100 }),
    ),
    selectDebtSums: everything('adds up all that a merchant ever owed', (w) =>
      sums.selectDebtSums(w.sql, undefined, { currencies: ['BRL'], limit: 100 }),
    ),
    selectSubAccounts: paged(sums.selectSubAccounts),
  },
  'audit/settlement/suspense-queries.ts': {
    selectUnmatchedRows: paged(suspense.selectUnmatchedRows),
    selectDisputeReports: (w) => suspense.selectDisputeReports(w.sql, idsOf(w, 'dispute')),
    selectUnmatchedAmong: (w) => suspense.selectUnmatchedAmong(w.sql, idsOf(w, 'unmatched')),
    selectUnrecordedRows: (w) => suspense.selectUnrecordedRows(w.sql, { id: w.id('unrecorded', 7) }, 50),
    selectUnrecordedAmong: (w) => suspense.selectUnrecordedAmong(w.sql, idsOf(w, 'unrecorded')),
    selectUnrecordedSums: everything('verify sums what is undecided by connection', (w) =>
      suspense.selectUnrecordedSums(w.sql, undefined, { currencies: ['BRL', 'EUR'], limit: 50 }),
    ),
  },
}

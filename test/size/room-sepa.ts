// The SEPA rail: the references that payers quote, and the files of banks.
import * as verifyIdentities from '#/audit/rails/sepa-kept-queries.ts'
import * as verifyPayouts from '#/audit/rails/sepa-payout-queries.ts'
import * as verify from '#/audit/rails/sepa-queries.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import * as pages from '#/operator/sepa-queries.ts'
import * as corrections from '#/rails/sepa/correct-queries.ts'
import * as foreign from '#/rails/sepa/foreign-queries.ts'
import * as held from '#/rails/sepa/held-queries.ts'
import type { HeldRow } from '#/rails/sepa/held-queries.ts'
import * as identities from '#/rails/sepa/identity-queries.ts'
import * as payouts from '#/rails/sepa/payout-queries.ts'
import * as references from '#/rails/sepa/queries.ts'
import * as recalls from '#/rails/sepa/recall-queries.ts'
import * as refunds from '#/rails/sepa/refund-queries.ts'
import * as statements from '#/rails/sepa/statement-queries.ts'
import { bounded, everything, type Registry, type World } from './registry.ts'

const connection = 'c2' as ConnectionId
const day = '2025-01-01'
const referenceOf = (row: number) => `RF${String(row % 100).padStart(2, '0')}${row}`
const namesOf = (w: World) => w.some.map((row) => `ref${row}`)
const people = 'what waits for a person'
const bankAccount = { id: connection, mode: 'LIVE', iban: null }
const inEuro = { connection, currency: 'EUR' }
/** In the middle of the tables. */
const after = (...parts: readonly string[]) => ({ atUs: '1735700000000000', parts })
const digest = '0'.repeat(64)
const heldRow: HeldRow = {
  connection,
  reference: 'ref7',
  part: 7,
  credit: true,
  minor: 1n,
  currency: 'EUR',
  bookedOn: day,
  statement: 7,
  fact: { remittance: '' },
  file: Buffer.alloc(32),
  likeReference: 'ref8',
  likePart: 8,
  likeCredit: true,
  likeMinor: 1n,
  likeBookedOn: day,
  likeStatement: null,
  likeFact: null,
}

export const sepaRoom: Registry = {
  'rails/sepa/queries.ts': {
    claimReference: (w) =>
      references.claimReference(
        w.sql,
        {
          connection,
          merchantId: w.merchantId,
          paymentId: w.id('payment', w.some[0] ?? 1),
          id: w.id('attempt', w.some[0] ?? 1),
        },
        'RF18539007547034',
      ),
    selectByReference: (w) => references.selectByReference(w.sql, w.merchantId, referenceOf(7)),
    selectOwners: (w) => references.selectOwners(w.sql, connection, w.some.map(referenceOf)),
  },
  'rails/sepa/payout-queries.ts': {
    selectPayout: (w) => payouts.selectPayout(w.sql, 'ref7'),
    selectChanged: (w) =>
      payouts.selectChanged(w.sql, connection, { from: w.now, to: w.now, after: '', limit: 50 }),
    lockWaiting: (w) => payouts.lockWaiting(w.sql, connection, { after: '', limit: 50 }),
    insertBatch: (w) =>
      payouts.insertBatch(
        w.sql,
        {
          id: w.id('sepa_batch', 0),
          connection,
          messageId: 'new',
          payouts: 1,
          sumMinor: 1n,
          madeBy: 'a',
          bytes: Buffer.alloc(1),
        },
        namesOf(w),
      ),
    selectBatches: (w) => payouts.selectBatches(w.sql, 50),
    selectUntaken: (w) => payouts.selectUntaken(w.sql, [connection]),
    selectBatchBytes: (w) => payouts.selectBatchBytes(w.sql, w.id('sepa_batch', 1)),
    selectAccountsWithWaiting: (w) => payouts.selectAccountsWithWaiting(w.sql, [connection]),
    takeBatch: (w) => payouts.takeBatch(w.sql, w.id('sepa_batch', 1), 'a'),
    selectOurs: (w) => payouts.selectOurs(w.sql, connection, namesOf(w)),
    writeEnds: (w) =>
      payouts.writeEnds(
        w.sql,
        connection,
        namesOf(w).map((reference) => ({ reference, minor: 1n, part: 'left' as const })),
      ),
    writeRefusals: (w) =>
      payouts.writeRefusals(w.sql, 'm7', { references: namesOf(w), isWhole: false, reason: 'AC04' }),
    selectBatchConnection: (w) => payouts.selectBatchConnection(w.sql, 'm7'),
    selectOfFiles: (w) => payouts.selectOfFiles(w.sql, connection, ['m7']),
    countUnended: (w) => payouts.countUnended(w.sql, 'm7'),
    stopWaiting: (w) => payouts.stopWaiting(w.sql, w.id('withdrawal', 1), 'a'),
    selectStandings: (w) =>
      payouts.selectStandings(
        w.sql,
        w.some.map((row) => w.id('withdrawal', row)),
      ),
  },
  'rails/sepa/refund-queries.ts': {
    selectSenders: (w) =>
      refunds.selectSenders(
        w.sql,
        namesOf(w).map((reference) => ({ connection, reference, part: 0, paidRef: reference })),
      ),
    selectStillPaying: (w) =>
      refunds.selectStillPaying(
        w.sql,
        w.some.map((row) => w.id('refund', row)),
      ),
    selectRefundPayout: (w) => refunds.selectRefundPayout(w.sql, 'ref10'),
  },
  'audit/rails/sepa-payout-queries.ts': {
    selectRefundPayouts: (w) => verifyPayouts.selectRefundPayouts(w.sql, '', 50),
    selectSignaled: everything('reads the inbox, which is short', (w) =>
      verifyPayouts.selectSignaled(w.sql, [connection], namesOf(w)),
    ),
    selectBatches: (w) => verifyPayouts.selectBatches(w.sql, undefined, 20),
    selectPayoutsOf: (w) => verifyPayouts.selectPayoutsOf(w.sql, w.id('sepa_batch', 7), namesOf(w)),
    selectPayoutsOfMessage: (w) => verifyPayouts.selectPayoutsOfMessage(w.sql, connection, 'm7'),
    selectReports: (w) => verifyPayouts.selectReports(w.sql, 'm7'),
    selectOrdered: (w) => verifyPayouts.selectOrdered(w.sql, undefined, { upTo: BigInt(w.size), limit: 50 }),
    selectUnqueued: everything('passes over withdrawals of other types', (w) =>
      verifyPayouts.selectUnqueued(w.sql, undefined, { upTo: BigInt(w.size), limit: 50 }),
    ),
  },
  'rails/sepa/statement-queries.ts': {
    lockAccount: (w) => statements.lockAccount(w.sql, connection),
    isImported: (w) => statements.isImported(w.sql, connection, Buffer.alloc(32)),
    writeFile: (w) =>
      statements.writeFile(w.sql, {
        connection,
        sha256: Buffer.alloc(32),
        message: 'camt.053.001.02',
        name: 'a.xml',
        bytes: Buffer.alloc(1),
        state: 'IMPORTED',
        reason: null,
        entries: 0,
        handedInBy: 'a',
      }),
    selectFiles: (w) => statements.selectFiles(w.sql, 50),
    selectLastStatement: (w) => statements.selectLastStatement(w.sql, inEuro),
    selectLastNumber: (w) => statements.selectLastNumber(w.sql, connection),
    selectStatement: (w) => statements.selectStatement(w.sql, inEuro, 'S7'),
    selectNeighbours: (w) => statements.selectNeighbours(w.sql, inEuro, 7),
    isFirstStatement: (w) => statements.isFirstStatement(w.sql, inEuro, 7),
    stateEarlier: (w) => statements.stateEarlier(w.sql, inEuro, { before: day, statement: 1 }),
    selectUnstated: (w) => statements.selectUnstated(w.sql, inEuro, day),
    selectReportedBalances: bounded(100, people, (w) => statements.selectReportedBalances(w.sql, connection)),
    selectProposals: (w) => statements.selectProposals(w.sql, 50),
    decideProposal: (w) =>
      statements.decideProposal(w.sql, { connection, reference: 'ref1', part: 0 }, 'PAID'),
  },
  'rails/sepa/identity-queries.ts': {
    selectCandidates: (w) =>
      identities.selectCandidates(
        w.sql,
        inEuro,
        namesOf(w).map((name) => ({ bookedOn: day, minor: 1n, ids: [name], references: [name] })),
      ),
    selectOfStatement: (w) => identities.selectOfStatement(w.sql, inEuro, 7),
    selectTaken: (w) => identities.selectTaken(w.sql, connection, namesOf(w)),
    stateEntries: (w) =>
      identities.stateEntries(
        w.sql,
        connection,
        namesOf(w).map((reference) => ({ reference, part: 0 })),
        7,
      ),
  },
  'rails/sepa/held-queries.ts': {
    selectHeld: [
      (w) => held.selectHeld(w.sql, { limit: 50 }),
      (w) =>
        held.selectHeld(w.sql, {
          after: { atUs: '1735700000000000', connection, reference: 'ref7', part: 0 },
          limit: 50,
        }),
    ],
    lockHeld: (w) => held.lockHeld(w.sql, { connection, reference: 'ref7', part: 7 }),
    endAsSame: (w) => held.endAsSame(w.sql, heldRow),
    endAsOther: (w) =>
      held.endAsOther(w.sql, connection, {
        ...heldRow,
        fact: '{}',
        matched: { kind: 'OTHER' },
        names: [],
      }),
  },
  'rails/sepa/correct-queries.ts': {
    selectRefused: (w) => corrections.selectRefused(w.sql, connection, Buffer.alloc(32)),
    markCorrected: (w) =>
      corrections.markCorrected(
        w.sql,
        connection,
        namesOf(w).map((reference) => ({ reference, part: 0 })),
      ),
    correctStatementRow: (w) =>
      corrections.correctStatementRow(w.sql, inEuro, {
        number: 7,
        openingMinor: 1n,
        closingMinor: 2n,
        file: Buffer.alloc(32),
      }),
  },
  'rails/sepa/recall-queries.ts': {
    selectCredits: (w) =>
      recalls.selectCredits(
        w.sql,
        connection,
        namesOf(w).map((name) => ({ minor: 1n, currency: 'EUR', own: [name], shared: [name] })),
      ),
    selectCredit: (w) =>
      recalls.selectCredit(w.sql, connection, { reference: 'ref7', part: 7, currency: 'EUR' }),
    endProposals: (w) =>
      recalls.endProposals(
        w.sql,
        connection,
        namesOf(w).map((reference) => ({ reference, part: 0 })),
      ),
    selectUnclear: (w) => recalls.selectUnclear(w.sql, 50),
    lockUnclear: (w) => recalls.lockUnclear(w.sql, { connection, reference: 'ref7', part: 7 }),
    decideUnclear: (w) => recalls.decideUnclear(w.sql, { connection, reference: 'ref7', part: 7 }, undefined),
  },
  'rails/sepa/foreign-queries.ts': {
    insertForeign: (w) =>
      foreign.insertForeign(w.sql, { connection, file: Buffer.alloc(32) }, [
        {
          id: w.id('sepa_foreign', 0),
          reference: 'new',
          currency: 'CHF',
          isCredit: true,
          amount: '1.00',
          bookedOn: day,
          remittance: [],
          entry: 0,
          ids: {},
          fact: '{}',
        },
      ]),
    selectNamed: (w) => foreign.selectNamed(w.sql, connection, [{ currency: 'CHF', references: namesOf(w) }]),
    selectWaitingForeign: [
      (w) => foreign.selectWaitingForeign(w.sql, { limit: 50 }),
      (w) => foreign.selectWaitingForeign(w.sql, { after: w.id('sepa_foreign', 7), limit: 50 }),
    ],
    decideForeign: (w) => foreign.decideForeign(w.sql, w.id('sepa_foreign', 7), { by: 'a', reason: 'b' }),
  },
  'audit/rails/sepa-kept-queries.ts': {
    selectForeignOf: (w) =>
      verifyIdentities.selectForeignOf(
        w.sql,
        bankAccount,
        namesOf(w).map((reference) => ({ currency: 'CHF', reference })),
      ),
    selectForeignPage: (w) => verifyIdentities.selectForeignPage(w.sql, bankAccount, undefined, 50),
    selectLikely: (w) =>
      verifyIdentities.selectLikely(
        w.sql,
        bankAccount,
        'EUR',
        namesOf(w).map((name) => ({ bookedOn: day, minor: 1n, ids: [name], references: [name] })),
      ),
  },
  'audit/rails/sepa-queries.ts': {
    selectAccounts: everything('there are few connections', (w) => verify.selectAccounts(w.sql)),
    selectFiles: (w) => verify.selectFiles(w.sql, bankAccount, undefined, 50),
    selectFileBytes: (w) => verify.selectFileBytes(w.sql, bankAccount, Buffer.alloc(32)),
    selectStatements: (w) => verify.selectStatements(w.sql, bankAccount, undefined, 50),
    selectStatementOf: (w) => verify.selectStatementOf(w.sql, bankAccount, { id: 'S7', currency: 'EUR' }),
    selectStated: (w) => verify.selectStated(w.sql, bankAccount, { number: 7 }, undefined, 50),
    selectUnstated: (w) => verify.selectUnstated(w.sql, bankAccount, undefined, 50),
    selectBooked: (w) =>
      verify.selectBooked(w.sql, bankAccount, {
        after: undefined,
        upTo: BigInt(w.size),
        limit: 50,
      }),
    selectWaiting: everything('asked for movements without a receipt alone', (w) =>
      verify.selectWaiting(w.sql, bankAccount, [{ reference: 'ref7', part: 0 }]),
    ),
    selectReceipts: (w) => verify.selectReceipts(w.sql, bankAccount, undefined, 50),
  },
  'operator/sepa-queries.ts': {
    selectFilePage: [
      (w) => pages.selectFilePage(w.sql, { limit: 51 }),
      (w) => pages.selectFilePage(w.sql, { after: after(connection, digest), limit: 51 }),
      (w) => pages.selectFilePage(w.sql, { state: 'REFUSED', limit: 51 }),
      (w) => pages.selectFilePage(w.sql, { state: 'REFUSED', after: after(connection, digest), limit: 51 }),
    ],
    selectProposalPage: [
      (w) => pages.selectProposalPage(w.sql, { limit: 51 }),
      (w) => pages.selectProposalPage(w.sql, { after: after(connection, 'ref7', '0'), limit: 51 }),
    ],
    selectBatchPage: [
      (w) => pages.selectBatchPage(w.sql, { limit: 51 }),
      (w) => pages.selectBatchPage(w.sql, { after: after(w.id('sepa_batch', 1)), limit: 51 }),
    ],
    selectCreditedFrom: (w) => pages.selectCreditedFrom(w.sql, connection, namesOf(w)),
    selectPossiblyTaken: everything('reads the credits of a year, for the rare debit that names none', (w) =>
      pages.selectPossiblyTaken(w.sql, connection, { minor: 1n, currency: 'EUR', bookedOn: day }),
    ),
    selectWaitingPayouts: bounded(
      25_000,
      'counts at most ten thousand payouts of each account, and looks at their withdrawals',
      (w) => pages.selectWaitingPayouts(w.sql, [connection], 10_001),
    ),
    writeTaking: (w) => pages.writeTaking(w.sql, w.id('sepa_batch', 1), w.id('sepa_batch', 2)),
    selectTaking: (w) =>
      pages.selectTaking(w.sql, { id: w.id('sepa_batch', 1), key: w.id('sepa_batch', 2), by: 'a' }),
    selectBatchExists: (w) => pages.selectBatchExists(w.sql, w.id('sepa_batch', 1)),
  },
}

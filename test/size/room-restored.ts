// The repair after a restore, which runs once: what it reads of all merchants it reads by pages.
import * as epochs from '#/audit/restores-queries.ts'
import * as departed from '#/coins/departed-queries.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import * as moneyOut from '#/restored/money-out-queries.ts'
import * as restored from '#/restored/queries.ts'
import type { RestoreId } from '#/restored/restore.ts'
import * as unrecorded from '#/settlement/unrecorded-queries.ts'
import type { UnrecordedId } from '#/settlement/unrecorded-queries.ts'
import { everything, type Registry, type World } from './registry.ts'

const id = '00000000-0000-7000-8000-000000000009' as RestoreId
const epoch = (w: World) => ({
  number: 99,
  id,
  lastBatch: 1n,
  lastHash: Buffer.alloc(32),
  lastAt: w.now,
  eventJump: 10n,
  at: w.now,
})
const comparison = (w: World) => ({
  id: newId<'comparison'>(),
  epoch: 1,
  comparedBy: 'ana',
  since: w.now,
  complete: 1,
  incomplete: [],
})
const idsOf = (w: World) => w.some.map((row): UnrecordedId => w.id('unrecorded', row))
const movesOf = (w: World) => w.some.map((row): string => w.id('coin_move', row))
const namesOf = (w: World) =>
  w.some.flatMap((row) =>
    (['WITHDRAWAL', 'REFUND'] as const).map((kind) => ({
      kind,
      connection: 'c2' as ConnectionId,
      reference: String(w.id('refund', row)),
    })),
  )
const newUnrecorded = (w: World) => ({
  id: newId<'unrecorded'>(),
  mode: 'SANDBOX' as const,
  kind: 'WITHDRAWAL' as const,
  connection: 'c2' as ConnectionId,
  account: 'c2' as ConnectionId,
  reference: 'new',
  providerRef: null,
  chain: null,
  move: null,
  amountMinor: 1n,
  knownMinor: 0n,
  currency: 'BRL' as const,
  merchantId: null,
  paymentId: null,
  happenedAt: null,
  recordedAt: w.now,
  reportHash: Buffer.alloc(32),
})
const place = (w: World) => ({ merchantId: w.merchantId, name: 'a' })
const signedNames = [{ reference: 'payout/r1', key: `0x${'1'.repeat(40)}`, nonce: 1n }] as const
const once = 'one command reads it, page by page'

export const restoredRoom: Registry = {
  'restored/queries.ts': {
    selectEnd: (w) => restored.selectEnd(w.sql),
    insertEpoch: (w) => restored.insertEpoch(w.sql, epoch(w)),
    selectRestore: (w) => restored.selectRestore(w.sql),
    selectMerchantsAfter: (w) => restored.selectMerchantsAfter(w.sql, w.merchantId, 50),
    jumpCounters: (w) => restored.jumpCounters(w.sql, epoch(w), [w.merchantId]),
    selectGaps: (w) => restored.selectGaps(w.sql, 1, [w.merchantId]),
    moveStep: (w) => restored.moveStep(w.sql, 1, 'jump', w.merchantId),
    endSessions: (w) => restored.endSessions(w.sql, 10),
    selectReviews: (w) => restored.selectReviews(w.sql, 1),
    insertReview: (w) => restored.insertReview(w.sql, 1, { subject: 'KEYS', reviewedBy: 'ana', note: null }),
    markOpened: (w) => restored.markOpened(w.sql, 1),
    selectKeysInForce: (w) =>
      restored.selectKeysInForce(w.sql, { merchantId: w.merchantId, name: w.id('api_key', 1) }, 50),
    selectRolesInForce: everything(once, (w) => restored.selectRolesInForce(w.sql, place(w), 50)),
    selectLimitsInForce: everything(once, (w) => restored.selectLimitsInForce(w.sql, place(w), 50)),
    selectDestinationsInForce: everything(once, (w) =>
      restored.selectDestinationsInForce(w.sql, place(w), 50),
    ),
  },
  'coins/departed-queries.ts': {
    selectDepartedPage: (w) => departed.selectDepartedPage(w.sql, 'bsc', { since: w.at(1), limit: 50 }),
    selectDeparted: (w) => departed.selectDeparted(w.sql, movesOf(w)),
    deductDeparted: (w) => departed.deductDeparted(w.sql, movesOf(w)),
  },
  'restored/money-out-queries.ts': {
    selectConnectionsOf: everything('there are few connections, and one command reads them', (w) =>
      moneyOut.selectConnectionsOf(w.sql, ['PIX']),
    ),
    selectAttemptOwners: (w) =>
      moneyOut.selectAttemptOwners(
        w.sql,
        w.some.map((row) => ({ id: w.id('attempt', row), connection: 'c2' as ConnectionId })),
      ),
    insertComparison: (w) => moneyOut.insertComparison(w.sql, comparison(w)),
    selectLastComparison: (w) => moneyOut.selectLastComparison(w.sql, 1),
    countUndecided: everything('few wait, and one command counts them', (w) =>
      moneyOut.countUndecided(w.sql),
    ),
    selectBeginner: (w) => moneyOut.selectBeginner(w.sql),
    markDeparted: (w) => moneyOut.markDeparted(w.sql, 'c2' as ConnectionId, ['r1', w.id('refund', 1)]),
    selectSigningWallets: everything('there are few wallets, and one command reads them', (w) =>
      moneyOut.selectSigningWallets(w.sql, w.at(1)),
    ),
    selectQueuedTx: (w) => moneyOut.selectQueuedTx(w.sql, 'bsc', signedNames),
    selectRecordedMoves: (w) => moneyOut.selectRecordedMoves(w.sql, ['0x00:1']),
    selectPaidOut: (w) => moneyOut.selectPaidOut(w.sql, 'c2' as ConnectionId, ['r1', w.id('refund', 1)]),
    countUnbooked: everything('few wait to be booked, and one command counts them', (w) =>
      moneyOut.countUnbooked(w.sql, 'bsc'),
    ),
    selectGivenNonces: (w) =>
      moneyOut.selectGivenNonces(w.sql, { chain: 'bsc', address: signedNames[0].key, firstLost: 1n }),
  },
  'settlement/unrecorded-queries.ts': {
    selectUnrecordedById: (w) => unrecorded.selectUnrecordedById(w.sql, idsOf(w)),
    selectUnrecorded: (w) => unrecorded.selectUnrecorded(w.sql, namesOf(w)),
    selectUnrecordedPage: [
      (w) => unrecorded.selectUnrecordedPage(w.sql, { all: false, limit: 50 }),
      (w) => unrecorded.selectUnrecordedPage(w.sql, { all: true, after: w.id('unrecorded', 7), limit: 50 }),
    ],
    selectBooked: (w) => unrecorded.selectBooked(w.sql, namesOf(w)),
    insertUnrecorded: (w) => unrecorded.insertUnrecorded(w.sql, [newUnrecorded(w)]),
    writeUnrecordedDecisions: (w) =>
      unrecorded.writeUnrecordedDecisions(
        w.sql,
        idsOf(w).map((id) => ({ id, resolution: 'WRITTEN_OFF', note: 'gone' })),
        w.now,
      ),
  },
  'audit/restores-queries.ts': {
    selectEpochs: (w) => epochs.selectEpochs(w.sql),
    selectEpochOfHead: (w) => epochs.selectEpochOfHead(w.sql, 'a1'),
    selectStrayGaps: everything('verify reads all gaps: one for each merchant and restore', (w) =>
      epochs.selectStrayGaps(w.sql),
    ),
    selectLoggedPages: everything('verify reads the entries of all restores', (w) =>
      epochs.selectLoggedPages(w.sql, undefined, 50),
    ),
    selectLostOfPage: (w) => epochs.selectLostOfPage(w.sql, w.id('page_id', 7)),
    selectStrayLost: everything('verify reads all that was lost', (w) => epochs.selectStrayLost(w.sql)),
  },
}

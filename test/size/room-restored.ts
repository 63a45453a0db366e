// The repair after a restore, which runs once: what it reads of all merchants it reads by pages.
import * as epochs from '#/audit/epochs-queries.ts'
import * as restored from '#/restored/queries.ts'
import type { RestoreId } from '#/restored/restore.ts'
import { everything, type Registry, type World } from './registry.ts'

const id = '00000000-0000-7000-8000-000000000009' as RestoreId
const epoch = (w: World) => ({
  number: 1_000,
  id,
  lastBatch: 1n,
  lastHash: Buffer.alloc(32),
  lastAt: w.now,
  eventJump: 10n,
  at: w.now,
})
const place = (w: World) => ({ merchantId: w.merchantId, name: 'a' })
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
  'audit/epochs-queries.ts': {
    selectEpochs: (w) => epochs.selectEpochs(w.sql),
    selectEpochOfHead: (w) => epochs.selectEpochOfHead(w.sql, 'a1'),
    selectStrayGaps: everything('verify reads all gaps: one for each merchant and restore', (w) =>
      epochs.selectStrayGaps(w.sql),
    ),
  },
}

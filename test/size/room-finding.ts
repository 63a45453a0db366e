// Finding: the keys and values of metadata, and records by ids, texts and their beginnings.
import * as metadata from '#/finding/queries.ts'
import * as finding from '#/payments/find-queries.ts'
import { asId } from '../as-id.ts'
import { bounded, leaseMs, notRun, slots, type Call, type Registry, type World } from './registry.ts'

const page = { limit: 50 }
/** From the first id to the last: the beginning of all of them. */
const everyId = {
  first: '00000000-0000-0000-0000-000000000000',
  last: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
}
/** A key that a worker has claimed. */
const metadataKey = (w: World): metadata.DueKey => ({
  merchantId: w.merchantId,
  id: 6,
  resource: 'PAYMENT',
  status: 'FILLING',
  changedAt: w.now,
  claim: { id: '1', connection: w.merchantId, number: 1 },
})
const counted = 'it counts the candidates of each filter, up to 500, to begin with the fewest'

export const findingRoom: Registry = {
  'finding/queries.ts': {
    selectRecordsById: (w) => metadata.selectRecordsById(w.sql, w.merchantId, w.id('payment', 7)),
    selectRecordsInRange: (w) =>
      metadata.selectRecordsInRange(w.sql, w.merchantId, { ...everyId, limit: 10 }),
    selectRecordsByToken: (w) => metadata.selectRecordsByToken(w.sql, w.merchantId, 'token7'),
    leadOfValue: notRun('a part of the searches of payments and of withdrawals'),
    insertValues: (w) =>
      metadata.insertValues(
        w.sql,
        'PAYMENT',
        w.some.map((row) => ({ merchantId: w.merchantId, id: w.id('payment', row) })),
      ),
    selectKeys: (w) => metadata.selectKeys(w.sql, w.id('merchant', 2)),
    lockKeys: (w) => metadata.lockKeys(w.sql, w.merchantId),
    retireKeys: (w) => metadata.retireKeys(w.sql, w.merchantId, [1], 0),
    claimKeys: (w) => metadata.claimKeys(w.sql, slots, leaseMs),
    postponeKey: (w) => metadata.postponeKey(w.sql, metadataKey(w), 0),
    fillNext: bounded(
      2_500,
      'it reads and writes a batch of 500 records, and returns how many they were',
      (w) =>
        metadata.fillNext(w.sql, metadataKey(w), { limit: 500, settledMs: 0, early: w.id('payment', 1) }),
    ),
    finishKey: (w) => metadata.finishKey(w.sql, metadataKey(w)),
    deleteValues: (w) =>
      metadata.deleteValues(w.sql, { ...metadataKey(w), id: 1 }, { limit: 500, after: -(2 ** 31) }),
    deleteKey: (w) => metadata.deleteKey(w.sql, metadataKey(w)),
  },
  'payments/find-queries.ts': {
    selectByReference: [
      (w) => finding.selectByReference(w.sql, w.merchantId, 'ref7'),
      (w) => finding.selectByReference(w.sql, w.merchantId, w.id('attempt', 7)),
    ],
    selectIdByKey: (w) => finding.selectIdByKey(w.sql, w.merchantId, 'key7'),
    selectIdByPage: (w) => finding.selectIdByPage(w.sql, w.merchantId, 'token7'),
    selectByAttemptIds: (w) => finding.selectByAttemptIds(w.sql, w.merchantId, { ...everyId, limit: 10 }),
    selectByBeginning: finding.beginnings.flatMap((kind) =>
      ['a', 'rare', 'ref', 'zz'].map(
        (text): Call =>
          (w) =>
            finding.selectByBeginning(w.sql, w.merchantId, { kind, text, limit: 10 }),
      ),
    ),
    selectByEndToEndId: (w) => finding.selectByEndToEndId(w.sql, w.merchantId, 'ref7'),
    searchPayments: [
      ...[
        { customerEmail: 'rare@example.com' },
        { customerEmail: 'ana@example.com' },
        { customerName: 'Rare Name' },
        { customerName: 'Ana' },
        { cardLast4: '4242' },
        { cardLast4: '0007' },
        { customerTaxId: '52998224725' },
        { customerTaxId: '39053344705' },
        { amountMinor: 777n },
        { amountMinor: 100n },
        { amountMinor: 5n },
        { checkout: 'rare' },
        { checkout: 'default' },
        { exceptions: ['LATE'] as const },
        { exceptions: ['UNDERPAID', 'DUPLICATE'] as const },
        { amountMinor: 100n, currency: 'EUR' },
        { linkId: asId<'payment-link'>('00000000-0000-7000-8000-000000000007') },
      ].map(
        (by): Call =>
          (w) =>
            finding.searchPayments(w.sql, w.merchantId, { ...page, ...by }, { values: [] }),
      ),
      (w) =>
        finding.searchPayments(w.sql, w.merchantId, page, {
          values: [],
          ids: w.some.map((row) => w.id('payment', row)),
        }),
      bounded(1_100, counted, (w) =>
        finding.searchPayments(
          w.sql,
          w.merchantId,
          { ...page, amountMinor: 100n, customerEmail: 'rare@example.com' },
          { values: [] },
        ),
      ),
      (w) =>
        finding.searchPayments(w.sql, w.merchantId, page, {
          values: [{ merchantId: w.merchantId, keyId: 1, name: 'x', value: 'x' }],
        }),
    ],
  },
}

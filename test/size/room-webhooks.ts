// Events and deliveries, the request log, rehearsals, and the ledger itself.
import * as verifyLedger from '#/audit/ledger-queries.ts'
import * as verify from '#/audit/webhooks-queries.ts'
import { leastId } from '#/db/lists.ts'
import { awaitReplication } from '#/db/replication-queries.ts'
import * as explained from '#/explain/queries.ts'
import type { MerchantId } from '#/kernel/id.ts'
import * as ledger from '#/ledger/queries.ts'
import type { DueRehearsal } from '#/rehearsals/queries.ts'
import * as rehearsals from '#/rehearsals/queries.ts'
import * as requests from '#/requests/queries.ts'
import * as deliveries from '#/webhooks/delivery-queries.ts'
import * as due from '#/webhooks/due/queries.ts'
import * as webhooks from '#/webhooks/queries.ts'
import { partly } from '../partly.ts'
import {
  bounded,
  claimOf,
  everything,
  leaseMs,
  notRun,
  paged,
  slots,
  type Registry,
  type World,
} from './registry.ts'

const lease = '00000000-0000-7000-8000-000000000009'
const turns = (w: World) => [{ receiver: { merchantId: w.merchantId, origin: 'https://x7' }, slots: 10 }]
const key = (w: World, table: string, row = w.some[0] ?? 1) => ({
  merchantId: w.merchantId,
  id: w.id(table, row),
})
const of = (w: World, table: string): string => w.id(table, w.some[0] ?? 1)
const middle = (w: World) => BigInt(w.some[0] ?? 1)
const range = (w: World) => ({ from: middle(w), to: middle(w) + 100n })
const spec = (w: World) => {
  const name = `wallet:${String(w.id('wallet', 9))}:available`
  return { key: `LIVE/${name}`, mode: 'LIVE', name, currency: 'BRL', side: 'CREDIT', floored: true } as const
}

const chunkOf = (w: World, merchantId: MerchantId) =>
  [
    merchantId,
    {
      calls: 1,
      firstMs: w.now.getTime(),
      lastMs: w.now.getTime(),
      baseMs: w.now.getTime(),
      keyIds: [w.id('api_key', 1)],
      lines: '0\t1\tGET\t200\t\t1\tr\t/v1/me',
    },
  ] as const

const dueRehearsal = (w: World) => {
  const { merchantId, id } = key(w, 'rehearsal')
  return partly<DueRehearsal>({
    rehearsal: partly<DueRehearsal['rehearsal']>({ merchantId, id }),
    claim: claimOf(id),
  })
}

export const webhooksRoom: Registry = {
  'db/replication-queries.ts': {
    awaitReplication: (w) => awaitReplication(w.sql),
  },
  'ledger/queries.ts': {
    selectCell: (w) => ledger.selectCell(w.sql),
    selectStanding: (w) => ledger.selectStanding(w.sql, middle(w)),
    lockHead: (w) => ledger.lockHead(w.sql, 'a1'),
    selectMoment: (w) => ledger.selectMoment(w.sql),
    ensureAuditKey: (w) => ledger.ensureAuditKey(w.sql, Buffer.alloc(8)),
    changeAuditKey: (w) =>
      ledger.changeAuditKey(
        w.sql,
        'a1',
        { batch: BigInt(w.size), auditKey: Buffer.alloc(8) },
        { before: undefined, fingerprint: Buffer.alloc(8, 1) },
      ),
    advanceHead: (w) =>
      ledger.advanceHead(
        w.sql,
        {
          number: BigInt(w.size) + 1n,
          id: lease,
          transferFrom: 0n,
          transferTo: 0n,
          accountFrom: 0n,
          accountTo: 0n,
          events: 0,
          at: w.now,
        },
        Buffer.alloc(1),
        Buffer.alloc(1),
      ),
    batchCommitted: (w) => ledger.batchCommitted(w.sql, 'a1', lease),
    selectBalances: (w) => ledger.selectBalances(w.sql, [spec(w)]),
    selectTransfersOf: (w) =>
      ledger.selectTransfersOf(
        w.sql,
        w.some.map((row) => w.id('payment', row)),
      ),
    writeBalances: (w) => ledger.writeBalances(w.sql, [{ id: 1n, currency: 'EUR', minor: 1n, entries: 1n }]),
  },
  'audit/ledger-queries.ts': {
    selectBalanceAt: everything('adds up one account', (w) =>
      verifyLedger.selectBalanceAt(w.sql, 'LIVE', 'coins:bsc:USDT:deposit', BigInt(w.size)),
    ),
    selectAuditKeys: (w) => verifyLedger.selectAuditKeys(w.sql),
    selectCut: (w) => verifyLedger.selectCut(w.sql, 'a1', middle(w)),
    selectBatches: (w) => verifyLedger.selectBatches(w.sql, middle(w), middle(w) + 100n, 50),
    selectBatchTransfers: (w) => verifyLedger.selectBatchTransfers(w.sql, range(w), 50n),
    selectBatchAccounts: (w) => verifyLedger.selectBatchAccounts(w.sql, range(w), 50n),
    selectBatchEvents: bounded(
      20_000,
      'events of a range of batches lie in a range of pages, which are read whole',
      (w) => verifyLedger.selectBatchEvents(w.sql, range(w), 50n),
    ),
    selectBatchSeals: (w) => verifyLedger.selectBatchSeals(w.sql, range(w), 50n),
    selectEnd: everything('reads the ends of the chain, once', (w) => verifyLedger.selectEnd(w.sql, 'a1')),
    selectTransfers: (w) => verifyLedger.selectTransfers(w.sql, middle(w), middle(w) + 100n, 50),
    selectEntries: (w) => verifyLedger.selectEntries(w.sql, { account: 1n, transfer: middle(w) }, 50),
    selectBalancesOf: (w) =>
      verifyLedger.selectBalancesOf(w.sql, [
        partly({ account: 1n, last: BigInt(w.size), entries: 1n, balance: 1n }),
      ]),
    selectAccounts: (w) => verifyLedger.selectAccounts(w.sql, middle(w), 50),
    selectBalanceOwners: (w) => verifyLedger.selectBalanceOwners(w.sql, middle(w), 50),
    selectUnguarded: notRun('queries the catalog alone'),
    selectAuditEntries: paged((sql, after: { id: string } | undefined, limit) =>
      verifyLedger.selectAuditEntries(sql, after?.id ?? leastId, limit),
    ),
    selectSeals: paged((sql, after: { id: string } | undefined, limit) =>
      verifyLedger.selectSeals(sql, after?.id ?? leastId, limit),
    ),
    selectWaiting: paged((sql, after: { id: string } | undefined, limit) =>
      verifyLedger.selectWaiting(sql, after?.id ?? leastId, limit),
    ),
  },
  'webhooks/due/queries.ts': {
    newestBatch: (w) => due.newestBatch(w.sql),
    newReceivers: [
      (w) => due.newReceivers(w.sql, middle(w), 100),
      (w) => due.newReceivers(w.sql, BigInt(w.size), 100),
    ],
    stepReceivers: (w) => due.stepReceivers(w.sql, due.firstReceiver, 100),
    claimDue: (w) => due.claimDue(w.sql, turns(w), lease, 30_000),
    recordAttempts: (w) =>
      due.recordAttempts(w.sql, [
        {
          merchantId: w.merchantId,
          deliveryId: w.id('delivery', w.some[0] ?? 1),
          lease,
          endpoint: null,
          id: lease,
          at: w.now,
          durationMs: 1,
          responseStatus: 200,
          responseBody: '',
          error: null,
          status: 'DELIVERED',
          waitMs: null,
        },
      ]),
    releaseClaims: (w) => due.releaseClaims(w.sql, [{ ...key(w, 'delivery'), lease }]),
    noteHealth: (w) =>
      due.noteHealth(w.sql, [
        {
          merchantId: w.merchantId,
          endpoint: { id: w.id('webhook_endpoint', 7), url: 'x' },
          status: 'PENDING',
          responseStatus: 500,
        },
        {
          merchantId: w.merchantId,
          endpoint: { id: w.id('webhook_endpoint', 8), url: 'x' },
          status: 'DELIVERED',
          responseStatus: 200,
        },
      ]),
  },
  'webhooks/queries.ts': {
    advanceCounters: bounded(
      300,
      'reads the endpoints of each merchant, at most a hundred, in one row',
      (w) => webhooks.advanceCounters(w.sql, new Map([[w.merchantId, 1n]])),
    ),
    firstSequenceSince: (w) => webhooks.firstSequenceSince(w.sql, w.merchantId, w.at(w.some[0] ?? 1)),
    listEvents: [
      (w) => webhooks.listEvents(w.sql, w.merchantId, { after: 0n, limit: 50 }),
      (w) => webhooks.listEvents(w.sql, w.merchantId, { after: middle(w), limit: 50 }),
      (w) =>
        webhooks.listEvents(w.sql, w.merchantId, {
          after: 0n,
          limit: 50,
          types: ['payment.completed', 'dispute.lost'],
        }),
    ],
    searchEvents: [
      (w) => webhooks.searchEvents(w.sql, w.merchantId, {}, 50),
      (w) => webhooks.searchEvents(w.sql, w.merchantId, { from: 5n, before: middle(w) }, 50),
      (w) => webhooks.searchEvents(w.sql, w.merchantId, { type: 'payment.completed' }, 50),
      (w) =>
        webhooks.searchEvents(
          w.sql,
          w.merchantId,
          { type: 'dispute.lost', from: 5n, before: BigInt(w.size) },
          50,
        ),
      (w) => webhooks.searchEvents(w.sql, w.merchantId, { subject: w.id('event', w.some[0] ?? 1) }, 50),
      (w) =>
        webhooks.searchEvents(
          w.sql,
          w.merchantId,
          { subject: w.id('payment', 7), type: 'refund.failed', before: BigInt(w.size) },
          50,
        ),
    ],
    selectSequenceBefore: (w) =>
      webhooks.selectSequenceBefore(w.sql, w.merchantId, { ms: 30_000, limit: 100 }),
    selectLastSequences: (w) => webhooks.selectLastSequences(w.sql, [w.merchantId]),
    selectTypesAfter: (w) =>
      webhooks.selectTypesAfter(w.sql, [{ merchantId: w.merchantId, after: middle(w) }], 200),
    getEvent: (w) => webhooks.getEvent(w.sql, w.merchantId, w.id('event', w.some[0] ?? 1)),
  },
  'webhooks/delivery-queries.ts': {
    listDeliveries: [
      (w) => deliveries.listDeliveries(w.sql, w.merchantId, { limit: 50 }),
      (w) => deliveries.listDeliveries(w.sql, w.merchantId, { limit: 50, cursor: w.id('delivery', 41) }),
      (w) =>
        deliveries.listDeliveries(w.sql, w.merchantId, { limit: 50, eventId: w.id('event', w.some[0] ?? 1) }),
    ],
    searchDeliveries: [
      (w) => deliveries.searchDeliveries(w.sql, w.merchantId, {}, { limit: 50 }),
      (w) =>
        deliveries.searchDeliveries(
          w.sql,
          w.merchantId,
          { endpointId: w.id('webhook_endpoint', 7), from: 5n, before: BigInt(w.size) },
          { limit: 50, after: { sequence: middle(w), id: w.id('delivery', 9) } },
        ),
      (w) => deliveries.searchDeliveries(w.sql, w.merchantId, { subject: w.id('payment', 7) }, { limit: 50 }),
      bounded(1_100, 'looks at no more than a thousand deliveries for a page', (w) =>
        deliveries.searchDeliveries(w.sql, w.merchantId, { host: 'rare.example.com' }, { limit: 50 }),
      ),
      bounded(2_200, 'looks at no more than a thousand deliveries, and their events, for a page', (w) =>
        deliveries.searchDeliveries(
          w.sql,
          w.merchantId,
          { status: 'EXHAUSTED', type: 'refund.failed' },
          { limit: 50 },
        ),
      ),
    ],
    latestDeliveries: (w) => deliveries.latestDeliveries(w.sql, w.merchantId, 50),
    getDelivery: (w) => deliveries.getDelivery(w.sql, w.merchantId, w.id('delivery', w.some[0] ?? 1)),
    resend: (w) => deliveries.resend(w.sql, w.merchantId, w.id('delivery', w.some[0] ?? 1)),
  },
  'requests/queries.ts': {
    writeChunks: (w) =>
      requests.writeChunks(
        w.sql,
        [w.merchantId, w.id('merchant', 2)].map((merchantId) => chunkOf(w, merchantId)),
        10_000,
      ),
    selectCalls: bounded(
      20_100,
      'every call of one merchant is read, 10,000 at most: an index for each filter would cost each call more than the log may cost',
      (w) => requests.selectCalls(w.sql, w.merchantId, 10_000, { limit: 50 }),
      (w) =>
        requests.selectCalls(w.sql, w.merchantId, 10_000, {
          limit: 50,
          statusClass: '4XX',
          from: w.at(5_000),
        }),
    ),
  },
  'explain/queries.ts': {
    selectPayment: (w) => explained.selectPayment(w.sql, w.merchantId, of(w, 'payment')),
    selectRefund: (w) => explained.selectRefund(w.sql, w.merchantId, of(w, 'refund')),
    selectWithdrawal: (w) => explained.selectWithdrawal(w.sql, w.merchantId, of(w, 'withdrawal')),
    selectRefundsOf: (w) => explained.selectRefundsOf(w.sql, w.merchantId, of(w, 'payment'), 101),
    selectDisputesOf: (w) => explained.selectDisputesOf(w.sql, w.merchantId, of(w, 'payment'), 101),
    selectAttempts: (w) =>
      explained.selectAttempts(w.sql, w.merchantId, of(w, 'payment'), { after: undefined, limit: 101 }),
    selectReceipts: [
      (w) => explained.selectReceipts(w.sql, w.merchantId, of(w, 'payment'), { after: 0, limit: 101 }),
      (w) =>
        explained.selectReceipts(w.sql, w.merchantId, of(w, 'payment'), {
          after: 0,
          limit: 101,
          goingBack: true,
        }),
    ],
    selectStepsOf: (w) => explained.selectStepsOf(w.sql, of(w, 'payment'), ['final', '1.credit', '1.fee']),
    selectTransfersOf: (w) =>
      explained.selectTransfersOf(
        w.sql,
        w.some.map((row) => w.id('payment', row)),
        { after: 0n, limit: 101 },
      ),
    selectCaused: (w) =>
      explained.selectCaused(
        w.sql,
        w.some.map((row) => w.id('payment', row)),
        [Buffer.alloc(32)],
      ),
    selectReleases: (w) =>
      explained.selectReleases(w.sql, w.merchantId, of(w, 'payment'), { after: 0, limit: 101 }),
    selectEvents: (w) =>
      explained.selectEvents(
        w.sql,
        w.merchantId,
        w.some.map((row) => w.id('payment', row)),
        { after: 0n, limit: 101 },
      ),
    selectDeliveries: (w) =>
      explained.selectDeliveries(
        w.sql,
        w.merchantId,
        w.some.map((row) => BigInt(row)),
        10,
      ),
    selectDecisions: (w) =>
      explained.selectDecisions(
        w.sql,
        w.some.map((row) => `refund:${String(w.id('refund', row))}`),
        { after: undefined, limit: 101 },
      ),
    selectRejection: (w) => explained.selectRejection(w.sql, `refund:${of(w, 'refund')}`),
  },
  'rehearsals/queries.ts': {
    insertRehearsal: (w) =>
      rehearsals.insertRehearsal(
        w.sql,
        { ...key(w, 'rehearsal', w.size + 1), url: 'https://x7', stateUrl: null, seed: 1, cases: [] },
        { longestMs: 60_000 },
      ),
    // Each call deletes at most what one call has added: no merchant has many more than are kept.
    deleteOldRehearsals: (w) => rehearsals.deleteOldRehearsals(w.sql, w.id('merchant', 7), 5),
    selectRehearsal: (w) => rehearsals.selectRehearsal(w.sql, key(w, 'rehearsal')),
    lockRunning: (w) => rehearsals.lockRunning(w.sql, w.merchantId),
    listRehearsals: [
      (w) => rehearsals.listRehearsals(w.sql, w.merchantId, { limit: 50 }),
      (w) => rehearsals.listRehearsals(w.sql, w.merchantId, { before: w.id('rehearsal', 41), limit: 50 }),
    ],
    endRehearsal: (w) => rehearsals.endRehearsal(w.sql, key(w, 'rehearsal'), { status: 'FAILED', cases: [] }),
    claimRehearsals: (w) => rehearsals.claimRehearsals(w.sql, slots, leaseMs),
    renewRehearsal: (w) => rehearsals.renewRehearsal(w.sql, dueRehearsal(w), leaseMs, []),
    postponeRehearsal: (w) => rehearsals.postponeRehearsal(w.sql, dueRehearsal(w), 1),
  },
  'audit/webhooks-queries.ts': {
    selectEvents: paged(verify.selectEvents),
    selectDeliveriesOf: (w) =>
      verify.selectDeliveriesOf(
        w.sql,
        w.some.map((row) => ({ merchantId: w.merchantId, sequence: BigInt(row) })),
      ),
    selectEndpoints: (w) => verify.selectEndpoints(w.sql, [w.merchantId]),
    selectGaps: (w) => verify.selectGaps(w.sql, [w.merchantId]),
    selectCounters: (w) => verify.selectCounters(w.sql, [w.merchantId]),
    selectCounterOwners: (w) => verify.selectCounterOwners(w.sql, undefined, 50),
    selectDeliveryEvents: paged(verify.selectDeliveryEvents),
    selectDueDeliveries: paged(verify.selectDueDeliveries),
    selectNotifiedEvents: everything(
      'goes once through all events; those of other topics lie between',
      paged((sql, after: Parameters<typeof verify.selectNotifiedEvents>[1], limit) =>
        verify.selectNotifiedEvents(sql, after, { topics: ['payment'], limit }),
      ),
    ),
    selectEventAt: (w) => verify.selectEventAt(w.sql, w.merchantId, 5n),
    selectLastSequence: (w) => verify.selectLastSequence(w.sql, w.merchantId),
    selectEventTypes: (w) => verify.selectEventTypes(w.sql, w.merchantId, 5n, 100),
  },
}

// What operators see in the console: lists by pages, and durable work as far as it is counted.
import * as doctor from '#/cli/doctor-queries.ts'
import * as session from '#/db/session.ts'
import * as health from '#/merchants/connection-queries.ts'
import * as metrics from '#/metrics/queries.ts'
import * as jobs from '#/operator-jobs/queries.ts'
import * as uploads from '#/operator-jobs/upload-queries.ts'
import * as backups from '#/operator/backup-queries.ts'
import * as chains from '#/operator/chain-queries.ts'
import * as directory from '#/operator/directory-queries.ts'
import * as interest from '#/operator/interest-queries.ts'
import * as live from '#/operator/live-queries.ts'
import * as payouts from '#/operator/payout-queries.ts'
import * as proposals from '#/operator/proposal-queries.ts'
import * as lists from '#/operator/queries.ts'
import * as queues from '#/operator/queue-queries.ts'
import * as auditLog from '#/people/queries.ts'
import { asId } from '../as-id.ts'
import { bounded, claimOf, everything, leaseMs, slots, type Registry, type World } from './registry.ts'

const id = (w: World, table: string) => w.id(table, Math.floor(w.size / 2))
const due = (w: World) => ({ claim: { ...claimOf(id(w, 'operator_job')), connection: 'verify' } })
const work = 'reads at most ten thousand rows of each kind of durable work'
const rowsOfWork = 10 * (queues.queueReadMax + 100)

export const operatorRoom: Registry = {
  'operator/backup-queries.ts': {
    selectBackupMarks: (w) => backups.selectBackupMarks(w.sql),
    writeBackupMark: (w) => backups.writeBackupMark(w.sql, { kind: 'BACKUP', note: null }),
    selectNewestBatch: (w) => backups.selectNewestBatch(w.sql),
  },
  'operator/directory-queries.ts': {
    selectIsInDirectory: (w) => directory.selectIsInDirectory(w.sql),
    insertInDirectory: (w) => directory.insertInDirectory(w.sql),
    deleteInDirectory: (w) => directory.deleteInDirectory(w.sql),
  },
  'db/session.ts': {
    selectSession: (w) => session.selectSession(w.sql),
  },
  'cli/doctor-queries.ts': {
    selectServer: everything('reads what the server says about itself, for one command', (w) =>
      doctor.selectServer(w.sql),
    ),
    selectBackend: (w) => doctor.selectBackend(w.sql, 1),
  },
  'operator/queries.ts': {
    selectBooksLoad: bounded(25_000, 'adds up the events of at most twenty thousand batches', (w) =>
      lists.selectBooksLoad(w.sql, 'a1', 60, 20_000),
    ),
    selectTallyLoad: bounded(25_000, 'adds up the figures of one day, at most twenty thousand', (w) =>
      lists.selectTallyLoad(w.sql, 20_000),
    ),
    selectAttention: bounded(1_000, 'counts at most a hundred of each kind', (w) =>
      lists.selectAttention(w.sql, 100),
    ),
    selectFreezePage: (w) => lists.selectFreezePage(w.sql, { limit: 51 }),
    selectFreezesOf: (w) => lists.selectFreezesOf(w.sql, w.merchantId),
    selectMerchantPage: [
      (w) => lists.selectMerchantPage(w.sql, { limit: 51 }),
      (w) => lists.selectMerchantPage(w.sql, { before: w.merchantId, limit: 51 }),
      (w) => lists.selectMerchantPage(w.sql, { mode: 'SANDBOX', limit: 51 }),
      (w) => lists.selectMerchantPage(w.sql, { state: 'frozen', limit: 51 }),
      (w) => lists.selectMerchantPage(w.sql, { state: 'suspended', limit: 51 }),
      (w) => lists.selectMerchantPage(w.sql, { state: 'archived', mode: 'LIVE', limit: 51 }),
      everything('most merchants are active; here all but two are frozen', (w) =>
        lists.selectMerchantPage(w.sql, { state: 'active', limit: 51 }),
      ),
    ],
    selectMerchantsNamed: [
      (w) => lists.selectMerchantsNamed(w.sql, { prefix: 'a', limit: 51 }),
      (w) => lists.selectMerchantsNamed(w.sql, { prefix: 'name', after: w.merchantId, limit: 51 }),
    ],
    selectListedMerchant: (w) => lists.selectListedMerchant(w.sql, w.merchantId),
    selectFeeHistory: (w) =>
      lists.selectFeeHistory(
        w.sql,
        { merchantId: w.merchantId, method: 'PIX', currency: 'BRL' },
        { before: w.now, limit: 51 },
      ),
    selectConnectionPage: [
      (w) => lists.selectConnectionPage(w.sql, { limit: 51 }),
      (w) => lists.selectConnectionPage(w.sql, { after: 'c2', limit: 51 }),
      (w) => lists.selectConnectionPage(w.sql, { of: w.merchantId, limit: 51 }),
      bounded(2_500, 'goes through the connections, of which there are few', (each) =>
        lists.selectConnectionPage(each.sql, { of: 'shared', limit: 51 }),
      ),
    ],
    selectListedConnection: (w) => lists.selectListedConnection(w.sql, asId('c2')),
  },
  'operator/chain-queries.ts': {
    selectWatchers: everything('one row for each chain, and the connections, of which there are few', (w) =>
      chains.selectWatchers(w.sql),
    ),
  },
  'operator/interest-queries.ts': {
    selectMembersOf: bounded(
      500,
      'a merchant has at most 500 members, and a sub-account one parent: all of them may be the one who acts',
      (w) => interest.selectMembersOf(w.sql, [w.merchantId]),
    ),
    selectProposedOwner: (w) => interest.selectProposedOwner(w.sql, id(w, 'coin_move')),
    selectConnectionOwner: (w) => interest.selectConnectionOwner(w.sql, 'a1-test'),
  },
  'operator/proposal-queries.ts': {
    selectProposal: (w) => proposals.selectProposal(w.sql, id(w, 'operator_proposal')),
    selectOpenProposals: [
      (w) => proposals.selectOpenProposals(w.sql, { limit: 51 }),
      (w) => proposals.selectOpenProposals(w.sql, { after: id(w, 'operator_proposal'), limit: 51 }),
    ],
    decideProposal: (w) =>
      proposals.decideProposal(w.sql, id(w, 'operator_proposal'), 'REFUSED', {
        actor: { kind: 'USER', id: 'another' },
        name: 'another@example.com',
      }),
  },
  'merchants/connection-queries.ts': {
    addCalls: (w) =>
      health.addCalls(w.sql, [
        { connection: asId('c2'), calls: 2, errors: 1, totalMs: 30, longestMs: 20, lastError: 'HTTP 503' },
      ]),
    deleteOldHealth: bounded(1_500, 'deletes at most five hundred old hours', (w) =>
      health.deleteOldHealth(w.sql),
    ),
    selectHealth: (w) => health.selectHealth(w.sql, 'c2', 48),
    selectLastAnswers: bounded(200, 'looks at the last day of each of its connections', (w) =>
      health.selectLastAnswers(w.sql, ['c2', 'c3']),
    ),
    selectFailing: bounded(4_500, 'looks at two thousand hours of connections', (w) =>
      health.selectFailing(w.sql, 2_000),
    ),
  },
  'operator/live-queries.ts': {
    selectHasLive: bounded(2_500, 'goes through the connections, of which there are few', (w) =>
      live.selectHasLive(w.sql),
    ),
    isSandboxAsWhole: bounded(2_500, 'goes through the connections, of which there are few', (w) =>
      live.isSandboxAsWhole(w.sql, { isSandboxHere: true }),
    ),
  },
  'operator/payout-queries.ts': {
    selectWithdrawalFacts: (w) => payouts.selectWithdrawalFacts(w.sql, [id(w, 'withdrawal')]),
    selectRefundFacts: (w) => payouts.selectRefundFacts(w.sql, [id(w, 'refund')]),
  },
  'operator/queue-queries.ts': {
    selectQueueDepth: queues.queueNames.map((name) =>
      bounded(rowsOfWork, work, (w) => queues.selectQueueDepth(w.sql, name)),
    ),
    selectQueueAge: queues.queueNames.map((name) =>
      bounded(rowsOfWork, work, (w) => queues.selectQueueAge(w.sql, name)),
    ),
    selectQueueItems: queues.queueNames.map((name) =>
      bounded(rowsOfWork, work, (w) => queues.selectQueueItems(w.sql, name, 100)),
    ),
  },
  'metrics/queries.ts': {
    selectOpenRefunds: bounded(25_000, 'reads at most ten thousand open refunds', (w) =>
      metrics.selectOpenRefunds(w.sql),
    ),
    selectOpenWithdrawals: bounded(25_000, 'reads at most ten thousand open withdrawals', (w) =>
      metrics.selectOpenWithdrawals(w.sql),
    ),
    selectHeadFigures: bounded(1_000, 'reads the latest hundred batches', (w) =>
      metrics.selectHeadFigures(w.sql, 'a1'),
    ),
    selectLastVerify: (w) => metrics.selectLastVerify(w.sql),
    selectDatabaseFigures: bounded(10_000, 'PostgreSQL reports a row for each table and connection', (w) =>
      metrics.selectDatabaseFigures(w.sql),
    ),
  },
  'people/queries.ts': {
    selectAuditEntries: bounded(
      5_000,
      'looks at a thousand entries, matching or not, and at the names of users',
      (w) => auditLog.selectAuditEntries(w.sql, { subject: 'x' }, { window: 1_000 }),
    ),
  },
  'operator-jobs/upload-queries.ts': {
    insertUpload: bounded(1_000, 'adds up at most two hundred files that wait', (w) =>
      uploads.insertUpload(
        w.sql,
        {
          id: asId('00000000-0000-7000-8000-00000000000e'),
          name: 'a.xml',
          size: 1,
          userId: asId('00000000-0000-7000-8000-00000000000d'),
          handedInBy: 'a',
        },
        { files: 200, bytes: 1_000 },
      ),
    ),
    selectUpload: (w) => uploads.selectUpload(w.sql, w.id('operator_upload', 7)),
    insertPart: (w) =>
      uploads.insertPart(w.sql, {
        uploadId: w.id('operator_upload', 7),
        number: 1,
        bytes: Buffer.from('x'),
      }),
    selectParts: (w) => uploads.selectParts(w.sql, w.id('operator_upload', 7)),
    takeUploads: (w) =>
      uploads.takeUploads(w.sql, {
        ids: [w.id('operator_upload', 7)],
        userId: 'a',
        jobId: id(w, 'operator_job'),
      }),
    deleteUploads: bounded(5_000, 'looks at the files that are stored now, and at their jobs', (w) =>
      uploads.deleteUploads(w.sql, { agoMs: 1_000, limit: 50 }),
    ),
  },
  'operator-jobs/queries.ts': {
    selectJob: (w) => jobs.selectJob(w.sql, id(w, 'operator_job')),
    lockJob: (w) => jobs.lockJob(w.sql, id(w, 'operator_job')),
    selectJobs: [
      (w) => jobs.selectJobs(w.sql, { limit: 51 }),
      (w) => jobs.selectJobs(w.sql, { kind: 'verify', before: id(w, 'operator_job'), limit: 51 }),
      (w) => jobs.selectJobs(w.sql, { status: 'QUEUED', limit: 51 }),
      (w) => jobs.selectJobs(w.sql, { kind: 'rescue', status: 'QUEUED', limit: 51 }),
    ],
    insertJob: bounded(1_000, 'counts at most a hundred jobs of its kind that have not ended', (w) =>
      jobs.insertJob(
        w.sql,
        {
          id: asId('00000000-0000-7000-8000-00000000000f'),
          kind: 'verify',
          arguments: {},
          requestedBy: { kind: 'SYSTEM', id: 'test' },
        },
        100,
      ),
    ),
    cancelOpenJob: (w) => jobs.cancelOpenJob(w.sql, id(w, 'operator_job')),
    claimJobs: bounded(2_000, 'looks at one row of each kind, and at the due ones', (w) =>
      jobs.claimJobs(w.sql, slots, leaseMs, ['verify', 'sweep']),
    ),
    renewJob: (w) => jobs.renewJob(w.sql, due(w), leaseMs, undefined),
    endJob: (w) => jobs.endJob(w.sql, due(w), { status: 'DONE', result: '{}' }),
    postponeJob: (w) => jobs.postponeJob(w.sql, due(w), 1_000),
    deleteEndedJobs: (w) => jobs.deleteEndedJobs(w.sql, { agoMs: 1_000, limit: 100 }),
  },
}

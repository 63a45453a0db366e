// The figures of /metrics that are read from the database: queues, money on its way out, chains, the books and PostgreSQL itself.
import { minuteMs } from '#/kernel/time.ts'
import { selectBackupMarks, type BackupKind } from '#/operator/backup-queries.ts'
import { selectWatchers } from '#/operator/chain-queries.ts'
import type { ConnectionTypes } from '#/operator/connections.ts'
import { expiringConnections } from '#/operator/expiry.ts'
import { queueNames, selectQueueAge } from '#/operator/queue-queries.ts'
import type { Figure, Sample } from './figures.ts'
import * as queries from './queries.ts'

const one = (value: number | bigint): readonly Sample[] => [{ value: Number(value) }]

/** All of them. What is not there, such as a chain, gives no series. */
export function knownFigures(cell: string, opened: ConnectionTypes['opened']): readonly Figure[] {
  return [
    ...queueNames.map(queueFigure),
    openFigure('refunds', queries.selectOpenRefunds),
    openFigure('withdrawals', queries.selectOpenWithdrawals),
    chainFigure,
    headFigure(cell),
    verifyFigure,
    backupFigure,
    databaseFigure,
    certificateFigure(opened),
  ]
}

/** Each queue is a figure of its own: one that is long or locked hides no other. */
function queueFigure(queue: (typeof queueNames)[number]): Figure {
  const labels = ['queue']
  return {
    name: queue,
    series: {
      vintem_queue_rows: { help: 'Rows that wait; at most 10,001 are counted.', labels },
      vintem_queue_due_rows: { help: 'Those of them that are due.', labels },
      vintem_queue_failing_rows: { help: 'Those of them that failed before.', labels },
      vintem_queue_late_seconds: { help: 'How long ago the oldest of them became due.', labels },
      vintem_queue_age_seconds: { help: 'How long ago the oldest of them came, where that is kept.', labels },
    },
    read: async (tx) => {
      const { read, due, failing, lateSeconds, ageSeconds } = await selectQueueAge(tx, queue)
      const of = (value: number): readonly Sample[] => [{ labels: { queue }, value }]
      return {
        vintem_queue_rows: of(read),
        vintem_queue_due_rows: of(due),
        vintem_queue_failing_rows: of(failing),
        vintem_queue_late_seconds: of(lateSeconds),
        vintem_queue_age_seconds: of(ageSeconds),
      }
    },
  }
}

function openFigure(
  what: 'refunds' | 'withdrawals',
  select: (tx: Parameters<Figure['read']>[0]) => Promise<queries.OpenByAge>,
): Figure {
  const name = `vintem_${what}_open`
  return {
    name: `open ${what}`,
    series: {
      [name]: { help: `${what} that have not ended, by how long ago they were requested.`, labels: ['age'] },
    },
    read: async (tx) => {
      const { under1h, under1d, under3d, older } = await select(tx)
      const buckets = { 'under 1h': under1h, '1h to 1d': under1d, '1d to 3d': under3d, 'over 3d': older }
      return { [name]: Object.entries(buckets).map(([age, value]) => ({ labels: { age }, value })) }
    },
  }
}

const ofChain = ['chain']

const chainFigure: Figure = {
  name: 'chains',
  series: {
    vintem_chain_block: { help: 'The last block that was taken into account.', labels: ofChain },
    vintem_chain_halted: { help: '1: nothing is credited until a person looked.', labels: ofChain },
    vintem_chain_watched: { help: '1: a watcher holds the lease.', labels: ofChain },
  },
  read: async (tx) => {
    const chains = await selectWatchers(tx)
    const of = (value: (chain: (typeof chains)[number]) => number) =>
      chains.map((chain) => ({ labels: { chain: chain.key }, value: value(chain) }))
    return {
      vintem_chain_block: of(({ head }) => Number(head ?? 0n)),
      vintem_chain_halted: of(({ halted }) => (halted === null ? 0 : 1)),
      vintem_chain_watched: of(({ isWatched }) => (isWatched ? 1 : 0)),
    }
  },
}

function headFigure(cell: string): Figure {
  return {
    name: 'books',
    series: {
      vintem_ledger_batches: { help: 'Batches in the books.' },
      vintem_ledger_transfers: { help: 'Transfers in the books.' },
      vintem_ledger_violations: {
        help: 'Faults in the order of the latest 100 batches, and of the head. Zero is normal; all of the books: ./vintem verify.',
      },
    },
    read: async (tx) => {
      const head = await queries.selectHeadFigures(tx, cell)
      if (head === undefined) return {}
      return {
        vintem_ledger_batches: one(head.batch),
        vintem_ledger_transfers: one(head.transfer),
        vintem_ledger_violations: one(head.violations),
      }
    },
  }
}

const verifyFigure: Figure = {
  name: 'verify',
  everyMs: minuteMs,
  series: {
    vintem_verify_age_seconds: { help: 'How long ago the last verify of the console ended.' },
    vintem_verify_failed: { help: '1: it found faults.' },
  },
  read: async (tx) => {
    const last = await queries.selectLastVerify(tx)
    if (last === undefined) return {}
    return { vintem_verify_age_seconds: one(last.ageSeconds), vintem_verify_failed: one(last.ok ? 0 : 1) }
  },
}

const backupFigure: Figure = {
  name: 'backups',
  everyMs: minuteMs,
  series: {
    vintem_backup_age_seconds: { help: 'How long ago ./vintem backup mark was last run; absent: never.' },
    vintem_backup_drill_age_seconds: {
      help: 'How long ago ./vintem backup drill was last run; absent: never.',
    },
  },
  read: async (tx) => {
    const marks = await selectBackupMarks(tx)
    const ages = (kind: BackupKind) =>
      marks.filter((mark) => mark.kind === kind).map(({ ageSeconds }) => ({ value: ageSeconds }))
    return { vintem_backup_age_seconds: ages('BACKUP'), vintem_backup_drill_age_seconds: ages('DRILL') }
  },
}

const databaseFigure: Figure = {
  name: 'database',
  everyMs: minuteMs / 2,
  series: {
    vintem_database_connections: { help: 'Connections to the whole PostgreSQL.' },
    vintem_database_connections_max: { help: 'Its max_connections.' },
    vintem_database_longest_transaction_seconds: { help: 'How long our longest open transaction is open.' },
    vintem_database_transaction_id_age: { help: 'Transaction ids since the oldest row that is not frozen.' },
    vintem_database_transaction_id_age_max: { help: 'The age from which autovacuum freezes by force.' },
    vintem_database_dead_rows: { help: 'Dead rows of all tables.' },
    vintem_database_dead_ratio: {
      help: 'The largest share of dead rows in a table that has over 1,000 of them.',
    },
    vintem_database_autovacuum_age_seconds: {
      help: 'How long ago autovacuum last ended a table; -1: never.',
    },
  },
  read: async (tx) => {
    const figures = await queries.selectDatabaseFigures(tx)
    return {
      vintem_database_connections: one(figures.connections),
      vintem_database_connections_max: one(figures.connectionsMax),
      vintem_database_longest_transaction_seconds: one(figures.longestTransactionSeconds),
      vintem_database_transaction_id_age: one(figures.transactionIdAge),
      vintem_database_transaction_id_age_max: one(figures.transactionIdAgeMax),
      vintem_database_dead_rows: one(figures.deadRows),
      vintem_database_dead_ratio: one(figures.deadRatioMax),
      vintem_database_autovacuum_age_seconds: one(figures.autovacuumAgeSeconds),
    }
  },
}

/** Certificates change rarely, and reading one takes a tenth of a millisecond of this process. */
function certificateFigure(opened: ConnectionTypes['opened']): Figure {
  return {
    name: 'certificates',
    everyMs: 10 * minuteMs,
    series: {
      vintem_connection_certificate_end_seconds: {
        help: 'When the first certificate of a connection in use ends, as a Unix time; of those that this process can read.',
      },
    },
    read: async (tx) => {
      const never = new Date(8_640_000_000_000_000)
      const { expiring } = await expiringConnections(tx, { opened }, never)
      const [first] = expiring
      return first === undefined
        ? {}
        : { vintem_connection_certificate_end_seconds: one(Math.floor(first.endsAt.getTime() / 1_000)) }
    },
  }
}

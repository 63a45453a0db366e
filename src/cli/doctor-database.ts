// The part of `doctor` that asks PostgreSQL, and a pooler in front of it.
import type { Config } from '#/config.ts'
import { connect, type Sql } from '#/db/client.ts'
import { missingMigrations } from '#/db/migrate.ts'
import { selectSession, type SessionRow, faultOfSession } from '#/db/session.ts'
import { messageOf } from '#/kernel/error.ts'
import { secondMs, systemClock } from '#/kernel/time.ts'
import { depositFaults } from './bsc-settings.ts'
import { failed, ok, warning, type Finding } from './doctor-finding.ts'
import { selectBackend, selectServer, type ServerRow } from './doctor-queries.ts'
import { settingsFindings } from './doctor-settings.ts'

/** What an installation has, for the arithmetic of connections. */
export type Extent = {
  /** Processes of one cell: api, worker and watcher together. */
  readonly processes: number
  /** Those of them that are workers, `start` included. */
  readonly workers: number
  /** Cells that share this PostgreSQL. */
  readonly cells: number
  readonly pool: number
}

/** Everything about the database of `url`. */
export async function databaseFindings(
  url: string,
  extent: Extent,
  config?: Config,
): Promise<readonly Finding[]> {
  const sql = connect(url, { max: 2, applicationName: 'vintem-doctor', connectTimeoutSeconds: 5 })
  try {
    const sentAt = systemClock.now().getTime()
    const server = await selectServer(sql)
    if (server === undefined) throw new Error('it answers nothing')
    const missing = await missingMigrations(sql)
    return [
      ok('database', `PostgreSQL ${Math.floor(server.version / 10_000)} answers.`),
      clockFinding(server.now.getTime(), sentAt, systemClock.now().getTime()),
      ...serverFindings(server),
      sessionFinding(await selectSession(sql)),
      migrationsFinding(missing),
      // Without its tables there is no payment yet.
      ...(config === undefined || missing.length > 0 ? [] : await walletFindings(sql, config)),
      ...(await poolerFindings(url, server, extent)),
    ]
  } catch (error) {
    const remedy = 'Start it, or correct DATABASE_URL. The other lines about the database are missing here.'
    return [failed('database', `The database does not answer: ${messageOf(error)}`, remedy)]
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** `bsc.wallets`: what the settings alone do not tell. A setting that is no address has its line there. */
async function walletFindings(sql: Sql, config: Config): Promise<readonly Finding[]> {
  if (settingsFindings(config).some(({ id, status }) => id === 'bsc' && status === 'failed')) return []
  const [fault] = await depositFaults(sql, config)
  if (fault === undefined)
    return [ok('bsc.wallets', 'No wallet of the settings is the address of a payment.')]
  return [failed('bsc.wallets', fault, 'Set it to an address of your own, whose key you hold.')]
}

function sessionFinding(row: SessionRow | undefined): Finding {
  const fault = row && faultOfSession(row)
  if (fault === undefined) return ok('database.session', 'The encoding and the settings of the role fit.')
  return failed('database.session', fault.what, fault.remedy)
}

/** `read`: the database's clock, read between the two moments of this machine's clock. */
function clockFinding(read: number, sentAt: number, answeredAt: number): Finding {
  const apartMs = Math.max(sentAt - read, read - answeredAt, 0)
  const what = `The database's clock and this machine's differ by ${apartMs < 100 ? 'less than 0.1' : (apartMs / secondMs).toFixed(1)} s.`
  const remedy = 'Synchronise the clock of every machine (NTP), the database’s first.'
  // From 5 s on, a process whose clock is behind moves no money.
  if (apartMs > 5 * secondMs) return failed('clock', what, remedy)
  return apartMs > secondMs ? warning('clock', what, remedy) : ok('clock', what)
}

/** Each check needs only what the server says. */
export function serverFindings(server: ServerRow): readonly Finding[] {
  return [
    versionFinding(server),
    primaryFinding(server),
    ...durabilityFindings(server),
    ...accessFindings(server),
    ...logFindings(server),
  ]
}

function versionFinding({ version }: ServerRow): Finding {
  const [major, minor] = [Math.floor(version / 10_000), version % 10_000]
  const what = `It is version ${major}.${minor}.`
  if (major < 15) return failed('database.version', what, 'Vintem needs PostgreSQL 15 or newer.')
  if (major < 17) {
    const remedy = 'From 17 on the server itself ends a transaction that takes too long; plan the upgrade.'
    return warning(
      'database.version',
      `${what} A process that is stopped in the middle of a statement can keep a row locked.`,
      remedy,
    )
  }
  return ok('database.version', what)
}

function primaryFinding({ isStandby, isReadOnly }: ServerRow): Finding {
  const remedy = 'Connect to the primary, which takes writes: every process writes.'
  if (isStandby) return failed('database.primary', 'It is a standby.', remedy)
  if (isReadOnly)
    return failed('database.primary', 'It is read-only.', 'Unset default_transaction_read_only.')
  return ok('database.primary', 'It is the primary, and takes writes.')
}

function durabilityFindings({
  fsync,
  fullPageWrites,
  synchronousCommit,
  standbys,
}: ServerRow): readonly Finding[] {
  const isOn = (id: string, name: string, value: string): Finding =>
    value === 'on'
      ? ok(id, `${name} is on.`)
      : failed(id, `${name} is ${value}: a power failure destroys the database.`, `Set ${name} = on.`)
  const hasStandby = standbys !== ''
  return [
    isOn('database.fsync', 'fsync', fsync),
    isOn('database.full_page_writes', 'full_page_writes', fullPageWrites),
    synchronousFinding(synchronousCommit, hasStandby),
    hasStandby
      ? ok('database.standby', `A commit waits for a standby: ${standbys}`)
      : warning(
          'database.standby',
          'No standby is synchronous: what was acknowledged can die with the primary.',
          'Name one in synchronous_standby_names.',
        ),
  ]
}

function synchronousFinding(value: string, hasStandby: boolean): Finding {
  const id = 'database.synchronous_commit'
  const what = `synchronous_commit is ${value}`
  if (value === 'on' || value === 'remote_apply') return ok(id, `${what}.`)
  if (value === 'off')
    return failed(
      id,
      `${what}: payments that were acknowledged are lost in a crash.`,
      'Set synchronous_commit = on.',
    )
  const lost = 'what was acknowledged can be lost with the primary'
  return hasStandby
    ? failed(id, `${what}: ${lost}.`, 'Set synchronous_commit = on.')
    : ok(id, `${what}; there is no standby.`)
}

function accessFindings({
  isSuperuser,
  ownsTables,
  isEncrypted,
  isLocal,
  autovacuum,
}: ServerRow): readonly Finding[] {
  const role = 'database.role'
  const roleRemedy =
    'Connect as a role of its own: docs/operating.md, "The database". Migrate with DATABASE_OWNER_URL.'
  return [
    isSuperuser || ownsTables
      ? failed(
          role,
          `The application is ${isSuperuser ? 'a superuser' : 'the owner of the tables'}: it could change the books.`,
          roleRemedy,
        )
      : ok(role, 'The application has only the rights that migrations grant.'),
    isEncrypted || isLocal
      ? ok('database.tls', 'The connection is local, or encrypted.')
      : warning(
          'database.tls',
          'The connection is not encrypted.',
          'Add ?sslmode=verify-full to DATABASE_URL, unless the network is your own.',
        ),
    autovacuum === 'on'
      ? ok('database.autovacuum', 'autovacuum is on.')
      : failed(
          'database.autovacuum',
          'autovacuum is off: the database grows, and stops in the end.',
          'Set autovacuum = on.',
        ),
  ]
}

/** How far a standby or a reader of the log may fall behind before it is given up. */
function logFindings(server: ServerRow): readonly Finding[] {
  const { archiveMode, archivedAt, archiveFailedAt, slotKeepMegabytes, idleSlots } = server
  const backup = 'backup.archive'
  const backupRemedy =
    'Archive the log (archive_mode, archive_command) with base backups, and try a restore: docs/operating.md, "Backups".'
  const isFailing = archiveFailedAt !== null && (archivedAt === null || archiveFailedAt > archivedAt)
  const slots = 'database.slots'
  const slotsRemedy =
    'Set max_slot_wal_keep_size to less than the free space of the disk; drop slots that nobody reads.'
  return [
    archiveMode === 'off'
      ? warning(
          backup,
          'The log is not archived by this server: there is no restore to a moment, unless your backups stream it.',
          backupRemedy,
        )
      : isFailing
        ? failed(backup, 'The last file of the log could not be archived, and the disk fills.', backupRemedy)
        : ok(
            backup,
            archivedAt === null
              ? 'The log is archived.'
              : `The log is archived, last at ${archivedAt.toISOString()}.`,
          ),
    idleSlots.length > 0
      ? failed(slots, `Nobody reads ${idleSlots.join(', ')}: the log is kept for it.`, slotsRemedy)
      : slotKeepMegabytes < 0
        ? warning(slots, 'A replication slot that nobody reads would fill the disk.', slotsRemedy)
        : ok(slots, `A replication slot keeps at most ${slotKeepMegabytes} MB.`),
  ]
}

function migrationsFinding(missing: readonly string[]): Finding {
  if (missing.length === 0) return ok('database.migrations', 'It has the tables of this release.')
  return failed('database.migrations', `It lacks ${missing.join(', ')}.`, 'Run ./vintem migrate.')
}

/**
 * Detects a pooler in transaction mode: two clients whose statements run in the same server process are behind one. Then a prepared
 * statement of the first client is run again while the second client holds that process, to learn whether the pooler keeps prepared
 * statements.
 */
async function poolerFindings(url: string, server: ServerRow, extent: Extent): Promise<readonly Finding[]> {
  const options = { max: 1, applicationName: 'vintem-doctor', connectTimeoutSeconds: 5 }
  const [first, second] = [connect(url, options), connect(url, options)]
  try {
    const before = await first.begin((tx) => selectBackend(tx, 1))
    const inSecond = await second.begin(async (tx) => {
      const pid = await selectBackend(tx, 2)
      const fault = pid === before ? await prepareFault(first) : undefined
      return { pid, fault }
    })
    if (inSecond.pid !== before)
      return [
        ok('database.pooler', 'There is no pooler in transaction mode.'),
        connectionsFinding(server, extent),
      ]
    const what = 'There is a pooler in transaction mode.'
    const remedy = 'Use PgBouncer 1.21 or newer, with max_prepared_statements = 200.'
    return [
      inSecond.fault === undefined
        ? ok('database.pooler', what)
        : failed(
            'database.pooler',
            `${what} It does not keep prepared statements: ${inSecond.fault}`,
            remedy,
          ),
      ok(
        'database.connections',
        `The pooler holds the connections: its default_pool_size must be at most ${roomOf(server)}.`,
      ),
    ]
  } finally {
    await Promise.all([first.end({ timeout: 5 }), second.end({ timeout: 5 })])
  }
}

/**
 * Runs a statement that the driver has prepared: it sends only the statement's name. This happens in a transaction, because outside of one
 * the driver would repeat a failed statement by itself.
 */
async function prepareFault(sql: Sql): Promise<string | undefined> {
  let fault: string | undefined
  await sql.begin((tx) =>
    selectBackend(tx, 3).catch((error: unknown) => {
      fault ??= messageOf(error)
      throw error
    }),
  )
  return fault
}

/** Connections of a process beside its pool: two for the ledger's lane, and two that write the request log. */
const connectionsBeside = 4

/** What a worker may have on top: two that read the figures of /metrics, and four while a job verifies the books. */
const connectionsOfWorker = 6

/** For commands, a migration, a backup, a person with psql. */
const connectionsForPeople = 10

function roomOf({ connectionsMax, connectionsReserved }: ServerRow): number {
  return connectionsMax - connectionsReserved - connectionsForPeople
}

/** The arithmetic of docs/operating.md. */
export function connectionsFinding(server: ServerRow, { processes, workers, cells, pool }: Extent): Finding {
  const needed = cells * (processes * (pool + connectionsBeside) + workers * connectionsOfWorker)
  const room = roomOf(server)
  const what = `${cells} cells × (${processes} processes × (VINTEM_DB_POOL ${pool} + ${connectionsBeside}) + ${workers} workers × ${connectionsOfWorker}) = ${needed} of ${room} connections (max_connections ${server.connectionsMax} less ${server.connectionsMax - room}); ${server.connectionsUsed} are open now.`
  if (needed <= room) return ok('database.connections', what)
  return failed(
    'database.connections',
    what,
    'Raise max_connections, lower VINTEM_DB_POOL, or put PgBouncer between. --processes, --workers and --cells say what you run.',
  )
}

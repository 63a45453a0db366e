// The SQL of a move at the two servers, as a superuser on a connection to a database that is not the cell's. Each act may be repeated.
import type { Sql, Tx } from '#/db/client.ts'
import type { BooksFacts, ServerFacts, Move, MoveState } from './move-decision.ts'

/** The replication slot by which the source keeps what the target has not read yet. */
export const slotName = 'vintem_move'

/** `database`: of the cell. The connection is to another database of the server. */
export async function selectServerFacts(
  sql: Sql,
  database: string,
): Promise<Omit<ServerFacts, 'admitsReplication'>> {
  const [row] = await sql<Omit<ServerFacts, 'admitsReplication'>[]>`
    select (select system_identifier::text from pg_control_system()) as "systemIdentifier",
           extract(epoch from pg_postmaster_start_time())::text as "startedAt",
           pg_is_in_recovery() as "isStandby",
           current_setting('server_version_num')::integer / 10000 as version,
           current_user::text as role,
           (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
           (select datallowconn from pg_database where datname = ${database}) as "isOpen",
           array(select datname::text from pg_database
                  where not datistemplate and datname not in (${database}, 'postgres') order by datname)
             as "otherDatabases",
           current_setting('wal_level') as "walLevel",
           exists (select from pg_replication_slots where slot_name = ${slotName}) as "hasSlot",
           current_setting('max_replication_slots')::integer - (select count(*)::integer from pg_replication_slots)
             as "slotsFree",
           current_setting('max_wal_senders')::integer - (select count(*)::integer from pg_stat_replication)
             as "sendersFree",
           current_setting('synchronous_standby_names') as "synchronousNames",
           (select count(*)::integer from pg_stat_replication) as standbys,
           coalesce((select datcollversion <> pg_database_collation_actual_version(oid)
                       from pg_database where datname = ${database}), false) as "sortsOtherwise"`
  if (row === undefined) throw new Error('a server says nothing of itself')
  return row
}

/** Whether pg_hba.conf admits replication from another machine. Only a superuser may read it. */
export async function selectAdmitsReplication(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ admits: boolean }[]>`
    select exists (select from pg_hba_file_rules
                    where error is null and 'replication' = any(database)
                      and type <> 'local' and auth_method <> 'reject') as admits`
  return row?.admits === true
}

/** By the application's role, in the cell's database. */
export async function selectBooks(sql: Sql): Promise<BooksFacts | undefined> {
  const [row] = await sql<BooksFacts[]>`
    select (select system_identifier::text from pg_control_system()) as "systemIdentifier",
           extract(epoch from pg_postmaster_start_time())::text as "startedAt",
           (select cell from head) as cell,
           (select count(*)::integer from pg_class where relname = 'migrator' and relkind = 'r') as schemas`
  return row
}

/** From now on the source keeps its log until the target has read it. */
export async function keepSlot(source: Sql): Promise<void> {
  await source`
    select pg_create_physical_replication_slot(${slotName}, true)
     where not exists (select from pg_replication_slots where slot_name = ${slotName})`
}

/** Drops the slot and cuts the connection that reads it. Fails with 55006 when the target has connected again meanwhile. */
export async function dropSlot(source: Sql): Promise<void> {
  await source`
    select pg_terminate_backend(active_pid, 5000) from pg_replication_slots
     where slot_name = ${slotName} and active_pid is not null`
  await source`
    select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = ${slotName}`
}

/** How many bytes of the source's log the target has not replayed. */
export async function selectBehindBytes(source: Sql, target: Sql): Promise<number> {
  const [written] = await source<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`
  const [row] = await target<{ bytes: number }[]>`
    select greatest(0, pg_wal_lsn_diff(${written?.lsn ?? ''}::pg_lsn, pg_last_wal_replay_lsn()))::float8 as bytes`
  return row?.bytes ?? Infinity
}

/**
 * Lets nobody into the cell's database any more, superusers neither, or lets everybody in again. It is a row of the catalog: each standby of
 * this server has it too, so none that is promoted later takes writes either.
 */
export async function setOpen(sql: Sql, database: string, isOpen: boolean): Promise<void> {
  await sql.begin(async (tx) => {
    // A server that waits for a synchronous standby must not keep the switch waiting: the target is compared below.
    await tx.unsafe(`set local synchronous_commit = local`)
    await tx.unsafe(`alter database ${quoted(database)} with allow_connections ${isOpen ? 'true' : 'false'}`)
  })
}

/**
 * Sessions that are being let into the database, perhaps by what it was before it was closed. Each holds a lock on the database from before it
 * reads whether it may come in until it is in pg_stat_activity (PostgreSQL, src/backend/utils/init/postinit.c).
 */
export async function selectStarting(sql: Sql, database: string): Promise<readonly number[]> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_locks
     where locktype = 'object' and classid = 'pg_database'::regclass
       and objid = (select oid from pg_database where datname = ${database})`
  return rows.map(({ pid }) => pid)
}

/** Ends the sessions of the database. Returns how many there were. */
export async function terminateSessions(sql: Sql, database: string): Promise<number> {
  const ended = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = ${database} and backend_type not in ('autovacuum worker', 'walsender')`
  return ended.length
}

/** Where the log ends: what was committed before is before it. */
export async function flushLog(sql: Sql): Promise<string> {
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local synchronous_commit = local`)
    // Its commit flushes all of the log before it.
    await tx`select pg_logical_emit_message(true, 'vintem', 'closed')`
  })
  const [row] = await sql<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`
  return row?.lsn ?? ''
}

/** Whether the target has replayed the log of the source until there, and with it that the database is closed. */
export async function selectIsReplayed(target: Sql, database: string, lsn: string): Promise<boolean> {
  const [row] = await target<{ isReplayed: boolean | null }[]>`
    select pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn
           and not (select datallowconn from pg_database where datname = ${database}) as "isReplayed"`
  return row?.isReplayed === true
}

/** Makes the standby a primary. False: it did not become one in time. */
export async function promote(target: Sql, seconds: number): Promise<boolean> {
  const [row] = await target<{ isPrimary: boolean }[]>`
    select case when pg_is_in_recovery() then pg_promote(true, ${seconds}) else true end as "isPrimary"`
  return row?.isPrimary === true
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

// The SQL of moves in the directory of cells.

/** The move of this cell that has not ended. */
export async function selectOpenMove(sql: Sql | Tx, cell: string): Promise<Move | undefined> {
  const [row] = await sql<Move[]>`
    select id::text as id, cell, source, target, system_identifier as "systemIdentifier", state
      from cell_move where cell = ${cell} and state not in ('DONE', 'CANCELED')`
  return row
}

export async function insertMove(tx: Tx, move: Omit<Move, 'id' | 'state'>, who: string): Promise<void> {
  const { cell, source, target, systemIdentifier } = move
  await tx`
    insert into cell_move (cell, source, target, system_identifier, who)
    values (${cell}, ${source}, ${target}, ${systemIdentifier}, ${who})`
}

/** Records the next state. False when the move is not in the state that this run knows: another run went on with it. */
export async function updateMoveState(
  sql: Sql | Tx,
  { id, state }: Pick<Move, 'id' | 'state'>,
  next: MoveState,
): Promise<boolean> {
  const updated = await sql`
    update cell_move set state = ${next}, changed_at = clock_timestamp()
     where id = ${id}::bigint and state = ${state} returning id`
  return updated.length === 1
}

/** Which PostgreSQL this is: a copy of a server has the same identifier, and a process of its own. */
export async function selectIdentity(
  sql: Sql | Tx,
): Promise<{ readonly systemIdentifier: string; readonly startedAt: string; readonly isStandby: boolean }> {
  const [row] = await sql<{ systemIdentifier: string; startedAt: string; isStandby: boolean }[]>`
    select (select system_identifier::text from pg_control_system()) as "systemIdentifier",
           extract(epoch from pg_postmaster_start_time())::text as "startedAt",
           pg_is_in_recovery() as "isStandby"`
  return row ?? { systemIdentifier: '', startedAt: '', isStandby: false }
}

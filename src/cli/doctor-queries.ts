// The SQL of `doctor`: what the server says about itself.
import type { Sql, Tx } from '#/db/client.ts'

export type ServerRow = {
  readonly version: number
  readonly isStandby: boolean
  readonly isReadOnly: boolean
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
  readonly standbys: string
  readonly autovacuum: string
  readonly connectionsMax: number
  readonly connectionsReserved: number
  readonly connectionsUsed: number
  readonly archiveMode: string
  /** Absent: no file of the log was archived, or none failed. */
  readonly archivedAt: Date | null
  readonly archiveFailedAt: Date | null
  readonly slotKeepMegabytes: number
  /** Replication slots that nobody reads. */
  readonly idleSlots: readonly string[]
  readonly isSuperuser: boolean
  readonly ownsTables: boolean
  readonly isEncrypted: boolean
  readonly isLocal: boolean
  readonly now: Date
}

export async function selectServer(sql: Sql): Promise<ServerRow | undefined> {
  const [row] = await sql<ServerRow[]>`
    select current_setting('server_version_num')::integer as version, pg_is_in_recovery() as "isStandby",
           current_setting('transaction_read_only') = 'on' as "isReadOnly", current_setting('fsync') as fsync,
           current_setting('full_page_writes') as "fullPageWrites",
           current_setting('synchronous_commit') as "synchronousCommit",
           current_setting('synchronous_standby_names') as standbys, current_setting('autovacuum') as autovacuum,
           current_setting('max_connections')::integer as "connectionsMax",
           current_setting('superuser_reserved_connections')::integer as "connectionsReserved",
           (select sum(numbackends)::integer from pg_stat_database) as "connectionsUsed",
           current_setting('archive_mode') as "archiveMode",
           (select last_archived_time from pg_stat_archiver) as "archivedAt",
           (select last_failed_time from pg_stat_archiver) as "archiveFailedAt",
           (select setting::integer from pg_settings where name = 'max_slot_wal_keep_size') as "slotKeepMegabytes",
           array(select slot_name::text from pg_replication_slots where not active) as "idleSlots",
           (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
           exists (select from pg_class where oid = to_regclass('head') and relowner = current_user::regrole)
             as "ownsTables",
           coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
           coalesce(inet_server_addr() is null or inet_server_addr() << '127.0.0.0/8' or inet_server_addr() = '::1', true)
             as "isLocal",
           date_trunc('milliseconds', clock_timestamp()) as now`
  return row
}

/** The number of the server's process that runs this statement. */
export async function selectBackend(sql: Sql | Tx, tag: number): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() + 0 * ${tag}::integer as pid`
  return row?.pid ?? 0
}

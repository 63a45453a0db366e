// All SQL of what is known about backups.
import type { Sql, Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'

/** `BACKUP`: a backup was made. `DRILL`: one was restored somewhere, to try it. */
export type BackupKind = 'BACKUP' | 'DRILL'

export type BackupMark = {
  readonly kind: BackupKind
  readonly at: Date
  readonly ageSeconds: number
  /** The newest batch then; of a drill, the newest one that was restored. */
  readonly batch: bigint
  readonly note: string | null
}

export async function selectBackupMarks(sql: Sql | Tx): Promise<readonly BackupMark[]> {
  return sql<BackupMark[]>`
    select kind, at, extract(epoch from ${dueNow(sql)} - at)::float8 as "ageSeconds", batch, note
      from backup_mark order by kind`
}

/** `batch`: absent for a backup, which has the newest one. */
export async function writeBackupMark(
  sql: Sql | Tx,
  mark: { readonly kind: BackupKind; readonly batch?: bigint; readonly note: string | null },
): Promise<void> {
  await sql`
    insert into backup_mark (kind, at, batch, note)
    select ${mark.kind}, ${dueNow(sql)}, coalesce(${mark.batch ?? null}::bigint, (select batch from head), 0), ${mark.note}
    on conflict (kind) do update set at = excluded.at, batch = excluded.batch, note = excluded.note`
}

/** The newest batch; undefined when no process has run yet. */
export async function selectNewestBatch(sql: Sql | Tx): Promise<bigint | undefined> {
  const [row] = await sql<{ batch: bigint }[]>`select batch from head`
  return row?.batch
}

// The SQL of the audit log's inspection. Every statement reads one page by key.
import type { Sql } from '#/db/client.ts'
import type { ChainedAuditEntry } from '#/ledger/chain.ts'

export type EntryRow = ChainedAuditEntry & {
  /** Of the seal; null: no batch covers the entry. */
  readonly batch: bigint | null
  readonly digest: Buffer | null
  readonly isWaiting: boolean
  /** Whether it is older than ten minutes, and more than ten minutes older than the entry that was sealed last. */
  readonly isLeftBehind: boolean
}

/** Entries with their seals. One statement reads one instant, so an entry without a seal waits for one. */
export function selectEntries(sql: Sql, after: string, limit: number): Promise<readonly EntryRow[]> {
  return sql<EntryRow[]>`
    select log.id, timestamptz_send(log.at) as at, actor_kind as "actorKind", actor_id as "actorId", action, subject,
           merchant_id as "merchantId", sha256(convert_to(before::text, 'UTF8')) as "beforeHash",
           sha256(convert_to(after::text, 'UTF8')) as "afterHash", reason, address, request_id as "requestId",
           seal.batch, seal.digest,
           (select true from audit_unsealed where audit_unsealed.id = log.id) is not null as "isWaiting",
           log.at < least(clock_timestamp(), newest.at) - interval '10 minutes' as "isLeftBehind"
      from (select * from audit_log where id > ${after} order by id limit ${limit}) as log
      left join audit_seal as seal on seal.id = log.id
     cross join (select coalesce((select last.at from audit_seal join audit_log as last using (id)
                                   order by audit_seal.batch desc, position desc limit 1), '-infinity') as at) as newest
     order by log.id`
}

/** Seals after an entry's id, and whether the entry is there. */
export function selectSeals(
  sql: Sql,
  after: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly batch: bigint; readonly hasEntry: boolean }[]> {
  return sql<{ id: string; batch: bigint; hasEntry: boolean }[]>`
    select seal.id, seal.batch, log.id is not null as "hasEntry"
      from (select id, batch from audit_seal where id > ${after} order by id limit ${limit}) as seal
      left join audit_log as log on log.id = seal.id
     order by seal.id`
}

/** What waits to be sealed, after an entry's id, and whether the entry is there. */
export function selectWaiting(
  sql: Sql,
  after: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly hasEntry: boolean }[]> {
  return sql<{ id: string; hasEntry: boolean }[]>`
    select unsealed.id, log.id is not null as "hasEntry"
      from (select id from audit_unsealed where id > ${after} order by id limit ${limit}) as unsealed
      left join audit_log as log on log.id = unsealed.id
     order by unsealed.id`
}

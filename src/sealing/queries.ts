// All SQL of sealing the audit log.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { IsDue } from '#/db/due.ts'
import type { ChainedAuditEntry } from '#/ledger/chain.ts'

/**
 * The first entries of the audit log that no batch covers, as the chain reads them. Their rows never change. The query is
 * written so that the planner reads the audit log only for entries that wait, whatever its statistics say of the two tables.
 */
export function selectUnsealed(sql: Sql, limit: number): Promise<readonly ChainedAuditEntry[]> {
  return sql<ChainedAuditEntry[]>`
    select waiting.id, entry.*
      from (select id from audit_unsealed
             where ${isWaiting(sql)}
             order by id limit ${limit}) as waiting
     cross join lateral (
       select timestamptz_send(at) as at, actor_kind as "actorKind", actor_id as "actorId", action, subject,
              merchant_id as "merchantId", sha256(convert_to(before::text, 'UTF8')) as "beforeHash",
              sha256(convert_to(after::text, 'UTF8')) as "afterHash", reason, address, request_id as "requestId"
         from audit_log where audit_log.id = waiting.id limit 1) as entry
     order by waiting.id`
}

/** Whether an entry waits for its seal. */
export const isSealDue: IsDue = (sql) => sql`exists (select from audit_unsealed where ${isWaiting(sql)})`

function isWaiting(sql: Sql) {
  return sql`
    (select true from audit_seal where audit_seal.id = audit_unsealed.id) is null
    and (select true from audit_log where audit_log.id = audit_unsealed.id)`
}

/** Which of these entries a batch covers. */
export async function selectSealed(tx: Tx, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await tx<{ id: string }[]>`
    select wanted.id
      from unnest(${list(ids)}::uuid[]) as wanted (id)
     where (select true from audit_seal where audit_seal.id = wanted.id)`
  return rows.map(({ id }) => id)
}

export type SealRow = { readonly id: string; readonly position: number; readonly digest: Buffer }

/** Writes that this batch covers these entries: they no longer wait for it. */
export async function writeSeals(tx: Tx, seals: readonly SealRow[], batch: bigint): Promise<void> {
  await tx`
    with sealed as (
      insert into audit_seal (id, batch, position, digest)
      select unnest(${list(seals.map((each) => each.id))}::uuid[]), ${batch}::bigint,
             unnest(${list(seals.map((each) => each.position))}::integer[]),
             unnest(${list(seals.map((each) => each.digest))}::bytea[])
      returning id
    )
    delete from audit_unsealed where id = any (${list(seals.map((each) => each.id))}::uuid[])`
}

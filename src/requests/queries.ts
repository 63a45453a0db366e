// All SQL of the request log. The calls of a chunk are lines of text: a table row for each call would cost more than all the rest of
// logging it (decision 106).
import { list, recordSeparator, type Sql, type Tx } from '#/db/client.ts'
import type { ProblemCode } from '#/kernel/error.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import { callsMax, type CallMethod, type StatusClass } from './call.ts'
import type { Chunk } from './lines.ts'

/**
 * Writes one chunk for each merchant, and deletes the chunks that hold none of the merchant's last `keep` calls. Several processes write at
 * the same time: the row with the count puts them in order, and every process locks these rows in the order of the merchants.
 */
export async function writeChunks(
  tx: Sql | Tx,
  chunks: readonly (readonly [merchantId: MerchantId, chunk: Chunk])[],
  keep: number,
): Promise<void> {
  const sorted = chunks.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const rows = sorted.map(([, chunk]) => chunk)
  await tx`
    with added as (
      select unnest(${list(sorted.map(([merchantId]) => merchantId))}::uuid[]) as merchant_id,
             unnest(${list(rows.map((row) => row.calls))}::integer[]) as calls,
             unnest(${list(rows.map((row) => new Date(row.firstMs)))}::timestamptz[]) as first_at,
             unnest(${list(rows.map((row) => new Date(row.lastMs)))}::timestamptz[]) as last_at,
             unnest(${list(rows.map((row) => row.baseMs))}::bigint[]) as base_ms,
             unnest(${list(rows.map((row) => `{${row.keyIds.join(',')}}`))}::text[])::uuid[] as key_ids,
             unnest(string_to_array(${rows.map((row) => row.lines).join(recordSeparator)}, ${recordSeparator})) as lines
    ), counted as (
      insert into request_count (merchant_id, written)
      select merchant_id, calls from added
          on conflict (merchant_id) do update set written = request_count.written + excluded.written
      returning merchant_id, written
    ), written as (
      insert into request_chunk (merchant_id, last_number, calls, first_at, last_at, base_ms, key_ids, lines)
      select merchant_id, counted.written, calls, first_at, last_at, base_ms, key_ids, lines
        from added join counted using (merchant_id)
    ), old as (
      select each.merchant_id, each.last_number
        from counted
       cross join lateral (
             select merchant_id, last_number from request_chunk
              where merchant_id = counted.merchant_id and last_number <= counted.written - ${keep}
              order by last_number limit ${callsMax}) as each
    )
    delete from request_chunk using old
     where request_chunk.merchant_id = old.merchant_id and request_chunk.last_number = old.last_number`
}

export type CallFilter = {
  readonly statusClass?: StatusClass
  readonly code?: ProblemCode
  readonly keyId?: ApiKeyId
  readonly method?: CallMethod
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** Only calls before this one in the list. */
  readonly before?: { readonly receivedAtMs: number; readonly number: bigint }
}

export type CallRow = {
  /** Grows with each call that is written. */
  readonly number: bigint
  readonly receivedAt: Date
  readonly durationMs: number
  readonly method: CallMethod
  readonly status: number | null
  readonly code: ProblemCode | null
  readonly keyId: ApiKeyId
  readonly requestId: string
  readonly path: string
}

/** The merchant's newest calls, at most `limit`, among its last `keep`. */
export function selectCalls(
  sql: Sql,
  merchantId: MerchantId,
  keep: number,
  filter: CallFilter & { readonly limit: number },
): Promise<readonly CallRow[]> {
  const { statusClass, code, keyId, method, from, to, before, limit } = filter
  const oldest = sql`(select written - ${keep} from request_count where merchant_id = ${merchantId})`
  const end = before === undefined ? to : earlier(new Date(before.receivedAtMs + 1), to)
  return sql<CallRow[]>`
    select number, timestamptz 'epoch' + at_ms * interval '1 millisecond' as "receivedAt", fields[2]::integer as "durationMs", fields[3] as method,
           nullif(fields[4], '')::integer as status, nullif(fields[5], '') as code, key_ids[fields[6]::integer] as "keyId",
           fields[7] as "requestId", fields[8] as path
      from (select last_number - calls + line.nth as number, base_ms + split_part(line.text, E'\t', 1)::bigint as at_ms,
                   key_ids,
                   string_to_array(line.text, E'\t') as fields
              from request_chunk
             cross join lateral string_to_table(lines, E'\n') with ordinality as line (text, nth)
             where merchant_id = ${merchantId} and last_number > ${oldest}
               ${keyId === undefined ? sql`` : sql`and ${keyId} = any (key_ids)`}
               ${from === undefined ? sql`` : sql`and last_at >= ${from}`}
               ${end === undefined ? sql`` : sql`and first_at < ${end}`}
            offset 0) as call
     where number > ${oldest}
       ${from === undefined ? sql`` : sql`and at_ms >= ${from.getTime()}`}
       ${to === undefined ? sql`` : sql`and at_ms < ${to.getTime()}`}
       ${before === undefined ? sql`` : sql`and (at_ms, number) < (${before.receivedAtMs}, ${before.number})`}
       ${statusClass === undefined ? sql`` : sql`and left(fields[4], 1) = ${statusClass.slice(0, 1)}`}
       ${code === undefined ? sql`` : sql`and fields[5] = ${code}`}
       ${keyId === undefined ? sql`` : sql`and key_ids[fields[6]::integer] = ${keyId}`}
       ${method === undefined ? sql`` : sql`and fields[3] = ${method}`}
     order by at_ms desc, number desc
     limit ${limit}`
}

function earlier(one: Date, other: Date | undefined): Date {
  return other === undefined || one < other ? one : other
}

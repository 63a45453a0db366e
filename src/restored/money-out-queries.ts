// All SQL of the comparison of money out after a restore.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import { must } from '#/kernel/check.ts'
import { isUuid, type AttemptId, type ConnectionId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import { toJson } from '#/kernel/json.ts'
import type { ComparisonId, Incomplete } from './restore.ts'

/** All connections of these methods, also archived ones, and those that no key here opens. */
export function selectConnectionsOf(
  sql: Sql,
  methods: readonly string[],
): Promise<readonly { readonly id: ConnectionId; readonly method: string }[]> {
  return sql<{ id: ConnectionId; method: string }[]>`
    select id, method from connection where method = any (${list(methods)}::text[]) order by id`
}

export type AttemptName = { readonly id: AttemptId; readonly connection: ConnectionId }
export type AttemptOwner = AttemptName & { readonly merchantId: MerchantId; readonly paymentId: PaymentId }

/** The payments of these attempts, as far as the books have them. */
export function selectAttemptOwners(
  sql: Sql,
  names: readonly AttemptName[],
): Promise<readonly AttemptOwner[]> {
  return sql<AttemptOwner[]>`
    select distinct attempt.id, attempt.connection, attempt.merchant_id as "merchantId", attempt.payment_id as "paymentId"
      from ${rowsOf(sql, 'wanted', names, { id: 'uuid', connection: 'text' })}
      join attempt on attempt.id = wanted.id and attempt.connection = wanted.connection`
}

export type NewComparison = {
  readonly id: ComparisonId
  readonly epoch: number
  readonly comparedBy: string
  readonly since: Date
  readonly complete: number
  readonly incomplete: readonly Incomplete[]
}

export async function insertComparison(tx: Tx, comparison: NewComparison): Promise<void> {
  const { id, epoch, comparedBy, since, complete, incomplete } = comparison
  await tx`
    insert into money_out_comparison (id, epoch, at, compared_by, since, complete, incomplete)
    values (${id}, ${epoch}, ${dueNow(tx)}, ${comparedBy}, ${since}, ${complete}, ${toJson(incomplete)}::text::json)`
}

/** The last comparison after a restore; undefined: there was none. */
export async function selectLastComparison(
  sql: Sql | Tx,
  epoch: number,
): Promise<Omit<NewComparison, 'epoch'> | undefined> {
  const [row] = await sql<Omit<NewComparison, 'epoch'>[]>`
    select id, compared_by as "comparedBy", since, complete, incomplete
      from money_out_comparison where epoch = ${epoch} order by at desc, id desc limit 1`
  return row
}

/** How much of what left unrecorded waits for a decision. */
export async function countUndecided(sql: Sql | Tx): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from unrecorded where resolved_at is null`
  return must(row, 'a count is one row').count
}

/** Who began the repair that is under way, as the freeze of money out names the person; undefined: no repair is under way. */
export async function selectBeginner(sql: Sql | Tx): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`
    select decided_by as name from money_freeze where kind = 'RESTORE'`
  return row?.name
}

/**
 * Marks what has left of those withdrawals and refunds of a connection that the books have without an end: nobody cancels them any more, and
 * a worker looks them up before it asks again. The reference of a refund is its id.
 */
export async function markDeparted(
  tx: Tx,
  connection: ConnectionId,
  references: readonly string[],
): Promise<void> {
  await tx`
    update withdrawal set left_before_restore = true
     where reference = any (${list(references)}::text[]) and connection = ${connection}
       and status in ('PENDING_APPROVAL', 'PENDING', 'PROCESSING') and not left_before_restore`
  await tx`
    with marked as (
      update refund set left_before_restore = true
       where id = any (${list(references.filter(isUuid))}::uuid[]) and connection = ${connection} and status = 'PENDING'
         and not left_before_restore
      returning merchant_id, id
    )
    update refund_due as due set sends = greatest(due.sends, 1)
      from marked where due.merchant_id = marked.merchant_id and due.refund_id = marked.id`
}

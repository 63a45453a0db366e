// All SQL of the sandboxes beside the first one.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'

export type SandboxRow = {
  /** The merchant's. */
  readonly id: MerchantId
  readonly name: string
  readonly createdAt: Date
  /** Null while it is being made. */
  readonly readyAt: Date | null
  readonly archivedAt: Date | null
}

function columns(sql: Sql | Tx) {
  return sql`merchant_id as id, name, created_at as "createdAt", ready_at as "readyAt", archived_at as "archivedAt"`
}

/** Returns false when a sandbox that is not archived has the name. */
export async function insertSandbox(tx: Tx, { id, name }: Pick<SandboxRow, 'id' | 'name'>): Promise<boolean> {
  const result = await tx`
    insert into sandbox (merchant_id, name) values (${id}, ${name})
        on conflict (name) where archived_at is null do nothing`
  return result.count === 1
}

/** All sandboxes, oldest first. */
export function selectSandboxes(sql: Sql): Promise<readonly SandboxRow[]> {
  return sql<SandboxRow[]>`select ${columns(sql)} from sandbox order by merchant_id`
}

/** Those that are in use, oldest first. */
export function selectReady(sql: Sql): Promise<readonly SandboxRow[]> {
  return sql<SandboxRow[]>`
    select ${columns(sql)} from sandbox where ready_at is not null and archived_at is null order by merchant_id`
}

/** The sandbox of this name that is not archived. */
export async function selectNamed(sql: Sql, name: string): Promise<SandboxRow | undefined> {
  const [row] = await sql<SandboxRow[]>`
    select ${columns(sql)} from sandbox where name = ${name} and archived_at is null`
  return row
}

/** One sandbox, locked until the transaction ends. */
export async function lockSandbox(tx: Tx, id: MerchantId): Promise<SandboxRow | undefined> {
  const [row] = await tx<
    SandboxRow[]
  >`select ${columns(tx)} from sandbox where merchant_id = ${id} for update`
  return row
}

export async function writeReady(tx: Tx, id: MerchantId): Promise<void> {
  await tx`update sandbox set ready_at = clock_timestamp() where merchant_id = ${id}`
}

export async function writeArchived(tx: Tx, id: MerchantId): Promise<SandboxRow | undefined> {
  const [row] = await tx<SandboxRow[]>`
    update sandbox set archived_at = clock_timestamp() where merchant_id = ${id} returning ${columns(tx)}`
  return row
}

/** Until when providers may still accept money of the merchant, an hour after its last open payment ends; now when none is open. */
export async function selectLastExpiry(tx: Tx, id: MerchantId): Promise<Date> {
  const [row] = await tx<{ at: Date }[]>`
    select greatest(clock_timestamp(), max(expires_at) + interval '1 hour') as at
      from payment
     where merchant_id = ${id} and status in ('PENDING', 'WAITING_PAYMENT')`
  return must(row, 'an aggregate has one row').at
}

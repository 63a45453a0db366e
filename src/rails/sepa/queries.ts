// The SQL of the references that payers quote.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'

export type ReferenceOwner = {
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly id: AttemptId
  readonly connection: ConnectionId
}

/** Keeps `reference` for the attempt, unless it has one. Returns the one that it has. */
export async function claimReference(sql: Sql, owner: ReferenceOwner, reference: string): Promise<string> {
  const { connection, merchantId, paymentId, id } = owner
  const [kept] = await sql<{ reference: string }[]>`
    with made as (
      insert into sepa_reference (reference, connection, merchant_id, payment_id, attempt_id, created_at)
      values (${reference}, ${connection}, ${merchantId}, ${paymentId}, ${id}, clock_timestamp())
      on conflict (merchant_id, attempt_id) do nothing
      returning reference
    )
    select reference from made
    union all
    select reference from sepa_reference where merchant_id = ${merchantId} and attempt_id = ${id}
    limit 1`
  return kept?.reference ?? claimReference(sql, owner, reference)
}

/** Returns the attempts that these references on this account belong to. */
export async function selectOwners(
  sql: Sql | Tx,
  connection: ConnectionId,
  references: readonly string[],
): Promise<ReadonlyMap<string, ReferenceOwner>> {
  if (references.length === 0) return new Map()
  const rows = await sql<(ReferenceOwner & { readonly reference: string })[]>`
    select reference, connection, merchant_id as "merchantId", payment_id as "paymentId", attempt_id as id
      from sepa_reference
     where reference = any (${list(references)}::text[]) and connection = ${connection}`
  return new Map(rows.map(({ reference, ...owner }) => [reference, owner]))
}

/** The merchant's payment whose payer quotes this reference, without spaces. */
export async function selectByReference(
  sql: Sql,
  merchantId: MerchantId,
  reference: string,
): Promise<readonly PaymentId[]> {
  const rows = await sql<{ id: PaymentId }[]>`
    select payment_id as id from sepa_reference where reference = ${reference} and merchant_id = ${merchantId}`
  return rows.map(({ id }) => id)
}

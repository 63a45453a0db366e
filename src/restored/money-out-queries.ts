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

// All SQL of the comparison of signers' journals with the books after a restore.

/** A wallet of ours whose key a signer holds, as the restored books have it. */
export type SigningWallet = {
  readonly chain: string
  readonly chainId: bigint
  readonly connection: ConnectionId
  /** The last block that the chain's watcher made final; null before its first pass. */
  readonly final: bigint | null
  readonly address: `0x${string}`
  readonly purpose: 'hot' | 'gas' | 'treasury'
  /** The first nonce that the books had not signed at the restored moment. */
  readonly firstLost: bigint
}

/** All wallets that send, of all chains. `lastAt`: the restored moment. */
export function selectSigningWallets(sql: Sql, lastAt: Date): Promise<readonly SigningWallet[]> {
  return sql<SigningWallet[]>`
    select chain.key as chain, chain.chain_id as "chainId", connection.id as connection, chain.final_number as final,
           '0x' || encode(hot_wallet.address, 'hex') as address, hot_wallet.purpose,
           coalesce((select nonce + 1 from chain_tx
                      where chain_tx.chain = hot_wallet.chain and chain_tx.wallet = hot_wallet.address
                        and exists (select from chain_tx_attempt
                                     where chain_tx_attempt.tx = chain_tx.id and signed_at <= ${lastAt})
                      order by nonce desc limit 1), 0) as "firstLost"
      from hot_wallet
      join chain on chain.key = hot_wallet.chain
      join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = chain.key
                     and connection.merchant_id is null
     order by chain.key, hot_wallet.purpose, hot_wallet.address`
}

/** What a transaction is named by: the reference that the signer bound to it, and the nonce of a wallet. */
export type SignedName = { readonly reference: string; readonly key: string; readonly nonce: bigint }

/** A transaction of the books. */
export type QueuedTx = {
  readonly reference: string
  readonly state: string
  readonly key: string | null
  readonly nonce: bigint | null
  readonly merchantId: MerchantId | null
}

/** The transactions of the books that have one of these references, or one of these nonces of our wallets. */
export function selectQueuedTx(
  sql: Sql,
  chain: string,
  names: readonly SignedName[],
): Promise<readonly QueuedTx[]> {
  const columns = sql`chain_tx.reference, chain_tx.state, '0x' || encode(chain_tx.wallet, 'hex') as key, chain_tx.nonce,
                      chain_tx.merchant_id as "merchantId"`
  return sql<QueuedTx[]>`
    select ${columns} from chain_tx
     where chain_tx.chain = ${chain} and chain_tx.reference = any (${list(names.map(({ reference }) => reference))}::text[])
     union
    select ${columns}
      from ${rowsOf(sql, 'wanted', names, { key: ['text', ({ key }) => key.slice(2)], nonce: 'bigint' })}
      join chain_tx on chain_tx.chain = ${chain} and chain_tx.wallet = decode(wanted.key, 'hex')
                   and chain_tx.nonce = wanted.nonce`
}

/** A withdrawal or refund that is to be paid out, by its own reference. */
export type PaidOut = {
  readonly reference: string
  readonly status: string
  readonly merchantId: MerchantId
}

/** The withdrawals and refunds of a connection that have these references. The reference of a refund is its id. */
export function selectPaidOut(
  sql: Sql,
  connection: ConnectionId,
  references: readonly string[],
): Promise<readonly PaidOut[]> {
  const ids = references.filter((each) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(each))
  return sql<PaidOut[]>`
    select reference, status, merchant_id as "merchantId" from withdrawal
     where reference = any (${list(references)}::text[]) and connection = ${connection}
     union all
    select id::text, status, merchant_id from refund
     where id = any (${list(ids)}::uuid[]) and connection = ${connection}`
}

/** How many movements of a chain are final and not booked yet. */
export async function countUnbooked(sql: Sql, chain: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from coin_move
     where chain = ${chain} and state = 'FINAL' and booked_as is null`
  return must(row, 'a count is one row').count
}

/** The nonces of a wallet, from this one on, that the books have given to transactions: since the restored moment. */
export async function selectGivenNonces(
  sql: Sql,
  { chain, address, firstLost }: Pick<SigningWallet, 'chain' | 'address' | 'firstLost'>,
): Promise<readonly bigint[]> {
  const rows = await sql<{ nonce: bigint }[]>`
    select nonce from chain_tx
     where chain = ${chain} and wallet = decode(${address.slice(2)}, 'hex') and nonce >= ${firstLost}`
  return rows.map(({ nonce }) => nonce)
}

/** Those of these movements of coins that are recorded as money that left unrecorded. */
export async function selectRecordedMoves(sql: Sql, names: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ reference: string }[]>`
    select reference from unrecorded where reference = any (${list(names)}::text[]) and move is not null`
  return rows.map(({ reference }) => reference)
}

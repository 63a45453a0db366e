// The SQL of the crypto rail: deposit addresses, deposits, and the chain's row. Base units are passed as decimal text:
// numeric(78,0) is wider than any integer of the driver.
import type { Hex } from 'viem'
import { mainToken, type Chain } from '#/coins/chain.ts'
import type { TokenSymbol } from '#/coins/networks.ts'
import { list, type Fragment, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import type { ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { PaymentRef } from '#/rails/attempt.ts'

export type NewDeposit = PaymentRef & {
  readonly chain: string
  readonly address: Buffer
  readonly attemptId: string
  /** Base units. */
  readonly requestedUnits: bigint
}

/**
 * Inserts addresses. If a restore lost an earlier attempt of the payment, its address exists already and now belongs to the new
 * attempt.
 */
export async function insertDepositAddresses(tx: Tx, rows: readonly NewDeposit[]): Promise<void> {
  await tx`
    insert into deposit_address (chain, address, merchant_id, payment_id, attempt_id, asked, created_at)
    select unnest(${list(rows.map((each) => each.chain))}::text[]), unnest(${list(rows.map((each) => each.address))}::bytea[]),
           unnest(${list(rows.map((each) => each.merchantId))}::uuid[]), unnest(${list(rows.map((each) => each.paymentId))}::uuid[]),
           unnest(${list(rows.map((each) => each.attemptId))}::uuid[]), unnest(${list(rows.map((each) => each.requestedUnits))}::numeric[]),
           clock_timestamp()
        on conflict (chain, address) do update
       set attempt_id = excluded.attempt_id, asked = excluded.asked, is_lost = false
     where deposit_address.is_lost`
}

/** The same for payments that a restore lost. An address that is there stays as it is. */
export async function insertLostAddresses(tx: Tx, rows: readonly NewDeposit[]): Promise<void> {
  await tx`
    insert into deposit_address (chain, address, merchant_id, payment_id, attempt_id, asked, created_at, is_lost)
    select unnest(${list(rows.map((each) => each.chain))}::text[]), unnest(${list(rows.map((each) => each.address))}::bytea[]),
           unnest(${list(rows.map((each) => each.merchantId))}::uuid[]), unnest(${list(rows.map((each) => each.paymentId))}::uuid[]),
           unnest(${list(rows.map((each) => each.attemptId))}::uuid[]), unnest(${list(rows.map((each) => each.requestedUnits))}::numeric[]),
           clock_timestamp(), true
        on conflict do nothing`
}

/** A chain, and the connection that stands for it. */
export type ChainPlace = {
  readonly connection: ConnectionId
  readonly key: string
  readonly chainId: bigint
  readonly treasury: Buffer
}

/** The chains of these connections. */
export function selectPlaces(tx: Tx, connections: readonly ConnectionId[]): Promise<readonly ChainPlace[]> {
  return tx<ChainPlace[]>`
    select connection.id as connection, chain.key, chain.chain_id as "chainId", chain.treasury
      from connection
      join chain on chain.key = connection.settings ->> 'chain'
     where connection.id = any (${list(connections)}::text[]) and connection.method = 'CRYPTO'`
}

export type Total = PaymentRef & {
  readonly chain: string
  received: bigint
  held: bigint
}

/** The totals that the addresses of these payments received and hold, in base units. */
export async function selectTotals(
  tx: Tx,
  deposits: readonly {
    readonly chain: string
    readonly merchantId: MerchantId
    readonly paymentId: PaymentId
  }[],
): Promise<readonly Total[]> {
  const rows = await tx<
    { chain: string; merchantId: MerchantId; paymentId: PaymentId; received: string; held: string }[]
  >`
    select chain, merchant_id as "merchantId", payment_id as "paymentId", received::text, held::text
      from deposit_address
      join ${rowsOf(tx, 'wanted', deposits, { chain: 'text', merchant_id: 'uuid', payment_id: 'uuid' })}
        using (chain, merchant_id, payment_id)`
  return rows.map((row) => ({ ...row, received: BigInt(row.received), held: BigInt(row.held) }))
}

export async function writeTotals(tx: Tx, totals: readonly Total[]): Promise<void> {
  if (totals.length === 0) return
  await tx`
    update deposit_address
       set received = new.received, held = new.held
      from (select unnest(${list(totals.map((each) => each.chain))}::text[]) as chain,
                   unnest(${list(totals.map((each) => each.merchantId))}::uuid[]) as merchant_id,
                   unnest(${list(totals.map((each) => each.paymentId))}::uuid[]) as payment_id,
                   unnest(${list(totals.map((each) => each.received))}::numeric[]) as received,
                   unnest(${list(totals.map((each) => each.held))}::numeric[]) as held) as new
     where deposit_address.chain = new.chain and deposit_address.merchant_id = new.merchant_id
       and deposit_address.payment_id = new.payment_id`
}

export type AddressRow = {
  readonly chain: string
  readonly paymentId: PaymentId
  readonly address: Buffer
  readonly requestedUnits: string
}

export function selectAddresses(sql: Sql | Tx, refs: readonly PaymentRef[]): Promise<readonly AddressRow[]> {
  const wanted = rowsOf(sql, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })
  return sql<AddressRow[]>`
    select chain, payment_id as "paymentId", address, asked::text as "requestedUnits"
      from deposit_address
      join ${wanted} using (merchant_id, payment_id)`
}

/** A transfer to an address, or an address that no transfer reached: then `txHash` and the fields after it are null. */
export type DepositRow = AddressRow & {
  /** The number of transfers that reached the address and are on the chain now. */
  readonly count: bigint
  /** Base units that were settled. */
  readonly received: string
  readonly txHash: Buffer | null
  readonly value: string
  readonly confirmations: number
  readonly final: boolean
  readonly at: Date
  /** The position among the transfers of its transaction. */
  readonly ordinal: number
}

/** Where the payer pays: the network and the token, as the chain's row has them. */
export type PlacedDeposit = DepositRow & {
  readonly network: string
  readonly chainId: bigint
  readonly symbol: TokenSymbol
  readonly contract: Buffer
  readonly decimals: number
}

/** A transfer of a transaction. Without `ordinal`: any of its transfers to the address. */
export type NamedTransfer = { readonly txHash: Hex; readonly ordinal?: number }

/**
 * Returns the newest transfers of each of these payments that are on the chain now, oldest first, and one row for an address that
 * no transfer reached. Reads by index, so the number of transfers does not matter.
 */
export function selectDeposits(
  sql: Sql | Tx,
  refs: readonly PaymentRef[],
  newest: number,
): Promise<readonly PlacedDeposit[]> {
  return sql<PlacedDeposit[]>`
    select deposit.chain, deposit.payment_id as "paymentId", deposit.address, deposit.asked::text as "requestedUnits",
           coalesce(counted.transfers, 0) as count, deposit.received::text as received, shown.tx_hash as "txHash", shown.ordinal, shown.value::text,
           greatest(chain.number - shown.block_number + 1, 1)::integer as confirmations,
           shown.state = 'FINAL' as final, shown.block_at as at,
           chain.network, chain.chain_id as "chainId", token.symbol, token.address as contract, token.decimals
      from ${rowsOf(sql, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
      join deposit_address as deposit using (merchant_id, payment_id)
      join chain on chain.key = deposit.chain
      join chain_token as token on token.chain = deposit.chain
      left join deposit_count as counted on counted.chain = deposit.chain and counted.address = deposit.address
      left join lateral (
        select * from chain_transfer as newest
         where newest.chain = deposit.chain and newest.address = deposit.address and newest.state <> 'ORPHANED'
         order by newest.block_at desc, newest.block_number desc, newest.log_index desc
         limit ${newest}) as shown on true
     order by shown.block_at, shown.block_number, shown.log_index`
}

/** Returns one final transfer to the address of each of these payments, by name. Absent where there is none. */
export function selectNamedDeposits(
  sql: Sql | Tx,
  refs: readonly (PaymentRef & { readonly named: NamedTransfer })[],
): Promise<readonly DepositRow[]> {
  return sql<DepositRow[]>`
    select deposit.chain, deposit.payment_id as "paymentId", deposit.address, deposit.asked::text as "requestedUnits", 0::bigint as count,
           deposit.received::text as received,
           shown.tx_hash as "txHash", shown.ordinal, shown.value::text,
           greatest(chain.number - shown.block_number + 1, 1)::integer as confirmations, true as final, shown.block_at as at
      from unnest(${list(refs.map((each) => each.merchantId))}::uuid[], ${list(refs.map((each) => each.paymentId))}::uuid[],
                  ${list(refs.map(({ named }) => bytesOf(named.txHash)))}::bytea[],
                  ${list(refs.map(({ named }) => named.ordinal))}::integer[])
           as wanted (merchant_id, payment_id, tx_hash, ordinal)
      join deposit_address as deposit using (merchant_id, payment_id)
      left join chain on chain.key = deposit.chain
     cross join lateral (
       select * from chain_transfer as each
        where each.chain = deposit.chain and each.tx_hash = wanted.tx_hash and each.state = 'FINAL'
          and each.address = deposit.address and (wanted.ordinal is null or each.ordinal = wanted.ordinal)
        order by each.ordinal
        limit 1) as shown`
}

/** The merchant's payment that is paid at this address, on any chain. */
export async function selectPaymentsAt(
  sql: Sql,
  merchantId: MerchantId,
  address: string,
): Promise<readonly PaymentId[]> {
  const rows = await sql<{ id: PaymentId }[]>`
    select deposit.payment_id as id
      from chain
      join deposit_address as deposit on deposit.chain = chain.key and deposit.address = ${bytesOf(address as Hex)}
     where deposit.merchant_id = ${merchantId}`
  return rows.map(({ id }) => id)
}

/**
 * Returns the merchant's payments whose addresses this transaction reached, if a chain contains it now. Reads only the transfers of
 * that transaction: there is an index on it for final transfers, and one for the others.
 */
export async function selectPaymentsOfTx(
  sql: Sql,
  merchantId: MerchantId,
  txHash: string,
): Promise<readonly PaymentId[]> {
  const ofState = (state: Fragment) => sql`
    select address from chain_transfer as each
     where each.chain = chain.key and each.tx_hash = ${bytesOf(txHash as Hex)} and ${state}`
  const rows = await sql<{ id: PaymentId }[]>`
    select distinct deposit.payment_id as id
      from chain
     cross join lateral (${ofState(sql`each.state = 'FINAL'`)} union all ${ofState(sql`each.state = 'SEEN'`)}) as transfer
      join deposit_address as deposit on deposit.chain = chain.key and deposit.address = transfer.address
     where deposit.merchant_id = ${merchantId}`
  return rows.map(({ id }) => id)
}

/** A page of deposits contains those before this one. */
export type DepositKey = { readonly at: Date; readonly blockNumber: bigint; readonly logIndex: number }

export type PagedDeposit = Omit<DepositRow, keyof AddressRow | 'count' | 'ordinal' | 'txHash'> &
  DepositKey & { readonly txHash: Buffer }

/** Returns the transfers that reached a payment's address and are on the chain now, newest first. */
export function selectDepositPage(
  sql: Sql,
  { merchantId, paymentId }: PaymentRef,
  { before, limit }: { readonly before: DepositKey | undefined; readonly limit: number },
): Promise<readonly PagedDeposit[]> {
  return sql<PagedDeposit[]>`
    select shown.tx_hash as "txHash", shown.value::text, shown.block_number as "blockNumber", shown.log_index as "logIndex",
           greatest(chain.number - shown.block_number + 1, 1)::integer as confirmations, shown.state = 'FINAL' as final,
           shown.block_at as at
      from deposit_address as deposit
      join chain on chain.key = deposit.chain
      join lateral (
        select * from chain_transfer as each
         where each.chain = deposit.chain and each.address = deposit.address and each.state <> 'ORPHANED'
           ${
             before === undefined
               ? sql``
               : sql`and (each.block_at, each.block_number, each.log_index)
                       < (${before.at}, ${before.blockNumber}, ${before.logIndex})`
           }
         order by each.block_at desc, each.block_number desc, each.log_index desc
         limit ${limit}) as shown on true
     where deposit.merchant_id = ${merchantId} and deposit.payment_id = ${paymentId}
     order by shown.block_at desc, shown.block_number desc, shown.log_index desc
     limit ${limit}`
}

/**
 * Writes the configuration of a chain, or updates it. Returns the chain with its connection: the one that an earlier start created,
 * or `chain.connection` at the first start. If two processes start for the first time at once, the second waits for the chain's row
 * and gets the connection of the first.
 */
export async function ensureChain(sql: Sql, chain: Chain): Promise<Chain> {
  return sql.begin(async (tx) => {
    await tx`
      insert into chain (key, network, chain_id, factory, token, treasury)
      values (${chain.key}, ${chain.network}, ${chain.chainId}, ${bytesOf(chain.factory)},
              ${bytesOf(mainToken(chain).address)}, ${bytesOf(chain.treasury)})
      on conflict (key) do update
         set network = excluded.network, chain_id = excluded.chain_id, factory = excluded.factory,
             token = excluded.token, treasury = excluded.treasury`
    await ensureTokens(tx, chain)
    const [existing] = await tx<{ id: ConnectionId }[]>`
      select id from connection
       where method = 'CRYPTO' and merchant_id is null and settings ->> 'chain' = ${chain.key}
       order by created_at, id
       limit 1`
    if (existing !== undefined) return { ...chain, connection: existing.id }
    await tx`
      insert into connection (id, mode, method, provider, settings, created_at)
      values (${chain.connection}, ${chain.mode}, 'CRYPTO', 'evm', ${tx.json({ chain: chain.key })}, clock_timestamp())`
    return chain
  })
}

async function ensureTokens(tx: Tx, { key, tokens }: Chain): Promise<void> {
  await tx`
    insert into chain_token (chain, symbol, address, decimals)
    select ${key}, token.symbol, token.address, token.decimals
      from ${rowsOf(
        tx,
        'token',
        tokens.map(({ symbol, address, decimals }) => ({ symbol, address: bytesOf(address), decimals })),
        { symbol: 'text', address: 'bytea', decimals: 'integer' },
      )}
        on conflict (chain, symbol) do update set address = excluded.address, decimals = excluded.decimals`
}

/** Returns the position of the cursor; undefined before it first moved. */
export async function selectFollowedChain(sql: Sql, chain: string): Promise<FollowedChain | undefined> {
  type Row = { tip: bigint | null; number: bigint | null; hash: Buffer | null; generation: number }
  const [row] = await sql<Row[]>`
    select number as tip, final_number as number, final_hash as hash, generation from chain where key = ${chain}`
  if (row === undefined || row.tip === null || row.number === null || row.hash === null) return undefined
  return { tip: row.tip, final: { number: row.number, hash: hexOf(row.hash) }, generation: row.generation }
}

type FollowedChain = {
  /** The height of the last block that was processed. */
  readonly tip: bigint
  readonly final: { readonly number: bigint; readonly hash: Hex }
  /** Starts at 1 and grows by one each time the chain is rebuilt. */
  readonly generation: number
}

/**
 * Returns the base units at each address that a transfer ever reached, by our own records: the units booked there, and those that
 * are final and wait to be booked (payments in the inbox, and sweeps).
 */
export async function selectChainPlaces(
  sql: Sql,
  chain: string,
): Promise<readonly { readonly address: Address; readonly units: bigint }[]> {
  const rows = await sql<{ address: Buffer; units: string }[]>`
    select deposit.address, (deposit.held + shown.final - deposit.received - coalesce(swept.units, 0))::text as units
      from (select address, coalesce(sum(value) filter (where state = 'FINAL'), 0) as final
              from chain_transfer where chain = ${chain} group by address) as shown
      join deposit_address as deposit on deposit.chain = ${chain} and deposit.address = shown.address
      left join (select sender, sum(value) as units from coin_move
                  where chain = ${chain} and state = 'FINAL' and booked_as is null group by sender) as swept
             on swept.sender = deposit.address
     order by deposit.address`
  return rows.map((row) => ({ address: hexOf(row.address), units: BigInt(row.units) }))
}

/** Whether the watcher has recorded the transfers of this transaction to the address as being on the chain. */
export async function isOnChain(sql: Sql, chain: string, address: Address, txHash: Hex): Promise<boolean> {
  const rows = await sql`
    select 1 from chain_transfer
     where chain = ${chain} and address = ${bytesOf(address)} and tx_hash = ${bytesOf(txHash)} and state <> 'ORPHANED'`
  return rows.length > 0
}

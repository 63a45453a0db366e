// The watcher's SQL: the cursor and its lease, the window of blocks that can still change, and the transfers in them.
import type { Hex } from 'viem'
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import type { BlockId } from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import type { DepositOwner, Sighting, Stray } from './signal.ts'

export type CursorRow = {
  readonly fence: bigint
  readonly number: bigint | null
  readonly hash: Buffer | null
  readonly finalNumber: bigint | null
  readonly finalHash: Buffer | null
  readonly halted: string | null
}

/** Runs in a transaction, like the renewal, to get its timeouts: a watcher that stands by reports that the row is locked. */
export async function acquireLease(sql: Sql, chain: string, leaseMs: number): Promise<CursorRow | undefined> {
  let row: CursorRow | undefined
  await sql.begin(async (tx) => {
    ;[row] = await tx<CursorRow[]>`
      update chain
         set fence = fence + 1, lease_until = ${dueIn(tx, leaseMs)}
       where key = ${chain} and (lease_until is null or lease_until < ${dueNow(tx)})
      returning fence, number, hash, final_number as "finalNumber", final_hash as "finalHash", halted`
  })
  return row
}

export async function seizeLease(sql: Sql, chain: string, leaseMs: number): Promise<bigint> {
  const [row] = await sql<{ fence: bigint }[]>`
    update chain set fence = fence + 1, lease_until = ${dueIn(sql, leaseMs)} where key = ${chain} returning fence`
  return must(row?.fence, `chain ${chain} has a row`)
}

/** Starts the next generation: another chain has this key from here on. Releases the lease. */
export async function endGeneration(tx: Tx, chain: string): Promise<void> {
  await tx`update chain set generation = generation + 1, lease_until = null where key = ${chain}`
}

export async function renewLease(sql: Sql, chain: string, fence: bigint, leaseMs: number): Promise<number> {
  return sql.begin(async (tx) => {
    const result = await tx`
      update chain set lease_until = ${dueIn(tx, leaseMs)} where key = ${chain} and fence = ${fence}`
    return result.count
  })
}

export async function releaseLease(sql: Sql, chain: string, fence: bigint): Promise<void> {
  await sql`update chain set lease_until = null where key = ${chain} and fence = ${fence}`
}

export async function moveTip(
  tx: Tx,
  chain: string,
  to: { readonly fence: bigint; readonly tip: BlockId; readonly leaseMs: number },
): Promise<number> {
  const result = await tx`
    update chain
       set number = ${to.tip.number}, hash = ${bytesOf(to.tip.hash)}, lease_until = ${dueIn(tx, to.leaseMs)}
     where key = ${chain} and fence = ${to.fence}`
  return result.count
}

export async function writeFinal(tx: Tx, chain: string, final: BlockId): Promise<void> {
  await tx`update chain set final_number = ${final.number}, final_hash = ${bytesOf(final.hash)} where key = ${chain}`
}

export async function writeHalt(sql: Sql, chain: string, fence: bigint, reason: string): Promise<void> {
  await sql`update chain set halted = ${reason} where key = ${chain} and fence = ${fence}`
}

export type ChainState = {
  readonly key: string
  readonly chainId: bigint
  /** The last processed block, and the last final one; absent before the watcher first moved. */
  readonly number: bigint | null
  readonly finalNumber: bigint | null
  /** Why nothing is credited on it; absent while the chain is followed. */
  readonly halted: string | null
}

export function selectChainStates(sql: Sql): Promise<readonly ChainState[]> {
  return sql<ChainState[]>`
    select key, chain_id as "chainId", number, final_number as "finalNumber", halted from chain order by key`
}

/** Ends the halt if it has this reason. Returns whether it did. */
export async function liftHalt(sql: Tx, chain: string, reason: string): Promise<boolean> {
  const result = await sql`update chain set halted = null where key = ${chain} and halted = ${reason}`
  return result.count === 1
}

export async function insertBlocks(
  tx: Tx,
  chain: string,
  blocks: readonly (BlockId & { readonly parentHash: Hex })[],
): Promise<void> {
  await tx`
    insert into chain_block (chain, number, hash, parent_hash)
    select ${chain}, *
      from unnest(${list(blocks.map((each) => each.number))}::bigint[], ${list(blocks.map((each) => bytesOf(each.hash)))}::text[]::bytea[],
                  ${list(blocks.map((each) => bytesOf(each.parentHash)))}::text[]::bytea[])`
}

export async function selectBlock(
  sql: Sql | Tx,
  chain: string,
  number: bigint,
): Promise<BlockId | undefined> {
  const [row] = await sql<{ number: bigint; hash: Buffer }[]>`
    select number, hash from chain_block where chain = ${chain} and number = ${number}`
  return row && { number: row.number, hash: hexOf(row.hash) }
}

/** Returns the blocks after `from` up to `to`, in order. */
export async function selectBlocks(
  sql: Sql,
  chain: string,
  from: bigint,
  to: bigint,
): Promise<readonly BlockId[]> {
  const rows = await sql<{ number: bigint; hash: Buffer }[]>`
    select number, hash from chain_block
     where chain = ${chain} and number > ${from} and number <= ${to} order by number`
  return rows.map((row) => ({ number: row.number, hash: hexOf(row.hash) }))
}

export async function deleteBlock(tx: Tx, chain: string, number: bigint): Promise<void> {
  await tx`delete from chain_block where chain = ${chain} and number = ${number}`
}

export async function deleteBlocksBelow(tx: Tx, chain: string, number: bigint): Promise<void> {
  await tx`delete from chain_block where chain = ${chain} and number < ${number}`
}

export async function deleteAllBlocks(tx: Tx, chain: string): Promise<void> {
  await tx`delete from chain_block where chain = ${chain}`
}

/** Returns the owners of these addresses. Always read from the database: a set in memory could be out of date. */
export async function selectOwners(
  sql: Sql,
  chain: string,
  addresses: readonly Address[],
): Promise<ReadonlyMap<string, DepositOwner>> {
  if (addresses.length === 0) return new Map()
  const rows = await sql<
    { address: Buffer; merchantId: MerchantId; paymentId: PaymentId; attemptId: string; isLost: boolean }[]
  >`
    select address, merchant_id as "merchantId", payment_id as "paymentId", attempt_id as "attemptId", is_lost as "isLost"
      from deposit_address
     where chain = ${chain} and address = any (${list(addresses.map(bytesOf))}::text[]::bytea[])`
  return new Map(rows.map((row) => [hexOf(row.address), { ...row, address: hexOf(row.address) }]))
}

/** Inserts transfers as SEEN, or sets them to SEEN again when their block came back. Returns how often each block came. */
export async function insertSightings(
  tx: Tx,
  chain: string,
  sightings: readonly Sighting[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx<{ blockHash: Buffer; logIndex: number; occurrence: number }[]>`
    insert into chain_transfer (chain, block_hash, log_index, block_number, block_at, tx_hash, ordinal, address, sender,
                                value, state, log)
    select ${chain}, block_hash, log_index, block_number, block_at, tx_hash, ordinal, address, sender, value, 'SEEN', log
      from unnest(${list(sightings.map((each) => bytesOf(each.blockHash)))}::text[]::bytea[],
                  ${list(sightings.map((each) => each.logIndex))}::integer[],
                  ${list(sightings.map((each) => each.blockNumber))}::bigint[],
                  ${list(sightings.map((each) => each.blockAt))}::timestamptz[],
                  ${list(sightings.map((each) => bytesOf(each.txHash)))}::text[]::bytea[],
                  ${list(sightings.map((each) => each.ordinal))}::integer[],
                  ${list(sightings.map((each) => bytesOf(each.address)))}::text[]::bytea[],
                  ${list(sightings.map((each) => bytesOf(each.sender)))}::text[]::bytea[],
                  ${list(sightings.map((each) => each.value.toString()))}::numeric[],
                  ${list(sightings.map((each) => JSON.stringify(each.log)))}::text[]::json[])
           as new (block_hash, log_index, block_number, block_at, tx_hash, ordinal, address, sender, value, log)
    on conflict (chain, block_hash, log_index) do update
       set state = 'SEEN', occurrence = chain_transfer.occurrence + 1
     where chain_transfer.state = 'ORPHANED'
    returning block_hash as "blockHash", log_index as "logIndex", occurrence`
  return new Map(rows.map((row) => [`${hexOf(row.blockHash)}:${row.logIndex}`, row.occurrence]))
}

type SightingRow = {
  blockHash: Buffer
  logIndex: number
  blockNumber: bigint
  blockAt: Date
  txHash: Buffer
  ordinal: number
  address: Buffer
  sender: Buffer
  value: string
  occurrence: number
  log: unknown
  merchantId: MerchantId
  paymentId: PaymentId
  attemptId: string
  isLost: boolean
}

export type OwnedSighting = Sighting & { readonly owner: DepositOwner; readonly occurrence: number }

function changed(tx: Tx) {
  return tx`changed.block_hash as "blockHash", changed.log_index as "logIndex", changed.block_number as "blockNumber",
            changed.block_at as "blockAt", changed.tx_hash as "txHash", changed.ordinal, changed.address, changed.sender,
            changed.value::text, changed.occurrence, changed.log, deposit.merchant_id as "merchantId",
            deposit.payment_id as "paymentId", deposit.attempt_id as "attemptId", deposit.is_lost as "isLost"`
}

/** Orphans the transfers of a block that left the chain, unless they are final. */
export async function orphanSightings(
  tx: Tx,
  chain: string,
  block: BlockId,
): Promise<readonly OwnedSighting[]> {
  const rows = await tx<SightingRow[]>`
    with changed as (
      update chain_transfer set state = 'ORPHANED'
       where chain = ${chain} and block_hash = ${bytesOf(block.hash)} and state = 'SEEN'
      returning *
    )
    select ${changed(tx)}
      from changed join deposit_address as deposit using (chain, address)
     order by changed.log_index`
  return rows.map(toSighting)
}

/** Orphans all transfers of a lost chain that are not final. */
export async function orphanAll(tx: Tx, chain: string): Promise<readonly OwnedSighting[]> {
  const rows = await tx<SightingRow[]>`
    with changed as (
      update chain_transfer set state = 'ORPHANED' where chain = ${chain} and state = 'SEEN' returning *
    )
    select ${changed(tx)}
      from changed join deposit_address as deposit using (chain, address)
     order by changed.block_number, changed.log_index`
  return rows.map(toSighting)
}

/**
 * Orphans transfers up to this block whose transaction was final before, in a chain that is lost. The same signed bytes can be sent
 * again on the chain that replaced it, but a transfer of a transaction is money only once. Each transfer is looked up by itself:
 * for a join, the planner would use statistics that are out of date after a flood, and compare every SEEN transfer with every final
 * one.
 */
export async function orphanRepeated(tx: Tx, chain: string, upTo: bigint): Promise<readonly OwnedSighting[]> {
  const rows = await tx<SightingRow[]>`
    with changed as (
      update chain_transfer set state = 'ORPHANED'
       where chain = ${chain} and block_number <= ${upTo} and state = 'SEEN'
         and (select true from chain_transfer as earlier
               where earlier.chain = chain_transfer.chain and earlier.tx_hash = chain_transfer.tx_hash
                 and earlier.ordinal = chain_transfer.ordinal and earlier.state = 'FINAL' limit 1)
      returning *
    )
    select ${changed(tx)}
      from changed join deposit_address as deposit using (chain, address)
     order by changed.block_number, changed.log_index`
  return rows.map(toSighting)
}

/**
 * Makes the SEEN transfers up to this block final, oldest first, limited to `limit`. Selects rows by ctid, because the plan of a
 * join goes wrong while the table grows faster than its statistics; no other process changes these rows.
 */
export async function finalizeSightings(
  tx: Tx,
  chain: string,
  upTo: bigint,
  limit: number,
): Promise<readonly OwnedSighting[]> {
  const rows = await tx<SightingRow[]>`
    with changed as (
      update chain_transfer set state = 'FINAL'
       where ctid = any (array(select ctid from chain_transfer
                                where chain = ${chain} and block_number <= ${upTo} and state = 'SEEN'
                                order by block_number, log_index limit ${limit}))
      returning *
    )
    select ${changed(tx)}
      from changed join deposit_address as deposit using (chain, address)
     order by changed.block_number, changed.log_index`
  return rows.map(toSighting)
}

export type Recorded = Pick<Sighting, 'blockHash' | 'logIndex' | 'txHash' | 'address' | 'sender' | 'value'>

/** Returns what is recorded of these blocks, without orphaned transfers. */
export async function selectRecorded(
  sql: Sql,
  chain: string,
  hashes: readonly Hex[],
): Promise<readonly Recorded[]> {
  type Row = {
    blockHash: Buffer
    logIndex: number
    txHash: Buffer
    address: Buffer
    sender: Buffer
    value: string
  }
  const rows = await sql<Row[]>`
    select block_hash as "blockHash", log_index as "logIndex", tx_hash as "txHash", address, sender, value::text
      from chain_transfer
     where chain = ${chain} and block_hash = any (${list(hashes.map(bytesOf))}::text[]::bytea[]) and state <> 'ORPHANED'`
  return rows.map((row) => ({
    blockHash: hexOf(row.blockHash),
    logIndex: row.logIndex,
    txHash: hexOf(row.txHash),
    address: hexOf(row.address),
    sender: hexOf(row.sender),
    value: BigInt(row.value),
  }))
}

/** When the first address of this chain was assigned. */
export async function selectOldestDeposit(sql: Sql, chain: string): Promise<Date | undefined> {
  const [row] = await sql<{ at: Date | null }[]>`
    select min(created_at) as at from deposit_address where chain = ${chain}`
  return row?.at ?? undefined
}

/** Adds to the count of each stray token at each address: one row for each, for any number of transfers. */
export async function countStrays(tx: Tx, chain: string, strays: readonly Stray[], at: Date): Promise<void> {
  await tx`
    insert into stray (chain, address, token, transfers, claimed, first_tx, found_at, last_block)
    select ${chain}, address, token, count(*), least(sum(value), 1e77::numeric), (array_agg(tx_hash order by number))[1], ${at}::timestamptz, max(number)
      from unnest(${list(strays.map((each) => bytesOf(each.address)))}::text[]::bytea[], ${list(strays.map((each) => bytesOf(each.token)))}::text[]::bytea[],
                  ${list(strays.map((each) => each.value.toString()))}::numeric[],
                  ${list(strays.map((each) => bytesOf(each.txHash)))}::text[]::bytea[],
                  ${list(strays.map((each) => each.blockNumber))}::bigint[]) as new (address, token, value, tx_hash, number)
     group by address, token
    on conflict (chain, address, token) do update
       set transfers = stray.transfers + excluded.transfers,
           claimed = least(stray.claimed + excluded.claimed, 1e77::numeric), last_block = excluded.last_block`
}

function toSighting(row: SightingRow): OwnedSighting {
  const address = hexOf(row.address)
  return {
    ...row,
    blockHash: hexOf(row.blockHash),
    txHash: hexOf(row.txHash),
    sender: hexOf(row.sender),
    address,
    value: BigInt(row.value),
    owner: {
      address,
      merchantId: row.merchantId,
      paymentId: row.paymentId,
      attemptId: row.attemptId,
      isLost: row.isLost,
    },
  }
}

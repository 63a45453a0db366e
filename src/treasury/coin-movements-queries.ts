// The SQL of our own coins' movements: those that are final and not booked, and which place has the units after booking.
import type { PlaceName } from '#/coins/queries.ts'
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { IsDue } from '#/db/due.ts'
import { valuesOf } from '#/db/rows.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { ChainTxId } from './outgoing.ts'

/**
 * What is final and not booked, oldest first: movements with the hash of their transaction, and gas. If a sweep moved more than the
 * address holds by our records, it waits until the payment to the address is settled.
 */
export async function selectDue(
  sql: Sql,
  limit: number,
): Promise<readonly { readonly id: string; readonly group: string }[]> {
  return sql<{ id: string; group: string }[]>`
    select id, chain || encode(tx_hash, 'hex') as group
      from (${dueMoves(sql, limit)}) as moved
     union all
    select id, chain || coalesce(encode(tx_hash, 'hex'), id::text)
      from (${dueGas(sql, limit)}) as spent`
}

export const isAnyToBook: IsDue = (sql) => sql`(exists (${dueMoves(sql, 1)}) or exists (${dueGas(sql, 1)}))`

function dueMoves(sql: Sql, limit: number) {
  return sql`
    select move.id, move.chain, move.tx_hash
      from coin_move as move
      left join deposit_address as deposit on deposit.chain = move.chain and deposit.address = move.sender
     where move.state = 'FINAL' and move.booked_as is null and (deposit.held is null or deposit.held >= move.value)
     order by move.id
     limit ${limit}`
}

function dueGas(sql: Sql, limit: number) {
  return sql`
    select id, chain, tx_hash from chain_tx
     where gas_gwei is not null and not gas_booked
       and exists (select from chain where chain.key = chain_tx.chain)
     order by id limit ${limit}`
}

export type DueMove = {
  readonly id: string
  readonly chain: string
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly sender: Address
  readonly recipient: Address
  readonly value: bigint
  readonly log: Buffer
  /** Which of our places each end is; null for a foreign address. */
  readonly from: PlaceName | null
  readonly to: PlaceName | null
  /** Where the sender is a deposit address: what it has received and holds. */
  readonly received: bigint | undefined
  readonly held: bigint | undefined
  /** A transaction of ours that paid a recipient. */
  readonly isPayout: boolean
}

/** Those of these movements that are final and not booked, in the order of the chain. */
export async function selectDueMoves(tx: Tx, ids: readonly string[]): Promise<readonly DueMove[]> {
  type Row = Omit<DueMove, 'sender' | 'recipient' | 'value' | 'received' | 'held'> & {
    readonly sender: Buffer
    readonly recipient: Buffer
    readonly value: string
    readonly received: string | null
    readonly held: string | null
  }
  const rows = await tx<Row[]>`
    select move.id, move.chain, connection.mode, connection.id as connection, move.sender, move.recipient,
           move.value::text, move.log, from_place.place as "from", to_place.place as "to", deposit.received::text,
           deposit.held::text,
           exists (select from chain_tx_attempt as attempt
                     join chain_tx on chain_tx.id = attempt.tx
                    where attempt.hash = move.tx_hash and chain_tx.purpose = 'PAYOUT') as "isPayout"
      from coin_move as move
      join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = move.chain
                     and connection.merchant_id is null
      left join coin_place as from_place on from_place.chain = move.chain and from_place.address = move.sender
      left join coin_place as to_place on to_place.chain = move.chain and to_place.address = move.recipient
      left join deposit_address as deposit on deposit.chain = move.chain and deposit.address = move.sender
     where move.id = any (${list(ids)}::uuid[]) and move.state = 'FINAL' and move.booked_as is null
     order by move.chain, move.block_number, move.log_index`
  return rows.map((row) => ({
    ...row,
    sender: hexOf(row.sender),
    recipient: hexOf(row.recipient),
    value: BigInt(row.value),
    received: row.received === null ? undefined : BigInt(row.received),
    held: row.held === null ? undefined : BigInt(row.held),
  }))
}

export type DueGas = {
  readonly id: string
  readonly chain: string
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly wallet: Address
  readonly gwei: bigint
  readonly evidence: Buffer | null
}

/** The cost of those of these final transactions that the ledger has not booked. */
export async function selectDueGas(tx: Tx, ids: readonly string[]): Promise<readonly DueGas[]> {
  const rows = await tx<(Omit<DueGas, 'wallet'> & { readonly wallet: Buffer })[]>`
    select chain_tx.id, chain_tx.chain, connection.mode, connection.id as connection, chain_tx.wallet,
           chain_tx.gas_gwei as gwei, chain_tx.evidence
      from chain_tx
      join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = chain_tx.chain
                     and connection.merchant_id is null
     where chain_tx.id = any (${list(ids)}::uuid[]) and gas_gwei is not null and not gas_booked
     order by chain_tx.id`
  return rows.map((row) => ({ ...row, wallet: hexOf(row.wallet) }))
}

export type BookedMove = {
  readonly id: string
  readonly as: 'SWEPT' | 'MOVED' | 'FOUND' | 'PAID' | 'LEFT'
  readonly minor: bigint
}

export async function writeBooked(tx: Tx, moves: readonly BookedMove[], at: Date): Promise<void> {
  await tx`
    update coin_move set booked_as = new.kind, minor = new.minor, booked_at = ${at}
      from (select unnest(${list(moves.map((each) => each.id))}::uuid[]) as id,
                   unnest(${list(moves.map((each) => each.as))}::text[]) as kind,
                   unnest(${list(moves.map((each) => each.minor))}::bigint[]) as minor) as new
     where coin_move.id = new.id`
}

/** Deducts units from deposit addresses, in the transaction that deducts their cents from the account of deposits. */
export async function deductHeld(
  tx: Tx,
  deducted: readonly { readonly chain: string; readonly address: Address; readonly units: bigint }[],
): Promise<void> {
  await tx`
    update deposit_address set held = held - gone.units
      from (select chain, address, sum(units) as units
              from unnest(${list(deducted.map((each) => each.chain))}::text[],
                          ${list(deducted.map((each) => bytesOf(each.address)))}::text[]::bytea[],
                          ${list(deducted.map((each) => each.units.toString()))}::numeric[]) as each (chain, address, units)
             group by chain, address) as gone
     where deposit_address.chain = gone.chain and deposit_address.address = gone.address`
}

/** Completes refills that the operator signs: by the first movement of their amount from the treasury to the wallet. */
export async function meetRefills(tx: Tx, moveIds: readonly string[], at: Date): Promise<void> {
  await tx`
    update refill set move = move.id, ended_at = ${at}
      from coin_move as move
      join coin_place as source on source.chain = move.chain and source.address = move.sender and source.place = 'treasury'
      join coin_place as target on target.chain = move.chain and target.address = move.recipient and target.place = 'hot'
     where move.id = any (${list(moveIds)}::uuid[]) and refill.chain = move.chain and refill.units = move.value
       and refill.tx is null and refill.ended_at is null`
}

/** Units that arrived at one of our places or left it. */
export type PlaceMove = {
  readonly chain: string
  readonly address: Address
  readonly place: 'treasury' | 'hot'
  readonly units: bigint
}

/** Moves units in the transaction that moves the same cents in the ledger. One row for each place. */
export async function moveUnits(tx: Tx, moves: readonly PlaceMove[]): Promise<void> {
  const values = valuesOf(tx, moves, {
    chain: 'text',
    address: ['bytea', (each) => bytesOf(each.address)],
    place: 'text',
    units: 'numeric',
  })
  await tx`
    insert into coin_place ${values}
    on conflict (chain, address) do update set units = coin_place.units + excluded.units`
}

/** In the ledger's transaction that books them. Returns how many were not booked before. */
export async function markGasBooked(tx: Tx, ids: readonly ChainTxId[]): Promise<number> {
  const result = await tx`
    update chain_tx set gas_booked = true where id = any (${list(ids)}::uuid[]) and not gas_booked`
  return result.count
}

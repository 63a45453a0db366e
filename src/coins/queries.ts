// The SQL of our own coins that the watcher and the treasury share: our places, and the movements that the chain showed at them.
// The SQL that books them is in treasury/coin-movements-queries.ts.
import type { Hex } from 'viem'
import { list, type Sql, type Tx } from '#/db/client.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import { newId } from '#/kernel/id.ts'

export type PlaceName = 'treasury' | 'hot'

/** Inserts places, so that a watcher records their movements. Existing rows stay unchanged. */
export async function ensurePlaces(
  sql: Sql | Tx,
  chain: string,
  places: readonly { readonly address: Address; readonly place: PlaceName }[],
): Promise<void> {
  await sql`
    insert into coin_place (chain, address, place)
    select ${chain}, unnest(${list(places.map(({ address }) => bytesOf(address)))}::bytea[]),
           unnest(${list(places.map(({ place }) => place))}::text[])
    on conflict do nothing`
}

export async function selectPlaceAddresses(sql: Sql | Tx, chain: string): Promise<ReadonlySet<Address>> {
  const rows = await sql<{ address: Buffer }[]>`select address from coin_place where chain = ${chain}`
  return new Set(rows.map(({ address }) => hexOf(address)))
}

/** A transfer of the token from or to a place of ours, as one block shows it. */
export type DetectedMove = {
  readonly blockHash: Hex
  readonly blockNumber: bigint
  readonly blockAt: Date
  readonly logIndex: number
  readonly txHash: Hex
  readonly sender: Address
  readonly recipient: Address
  readonly value: bigint
  /** The log as the node sent it, as JSON. */
  readonly log: string
}

export async function insertMoves(tx: Tx, chain: string, moves: readonly DetectedMove[]): Promise<void> {
  await tx`
    insert into coin_move (id, chain, block_hash, log_index, block_number, block_at, tx_hash, sender, recipient, value, state,
                           log)
    select unnest(${list(moves.map(() => newId()))}::uuid[]), ${chain},
           unnest(${list(moves.map((each) => bytesOf(each.blockHash)))}::bytea[]),
           unnest(${list(moves.map((each) => each.logIndex))}::integer[]),
           unnest(${list(moves.map((each) => each.blockNumber))}::bigint[]),
           unnest(${list(moves.map((each) => each.blockAt))}::timestamptz[]),
           unnest(${list(moves.map((each) => bytesOf(each.txHash)))}::bytea[]),
           unnest(${list(moves.map((each) => bytesOf(each.sender)))}::bytea[]),
           unnest(${list(moves.map((each) => bytesOf(each.recipient)))}::bytea[]),
           unnest(${list(moves.map((each) => each.value.toString()))}::numeric[]), 'SEEN',
           unnest(${list(moves.map((each) => Buffer.from(each.log)))}::bytea[])`
}

/** Deletes the movements of a block that left the chain; without a block, all that are not final. */
export async function deleteMoves(tx: Tx, chain: string, blockHash?: Hex): Promise<void> {
  await tx`
    delete from coin_move
     where chain = ${chain} and state = 'SEEN' ${blockHash === undefined ? tx`` : tx`and block_hash = ${bytesOf(blockHash)}`}`
}

export async function finalizeMoves(tx: Tx, chain: string, upTo: bigint): Promise<void> {
  await tx`
    update coin_move set state = 'FINAL' where chain = ${chain} and block_number <= ${upTo} and state = 'SEEN'`
}

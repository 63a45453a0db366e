// The SQL of coins that left our hot wallets and that the books do not explain, because a restore lost the explanation. Two people
// decide about them (settlement/unrecorded.ts). Until then they are reported and not booked.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { leastId } from '#/db/lists.ts'
import { hexOf, type Address } from '#/evm/address.ts'

/** A final transfer out of a hot wallet, which the chain proved and no transaction of ours explains. */
export type DepartedMove = {
  readonly id: string
  readonly chain: string
  readonly wallet: Address
  /** `0x…:3`: the hash of its transaction, and the number of its log. */
  readonly name: string
  readonly txHash: string
  /** Base units. */
  readonly units: bigint
  readonly at: Date
  /** The log as the node sent it. */
  readonly log: Buffer
  /** A payout of the books that has not ended goes to the same recipient with the same units, or its wallet still follows lost signatures: this may be one. */
  readonly mayBePayout: boolean
}

type Row = Omit<DepartedMove, 'wallet' | 'units'> & { readonly wallet: Buffer; readonly units: string }

const toDeparted = (row: Row): DepartedMove => ({
  ...row,
  wallet: hexOf(row.wallet),
  units: BigInt(row.units),
})

function moves(sql: Sql | Tx) {
  return sql`
    select move.id, move.chain, move.sender as wallet, '0x' || encode(move.tx_hash, 'hex') || ':' || move.log_index as name,
           '0x' || encode(move.tx_hash, 'hex') as "txHash", move.value::text as units, move.block_at as at, move.log,
           exists (select from chain_tx
                    where chain_tx.chain = move.chain and chain_tx.purpose = 'PAYOUT'
                      and chain_tx.state in ('QUEUED', 'RESERVED', 'SIGNED', 'BROADCAST', 'MINED')
                      and chain_tx.recipient = move.recipient and chain_tx.units = move.value)
           or exists (select from lost_signature as lost
                       where lost.chain = move.chain and lost.wallet = move.sender and not lost.is_recorded) as "mayBePayout"
      from coin_move as move
      join coin_place as place on place.chain = move.chain and place.address = move.sender and place.place = 'hot'`
}

/** One page of such transfers of a chain since an instant, by id. */
export async function selectDepartedPage(
  sql: Sql,
  chain: string,
  page: { readonly since: Date; readonly after?: string; readonly limit: number },
): Promise<readonly DepartedMove[]> {
  const rows = await sql<Row[]>`
    ${moves(sql)}
     where move.chain = ${chain} and move.booked_as = 'LEFT' and move.id > ${page.after ?? leastId}
       and move.block_at >= ${page.since}
     order by move.id
     limit ${page.limit}`
  return rows.map(toDeparted)
}

/** The movements with these ids that are such transfers. */
export async function selectDeparted(tx: Tx, ids: readonly string[]): Promise<readonly DepartedMove[]> {
  const rows = await tx<Row[]>`
    ${moves(tx)} where move.id = any (${list([...new Set(ids)])}::uuid[]) and move.booked_as = 'LEFT'`
  return rows.map(toDeparted)
}

/**
 * Deducts the units of these transfers from the wallets that they left. Called together with the record of each, so each is
 * deducted once.
 */
export async function deductDeparted(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`
    with gone as (
      select chain, sender, sum(value) as units from coin_move
       where id = any (${list(ids)}::uuid[]) group by chain, sender order by chain, sender
    )
    update coin_place as place set units = place.units - gone.units
      from gone where place.chain = gone.chain and place.address = gone.sender`
}

// The SQL of the comparison of our books with a chain: the units at each of our places at the watcher's final block, by our
// records, and how many of them the ledger has not booked yet.
import type { PlaceName } from '#/coins/queries.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'

export type KnownChain = {
  readonly key: string
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly chainId: bigint
  /** The token of payments: its contract, and its decimals. */
  readonly token: { readonly address: Address; readonly decimals: number }
  readonly treasury: Address
  readonly factory: Address
  /** The last block that the watcher made final; absent before its first pass. */
  readonly final: { readonly number: bigint; readonly hash: Address } | undefined
}

/** The chains that this database knows. */
export async function selectKnownChains(sql: Sql | Tx): Promise<readonly KnownChain[]> {
  type Row = Omit<KnownChain, 'token' | 'treasury' | 'factory' | 'final'> & {
    readonly token: Buffer
    readonly decimals: number
    readonly treasury: Buffer
    readonly factory: Buffer
    readonly number: bigint | null
    readonly hash: Buffer | null
  }
  const rows = await sql<Row[]>`
    select chain.key, connection.mode, connection.id as connection, chain.chain_id as "chainId", token.address as token,
           token.decimals, chain.treasury, chain.factory, chain.final_number as number, chain.final_hash as hash
      from chain
      join chain_token as token on token.chain = chain.key
      join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = chain.key
                     and connection.merchant_id is null
     order by chain.key`
  return rows.map(({ number, hash, decimals, ...row }) => ({
    ...row,
    token: { address: hexOf(row.token), decimals },
    treasury: hexOf(row.treasury),
    factory: hexOf(row.factory),
    final: number === null || hash === null ? undefined : { number, hash: hexOf(hash) },
  }))
}

/** A place by our records, in base units. */
export type RecordedPlace = {
  readonly address: Address
  readonly place: 'deposit' | PlaceName
  /** As booked. */
  readonly units: bigint
  /** Final on the chain and not booked yet; negative when it left. */
  readonly unbooked: bigint
}

type PlaceRow = {
  readonly address: Buffer
  readonly place: RecordedPlace['place']
  readonly units: string
  readonly unbooked: string
}

const toPlace = (row: PlaceRow): RecordedPlace => ({
  address: hexOf(row.address),
  place: row.place,
  units: BigInt(row.units),
  unbooked: BigInt(row.unbooked),
})

/** Deposit addresses after `after`, in the order of addresses: those that a transfer reached; with `all`, the others too. */
export async function selectRecordedDeposits(
  tx: Tx,
  chain: string,
  {
    after,
    all,
    limit,
  }: { readonly after: Address | undefined; readonly all: boolean; readonly limit: number },
): Promise<readonly RecordedPlace[]> {
  const first = after === undefined ? Buffer.alloc(0) : bytesOf(after)
  const reached = tx`and exists (select from chain_transfer as shown
                                  where shown.chain = deposit.chain and shown.address = deposit.address
                                    and shown.address > ${first})`
  const rows = await tx<PlaceRow[]>`
    select deposit.address, 'deposit' as place, deposit.held::text as units,
           (coalesce((select sum(value) from chain_transfer as shown
                       where shown.chain = deposit.chain and shown.address = deposit.address and shown.state = 'FINAL'), 0)
            - deposit.received
            - coalesce((select sum(value) from coin_move as move
                         where move.chain = deposit.chain and move.sender = deposit.address and move.state = 'FINAL'
                           and move.booked_as is null), 0))::text as unbooked
      from deposit_address as deposit
     where deposit.chain = ${chain} and deposit.address > ${first} ${all ? tx`` : reached}
     order by deposit.address
     limit ${limit}`
  return rows.map(toPlace)
}

/** Treasury and wallets. A payout is booked when its withdrawal is complete, which may be before the watcher finds it final. */
export async function selectRecordedPlaces(tx: Tx, chain: string): Promise<readonly RecordedPlace[]> {
  const rows = await tx<PlaceRow[]>`
    select place.address, place.place, place.units::text,
           ((select coalesce(sum(value), 0) from coin_move
              where chain = ${chain} and recipient = place.address and state = 'FINAL' and booked_as is null)
            - (select coalesce(sum(value), 0) from coin_move as move
                where chain = ${chain} and sender = place.address and state = 'FINAL' and booked_as is null
                  and exists (select from coin_place where chain = ${chain} and address = move.recipient))
            - (select coalesce(sum(move.value), 0)
                 from coin_move as move
                 join chain_tx_attempt as attempt on attempt.hash = move.tx_hash
                 join chain_tx on chain_tx.id = attempt.tx and chain_tx.purpose = 'PAYOUT'
                where move.chain = ${chain} and move.sender = place.address and move.state = 'FINAL'
                  and move.booked_as is distinct from 'MOVED' and not chain_tx.units_booked)
            + (select coalesce(sum(units), 0) from chain_tx
                where chain = ${chain} and wallet = place.address and purpose = 'PAYOUT' and units_booked
                  and block_number > (select final_number from chain where key = ${chain})
                  and exists (select from coin_move as move
                               where move.chain = ${chain} and move.tx_hash = chain_tx.tx_hash and move.state = 'SEEN')))::text
             as unbooked
      from coin_place as place
     where place.chain = ${chain}
     order by place.place, place.address`
  return rows.map(toPlace)
}

export type Accounts = { readonly deposit: bigint; readonly treasury: bigint; readonly hot: bigint }

/** Cents in the ledger's accounts of the chain's coins. */
export async function selectAccounts(tx: Tx, { key, mode }: KnownChain): Promise<Accounts> {
  const rows = await tx<{ place: keyof Accounts; minor: bigint }[]>`
    select split_part(account.name, ':', 4) as place, balance.minor
      from account join balance on balance.account_id = account.id
     where account.mode = ${mode} and account.name like 'coins:' || ${key}::text || ':USDT:%'`
  const minor = new Map(rows.map((row) => [row.place, row.minor]))
  return {
    deposit: minor.get('deposit') ?? 0n,
    treasury: minor.get('treasury') ?? 0n,
    hot: minor.get('hot') ?? 0n,
  }
}

/** An unexplained movement. */
export type StrangeMove = {
  readonly id: string
  readonly chain: string
  readonly bookedAs: 'FOUND' | 'LEFT'
  readonly txHash: Address
  readonly sender: Address
  readonly recipient: Address
  readonly units: bigint
  readonly at: Date
  readonly proposal: OwnerProposal | undefined
}

export type OwnerProposal = {
  readonly merchantId: string
  readonly note: string | null
  readonly proposedBy: string
  readonly confirmedBy: string | null
}

/** Unexplained movements, oldest first; without `all` only those that a person still has to review. */
export async function selectStrangeMoves(
  sql: Sql | Tx,
  { chain, all }: { readonly chain?: string; readonly all: boolean },
): Promise<readonly StrangeMove[]> {
  const rows = await sql<StrangeRow[]>`
    ${strangeColumns(sql)}
     where move.booked_as in ('FOUND', 'LEFT') and (${all} or proposal.confirmed_at is null and ${unrecorded(sql)})
       and (${chain ?? null}::text is null or move.chain = ${chain ?? null})
     order by move.id`
  return rows.map(toStrange)
}

type StrangeRow = Omit<StrangeMove, 'txHash' | 'sender' | 'recipient' | 'units' | 'proposal'> & {
  readonly txHash: Buffer
  readonly sender: Buffer
  readonly recipient: Buffer
  readonly value: string
  readonly merchantId: string | null
  readonly note: string | null
  readonly proposedBy: string | null
  readonly confirmedBy: string | null
}

function strangeColumns(sql: Sql | Tx) {
  return sql`
    select move.id, move.chain, move.booked_as as "bookedAs", move.tx_hash as "txHash", move.sender, move.recipient,
           move.value::text, move.block_at as at, proposal.merchant_id as "merchantId", proposal.note,
           proposal.proposed_by as "proposedBy", proposal.confirmed_by as "confirmedBy"
      from coin_move as move
      left join coin_claim as proposal on proposal.move = move.id`
}

/** Leaves out movements that are recorded as unrecorded: people decide about them in settlement/unrecorded.ts. */
function unrecorded(sql: Sql | Tx) {
  return sql`not exists (select from unrecorded where unrecorded.move = move.id)`
}

function toStrange({ value, merchantId, note, proposedBy, confirmedBy, ...row }: StrangeRow): StrangeMove {
  const isProposed = merchantId !== null && proposedBy !== null
  return {
    ...row,
    txHash: hexOf(row.txHash),
    sender: hexOf(row.sender),
    recipient: hexOf(row.recipient),
    units: BigInt(value),
    proposal: isProposed ? { merchantId, note, proposedBy, confirmedBy } : undefined,
  }
}

/** One page of unexplained movements that a person still has to review, of one chain, oldest first. */
export async function selectStrangePage(
  sql: Sql,
  page: { readonly chain: string; readonly after?: string; readonly limit: number },
): Promise<readonly StrangeMove[]> {
  const after = page.after === undefined ? sql`` : sql`and move.id > ${page.after}`
  const rows = await sql<StrangeRow[]>`
    ${strangeColumns(sql)}
     where move.booked_as in ('FOUND', 'LEFT') and move.chain = ${page.chain} and proposal.confirmed_at is null
       and ${unrecorded(sql)} ${after}
     order by move.id
     limit ${page.limit}`
  return rows.map(toStrange)
}

export type InFlight = {
  readonly purpose: 'PAYOUT' | 'SWEEP' | 'REFILL'
  readonly count: number
  readonly units: bigint
}

/** What is on its way and has no end yet. */
export async function selectInFlight(tx: Tx, chain: string): Promise<readonly InFlight[]> {
  const rows = await tx<(Omit<InFlight, 'units'> & { readonly units: string })[]>`
    select purpose, count(*)::integer as count,
           coalesce(sum(coalesce(units, (select sum(deposit.held)
                                           from sweep
                                           join deposit_address as deposit
                                             on deposit.chain = sweep.chain and deposit.address = sweep.address
                                          where sweep.tx = chain_tx.id))), 0)::text as units
      from chain_tx
     where chain = ${chain} and state in ('QUEUED', 'RESERVED', 'SIGNED', 'BROADCAST', 'MINED')
     group by purpose
     order by purpose`
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }))
}

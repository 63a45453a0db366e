// The SQL of rescues: what is at our addresses and is no payment, and what was done about it.
import type { Hex } from 'viem'
import { list, type Sql, type Tx } from '#/db/client.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import type { PaymentId, ConnectionId, MerchantId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { ChainTxId, TxState } from './outgoing.ts'

export type StrayRow = {
  readonly address: Address
  readonly paymentId: PaymentId
  readonly token: Address
  readonly transfers: bigint
  /** Base units by the token's own logs: a fake token can claim anything. */
  readonly claimed: bigint
  readonly firstTx: Hex
  readonly foundAt: Date
}

/** Other tokens that came to our addresses, oldest first. */
export async function selectStrays(sql: Sql, chain: string): Promise<readonly StrayRow[]> {
  type Row = Omit<StrayRow, 'address' | 'token' | 'firstTx' | 'claimed'> & {
    readonly address: Buffer
    readonly token: Buffer
    readonly firstTx: Buffer
    readonly claimed: string
  }
  const rows = await sql<Row[]>`
    select stray.address, deposit.payment_id as "paymentId", stray.token, stray.transfers, stray.claimed::text,
           stray.first_tx as "firstTx", stray.found_at as "foundAt"
      from stray
      join deposit_address as deposit on deposit.chain = stray.chain and deposit.address = stray.address
     where stray.chain = ${chain}
     order by stray.found_at, stray.address, stray.token`
  return rows.map((row) => ({
    ...row,
    address: hexOf(row.address),
    token: hexOf(row.token),
    firstTx: hexOf(row.firstTx),
    claimed: BigInt(row.claimed),
  }))
}

export type OwnAddress = { readonly address: Address; readonly paymentId: PaymentId }

/** Our addresses after `after`, in the order of addresses. */
export async function selectOwnAddresses(
  sql: Sql,
  chain: string,
  after: Address | undefined,
  limit: number,
): Promise<readonly OwnAddress[]> {
  const rows = await sql<{ address: Buffer; paymentId: PaymentId }[]>`
    select address, payment_id as "paymentId"
      from deposit_address
     where chain = ${chain} and address > ${after === undefined ? Buffer.alloc(0) : bytesOf(after)}
     order by address
     limit ${limit}`
  return rows.map((row) => ({ ...row, address: hexOf(row.address) }))
}

export async function selectOwnAddress(
  sql: Sql,
  chain: string,
  address: Address,
): Promise<OwnAddress | undefined> {
  const [row] = await sql<{ paymentId: PaymentId }[]>`
    select payment_id as "paymentId" from deposit_address where chain = ${chain} and address = ${bytesOf(address)}`
  return row && { address, paymentId: row.paymentId }
}

/** `chain`: the chain whose deposit address it is. `chainId`: the network on which it is rescued. */
export type NewRescue = {
  readonly id: string
  readonly chain: string
  readonly chainId: bigint
  readonly address: Address
  readonly token: Address
  readonly units: bigint
  readonly tx: ChainTxId
  readonly by: string
}

export async function insertRescue(tx: Tx, rescue: NewRescue, at: Date): Promise<void> {
  const { id, chain, chainId, address, token, units, by } = rescue
  await tx`
    insert into rescue (id, chain, chain_id, address, token, units, tx, asked_by, created_at)
    values (${id}, ${chain}, ${chainId}, ${bytesOf(address)}, ${bytesOf(token)}, ${units.toString()}, ${rescue.tx}, ${by}, ${at})`
}

export type RescueRow = {
  readonly id: string
  readonly chain: string
  readonly chainId: bigint
  readonly address: Address
  readonly token: Address
  readonly units: bigint
  readonly tx: ChainTxId
  readonly state: TxState
  readonly failure: string | null
  readonly txHash: Hex | undefined
  readonly evidence: Buffer | null
  readonly by: string
  readonly createdAt: Date
}

/** Rescues, ended or not, oldest first; of one address, where one is named. */
export async function selectRescues(
  sql: Sql,
  { chain, addresses }: { readonly chain: string; readonly addresses?: readonly Address[] },
): Promise<readonly RescueRow[]> {
  type Row = Omit<RescueRow, 'address' | 'token' | 'units' | 'txHash'> & {
    readonly address: Buffer
    readonly token: Buffer
    readonly units: string
    readonly txHash: Buffer | null
  }
  const rows = await sql<Row[]>`
    select rescue.id, rescue.chain, rescue.chain_id as "chainId", rescue.address, rescue.token, rescue.units::text, rescue.tx,
           chain_tx.state, chain_tx.failure, chain_tx.tx_hash as "txHash", chain_tx.evidence, rescue.asked_by as by,
           rescue.created_at as "createdAt"
      from rescue
      join chain_tx on chain_tx.id = rescue.tx and chain_tx.purpose = 'SWEEP'
     where rescue.chain = ${chain}
       and (${addresses === undefined} or rescue.address = any (${list((addresses ?? []).map(bytesOf))}::text[]::bytea[]))
     order by rescue.id`
  return rows.map((row) => ({
    ...row,
    address: hexOf(row.address),
    token: hexOf(row.token),
    units: BigInt(row.units),
    txHash: row.txHash === null ? undefined : hexOf(row.txHash),
  }))
}

/** The state of a transaction. Undefined where there is none of this reference. */
export async function selectTx(
  sql: Sql,
  reference: string,
): Promise<{ readonly state: TxState; readonly failure: string | null } | undefined> {
  const [row] = await sql<{ state: TxState; failure: string | null }[]>`
    select state, failure from chain_tx where reference = ${reference}`
  return row
}

/** The wallet that pays for sweeps, as it was last recorded. */
export async function selectGasSender(sql: Sql, chain: string): Promise<Address | undefined> {
  const [row] = await sql<{ address: Buffer }[]>`
    select address from hot_wallet where chain = ${chain} and purpose = 'gas' order by created_at desc limit 1`
  return row && hexOf(row.address)
}

/** Why the gas wallet of a network has to wait, as its sender recorded it. */
export async function selectWaiting(sql: Sql, chain: string): Promise<string | undefined> {
  const [row] = await sql<{ reason: string | null }[]>`
    select coalesce(stopped, waiting) as reason from hot_wallet where chain = ${chain} and purpose = 'gas'`
  return row?.reason ?? undefined
}

// The SQL of unexplained coins, for which one person proposes an owner and another confirms.

/** Proposes an owner; nothing moves. Replaces an unconfirmed proposal. Returns false when there is nothing to propose for. */
export async function writeProposal(
  sql: Tx,
  claim: {
    readonly move: string
    readonly merchantId: MerchantId
    readonly by: string
    readonly note: string | undefined
  },
  at: Date,
): Promise<boolean> {
  const result = await sql`
    insert into coin_claim (move, merchant_id, note, proposed_by, proposed_at)
    select id, ${claim.merchantId}, ${claim.note ?? null}, ${claim.by}, ${at}
      from coin_move where id = ${claim.move} and booked_as = 'FOUND'
        on conflict (move) do update
       set merchant_id = excluded.merchant_id, note = excluded.note, proposed_by = excluded.proposed_by,
           proposed_at = excluded.proposed_at
     where coin_claim.confirmed_at is null`
  return result.count === 1
}

/** A proposal with the coins that it is about. */
export type ProposalRow = {
  readonly move: string
  readonly mode: Mode
  readonly connection: ConnectionId
  /** Cents in suspense. */
  readonly minor: bigint
  readonly merchantId: MerchantId
  readonly proposedBy: string
  readonly confirmedBy: string | null
}

export function selectProposals(tx: Tx, moves: readonly string[]): Promise<readonly ProposalRow[]> {
  return tx<ProposalRow[]>`
    select claim.move, connection.mode, connection.id as connection, move.minor, claim.merchant_id as "merchantId",
           claim.proposed_by as "proposedBy", claim.confirmed_by as "confirmedBy"
      from coin_claim as claim
      join coin_move as move on move.id = claim.move and move.booked_as = 'FOUND'
      join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = move.chain
                     and connection.merchant_id is null
     where claim.move = any (${list(moves)}::uuid[])`
}

export async function writeConfirmed(
  tx: Tx,
  claims: readonly { readonly move: string; readonly walletId: WalletId; readonly by: string }[],
  at: Date,
): Promise<void> {
  await tx`
    update coin_claim set wallet_id = new.wallet_id, confirmed_by = new.confirmed_by, confirmed_at = ${at}
      from unnest(${list(claims.map((each) => each.move))}::uuid[], ${list(claims.map((each) => each.walletId))}::uuid[],
                  ${list(claims.map((each) => each.by))}::text[]) as new (move, wallet_id, confirmed_by)
     where coin_claim.move = new.move and coin_claim.confirmed_at is null`
}

// The SQL of rescues: what is at our addresses and is no payment, and what was done about it.
import type { Hex } from 'viem'
import { list, type Sql, type Tx } from '#/db/client.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import type { PaymentId } from '#/kernel/id.ts'
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

// The SQL of what a signer signed in a span that a restore lost, for transactions that the books still have.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import type { Fees } from './fees.ts'
import type { ChainTxId, Payload, WalletKey } from './outgoing.ts'

/** One signature, as the signer's journal has it. */
export type LostSignature = WalletKey & {
  readonly nonce: bigint
  readonly reference: string
  readonly gas: bigint
  readonly fees: Fees
  /** An empty transaction, which only uses the nonce. */
  readonly cancels: boolean
  /** What it moved is recorded as money that left unrecorded. */
  readonly isRecorded: boolean
}

/** A condition on `chain_tx`: nothing was signed for it in a lost span. */
export const isNotLost = (sql: Sql | Tx) =>
  sql`not exists (select from lost_signature where lost_signature.reference = chain_tx.reference)`

/** A condition on `chain_tx`: nothing was signed for it in a lost span, or what it moved is recorded, for two people to decide about. */
export const mayBeCanceled = (sql: Sql | Tx) =>
  sql`not exists (select from lost_signature
                   where lost_signature.reference = chain_tx.reference and not lost_signature.is_recorded)`

/** Stores them, each once. */
export async function insertLost(tx: Tx, lost: readonly LostSignature[]): Promise<void> {
  await tx`
    insert into lost_signature (chain, wallet, nonce, cancels, gas, max_fee, tip, reference, is_recorded, recorded_at)
    select distinct new.*, ${dueNow(tx)}
      from unnest(${list(lost.map((each) => each.chain))}::text[], ${list(lost.map((each) => bytesOf(each.address)))}::bytea[],
                  ${list(lost.map((each) => each.nonce))}::bigint[], ${list(lost.map((each) => each.cancels))}::boolean[],
                  ${list(lost.map((each) => each.gas))}::bigint[],
                  ${list(lost.map((each) => each.fees.maxFeePerGas))}::numeric[],
                  ${list(lost.map((each) => each.fees.maxPriorityFeePerGas))}::numeric[],
                  ${list(lost.map((each) => each.reference))}::text[],
                  ${list(lost.map((each) => each.isRecorded))}::boolean[]) as new
    on conflict (chain, wallet, nonce, cancels, gas, max_fee, tip) do update set is_recorded = excluded.is_recorded`
}

/** The wallet continues at this nonce, if it is not further already. */
export async function raiseNextNonce(tx: Tx, { chain, address }: WalletKey, nonce: bigint): Promise<void> {
  await tx`
    update hot_wallet set next_nonce = greatest(next_nonce, ${nonce})
     where chain = ${chain} and address = ${bytesOf(address)}`
}

/** A signature that is to be made again, and the transaction that it is of. */
export type LostTx = Payload & {
  readonly id: ChainTxId
  readonly nonce: bigint
  readonly reference: string
  readonly gas: bigint
  readonly fees: Fees
  readonly cancels: boolean
  /** The transaction has that nonce in the books. */
  readonly isBound: boolean
}

/** The signatures of a wallet whose transactions the books have without an end, the lowest nonce first. */
export async function selectLost(
  sql: Sql,
  { chain, address }: WalletKey,
  limit: number,
): Promise<readonly LostTx[]> {
  type Row = Omit<LostTx, 'to' | 'value' | 'data' | 'fees'> & {
    readonly target: Buffer
    readonly value: string
    readonly data: Buffer
    readonly maxFee: string
    readonly tip: string
  }
  const rows = await sql<Row[]>`
    select chain_tx.id, lost.nonce, lost.reference, chain_tx.target, chain_tx.value::text, chain_tx.data, lost.gas,
           lost.max_fee::text as "maxFee", lost.tip::text, lost.cancels, chain_tx.state <> 'QUEUED' as "isBound"
      from lost_signature as lost
      join chain_tx on chain_tx.reference = lost.reference and chain_tx.chain = lost.chain
     where lost.chain = ${chain} and lost.wallet = ${bytesOf(address)} and not lost.is_recorded
       and (chain_tx.state = 'QUEUED'
            or chain_tx.state in ('RESERVED', 'SIGNED', 'BROADCAST', 'MINED')
               and chain_tx.wallet = lost.wallet and chain_tx.nonce = lost.nonce)
     order by lost.nonce, lost.max_fee
     limit ${limit}`
  return rows.map(({ target, value, data, maxFee, tip, ...row }) => ({
    ...row,
    to: hexOf(target),
    value: BigInt(value),
    data: hexOf(data),
    fees: { maxFeePerGas: BigInt(maxFee), maxPriorityFeePerGas: BigInt(tip) },
  }))
}

/** Binds each transaction that waits for a nonce to the one under which it was signed. */
export async function bindLost(
  tx: Tx,
  { chain, address }: WalletKey,
  lost: readonly Pick<LostTx, 'id' | 'nonce'>[],
): Promise<void> {
  const wallet = bytesOf(address)
  await tx`
    with lost as (
      select distinct id, nonce
        from ${rowsOf(tx, 'given', lost, { id: 'uuid', nonce: 'bigint' })}
    ), bound as (
      update chain_tx set state = 'RESERVED', wallet = ${wallet}, nonce = lost.nonce
        from lost
       where chain_tx.id = lost.id and chain_tx.state = 'QUEUED'
         and not exists (select from chain_tx as other
                          where other.chain = ${chain} and other.wallet = ${wallet} and other.nonce = lost.nonce)
      returning chain_tx.nonce
    )
    update hot_wallet set next_nonce = greatest(next_nonce, (select max(nonce) + 1 from bound))
     where chain = ${chain} and address = ${wallet}`
}

/** Coins that left by one of these transactions, and that nothing explained until now, are a payout. */
export async function explainMoves(tx: Tx, chain: string, hashes: readonly Address[]): Promise<void> {
  await tx`
    update coin_move set booked_as = 'PAID'
     where chain = ${chain} and tx_hash = any (${list(hashes.map(bytesOf))}::bytea[]) and booked_as = 'LEFT'
       and not exists (select from unrecorded where unrecorded.move = coin_move.id)`
}

/** Removes signatures that were made again, or that the signer will never make. */
export async function deleteLost(
  tx: Tx,
  { chain, address }: WalletKey,
  done: readonly LostTx[],
): Promise<void> {
  await tx`
    delete from lost_signature
     using unnest(${list(done.map((each) => each.nonce))}::bigint[], ${list(done.map((each) => each.cancels))}::boolean[],
                  ${list(done.map((each) => each.gas))}::bigint[],
                  ${list(done.map((each) => each.fees.maxFeePerGas))}::numeric[],
                  ${list(done.map((each) => each.fees.maxPriorityFeePerGas))}::numeric[])
           as done (nonce, cancels, gas, max_fee, tip)
     where lost_signature.chain = ${chain} and lost_signature.wallet = ${bytesOf(address)}
       and (lost_signature.nonce, lost_signature.cancels, lost_signature.gas, lost_signature.max_fee, lost_signature.tip)
           = (done.nonce, done.cancels, done.gas, done.max_fee, done.tip)`
}

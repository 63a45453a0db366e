// The SQL of transactions that have a nonce: what was signed for each, what the chain shows of it, and how it ended. A sender calls
// the functions that write, under its fence.
import type { Hex } from 'viem'
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn } from '#/db/due.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import { weiPerGwei } from '#/evm/wire.ts'
import type { ChainTxId, OpenTx, TxAttempt, TxPurpose, WalletKey } from './outgoing.ts'

/** A transaction with a nonce and without an end: the condition of the index that lists them. */
export const isOpen = (sql: Sql | Tx) => sql`state in ('RESERVED', 'SIGNED', 'BROADCAST', 'MINED')`

/** Base units and wei travel as decimal text: numeric(78,0) is wider than any integer of the driver. */
type Text<Row> = { readonly [Name in keyof Row]: Row[Name] extends bigint ? string : Row[Name] }

type TxRow = {
  readonly id: ChainTxId
  readonly nonce: bigint
  readonly state: OpenTx['state']
  readonly target: Buffer
  readonly value: string
  readonly data: Buffer
  readonly gas: bigint
  readonly reference: string
  readonly recipient: Buffer | null
  readonly units: string | null
  readonly isTaken: boolean
  readonly cancel: string | null
}

type AttemptRow = {
  readonly hash: string
  readonly raw: string
  readonly maxFee: bigint
  readonly tip: bigint
  readonly cancels: boolean
}

/** Everything with a nonce and without an end, in the order of nonces. */
export async function selectOpen(sql: Sql, { chain, address }: WalletKey): Promise<readonly OpenTx[]> {
  const rows = await sql<(TxRow & { readonly attempts: readonly Text<AttemptRow>[] | null })[]>`
    select id, nonce, state, target, value::text, data, gas, reference, recipient, units::text, cancel,
           taken as "isTaken",
           (select json_agg(json_build_object('hash', encode(hash, 'hex'), 'raw', encode(raw, 'hex'),
                                              'maxFee', max_fee::text, 'tip', tip::text, 'cancels', cancels)
                            order by max_fee, signed_at)
              from chain_tx_attempt where tx = chain_tx.id) as attempts
      from chain_tx
     where chain = ${chain} and wallet = ${bytesOf(address)} and ${isOpen(sql)}
     order by nonce`
  return rows.map(({ attempts, ...row }) => ({ ...openOf(row), attempts: (attempts ?? []).map(attemptOf) }))
}

/** Stores what was signed; the same bytes twice are one attempt. */
export async function insertAttempts(
  tx: Tx,
  attempts: readonly (TxAttempt & { readonly id: ChainTxId })[],
  at: Date,
): Promise<void> {
  await tx`
    insert into chain_tx_attempt (tx, hash, raw, max_fee, tip, cancels, signed_at)
    select unnest(${list(attempts.map((each) => each.id))}::uuid[]),
           unnest(${list(attempts.map((each) => bytesOf(each.hash)))}::bytea[]),
           unnest(${list(attempts.map((each) => bytesOf(each.raw)))}::bytea[]),
           unnest(${list(attempts.map((each) => each.fees.maxFeePerGas))}::numeric[]),
           unnest(${list(attempts.map((each) => each.fees.maxPriorityFeePerGas))}::numeric[]),
           unnest(${list(attempts.map((each) => each.cancels))}::boolean[]), ${at}
    on conflict do nothing`
  await tx`
    update chain_tx set state = 'SIGNED'
     where id = any (${list(attempts.map((each) => each.id))}::uuid[]) and state = 'RESERVED'`
}

/** What the chain shows of transactions that are not final; `hash` absent: no block has any of their attempts. */
export type Progress = {
  readonly id: ChainTxId
  readonly state: 'BROADCAST' | 'MINED'
  readonly hash?: Hex
  readonly blockNumber?: bigint
  readonly blockHash?: Hex
}

export async function writeProgress(tx: Tx, changes: readonly Progress[]): Promise<void> {
  const bytes = (hex: Hex | undefined) => (hex === undefined ? null : bytesOf(hex))
  await tx`
    update chain_tx
       set state = new.state, tx_hash = new.hash, block_number = new.number, block_hash = new.block
      from (select unnest(${list(changes.map((each) => each.id))}::uuid[]) as id,
                   unnest(${list(changes.map((each) => each.state))}::text[]) as state,
                   unnest(${list(changes.map((each) => bytes(each.hash)))}::bytea[]) as hash,
                   unnest(${list(changes.map((each) => each.blockNumber))}::bigint[]) as number,
                   unnest(${list(changes.map((each) => bytes(each.blockHash)))}::bytea[]) as block) as new
     where chain_tx.id = new.id and chain_tx.state in ('SIGNED', 'BROADCAST', 'MINED')`
}

/** Why a transaction is to be canceled: an empty one has to use its nonce. */
export async function writeCancel(tx: Tx, id: ChainTxId, reason: string): Promise<void> {
  await tx`update chain_tx set cancel = ${reason} where id = ${id} and ${isOpen(tx)}`
}

/** The block in which the watcher saw a movement of one of these transactions. */
export async function selectMovedIn(
  sql: Sql,
  chain: string,
  hashes: readonly Hex[],
): Promise<Hex | undefined> {
  const [row] = await sql<{ block: Buffer }[]>`
    select block_hash as block from coin_move
     where chain = ${chain} and tx_hash = any (${list(hashes.map(bytesOf))}::text[]::bytea[])
     order by state, block_number desc
     limit 1`
  return row && hexOf(row.block)
}

/** Records that foreign transactions used these nonces. */
export async function writeTaken(
  tx: Tx,
  { chain, address }: WalletKey,
  nonces: readonly bigint[],
): Promise<void> {
  await tx`
    update chain_tx set taken = true
     where chain = ${chain} and wallet = ${bytesOf(address)} and nonce = any (${list(nonces)}::bigint[])
       and ${isOpen(tx)}`
}

/** How a transaction ended. `failure` absent: it did what it should. */
export type End = {
  readonly id: ChainTxId
  readonly failure: string | undefined
  readonly hash: Hex
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly evidence: Buffer
  readonly gasWei: bigint
}

/**
 * Ends transactions, each once. Adds their costs to the wallet's sum. Returns how many ended now.
 */
export async function writeEnds(
  tx: Tx,
  { chain, address }: WalletKey,
  ends: readonly End[],
  at: Date,
): Promise<number> {
  const [wallet] = await tx<{ gasWei: string }[]>`
    select gas_wei::text as "gasWei" from hot_wallet where chain = ${chain} and address = ${bytesOf(address)}`
  const { gwei, sumWei } = wholeGwei(BigInt(wallet?.gasWei ?? 0), ends)
  const result = await tx`
    update chain_tx
       set state = case when new.failure is null then 'FINAL' else 'FAILED' end, failure = new.failure,
           tx_hash = new.hash, block_number = new.number, block_hash = new.block, evidence = new.evidence,
           gas_gwei = new.gwei, final_at = ${at}
      from (select unnest(${list(ends.map((each) => each.id))}::uuid[]) as id,
                   unnest(${list(ends.map((each) => each.failure))}::text[]) as failure,
                   unnest(${list(ends.map((each) => bytesOf(each.hash)))}::bytea[]) as hash,
                   unnest(${list(ends.map((each) => each.blockNumber))}::bigint[]) as number,
                   unnest(${list(ends.map((each) => bytesOf(each.blockHash)))}::bytea[]) as block,
                   unnest(${list(ends.map((each) => each.evidence))}::bytea[]) as evidence,
                   unnest(${list(gwei)}::bigint[]) as gwei) as new
     where chain_tx.id = new.id and chain_tx.state in ('SIGNED', 'BROADCAST', 'MINED')`
  await tx`
    update hot_wallet set gas_wei = ${sumWei.toString()}
     where chain = ${chain} and address = ${bytesOf(address)}`
  return result.count
}

/** The whole gwei by which the wallet's sum grows with each of them, so that no fraction of a gwei is lost. */
function wholeGwei(
  beforeWei: bigint,
  ends: readonly Pick<End, 'gasWei'>[],
): { readonly gwei: readonly bigint[]; readonly sumWei: bigint } {
  let sum = beforeWei
  const gwei = ends.map(({ gasWei }) => {
    const before = sum / weiPerGwei
    sum += gasWei
    return sum / weiPerGwei - before
  })
  return { gwei, sumWei: sum }
}

function openOf(row: TxRow): Omit<OpenTx, 'attempts'> {
  return {
    id: row.id,
    nonce: row.nonce,
    state: row.state,
    to: hexOf(row.target),
    value: BigInt(row.value),
    data: hexOf(row.data),
    gas: row.gas,
    reference: row.reference,
    recipient: row.recipient === null ? undefined : hexOf(row.recipient),
    units: BigInt(row.units ?? 0),
    isTaken: row.isTaken,
    cancel: row.cancel ?? undefined,
  }
}

function attemptOf({ hash, raw, maxFee, tip, cancels }: Text<AttemptRow>): TxAttempt {
  const fees = { maxFeePerGas: BigInt(maxFee), maxPriorityFeePerGas: BigInt(tip) }
  return { hash: `0x${hash}`, raw: `0x${raw}`, fees, cancels }
}

/** A transaction that has a nonce and, for a long time, no end. */
export type HangingTx = {
  readonly id: ChainTxId
  readonly chain: string
  readonly wallet: Address
  readonly nonce: bigint
  readonly purpose: TxPurpose
  /** The withdrawal, refund, sweep or refill that it is for. */
  readonly subject: string
  readonly state: OpenTx['state']
  readonly cancel: string | null
  /** A foreign transaction has its nonce: a person decides. */
  readonly isTaken: boolean
  readonly createdAt: Date
}

/** Open transactions of one wallet that are older than `olderMs`, in the order of nonces. */
export async function selectHanging(
  sql: Sql,
  { chain, address }: WalletKey,
  { olderMs, limit }: { readonly olderMs: number; readonly limit: number },
): Promise<readonly HangingTx[]> {
  const rows = await sql<(Omit<HangingTx, 'wallet'> & { readonly wallet: Buffer })[]>`
    select id, chain, wallet, nonce, purpose, subject, state, cancel, taken as "isTaken", created_at as "createdAt"
      from chain_tx
     where chain = ${chain} and wallet = ${bytesOf(address)} and ${isOpen(sql)} and created_at < ${dueIn(sql, -olderMs)}
     order by nonce
     limit ${limit}`
  return rows.map((row) => ({ ...row, wallet: hexOf(row.wallet) }))
}

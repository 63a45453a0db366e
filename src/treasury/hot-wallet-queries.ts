// The SQL of the wallets that send: the lease of the one process that may, the queue, nonces, attempts and ends. Whatever
// a sender writes, it writes under its fence.
import { weiPerGwei } from '#/evm/wire.ts'
import type { Hex } from 'viem'
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import type { ChainTxId, OpenTx, TxAttempt, TxPurpose, WalletPurpose } from './outgoing.ts'

/** Which wallet. */
export type WalletKey = { readonly chain: string; readonly address: Address }

/** Base units and wei travel as decimal text: numeric(78,0) is wider than any integer of the driver. */
type Text<Row> = { readonly [Name in keyof Row]: Row[Name] extends bigint ? string : Row[Name] }

/** Makes the wallet known, once. `nextNonce` is the first that was never used. */
export async function insertWallet(
  sql: Sql,
  { chain, address }: WalletKey,
  more: { readonly purpose: WalletPurpose; readonly nextNonce: bigint; readonly at: Date },
): Promise<void> {
  await sql`
    insert into hot_wallet (chain, address, purpose, next_nonce, created_at)
    values (${chain}, ${bytesOf(address)}, ${more.purpose}, ${more.nextNonce}, ${more.at})
    on conflict do nothing`
}

export async function isKnownWallet(sql: Sql, { chain, address }: WalletKey): Promise<boolean> {
  const rows = await sql`select 1 from hot_wallet where chain = ${chain} and address = ${bytesOf(address)}`
  return rows.length > 0
}

/** Takes the lease if it is free. Answers the fence. In a transaction, for its limits. */
export async function takeLease(
  sql: Sql,
  { chain, address }: WalletKey,
  leaseMs: number,
): Promise<bigint | undefined> {
  return sql.begin(async (tx): Promise<bigint | undefined> => {
    const [row] = await tx<{ fence: bigint }[]>`
      update hot_wallet
         set fence = fence + 1, lease_until = ${dueIn(tx, leaseMs)}
       where chain = ${chain} and address = ${bytesOf(address)} and (lease_until is null or lease_until < ${dueNow(tx)})
      returning fence`
    return row?.fence
  })
}

/** Keeps the lease, and locks the wallet's row until the transaction ends. Answers how many rows: none is another's. */
export async function holdLease(
  tx: Tx,
  { chain, address }: WalletKey,
  fence: bigint,
  leaseMs: number,
): Promise<number> {
  const result = await tx`
    update hot_wallet set lease_until = ${dueIn(tx, leaseMs)}
     where chain = ${chain} and address = ${bytesOf(address)} and fence = ${fence}`
  return result.count
}

export async function releaseLease(sql: Sql, { chain, address }: WalletKey, fence: bigint): Promise<void> {
  await sql`
    update hot_wallet set lease_until = null
     where chain = ${chain} and address = ${bytesOf(address)} and fence = ${fence}`
}

export type WalletRow = {
  readonly fence: bigint
  readonly nextNonce: bigint
  readonly stopped: string | null
  readonly waiting: string | null
  /** Why the chain itself is not to be believed. */
  readonly halted: string | null
  readonly isQueued: boolean
}

export async function selectWallet(
  sql: Sql,
  { chain, address }: WalletKey,
  purpose: TxPurpose,
): Promise<WalletRow | undefined> {
  const [row] = await sql<WalletRow[]>`
    select fence, next_nonce as "nextNonce", stopped, waiting,
           (select halted from chain where chain.key = hot_wallet.chain) as halted,
           exists (select from chain_tx where chain_tx.chain = hot_wallet.chain and purpose = ${purpose}
                                          and state = 'QUEUED'
                                          and (purpose <> 'PAYOUT' or not is_frozen(merchant_id, 'CRYPTO'))) as "isQueued"
      from hot_wallet
     where chain = ${chain} and address = ${bytesOf(address)}`
  return row
}

export async function writeWaiting(
  tx: Tx,
  { chain, address }: WalletKey,
  waiting: string | null,
): Promise<void> {
  await tx`update hot_wallet set waiting = ${waiting} where chain = ${chain} and address = ${bytesOf(address)}`
}

export async function writeStopped(tx: Tx, { chain, address }: WalletKey, reason: string): Promise<void> {
  await tx`update hot_wallet set stopped = ${reason} where chain = ${chain} and address = ${bytesOf(address)}`
}

/** These nonces are gone, by transactions that are not ours. */
export async function writeTaken(
  tx: Tx,
  { chain, address }: WalletKey,
  nonces: readonly bigint[],
): Promise<void> {
  await tx`
    update chain_tx set taken = true
     where chain = ${chain} and wallet = ${bytesOf(address)} and nonce = any (${list(nonces)}::bigint[])
       and state in ('RESERVED', 'SIGNED', 'BROADCAST', 'MINED')`
}

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
     where chain = ${chain} and wallet = ${bytesOf(address)} and state in ('RESERVED', 'SIGNED', 'BROADCAST', 'MINED')
     order by nonce`
  return rows.map(({ attempts, ...row }) => ({ ...openOf(row), attempts: (attempts ?? []).map(attemptOf) }))
}

export type QueuedTx = Pick<OpenTx, 'id' | 'value' | 'gas' | 'units'>

/**
 * The oldest of the queue that move at most `unitsMax` base units, locked. Those that another wallet's sender, or a
 * cancellation, has in hand right now are not among them.
 */
export async function lockQueued(
  tx: Tx,
  chain: string,
  purpose: TxPurpose,
  { unitsMax, limit }: { readonly unitsMax: bigint; readonly limit: number },
): Promise<readonly QueuedTx[]> {
  const rows = await tx<{ id: ChainTxId; value: string; gas: bigint; units: string | null }[]>`
    select id, value::text, gas, units::text
      from chain_tx
     where chain = ${chain} and purpose = ${purpose} and state = 'QUEUED'
       and coalesce(units, 0) <= ${unitsMax.toString()}::numeric
       and (purpose <> 'PAYOUT' or not is_frozen(merchant_id, 'CRYPTO'))
     order by id
     limit ${limit}
       for update skip locked`
  return rows.map((row) => ({ ...row, value: BigInt(row.value), units: BigInt(row.units ?? 0) }))
}

/** Queued payouts of more than the signer may sign at once fail: they would never be signed. Answers how many. */
export async function failAbove(tx: Tx, chain: string, each: bigint): Promise<number> {
  const result = await tx`
    update chain_tx
       set state = 'FAILED', failure = 'amount_not_allowed', final_at = clock_timestamp()
     where id in (select id from chain_tx
                   where chain = ${chain} and purpose = 'PAYOUT' and state = 'QUEUED' and units > ${each.toString()}::numeric
                     for update skip locked)`
  return result.count
}

export type OldestQueued = Pick<OpenTx, 'units' | 'value' | 'gas'> & {
  readonly subject: string
  readonly createdAt: Date
  /** It has waited longer than it should. */
  readonly isOld: boolean
}

/** What has waited longest in the queue; `isOld` after `oldMs`. */
export async function selectOldestQueued(
  tx: Tx,
  chain: string,
  purpose: TxPurpose,
  oldMs: number,
): Promise<OldestQueued | undefined> {
  type Row = Omit<OldestQueued, 'units' | 'value'> & { readonly units: string | null; readonly value: string }
  const [row] = await tx<Row[]>`
    select subject, units::text, value::text, gas, created_at as "createdAt",
           created_at < clock_timestamp() - ${oldMs} * interval '1 millisecond' as "isOld"
      from chain_tx
     where chain = ${chain} and purpose = ${purpose} and state = 'QUEUED'
       and (purpose <> 'PAYOUT' or not is_frozen(merchant_id, 'CRYPTO'))
     order by id
     limit 1`
  return row && { ...row, units: BigInt(row.units ?? 0), value: BigInt(row.value) }
}

/** Binds each to the next free nonce, in this order, for ever. */
export async function reserveNonces(
  tx: Tx,
  { chain, address }: WalletKey,
  ids: readonly ChainTxId[],
): Promise<number> {
  const result = await tx`
    with taken as (
      update hot_wallet set next_nonce = next_nonce + ${ids.length}
       where chain = ${chain} and address = ${bytesOf(address)} and stopped is null
      returning next_nonce - ${ids.length} as first
    )
    update chain_tx
       set state = 'RESERVED', wallet = ${bytesOf(address)}, nonce = taken.first + wanted.place - 1
      from taken, unnest(${list(ids)}::uuid[]) with ordinality as wanted (id, place)
     where chain_tx.id = wanted.id and state = 'QUEUED'`
  return result.count
}

type AttemptRow = {
  readonly hash: string
  readonly raw: string
  readonly maxFee: bigint
  readonly tip: bigint
  readonly cancels: boolean
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

/** Why a transaction shall not do what it says: something that does nothing is to take its nonce. */
export async function writeCancel(tx: Tx, id: ChainTxId, reason: string): Promise<void> {
  await tx`update chain_tx set cancel = ${reason} where id = ${id} and state in ('RESERVED', 'SIGNED', 'BROADCAST', 'MINED')`
}

/** How a transaction ended. `failure` absent: it did what it says. */
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
 * Ends transactions, each once. The wallet's sum grows by what they cost; each carries the whole gwei by which the sum grew
 * with it, so that nothing is lost between wei and gwei. Answers how many ended now.
 */
export async function writeEnds(
  tx: Tx,
  { chain, address }: WalletKey,
  ends: readonly End[],
  at: Date,
): Promise<number> {
  const [wallet] = await tx<{ gasWei: string }[]>`
    select gas_wei::text as "gasWei" from hot_wallet where chain = ${chain} and address = ${bytesOf(address)}`
  let sum = BigInt(wallet?.gasWei ?? 0)
  const gwei = ends.map(({ gasWei }) => {
    const before = sum / weiPerGwei
    sum += gasWei
    return sum / weiPerGwei - before
  })
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
    update hot_wallet set gas_wei = ${sum.toString()}
     where chain = ${chain} and address = ${bytesOf(address)}`
  return result.count
}

export type WalletState = {
  readonly chain: string
  readonly address: Address
  readonly purpose: WalletPurpose
  readonly nextNonce: bigint
  /** Why nothing is sent from it until a person has looked; null while all is well. */
  readonly stopped: string | null
  /** Why what is queued waits: TOKENS or GAS, of which it is short, or what the signer says. */
  readonly waiting: string | null
  readonly queued: number
  readonly open: number
}

/** All wallets that send, for an operator to look at. */
export async function selectWalletStates(sql: Sql): Promise<readonly WalletState[]> {
  const rows = await sql<(Omit<WalletState, 'address'> & { readonly address: Buffer })[]>`
    select chain, address, purpose, next_nonce as "nextNonce", stopped, waiting,
           (select count(*) from chain_tx
             where chain_tx.chain = hot_wallet.chain and state = 'QUEUED'
               and chain_tx.purpose = case hot_wallet.purpose when 'hot' then 'PAYOUT' when 'gas' then 'SWEEP' else 'REFILL' end
           )::integer as queued,
           (select count(*) from chain_tx
             where chain_tx.chain = hot_wallet.chain and wallet = hot_wallet.address
               and state in ('RESERVED', 'SIGNED', 'BROADCAST', 'MINED'))::integer as open
      from hot_wallet
     order by chain, purpose, address`
  return rows.map((row) => ({ ...row, address: hexOf(row.address) }))
}

/**
 * Lets a stopped wallet send again, if it is stopped for this reason: a person has looked. It goes on at `nextNonce`, the
 * account's own on the chain, if strangers have taken nonces that were never given out here. Answers whether it was so.
 */
export async function liftStop(
  sql: Tx,
  { chain, address }: WalletKey,
  { reason, nextNonce }: { readonly reason: string; readonly nextNonce: bigint },
): Promise<boolean> {
  const result = await sql`
    update hot_wallet set stopped = null, next_nonce = greatest(next_nonce, ${nextNonce})
     where chain = ${chain} and address = ${bytesOf(address)} and stopped = ${reason}`
  return result.count === 1
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

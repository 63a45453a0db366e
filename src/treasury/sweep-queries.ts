// The SQL of sweeps: which deposit addresses are to be emptied, which are on their way, and which wait because they failed.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow, type IsDue } from '#/db/due.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'
import type { PaymentId } from '#/kernel/id.ts'
import type { ChainTxId, TxState } from './outgoing.ts'

export type Sweepable = { readonly address: Address; readonly paymentId: PaymentId; readonly units: bigint }

/**
 * Addresses that hold at least this much and are not being swept, the fullest first. Coins that are final but not settled are not
 * counted here, but a sweep moves them too.
 */
export async function selectSweepable(
  sql: Sql,
  chain: string,
  filter: { readonly unitsMin: bigint; readonly limit: number },
): Promise<readonly Sweepable[]> {
  const rows = await sql<{ address: Buffer; paymentId: PaymentId; units: string }[]>`
    select deposit.address, deposit.payment_id as "paymentId", deposit.held::text as units
      from ${sweepable(sql, chain, filter.unitsMin)}
     order by deposit.held desc, deposit.address
     limit ${filter.limit}`
  return rows.map((row) => ({
    address: hexOf(row.address),
    paymentId: row.paymentId,
    units: BigInt(row.units),
  }))
}

/** Whether a sweep of the chain is under way, or an address is to be swept. */
export function isSweepDue(chain: string, unitsMin: bigint): IsDue {
  return (sql) => sql`
    (exists (select from sweep where sweep.chain = ${chain} and sweep.tx is not null)
     or exists (select from ${sweepable(sql, chain, unitsMin)}))`
}

function sweepable(sql: Sql, chain: string, unitsMin: bigint) {
  return sql`
    deposit_address as deposit
      left join sweep on sweep.chain = deposit.chain and sweep.address = deposit.address
     where deposit.chain = ${chain} and deposit.held > 0 and deposit.held >= ${unitsMin.toString()}::numeric
       and sweep.tx is null and (sweep.due_at is null or sweep.due_at <= ${dueNow(sql)})
       and not exists (select from coin_move as move
                        where move.chain = deposit.chain and move.sender = deposit.address and move.booked_as is null)`
}

/** How many sweeps of the chain have no end yet. */
export async function countOpenSweeps(sql: Sql, chain: string): Promise<number> {
  const [row] = await sql<{ open: number }[]>`
    select count(distinct tx)::integer as open from sweep where chain = ${chain} and tx is not null`
  return must(row, 'an aggregate has one row').open
}

/** Binds those of these addresses that are free to a transaction. Returns how many. */
export async function bindSweep(
  tx: Tx,
  chain: string,
  addresses: readonly Address[],
  id: ChainTxId,
): Promise<number> {
  const result = await tx`
    insert into sweep (chain, address, tx)
    select ${chain}, unnest(${list(addresses.map(bytesOf))}::bytea[]), ${id}::uuid
    on conflict (chain, address) do update set tx = excluded.tx where sweep.tx is null`
  return result.count
}

export type EndedSweep = {
  readonly id: ChainTxId
  readonly state: Extract<TxState, 'FINAL' | 'FAILED'>
  readonly failure: string | null
  readonly evidence: Buffer | null
  readonly addresses: readonly Address[]
}

/** Sweeps that have ended and whose block the watcher has made final too: what they moved is recorded. */
export async function selectEndedSweeps(
  sql: Sql,
  chain: string,
  limit: number,
): Promise<readonly EndedSweep[]> {
  const rows = await sql<(Omit<EndedSweep, 'addresses'> & { readonly addresses: readonly string[] })[]>`
    with under_way as materialized (
      select tx, chain, json_agg(encode(address, 'hex') order by address) as addresses
        from sweep where chain = ${chain} and sweep.tx is not null
       group by tx, chain
    )
    select ended.*, under_way.addresses
      from under_way
      join chain on chain.key = under_way.chain
     -- One by one: the planner takes this purpose for rarer than it is, and would read all transactions.
     cross join lateral (
       select id, state, failure, evidence from chain_tx
        where chain_tx.id = under_way.tx and chain_tx.purpose = 'SWEEP'
          and (chain_tx.state = 'FAILED' or (chain_tx.state = 'FINAL' and chain_tx.block_number <= chain.final_number))
        limit 1) as ended
     order by ended.id
     limit ${limit}`
  return rows.map((row) => ({ ...row, addresses: row.addresses.map((digits): Address => `0x${digits}`) }))
}

/**
 * On a chain that replaces a lost one, block numbers start again. So this removes the sweeps, and ends the refills, whose
 * transactions had ended on the lost chain, whether or not their movements were found.
 */
export async function forgetEnded(tx: Tx, chain: string, at: Date): Promise<void> {
  await tx`
    delete from sweep using chain_tx
     where sweep.chain = ${chain} and chain_tx.id = sweep.tx and chain_tx.purpose = 'SWEEP'
       and chain_tx.state in ('FINAL', 'FAILED')`
  await tx`
    update refill set ended_at = ${at} from chain_tx
     where refill.chain = ${chain} and refill.ended_at is null and chain_tx.id = refill.tx
       and chain_tx.purpose = 'REFILL' and chain_tx.state in ('FINAL', 'FAILED')`
}

/** Frees the addresses of a sweep that succeeded. */
export async function deleteSwept(tx: Tx, id: ChainTxId, addresses: readonly Address[]): Promise<void> {
  await tx`
    delete from sweep where tx = ${id} and address = any (${list(addresses.map(bytesOf))}::text[]::bytea[])`
}

/** Delays addresses that kept their coins, longer each time: one minute, two, four, up to a day. */
export async function postponeSweeps(
  tx: Tx,
  id: ChainTxId,
  addresses: readonly Address[],
  reason: string,
): Promise<void> {
  await tx`
    update sweep
       set tx = null, fails = fails + 1, reason = ${reason},
           due_at = ${dueNow(tx)} + least(interval '1 minute' * power(2, least(fails, 20)), interval '1 day')
     where tx = ${id} and address = any (${list(addresses.map(bytesOf))}::text[]::bytea[])`
}

/** One page of the addresses whose last sweep failed. `after`: the last one of the page before. */
export async function selectWaitingPage(
  sql: Sql,
  page: { readonly chain: string; readonly after?: Address; readonly limit: number },
): Promise<readonly WaitingSweep[]> {
  const rows = await sql<(Omit<WaitingSweep, 'address'> & { readonly address: Buffer })[]>`
    select address, fails, reason, due_at as "dueAt"
      from sweep
     where chain = ${page.chain} and fails > 0
       ${page.after === undefined ? sql`` : sql`and address > ${bytesOf(page.after)}`}
     order by address
     limit ${page.limit}`
  return rows.map((row) => ({ ...row, address: hexOf(row.address) }))
}

export type WaitingSweep = {
  readonly address: Address
  readonly fails: number
  readonly reason: string | null
  readonly dueAt: Date | null
}

/** Addresses whose last sweep failed. */
export async function selectWaitingSweeps(sql: Sql, chain: string): Promise<readonly WaitingSweep[]> {
  const rows = await sql<(Omit<WaitingSweep, 'address'> & { readonly address: Buffer })[]>`
    select address, fails, reason, due_at as "dueAt" from sweep where chain = ${chain} and fails > 0 order by address`
  return rows.map((row) => ({ ...row, address: hexOf(row.address) }))
}

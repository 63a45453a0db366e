// The SQL of native coin at our wallets: what arrived, what they spent, and what they hold by our records.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import { weiPerGwei } from '#/evm/wire.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { WalletPurpose } from './outgoing.ts'

/** Native coin that a check found at a wallet, at a final block. */
export type DueFill = {
  readonly id: string
  readonly chain: string
  readonly wallet: Address
  /** All that ever arrived, as of this check. */
  readonly totalWei: bigint
  readonly evidence: Buffer
}

export type FreshFill = {
  readonly fill: DueFill
  readonly wei: bigint
  readonly gwei: bigint
  readonly mode: Mode
  readonly connection: ConnectionId
}

/** What of these fills is not recorded yet. Runs under the ledger's lock. */
export async function selectDueFills(tx: Tx, fills: readonly DueFill[]): Promise<readonly FreshFill[]> {
  const rows = await tx<
    { chain: string; wallet: Buffer; recordedWei: string; mode: Mode; connection: ConnectionId }[]
  >`
    select wanted.chain, wanted.wallet, connection.mode, connection.id as connection,
           (select coalesce(sum(wei), 0) from gas_fill
             where gas_fill.chain = wanted.chain and gas_fill.wallet = wanted.wallet)::text as "recordedWei"
      from ${rowsOf(tx, 'wanted', fills, { chain: 'text', wallet: ['bytea', ({ wallet }) => bytesOf(wallet)] })}
      join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = wanted.chain
                     and connection.merchant_id is null`
  const recorded = new Map(rows.map((row) => [`${row.chain}/${hexOf(row.wallet)}`, row]))
  return fills.flatMap((fill) => {
    const row = recorded.get(`${fill.chain}/${fill.wallet}`)
    if (row === undefined || fill.totalWei <= BigInt(row.recordedWei)) return []
    const before = BigInt(row.recordedWei)
    const gwei = fill.totalWei / weiPerGwei - before / weiPerGwei
    return [{ fill, wei: fill.totalWei - before, gwei, mode: row.mode, connection: row.connection }]
  })
}

export async function insertFills(tx: Tx, fresh: readonly FreshFill[], at: Date): Promise<void> {
  await tx`
    insert into gas_fill (id, chain, wallet, wei, gwei, evidence, at)
    select unnest(${list(fresh.map(({ fill }) => fill.id))}::uuid[]), unnest(${list(fresh.map(({ fill }) => fill.chain))}::text[]),
           unnest(${list(fresh.map(({ fill }) => bytesOf(fill.wallet)))}::text[]::bytea[]),
           unnest(${list(fresh.map(({ wei }) => wei.toString()))}::numeric[]),
           unnest(${list(fresh.map(({ gwei }) => gwei))}::bigint[]),
           unnest(${list(fresh.map(({ fill }) => fill.evidence))}::text[]::bytea[]), ${at}`
}

/** A wallet that sends, with its native coin by our records. */
export type GasWallet = {
  readonly address: Address
  readonly purpose: WalletPurpose
  /** The first nonce that no final transaction has. */
  readonly nextNonce: bigint
  /** All that ever arrived, and all that final transactions cost. */
  readonly boughtWei: bigint
  readonly spentWei: bigint
}

export async function selectGasWallets(sql: Sql | Tx, chain: string): Promise<readonly GasWallet[]> {
  const rows = await sql<
    { address: Buffer; purpose: WalletPurpose; nextNonce: bigint; bought: string; spent: string }[]
  >`
    select address, purpose, gas_wei::text as spent,
           coalesce((select min(nonce) from chain_tx
                      where chain_tx.chain = hot_wallet.chain and wallet = hot_wallet.address
                        and state in ('RESERVED', 'SIGNED', 'BROADCAST', 'MINED')), next_nonce) as "nextNonce",
           (select coalesce(sum(wei), 0) from gas_fill
             where gas_fill.chain = hot_wallet.chain and gas_fill.wallet = hot_wallet.address)::text as bought
      from hot_wallet
     where chain = ${chain}
     order by purpose, address`
  return rows.map(({ address, purpose, nextNonce, bought, spent }) => ({
    address: hexOf(address),
    purpose,
    nextNonce,
    boughtWei: BigInt(bought),
    spentWei: BigInt(spent),
  }))
}

// The SQL of the inspection of our own coins: movements, gas, places, and what the books hold for them.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { ChainRow } from './crypto-queries.ts'

export type TransferRow = {
  readonly number: bigint
  readonly subject: string
  readonly step: string
  readonly kind: string
  readonly minor: bigint
  readonly cause: Buffer
  readonly mode: string | null
  readonly debit: string | null
  readonly credit: string | null
  /** When its batch was written. */
  readonly at: Date | null
}

/** All transfers that belong to these, in their order. */
export function selectTransfersOf(tx: Tx, ids: readonly string[]): Promise<readonly TransferRow[]> {
  return tx<TransferRow[]>`
    select transfer.number, transfer.subject, transfer.step, transfer.kind, transfer.minor, transfer.cause,
           debit_account.mode, debit_account.name as debit, credit_account.name as credit, batch.at
      from transfer
      left join account as debit_account on debit_account.id = transfer.debit
      left join account as credit_account on credit_account.id = transfer.credit
      left join batch on batch.number = transfer.batch
     where transfer.subject = any (${list(ids)}::uuid[])
     order by transfer.number`
}

type Owned = {
  readonly id: string
  readonly mode: string | null
  readonly chain: string
  readonly cause: Buffer | null
}

export type MoveRow = Owned & {
  readonly connection: string | null
  readonly name: string
  readonly state: string
  readonly value: string
  readonly bookedAs: 'SWEPT' | 'MOVED' | 'FOUND' | 'PAID' | 'LEFT' | null
  readonly minor: bigint | null
  readonly from: string | null
  readonly to: string | null
  readonly isDeposit: boolean
  readonly isPayout: boolean
  /** The wallet to which found coins were credited, and its merchant, once two people decided that. */
  readonly walletId: string | null
  readonly merchantId: string | null
  readonly decision: Buffer | null
}

/** The next page of movements, by id. */
export function selectMoveRows(tx: Tx, after: string, limit: number): Promise<readonly MoveRow[]> {
  return tx<MoveRow[]>`
    select move.id, connection.mode, connection.id as connection, move.chain, sha256(move.log) as cause,
           '0x' || encode(move.tx_hash, 'hex') || ':' || move.log_index as name, move.state, move.value::text,
           move.booked_as as "bookedAs", move.minor, from_place.place as "from", to_place.place as "to",
           deposit.address is not null as "isDeposit",
           exists (select from chain_tx_attempt as attempt
                     join chain_tx on chain_tx.id = attempt.tx
                    where attempt.hash = move.tx_hash and chain_tx.purpose = 'PAYOUT') as "isPayout",
           claim.wallet_id as "walletId", claim.merchant_id as "merchantId", claim.decision
      from (select * from coin_move where id > ${after} order by id limit ${limit}) as move
      left join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = move.chain
                          and connection.merchant_id is null
      left join coin_place as from_place on from_place.chain = move.chain and from_place.address = move.sender
      left join coin_place as to_place on to_place.chain = move.chain and to_place.address = move.recipient
      left join deposit_address as deposit on deposit.chain = move.chain and deposit.address = move.sender
      left join (select claim.move, claim.merchant_id, claim.wallet_id,
                        sha256(convert_to(concat_ws('/', claim.move, claim.merchant_id, claim.wallet_id,
                                                    claim.proposed_by, claim.confirmed_by), 'UTF8')) as decision
                   from coin_claim as claim where claim.confirmed_at is not null) as claim
             on claim.move = move.id
     order by move.id`
}

export type GasRow = Owned & {
  readonly wallet: Buffer
  readonly gwei: bigint
  readonly isBooked: boolean
  readonly evidence: Buffer | null
}

/** The next page of transactions, by id, that cost gas. */
export function selectGasRows(tx: Tx, after: string, limit: number): Promise<readonly GasRow[]> {
  return tx<GasRow[]>`
    select spent.id, connection.mode, spent.chain, sha256(coalesce(spent.evidence, convert_to(spent.id::text, 'UTF8'))) as cause,
           spent.wallet, spent.gas_gwei as gwei, spent.gas_booked as "isBooked", spent.evidence
      from (select * from chain_tx where id > ${after} and gas_gwei is not null order by id limit ${limit}) as spent
      join chain on chain.key = spent.chain
      left join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = spent.chain
                          and connection.merchant_id is null
     order by spent.id`
}

export type FillRow = Owned & { readonly wallet: Buffer; readonly gwei: bigint }

export function selectFillRows(tx: Tx, after: string, limit: number): Promise<readonly FillRow[]> {
  return tx<FillRow[]>`
    select fill.id, connection.mode, fill.chain, sha256(fill.evidence) as cause, fill.wallet, fill.gwei
      from (select * from gas_fill where id > ${after} order by id limit ${limit}) as fill
      left join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = fill.chain
                          and connection.merchant_id is null
     order by fill.id`
}

/** Which of these are movements, transactions or fills. */
export async function selectCoinsAmong(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from coin_move where id = any (${list(ids)}::uuid[])
     union all
    select id from chain_tx where id = any (${list(ids)}::uuid[])
     union all
    select id from gas_fill where id = any (${list(ids)}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

export type PlaceRow = {
  readonly address: Buffer
  readonly place: string
  readonly units: string
  /** The units there, derived from booked movements and payouts. */
  readonly derived: string
}

export function selectPlaceRows(tx: Tx, { key }: ChainRow): Promise<readonly PlaceRow[]> {
  return tx<PlaceRow[]>`
    select place.address, place.place, place.units::text,
           ((select coalesce(sum(value), 0) from coin_move
              where chain = ${key} and recipient = place.address and booked_as in ('SWEPT', 'MOVED', 'FOUND'))
            - (select coalesce(sum(value), 0) from coin_move
                where chain = ${key} and sender = place.address and booked_as = 'MOVED')
            - (select coalesce(sum(value), 0) from coin_move
                 join unrecorded on unrecorded.move = coin_move.id
                where coin_move.chain = ${key} and coin_move.sender = place.address)
            - (select coalesce(sum(units), 0) from chain_tx
                where chain = ${key} and wallet = place.address and purpose = 'PAYOUT' and units_booked))::text as derived
      from coin_place as place
     where place.chain = ${key}
     order by place.address`
}

export type CoinSums = {
  /** Base units at all places: deposit addresses, treasury, wallets. */
  readonly units: string
  /** Cents in all accounts of the chain's coins. */
  readonly cents: bigint
  /** The residue of each address and of our places: the units below a whole cent. */
  readonly residue: string
}

/** All sums of a chain at one instant. */
export async function selectCoinSums(tx: Tx, { key, mode }: ChainRow): Promise<CoinSums | undefined> {
  const [row] = await tx<CoinSums[]>`
    select (coalesce((select sum(held) from deposit_address where chain = ${key}), 0)
            + coalesce((select sum(units) from coin_place where chain = ${key}), 0))::text as units,
           (select coalesce(sum(balance.minor), 0)::bigint
              from account join balance on balance.account_id = account.id
             where account.mode = ${mode} and account.name like 'coins:' || ${key}::text || ':USDT:%') as cents,
           (coalesce((select sum(received % 1e16::numeric) from deposit_address where chain = ${key}), 0)
            + coalesce((select sum(value % 1e16::numeric) from coin_move
                         where chain = ${key} and booked_as = 'FOUND'), 0))::text as residue`
  return row
}

export type PayoutRow = {
  readonly id: string
  readonly subject: string
  readonly state: string
  readonly units: string
  readonly isBooked: boolean
  /** The status of the withdrawal or refund that it pays out; null when there is none. */
  readonly status: string | null
  readonly amountMinor: bigint | null
}

/** The next page of payouts, by id, each with the withdrawal or refund that it pays out. */
export function selectPayoutRows(
  sql: Sql,
  { key }: ChainRow,
  after: PayoutRow | undefined,
  limit: number,
): Promise<readonly PayoutRow[]> {
  return sql<PayoutRow[]>`
    select paid.id, paid.subject, paid.state, paid.units::text, paid.units_booked as "isBooked",
           coalesce(withdrawal.status, refund.status) as status,
           coalesce(withdrawal.amount_minor, refund.amount_minor) as "amountMinor"
      from (select * from chain_tx
             where chain = ${key} and purpose = 'PAYOUT' and id > ${after?.id ?? minId} order by id limit ${limit}) as paid
      left join withdrawal on withdrawal.id = paid.subject
      left join refund on refund.id = paid.subject
     order by paid.id`
}

/** Refunds on a chain that are COMPLETED without a final payout. */
export async function selectUnpaidRefunds(
  sql: Sql,
  { key, connection }: ChainRow,
): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    select refund.id
      from refund
     where refund.connection = ${connection} and refund.status = 'COMPLETED'
       and not exists (select from chain_tx
                        where chain = ${key} and subject = refund.id and purpose = 'PAYOUT' and state = 'FINAL')
     order by refund.id
     limit 1000`
  return rows.map(({ id }) => id)
}

export const minId = '00000000-0000-0000-0000-000000000000'

export type WalletSum = {
  readonly wallet: Buffer
  readonly spentWei: string
  readonly spentGwei: bigint
  readonly boughtWei: string
  readonly boughtGwei: bigint
}

/** What each sending wallet spent and received, as recorded and as booked. */
export function selectWalletSums(tx: Tx, { key }: ChainRow): Promise<readonly WalletSum[]> {
  return tx<WalletSum[]>`
    select sender.address as wallet, sender.gas_wei::text as "spentWei",
           (select coalesce(sum(gas_gwei), 0)::bigint from chain_tx
             where chain = ${key} and wallet = sender.address) as "spentGwei",
           (select coalesce(sum(wei), 0) from gas_fill
             where chain = ${key} and wallet = sender.address)::text as "boughtWei",
           (select coalesce(sum(gwei), 0)::bigint from gas_fill
             where chain = ${key} and wallet = sender.address) as "boughtGwei"
      from hot_wallet as sender
     where sender.chain = ${key}
     order by sender.address`
}

/** What each hot wallet has spent on gas until now, in wei. */
export function selectGasSpent(
  sql: Sql,
  { key }: ChainRow,
): Promise<readonly { readonly wallet: Buffer; readonly wei: string }[]> {
  return sql<{ wallet: Buffer; wei: string }[]>`
    select address as wallet, gas_wei::text as wei from hot_wallet where chain = ${key} order by address`
}

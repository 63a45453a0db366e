// The SQL of the crypto rail's inspections: addresses, the transfers that the chain showed at them, and their receipts.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { ConnectionId, PaymentId } from '#/kernel/id.ts'

export type ChainRow = {
  readonly key: string
  readonly chainId: bigint
  readonly factory: Buffer
  readonly treasury: Buffer
  readonly connection: ConnectionId | null
  readonly mode: string | null
}

/** The chains with the connection that stands for each. */
export function selectChains(sql: Sql): Promise<readonly ChainRow[]> {
  return sql<ChainRow[]>`
    select chain.key, chain.chain_id as "chainId", chain.factory, chain.treasury, connection.id as connection, connection.mode
      from chain
      left join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = chain.key
     order by chain.key`
}

export type AddressRow = {
  readonly address: Buffer
  readonly paymentId: PaymentId
  /** The base units that the deposit requests. */
  readonly requested: string
  readonly received: string
  readonly held: string
  /** The amount of its attempt, or of the lost one; null when there is neither. */
  readonly attemptMinor: bigint | null
  readonly attemptConnection: string | null
  /** The base units of its receipts, and the cents that were booked for them. */
  readonly receiptUnits: string
  readonly bookedMinor: bigint
  /** The sum that was credited from the chain's coins up to the cut. */
  readonly creditedMinor: bigint
  /** The booked sweeps from it: units, cents, and cents up to the cut. */
  readonly sweptUnits: string
  readonly sweptMinor: bigint
  readonly sweptToCut: bigint
}

/** The next page of a chain's addresses, with what was settled for each, all at one instant. */
export function selectAddressRows(
  sql: Sql,
  { key, connection }: ChainRow,
  range: { readonly after: Buffer; readonly upTo: bigint; readonly limit: number },
): Promise<readonly AddressRow[]> {
  return sql<AddressRow[]>`
    select deposit.address, deposit.payment_id as "paymentId", deposit.asked::text as requested, deposit.received::text,
           deposit.held::text, coalesce(attempt.amount_minor, lost.amount_minor) as "attemptMinor",
           coalesce(attempt.connection, lost.connection) as "attemptConnection",
           settled.units::text as "receiptUnits", settled.minor as "bookedMinor", settled.credited as "creditedMinor",
           swept.units::text as "sweptUnits", swept.minor as "sweptMinor", swept.to_cut as "sweptToCut"
      from (select * from deposit_address
             where chain = ${key} and address > ${range.after} order by address limit ${range.limit}) as deposit
      left join attempt on attempt.merchant_id = deposit.merchant_id and attempt.id = deposit.attempt_id
                       and attempt.payment_id = deposit.payment_id and not deposit.is_lost
      left join lost_issuance as lost on lost.merchant_id = deposit.merchant_id and lost.attempt_id = deposit.attempt_id
                       and lost.payment_id = deposit.payment_id and deposit.is_lost
     cross join lateral (
       select coalesce(sum((convert_from(evidence, 'UTF8')::json ->> 'value')::numeric), 0) as units,
              coalesce(sum(booked), 0)::bigint as minor,
              coalesce(sum(transfer.minor) filter (where transfer.number <= ${range.upTo}), 0)::bigint as credited
         from (select evidence, booked_minor as booked, payment_id as subject, ordinal || '.credit' as step
                 from receipt
                where receipt.merchant_id = deposit.merchant_id and receipt.payment_id = deposit.payment_id
                  and receipt.connection = ${connection} and receipt.outcome = 'paid'
                union all
               -- What came while its attempt was lost is in suspense.
               select evidence, unmatched.amount_minor, unmatched.id, '1.suspend'
                 from lost_issuance as gone
                 join unmatched on unmatched.attempt_id = gone.attempt_id
                where gone.merchant_id = deposit.merchant_id and gone.payment_id = deposit.payment_id
                  and unmatched.connection = ${connection} and unmatched.outcome = 'paid') as counted
         left join transfer on transfer.subject = counted.subject and transfer.step = counted.step
     ) as settled
     cross join lateral (
       select coalesce(sum(move.value), 0) as units, coalesce(sum(move.minor), 0)::bigint as minor,
              coalesce(sum(transfer.minor) filter (where transfer.number <= ${range.upTo}), 0)::bigint as to_cut
         from coin_move as move
         left join transfer on transfer.subject = move.id and transfer.step = '1.coins'
        where move.chain = deposit.chain and move.sender = deposit.address and move.booked_as = 'SWEPT'
     ) as swept
     order by deposit.address`
}

/** The next page of a chain's addresses, each with its stored count of transfers and the number of its transfers. */
export function selectCounts(
  sql: Sql,
  { key }: Pick<ChainRow, 'key'>,
  after: Buffer,
  limit: number,
): Promise<readonly { readonly address: Buffer; readonly counted: bigint; readonly shown: bigint }[]> {
  return sql<{ address: Buffer; counted: bigint; shown: bigint }[]>`
    select address, coalesce(counted.transfers, 0) as counted,
           (select count(*) from chain_transfer as shown
             where shown.chain = ${key} and shown.address = page.address and shown.state <> 'ORPHANED') as shown
      from (select address from deposit_address where chain = ${key} and address > ${after}
             order by address limit ${limit}) as page
      left join (select address, transfers from deposit_count where chain = ${key}) as counted using (address)
     order by address`
}

export type ShownRow = {
  readonly blockHash: Buffer
  readonly logIndex: number
  readonly txHash: Buffer
  readonly ordinal: number
  readonly occurrence: number
  readonly state: 'SEEN' | 'FINAL' | 'ORPHANED'
  readonly hasAddress: boolean
  /** Whether there is a receipt of its state. */
  readonly hasReceipt: boolean
  /** Whether that receipt has the same payment, address and value. */
  readonly isSame: boolean
}

type ShownKey = Pick<ShownRow, 'blockHash' | 'logIndex'>

/** The next page of a chain's transfers, by key, each with its receipt, if there is one. */
export function selectShown(
  tx: Tx,
  { key, connection }: ChainRow,
  after: ShownKey | undefined,
  limit: number,
): Promise<readonly ShownRow[]> {
  return tx<ShownRow[]>`
    select shown.block_hash as "blockHash", shown.log_index as "logIndex", shown.tx_hash as "txHash", shown.ordinal,
           shown.occurrence, shown.state, deposit.address is not null as "hasAddress",
           -- While an attempt is lost only final money is settled.
           receipt.connection is not null or gone.attempt_id is not null and shown.state <> 'FINAL' as "hasReceipt",
           coalesce(gone.attempt_id is not null and shown.state <> 'FINAL' or receipt.payment_id = deposit.payment_id
             and receipt.merchant_id = deposit.merchant_id and receipt.value = shown.value
             and receipt.address = shown.address, false) as "isSame"
      from (select * from chain_transfer
             where chain = ${key} and (block_hash, log_index) > (${after?.blockHash ?? Buffer.alloc(0)}, ${after?.logIndex ?? -1})
             order by block_hash, log_index limit ${limit}) as shown
      left join deposit_address as deposit on deposit.chain = shown.chain and deposit.address = shown.address
      left join lateral (
        select attempt_id from lost_issuance
         where lost_issuance.merchant_id = deposit.merchant_id and lost_issuance.payment_id = deposit.payment_id
           and lost_issuance.method = 'CRYPTO' limit 1
      ) as gone on true
      left join lateral (
        select receipt.connection, receipt.payment_id, receipt.merchant_id,
               (convert_from(evidence, 'UTF8')::json ->> 'value')::numeric as value,
               decode(substr(convert_from(evidence, 'UTF8')::json ->> 'address', 3), 'hex') as address
          from receipt
         where receipt.connection = ${connection}
           and receipt.outcome = case shown.state when 'FINAL' then 'paid' when 'SEEN' then 'seen' else 'orphaned' end
           and receipt.occurrence = case shown.state when 'FINAL' then 1 else shown.occurrence end
           and receipt.provider_ref = case shown.state
                 when 'FINAL' then '0x' || encode(shown.tx_hash, 'hex') || ':' || shown.ordinal
                 else '0x' || encode(shown.block_hash, 'hex') || ':' || shown.log_index end
         union all
        select unmatched.connection, (stated ->> 'paymentId')::uuid, (stated ->> 'merchantId')::uuid,
               (stated ->> 'value')::numeric, decode(substr(stated ->> 'address', 3), 'hex')
          from unmatched
         cross join lateral (select convert_from(evidence, 'UTF8')::json as stated) as evidence
         where gone.attempt_id is not null and shown.state = 'FINAL' and unmatched.connection = ${connection}
           and unmatched.outcome = 'paid' and unmatched.occurrence = 1
           and unmatched.provider_ref = '0x' || encode(shown.tx_hash, 'hex') || ':' || shown.ordinal
      ) as receipt on true
     order by shown.block_hash, shown.log_index`
}

/** Returns those of these transactions that a signal in the inbox still names. */
export async function selectWaiting(
  tx: Tx,
  connection: ConnectionId | null,
  txHashes: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ hash: string }[]>`
    select distinct wanted.hash
      from unnest(${list(txHashes.map((each) => each.toString('hex')))}::text[]) as wanted (hash)
      join inbox on inbox.connection = ${connection} and position(convert_to(wanted.hash, 'UTF8') in inbox.body) > 0`
  return new Set(rows.map(({ hash }) => hash))
}

export type DepositReceiptRow = {
  readonly providerRef: string
  readonly outcome: string
  readonly occurrence: number
  /** Whether the chain showed the transfer of the receipt, and as final when the receipt is of final money. */
  readonly wasShown: boolean
  /** Whether the row says what its evidence says. */
  readonly isEvident: boolean
}

/** The next page of receipts of deposits at a chain's connection, by key, with whether the chain showed each. */
export function selectReceipts(
  sql: Sql,
  { key, connection }: ChainRow,
  after: Pick<DepositReceiptRow, 'providerRef' | 'outcome' | 'occurrence'> | undefined,
  limit: number,
): Promise<readonly DepositReceiptRow[]> {
  const { providerRef = '', outcome = '', occurrence = 0 } = after ?? {}
  return sql<DepositReceiptRow[]>`
    select receipt.provider_ref as "providerRef", receipt.outcome, receipt.occurrence,
           -- Looked up one by one, because for an exists the planner may read all transfers of the chain first.
           coalesce(case receipt.outcome
             when 'paid' then (select true from chain_transfer as shown
                                where shown.chain = ${key} and shown.state = 'FINAL'
                                  and shown.tx_hash = decode(substr(split_part(receipt.provider_ref, ':', 1), 3), 'hex')
                                  and shown.ordinal::text = split_part(receipt.provider_ref, ':', 2)
                                limit 1)
             else (select true from chain_transfer as shown
                    where shown.chain = ${key} and shown.occurrence >= receipt.occurrence
                      and shown.block_hash = decode(substr(split_part(receipt.provider_ref, ':', 1), 3), 'hex')
                      and shown.log_index::text = split_part(receipt.provider_ref, ':', 2)
                    limit 1)
           end, false) as "wasShown",
           stated ->> 'outcome' = receipt.outcome and stated ->> 'merchantId' = receipt.merchant_id::text
             and stated ->> 'paymentId' = receipt.payment_id::text and stated ->> 'attemptId' = receipt.attempt_id::text
             and (stated ->> 'blockAt')::timestamptz = receipt.happened_at
             and receipt.occurrence = case receipt.outcome when 'paid' then 1 else (stated ->> 'occurrence')::integer end
             and receipt.pending_ref = concat(stated ->> 'blockHash', ':', stated ->> 'logIndex', '#', stated ->> 'occurrence')
             and receipt.provider_ref = case receipt.outcome
                   when 'paid' then concat(stated ->> 'txHash', ':', stated ->> 'ordinal')
                   else concat(stated ->> 'blockHash', ':', stated ->> 'logIndex') end as "isEvident"
      from receipt
     cross join lateral (select convert_from(receipt.evidence, 'UTF8')::json as stated) as evidence
     where receipt.connection = ${connection} and receipt.outcome not in ('refunded', 'refund_failed')
       and (receipt.provider_ref, receipt.outcome, receipt.occurrence) > (${providerRef}, ${outcome}, ${occurrence})
     order by receipt.connection, receipt.provider_ref, receipt.outcome, receipt.occurrence
     limit ${limit}`
}

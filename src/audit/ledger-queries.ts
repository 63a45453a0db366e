// The SQL of the books' inspections. Every statement reads one page by key.
import { type Sql, list } from '#/db/client.ts'
import type { Cut } from '#/db/inspection.ts'
import { rowsOf } from '#/db/rows.ts'
import {
  type ChainedAccount,
  type ChainedAuditEntry,
  type ChainedEvent,
  type ChainedTransfer,
  sealsMax,
} from '#/ledger/chain.ts'

/** The head, or the end of the batch `upTo` when it is given. */
export async function selectCut(sql: Sql, cell: string, upTo?: bigint): Promise<Cut | undefined> {
  const [cut] =
    upTo === undefined
      ? await sql<Cut[]>`select batch, transfer, account, hash, at from head where cell = ${cell}`
      : await sql<Cut[]>`
          select number as batch, transfer_to as transfer, account_to as account, hash, at from batch where number = ${upTo}`
  return cut
}

export type BatchRow = {
  readonly number: bigint
  readonly id: string
  readonly transferFrom: bigint
  readonly transferTo: bigint
  readonly accountFrom: bigint
  readonly accountTo: bigint
  readonly events: number
  readonly at: Date
  /** Whether the instant is one of whole milliseconds, as the chain writes it. */
  readonly isWhole: boolean
  readonly prev: Buffer
  readonly hash: Buffer
  /** How many entries of the audit log it seals, counted up to one more than a batch may. */
  readonly seals: bigint
}

export function selectBatches(
  sql: Sql,
  after: bigint,
  upTo: bigint,
  limit: number,
): Promise<readonly BatchRow[]> {
  return sql<BatchRow[]>`
    select number, id, transfer_from as "transferFrom", transfer_to as "transferTo", account_from as "accountFrom",
           account_to as "accountTo", events, at, at = date_trunc('milliseconds', at) as "isWhole", prev, hash,
           (select count(*) from (select from audit_seal where audit_seal.batch = batch.number limit ${sealsMax + 1}) as counted) as seals
      from batch
     where number > ${after} and number <= ${upTo}
     order by number
     limit ${limit}`
}

type AuditKeyRow = { readonly firstBatch: bigint; readonly fingerprint: Buffer }

/**
 * The audit keys, each with the number of the first batch that it made. A key that made no batch comes before the other key of
 * the same batch.
 */
export function selectAuditKeys(sql: Sql): Promise<readonly AuditKeyRow[]> {
  return sql<AuditKeyRow[]>`
    select first_batch as "firstBatch", fingerprint from audit_key order by first_batch, change`
}

type Range = { readonly from: bigint; readonly to: bigint }
export type BatchTransfer = ChainedTransfer & { readonly batch: bigint }
export type BatchAccount = ChainedAccount & { readonly batch: bigint }
export type BatchEvent = ChainedEvent & { readonly batch: bigint }

export function selectBatchTransfers(
  sql: Sql,
  { from, to }: Range,
  limit: bigint,
): Promise<readonly BatchTransfer[]> {
  return sql<BatchTransfer[]>`
    select number, batch, subject, step, kind, debit, credit, minor, cause
      from transfer where number > ${from} and number <= ${to} order by number limit ${limit}`
}

/** `floored` is stored with the balance; the hash of the batch covers the value at the opening of the account. */
export function selectBatchAccounts(
  sql: Sql,
  { from, to }: Range,
  limit: bigint,
): Promise<readonly BatchAccount[]> {
  return sql<BatchAccount[]>`
    select account.id, account.batch, account.mode, account.name, account.currency, account.side,
           coalesce(balance.floored, false) as floored
      from account left join balance on balance.account_id = account.id
     where account.id > ${from} and account.id <= ${to}
     order by account.id
     limit ${limit}`
}

/** Of a body that was erased, the digest of what stood there. */
export function selectBatchEvents(
  sql: Sql,
  { from, to }: Range,
  limit: bigint,
): Promise<readonly BatchEvent[]> {
  return sql<BatchEvent[]>`
    select event.merchant_id as "merchantId", sequence, id, type,
           coalesce(erased.before_digest, sha256(convert_to(body, 'UTF8'))) as "bodyHash", batch
      from event
      left join erased on erased.merchant_id = event.merchant_id and erased.place = 'event.body' and erased.key = event.sequence::text
     where batch >= ${from} and batch <= ${to} order by batch, event.merchant_id, sequence limit ${limit}`
}

export type BatchSeal = { readonly batch: bigint; readonly position: number; readonly digest: Buffer }

export function selectBatchSeals(
  sql: Sql,
  { from, to }: Range,
  limit: bigint,
): Promise<readonly BatchSeal[]> {
  return sql<BatchSeal[]>`
    select batch, position, digest from audit_seal where batch >= ${from} and batch <= ${to} order by batch, position limit ${limit}`
}

type End = {
  readonly head: Cut | null
  readonly last: Cut | null
  /** The fingerprint of the audit key that makes the next batch. */
  readonly auditKey: Buffer | null
  /** Rows with numbers that no batch has given. */
  readonly strays: readonly string[]
  /** Heads of other cells. */
  readonly foreign: readonly string[]
}

/** The head, the last batch, and the rows outside of all batches, all read at one instant. */
export async function selectEnd(sql: Sql, cell: string): Promise<End> {
  type Row = { [Name in keyof Cut as `head_${Name}` | `last_${Name}`]: Cut[Name] | null } & {
    strays: string[]
    foreign: string[]
    audit_key: Buffer | null
  }
  const [row] = await sql<Row[]>`
    with any_head as (select * from head), head as (select * from any_head where cell = ${cell}),
         last as (select * from batch order by number desc limit 1)
    select head.batch as head_batch, head.transfer as head_transfer, head.account as head_account, head.hash as head_hash,
           head.at as head_at, head.audit_key, last.number as last_batch, last.transfer_to as last_transfer,
           last.account_to as last_account, last.hash as last_hash, last.at as last_at,
           array(select 'batch ' || number from batch where number < 1 order by number limit 10)
             || array(select 'transfer ' || number from transfer
                       where number < 1 or number > (select transfer from head) order by number limit 10)
             || array(select 'account ' || id from account
                       where id < 1 or id > (select account from head) order by id limit 10)
             || array(select 'seal of audit entry ' || id from audit_seal
                       where batch < 1 or batch > (select batch from head) order by batch, position limit 10) as strays,
           array(select 'head ' || cell from any_head where cell <> ${cell} order by cell limit 10) as "foreign"
      from (values (1)) as always (one) left join head on true left join last on true`
  return {
    head: row ? endOf(row, 'head') : null,
    last: row ? endOf(row, 'last') : null,
    auditKey: row?.audit_key ?? null,
    strays: row?.strays ?? [],
    foreign: row?.foreign ?? [],
  }
}

function endOf(row: Readonly<Record<string, unknown>>, name: 'head' | 'last'): Cut | null {
  const { [`${name}_batch`]: batch, [`${name}_transfer`]: transfer, [`${name}_account`]: account } = row
  const { [`${name}_hash`]: hash, [`${name}_at`]: at } = row
  return batch === null ? null : ({ batch, transfer, account, hash, at } as Cut)
}

export type TransferRow = {
  /** Of the debited account; null: it is not there. */
  readonly currency: string | null
  readonly number: bigint
  readonly minor: bigint
  readonly debit: bigint
  readonly credit: bigint
  readonly isOfOneKind: boolean | null
  readonly debitSide: string | null
  readonly creditSide: string | null
  readonly debitMinor: bigint | null
  readonly creditMinor: bigint | null
}

/** Transfers after a number with the two entries that each must have. */
export function selectTransfers(
  sql: Sql,
  after: bigint,
  upTo: bigint,
  limit: number,
): Promise<readonly TransferRow[]> {
  return sql<TransferRow[]>`
    select transfer.number, transfer.minor, transfer.debit, transfer.credit, debit.currency,
           debit.mode = credit.mode and debit.currency = credit.currency as "isOfOneKind",
           debit.side as "debitSide", credit.side as "creditSide",
           debit_entry.minor as "debitMinor", credit_entry.minor as "creditMinor"
      from (select * from transfer where number > ${after} and number <= ${upTo} order by number limit ${limit}) as transfer
      left join account as debit on debit.id = transfer.debit
      left join account as credit on credit.id = transfer.credit
      left join entry as debit_entry on debit_entry.account_id = transfer.debit and debit_entry.transfer = transfer.number
      left join entry as credit_entry on credit_entry.account_id = transfer.credit and credit_entry.transfer = transfer.number
     order by transfer.number`
}

export type EntryRow = {
  readonly account: bigint
  readonly transfer: bigint
  readonly minor: bigint
  readonly balance: bigint
  /** Null when there is no such account. */
  readonly side: string | null
  /** Mode and currency, in which all debits equal all credits. */
  readonly book: string | null
  readonly floored: boolean | null
  /** Whether the transfer is there and names the account. */
  readonly isNamed: boolean
}

/** Entries account by account, each in the order of its transfers. */
export function selectEntries(
  sql: Sql,
  after: Pick<EntryRow, 'account' | 'transfer'>,
  limit: number,
): Promise<readonly EntryRow[]> {
  return sql<EntryRow[]>`
    select entry.account_id as account, entry.transfer, entry.minor, entry.balance, account.side,
           account.mode || ' ' || account.currency as book, balance.floored,
           coalesce(entry.account_id in (transfer.debit, transfer.credit), false) as "isNamed"
      from (select * from entry
             where (account_id, transfer) > (${after.account}, ${after.transfer})
             order by account_id, transfer limit ${limit}) as entry
      left join transfer on transfer.number = entry.transfer
      left join account on account.id = entry.account_id
      left join balance on balance.account_id = entry.account_id
     order by entry.account_id, entry.transfer`
}

type Standing = { readonly account: bigint; readonly last: bigint; readonly entries: bigint }

type BalanceRow = Standing & {
  readonly minor: bigint | null
  readonly counted: bigint | null
  /** Entries written since the account was read. */
  readonly newer: bigint
  readonly lastBalance: bigint | null
}

/** The balances of these accounts and what their entries say, at one instant. Each account was read up to a transfer. */
export function selectBalancesOf(sql: Sql, standings: readonly Standing[]): Promise<readonly BalanceRow[]> {
  return sql<BalanceRow[]>`
    select walked.account, walked.last, walked.entries, balance.minor, balance.entries as counted,
           (select count(*) from entry where account_id = walked.account and transfer > walked.last) as newer,
           (select entry.balance from entry where account_id = walked.account
             order by transfer desc limit 1) as "lastBalance"
      from ${rowsOf(sql, 'walked', standings, { account: 'bigint', last: 'bigint', entries: 'bigint' })}
      left join balance on balance.account_id = walked.account`
}

export type AccountRow = {
  readonly id: bigint
  readonly hasBalance: boolean
  readonly hasEntry: boolean
  /** As the balance row states it; null for a balance that was not written since the column exists. */
  readonly balanceCurrency: string | null
  readonly currency: string
}

export function selectAccounts(sql: Sql, after: bigint, limit: number): Promise<readonly AccountRow[]> {
  return sql<AccountRow[]>`
    select account.id, account.currency, balance.currency as "balanceCurrency", balance.account_id is not null as "hasBalance",
           exists (select from entry where account_id = account.id) as "hasEntry"
      from (select id, currency from account where id > ${after} order by id limit ${limit}) as account
      left join balance on balance.account_id = account.id
     order by account.id`
}

export function selectBalanceOwners(
  sql: Sql,
  after: bigint,
  limit: number,
): Promise<readonly { id: bigint; hasAccount: boolean }[]> {
  return sql<{ id: bigint; hasAccount: boolean }[]>`
    select balance.account_id as id, account.id is not null as "hasAccount"
      from (select account_id from balance where account_id > ${after} order by account_id limit ${limit}) as balance
      left join account on account.id = balance.account_id
     order by balance.account_id`
}

/** Whether a trigger of each table refuses changes, and whether this role has the privilege to change it. */
export async function selectUnguarded(
  sql: Sql,
  tables: readonly string[],
): Promise<readonly { table: string; hasTrigger: boolean; mayChange: boolean }[]> {
  return sql<{ table: string; hasTrigger: boolean; mayChange: boolean }[]>`
    select wanted.name as table,
           exists (select from pg_trigger
                    where tgrelid = wanted.name::regclass and tgname = wanted.name || '_append_only'
                      and tgenabled in ('O', 'A')) as "hasTrigger",
           not pg_has_role(pg_class.relowner, 'usage')
             and has_table_privilege(pg_class.oid, 'update, delete, truncate') as "mayChange"
      from unnest(${list(tables)}::text[]) as wanted (name)
      join pg_class on pg_class.oid = wanted.name::regclass`
}

/** The balance of an account after a transfer. Zero when it was never used. */
export async function selectBalanceAt(sql: Sql, mode: string, name: string, upTo: bigint): Promise<bigint> {
  const [row] = await sql<{ balance: bigint }[]>`
    select entry.balance
      from account join entry on entry.account_id = account.id
     where account.mode = ${mode} and account.name = ${name} and entry.transfer <= ${upTo}
     order by entry.transfer desc
     limit 1`
  return row?.balance ?? 0n
}

export type AuditEntryRow = ChainedAuditEntry & {
  /** Of the seal; null: no batch covers the entry. */
  readonly batch: bigint | null
  readonly digest: Buffer | null
  readonly isWaiting: boolean
  /** Whether it is older than ten minutes, and more than ten minutes older than the entry that was sealed last. */
  readonly isLeftBehind: boolean
}

/** Entries with their seals. One statement reads one instant, so an entry without a seal waits for one. */
export function selectAuditEntries(
  sql: Sql,
  after: string,
  limit: number,
): Promise<readonly AuditEntryRow[]> {
  return sql<AuditEntryRow[]>`
    select log.id, timestamptz_send(log.at) as at, actor_kind as "actorKind", actor_id as "actorId", action, subject,
           merchant_id as "merchantId", sha256(convert_to(before::text, 'UTF8')) as "beforeHash",
           sha256(convert_to(after::text, 'UTF8')) as "afterHash", reason, address, request_id as "requestId",
           seal.batch, seal.digest,
           (select true from audit_unsealed where audit_unsealed.id = log.id) is not null as "isWaiting",
           log.at < least(clock_timestamp(), newest.at) - interval '10 minutes' as "isLeftBehind"
      from (select * from audit_log where id > ${after} order by id limit ${limit}) as log
      left join audit_seal as seal on seal.id = log.id
     cross join (select coalesce((select last.at from audit_seal join audit_log as last using (id)
                                   order by audit_seal.batch desc, position desc limit 1), '-infinity') as at) as newest
     order by log.id`
}

/** Seals after an entry's id, and whether the entry is there. */
export function selectSeals(
  sql: Sql,
  after: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly batch: bigint; readonly hasEntry: boolean }[]> {
  return sql<{ id: string; batch: bigint; hasEntry: boolean }[]>`
    select seal.id, seal.batch, log.id is not null as "hasEntry"
      from (select id, batch from audit_seal where id > ${after} order by id limit ${limit}) as seal
      left join audit_log as log on log.id = seal.id
     order by seal.id`
}

/** What waits to be sealed, after an entry's id, and whether the entry is there. */
export function selectWaiting(
  sql: Sql,
  after: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly hasEntry: boolean }[]> {
  return sql<{ id: string; hasEntry: boolean }[]>`
    select unsealed.id, log.id is not null as "hasEntry"
      from (select id from audit_unsealed where id > ${after} order by id limit ${limit}) as unsealed
      left join audit_log as log on log.id = unsealed.id
     order by unsealed.id`
}

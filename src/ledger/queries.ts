// All SQL of the ledger. Every statement takes whole arrays: a batch costs the same few round trips at any size.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { lengthened } from '#/db/limits.ts'
import { invariant, must } from '#/kernel/check.ts'
import type { Mode } from '#/kernel/mode.ts'
import { isCurrency, type Currency } from '#/kernel/money.ts'
import { secondMs } from '#/kernel/time.ts'
import type { Transfer } from './apply.ts'
import type { BatchHeader, ChainedAccount, ChainedTransfer } from './chain.ts'
import type { AccountSpec, Side } from './chart.ts'
import type { Standing } from './fence.ts'

export type HeadRow = {
  readonly batch: bigint
  readonly transfer: bigint
  readonly account: bigint
  readonly hash: Buffer
  /** The fingerprint of the key that makes the next hash; null: not recorded yet. */
  readonly auditKey: Buffer | null
  /** Grows with each restore to an earlier moment. */
  readonly epoch: number
  /** The instant of the last batch. */
  readonly lastAt: Date
  /** The database's clock, read under the lock, in milliseconds. */
  readonly now: Date
  /** Whether commits wait for a standby. */
  readonly isSynchronous: boolean
}

/** All lanes wait for the head, so a transaction that is idle for so long while it holds it is ended. `begin` sets the other limits. */
const headIdleMs = secondMs

/**
 * In one round trip: the batch's timeouts, a place in the queue, the turn, and the head's lock. The advisory lock makes the
 * queue fair; the head's lock guards the head. `awaitBatch` waits for the turn. The clock is read in a later statement than the
 * locks, because a statement that waits for a row may have read the clock before the wait.
 */
export async function lockHead(tx: Tx, cell: string): Promise<HeadRow> {
  const results = await tx.unsafe<
    HeadRow[][]
  >(`set local idle_in_transaction_session_timeout = ${lengthened(headIdleMs)};
    select pg_advisory_xact_lock(hashtextextended('head of ${cell}', 0));
    select from turn for update;
    select batch, transfer, account, hash, audit_key as "auditKey", epoch, at as "lastAt",
           date_trunc('milliseconds', clock_timestamp()) as now, current_setting('synchronous_standby_names') <> '' as "isSynchronous"
      from head where cell = '${cell}' for update`)
  return must(results.at(-1)?.[0], `cell ${cell} has a head`)
}

/** Where the books stand, without a lock: for work that is only tried out. */
export async function selectMoment(tx: Tx): Promise<Pick<HeadRow, 'batch' | 'lastAt' | 'now'>> {
  const [row] = await tx<Pick<HeadRow, 'batch' | 'lastAt' | 'now'>[]>`
    select batch, at as "lastAt", date_trunc('milliseconds', clock_timestamp()) as now from head`
  return must(row, 'the cell has a head')
}

/** The end of the books, and what a process needs to decide whether they are the books that it knows. */
export type FoundStanding = Standing & {
  /** The hash of the first batch, which differs between books; null: there is no batch yet. */
  readonly first: Buffer | null
  /** The hash of the batch whose number was given; null: there is no such batch. */
  readonly hashAtNumber: Buffer | null
  /** A restore is repaired, and its first steps are not done: nothing may open. */
  readonly isClosed: boolean
}

/** Undefined in a new database. `number`: of a batch that the process knows. */
export async function selectStanding(sql: Sql, number: bigint): Promise<FoundStanding | undefined> {
  const [row] = await sql<FoundStanding[]>`
    select head.epoch, head.batch, head.hash,
           (select hash from batch where number = 1) as first,
           (select hash from batch where number = ${number}) as "hashAtNumber",
           exists (select from restore
                    where restore.epoch = head.epoch and opened_at is null
                      and (told_at is null
                           or (select count(*) from restore_review
                                where restore_review.epoch = restore.epoch
                                  and subject in ('KEYS', 'ROLES', 'LIMITS', 'DESTINATIONS')) < 4)) as "isClosed"
      from head`
  return row
}

/** Does nothing when there is a head, of whatever cell. `localNow`: this process's clock. The head starts at the earlier of the two clocks, because it never goes back. */
export async function insertHead(sql: Sql, cell: string, genesis: Buffer, localNow: Date): Promise<void> {
  await sql`
    insert into head (cell, batch, transfer, account, at, hash)
    values (${cell}, 0, 0, 0, least(date_trunc('milliseconds', clock_timestamp()), ${localNow}::timestamptz), ${genesis})
    on conflict do nothing`
}

/** The cell whose books these are; undefined in a new database. */
export async function selectCell(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ cell: string }[]>`select cell from head`
  return row?.cell
}

/** Records this audit key, if none is recorded: it made every batch until now. */
export async function ensureAuditKey(sql: Sql, fingerprint: Buffer): Promise<void> {
  await sql`
    with named as (
      update head set audit_key = ${fingerprint} where audit_key is null returning 1
    )
    insert into audit_key (first_batch, fingerprint, since)
    select 1, ${fingerprint}, clock_timestamp() from named
    on conflict (first_batch, change) do nothing`
}

/**
 * From the next batch on, `fingerprint` is the audit key. Called under the head's lock. `before`: the key that made the batches
 * until now. A key that has made no batch may be replaced again: of rows with the same first batch the last change counts.
 */
export async function changeAuditKey(
  tx: Tx,
  cell: string,
  head: Pick<HeadRow, 'batch' | 'auditKey'>,
  { before, fingerprint }: { readonly before: Buffer | undefined; readonly fingerprint: Buffer },
): Promise<void> {
  if (head.auditKey === null && before !== undefined && head.batch > 0n)
    await tx`insert into audit_key (first_batch, fingerprint, since) values (1, ${before}, clock_timestamp())`
  await tx`
    insert into audit_key (first_batch, change, fingerprint, since)
    select ${head.batch + 1n}, coalesce(max(change), 0) + 1, ${fingerprint}, clock_timestamp()
      from audit_key where first_batch = ${head.batch + 1n}`
  await tx`update head set audit_key = ${fingerprint} where cell = ${cell}`
}

/** Moves the head by compare-and-set and writes the batch. Returns how many heads moved; unless it is one, the batch must be aborted. */
export async function advanceHead(tx: Tx, header: BatchHeader, prev: Buffer, hash: Buffer): Promise<number> {
  const moved = await tx`
    with moved as (
      update head
         set batch = ${header.number}, transfer = ${header.transferTo}, account = ${header.accountTo},
             at = ${header.at}, hash = ${hash}
       where batch = ${header.number - 1n} and hash = ${prev}
      returning 1
    )
    insert into batch (number, id, transfer_from, transfer_to, account_from, account_to, events, at, prev, hash)
    select ${header.number}, ${header.id}, ${header.transferFrom}, ${header.transferTo}, ${header.accountFrom},
           ${header.accountTo}, ${header.events}, ${header.at}, ${prev}, ${hash}
      from moved
    returning 1`
  return moved.count
}

/**
 * Whether the batch with this id was committed. Waits for the head's lock, so that an unfinished commit is included. Taking the
 * lock is a write too, so its commit waits for the synchronous standby, which then has the batch too.
 */
export async function batchCommitted(sql: Sql, cell: string, id: string): Promise<boolean> {
  const found = await sql.begin(async (tx) => {
    await tx`select 1 from head where cell = ${cell} for update`
    const [row] = await tx`select 1 from batch where id = ${id}`
    return row !== undefined
  })
  return found
}

type StoredBalance = {
  readonly key: string
  readonly id: bigint
  /** The currency in which the account was opened. */
  readonly currency: Currency
  readonly minor: bigint
  readonly entries: bigint
}

/** The states of these accounts. Found by name alone, so an account that was opened in another currency is found too. */
export function selectBalances(tx: Tx, accounts: readonly AccountSpec[]): Promise<readonly StoredBalance[]> {
  return tx<StoredBalance[]>`
    select account.mode || '/' || account.name as key, account.id, account.currency, balance.minor, balance.entries
      from unnest(${list(accounts.map((account) => account.mode))}::text[], ${list(accounts.map((account) => account.name))}::text[])
           as wanted (mode, name)
      join account on account.mode = wanted.mode and account.name = wanted.name
      join balance on balance.account_id = account.id`
}

/** The transfers that these subjects made before, with their accounts. */
export async function selectTransfersOf(tx: Tx, subjects: readonly string[]): Promise<readonly Transfer[]> {
  type Row = Omit<Transfer, 'debit' | 'credit'> & { debit: AccountRow; credit: AccountRow }
  if (subjects.length === 0) return []
  const rows = await tx<Row[]>`
    select transfer.subject, transfer.step, transfer.kind, transfer.minor, transfer.cause,
           to_json(debit_account) as debit, to_json(credit_account) as credit
      from transfer
      join account as debit_account on debit_account.id = transfer.debit
      join account as credit_account on credit_account.id = transfer.credit
     where transfer.subject = any (${list(subjects)}::uuid[])`
  return rows.map((row) => ({ ...row, debit: toSpec(row.debit), credit: toSpec(row.credit) }))
}

type AccountRow = { mode: Mode; name: string; currency: string; side: Side }

/** An account as in the chart. `floored` is stored with the balance only, and has no effect here. */
function toSpec({ mode, name, currency, side }: AccountRow): AccountSpec {
  const checked = must(isCurrency(currency) ? currency : undefined, `currency ${currency}`)
  return { key: `${mode}/${name}`, mode, name, currency: checked, side, floored: false }
}

export async function insertAccounts(
  tx: Tx,
  accounts: readonly ChainedAccount[],
  batch: bigint,
): Promise<void> {
  await tx`
    insert into account (id, mode, name, currency, side, batch)
    select *, ${batch}::bigint
      from unnest(${list(accounts.map((each) => each.id))}::bigint[], ${list(accounts.map((each) => each.mode))}::text[],
                  ${list(accounts.map((each) => each.name))}::text[], ${list(accounts.map((each) => each.currency))}::text[],
                  ${list(accounts.map((each) => each.side))}::text[])`
}

export async function insertTransfers(
  tx: Tx,
  transfers: readonly ChainedTransfer[],
  batch: bigint,
): Promise<void> {
  await tx`
    insert into transfer (batch, number, subject, step, kind, debit, credit, minor, cause)
    select ${batch}::bigint, unnest(${list(transfers.map((each) => each.number))}::bigint[]),
           unnest(${list(transfers.map((each) => each.subject))}::uuid[]), unnest(${list(transfers.map((each) => each.step))}::text[]),
           unnest(${list(transfers.map((each) => each.kind))}::text[]), unnest(${list(transfers.map((each) => each.debit))}::bigint[]),
           unnest(${list(transfers.map((each) => each.credit))}::bigint[]), unnest(${list(transfers.map((each) => each.minor))}::bigint[]),
           unnest(${list(transfers.map((each) => each.cause))}::bytea[])`
}

/** One side of a transfer, with the balance after it. */
export type EntryRow = {
  readonly account: bigint
  readonly transfer: bigint
  readonly minor: bigint
  readonly balance: bigint
}

export async function insertEntries(tx: Tx, entries: readonly EntryRow[]): Promise<void> {
  await tx`
    insert into entry (account_id, transfer, minor, balance)
    select unnest(${list(entries.map((each) => each.account))}::bigint[]), unnest(${list(entries.map((each) => each.transfer))}::bigint[]),
           unnest(${list(entries.map((each) => each.minor))}::bigint[]), unnest(${list(entries.map((each) => each.balance))}::bigint[])`
}

type BalanceRow = {
  readonly id: bigint
  readonly currency: Currency
  readonly minor: bigint
  readonly entries: bigint
}

export async function writeBalances(tx: Tx, balances: readonly BalanceRow[]): Promise<void> {
  if (balances.length === 0) return
  const result = await tx`
    update balance
       set minor = changed.minor, entries = changed.entries, currency = changed.currency
      from (select unnest(${list(balances.map((each) => each.id))}::bigint[]) as id,
                   unnest(${list(balances.map((each) => each.minor))}::bigint[]) as minor,
                   unnest(${list(balances.map((each) => each.entries))}::bigint[]) as entries,
                   unnest(${list(balances.map((each) => each.currency))}::text[]) as currency) as changed
     where balance.account_id = changed.id`
  invariant(result.count === balances.length, 'every account that was opened has a balance')
}

export async function insertBalances(
  tx: Tx,
  balances: readonly (BalanceRow & { readonly floored: boolean })[],
): Promise<void> {
  await tx`
    insert into balance (account_id, minor, entries, floored, currency)
    select *
      from unnest(${list(balances.map((each) => each.id))}::bigint[], ${list(balances.map((each) => each.minor))}::bigint[],
                  ${list(balances.map((each) => each.entries))}::bigint[], ${list(balances.map((each) => each.floored))}::boolean[],
                  ${list(balances.map((each) => each.currency))}::text[])`
}

// The SQL of the figures that one process reads from the database for /metrics. Each reads a bounded number of rows.
import type { Sql, Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'

/** Rows that are read of what has not ended. */
const openMax = 10_000

/** How many of the latest batches are read. */
const batchesMax = 100

export type OpenByAge = {
  readonly under1h: number
  readonly under1d: number
  readonly under3d: number
  readonly older: number
}

function byAge(sql: Sql | Tx) {
  const younger = (than: string) => sql`created_at > ${dueNow(sql)} - ${than}::text::interval`
  return sql`count(*) filter (where ${younger('1 hour')})::integer as "under1h",
             count(*) filter (where not ${younger('1 hour')} and ${younger('1 day')})::integer as "under1d",
             count(*) filter (where not ${younger('1 day')} and ${younger('3 days')})::integer as "under3d",
             count(*) filter (where not ${younger('3 days')})::integer as older`
}

/** Refunds that have not ended, by how long ago they were requested. */
export async function selectOpenRefunds(sql: Sql | Tx): Promise<OpenByAge> {
  const [row] = await sql<OpenByAge[]>`
    select ${byAge(sql)}
      from (select created_at from refund where status = 'PENDING' limit ${openMax}) as open`
  return must(row, 'a count has a row')
}

/** Withdrawals that were accepted and have not ended. */
export async function selectOpenWithdrawals(sql: Sql | Tx): Promise<OpenByAge> {
  const [row] = await sql<OpenByAge[]>`
    select ${byAge(sql)}
      from (select created_at from withdrawal where status in ('PENDING', 'PROCESSING') limit ${openMax}) as open`
  return must(row, 'a count has a row')
}

export type HeadFigures = {
  readonly batch: bigint
  readonly transfer: bigint
  /** Of the latest batches: numbers that are missing, ranges that do not follow, a head that is not the last batch. */
  readonly violations: number
}

/** The head of the books, and whether the latest batches follow one another up to it. All of the books: `./vintem verify`. */
export async function selectHeadFigures(sql: Sql | Tx, cell: string): Promise<HeadFigures | undefined> {
  const [row] = await sql<HeadFigures[]>`
    with latest as materialized (
      select number, transfer_from, transfer_to, account_from, account_to, prev, hash
        from batch order by number desc limit ${batchesMax}
    ), steps as (
      select number <> lag(number) over latest_first - 1 or transfer_to <> lag(transfer_from) over latest_first
               or account_to <> lag(account_from) over latest_first or hash <> lag(prev) over latest_first as is_broken
        from latest
      window latest_first as (order by number desc)
    ), tip as (
      select number, transfer_to, account_to, hash from latest order by number desc limit 1
    )
    select head.batch, head.transfer,
           ((select count(*) from steps where is_broken)
             + case when head.batch = coalesce(tip.number, 0) and head.transfer = coalesce(tip.transfer_to, 0)
                          and head.account = coalesce(tip.account_to, 0) and (tip.hash is null or head.hash = tip.hash)
                 then 0 else 1 end)::integer as violations
      from head
      left join tip on true
     where head.cell = ${cell}`
  return row
}

export type LastVerify = { readonly ageSeconds: number; readonly ok: boolean }

/** The last run of verify that an operator requested in the console, if there was one. */
export async function selectLastVerify(sql: Sql | Tx): Promise<LastVerify | undefined> {
  const [row] = await sql<LastVerify[]>`
    select extract(epoch from ${dueNow(sql)} - ended_at)::float8 as "ageSeconds", coalesce(result ->> 'ok' = 'true', false) as ok
      from (select ended_at, result from operator_job
             where kind = 'verify' and status = 'DONE' order by id desc limit 1) as last`
  return row
}

export type DatabaseFigures = {
  readonly connections: number
  readonly connectionsMax: number
  /** Of our own transactions: those of other roles are hidden from us. */
  readonly longestTransactionSeconds: number
  /** Transaction ids since the oldest row that is not frozen. */
  readonly transactionIdAge: number
  readonly transactionIdAgeMax: number
  readonly deadRows: bigint
  /** Of tables with more than a thousand dead rows. */
  readonly deadRatioMax: number
  /** Since the last autovacuum of any table; negative when there was none. */
  readonly autovacuumAgeSeconds: number
}

/** What PostgreSQL reports of this database. There is a row for each of our tables, and for each connection of ours. */
export async function selectDatabaseFigures(sql: Sql | Tx): Promise<DatabaseFigures> {
  const [row] = await sql<DatabaseFigures[]>`
    select (select coalesce(sum(numbackends), 0) from pg_stat_database)::integer as connections,
           current_setting('max_connections')::integer as "connectionsMax",
           (select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8
              from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) as "longestTransactionSeconds",
           (select age(datfrozenxid) from pg_database where datname = current_database()) as "transactionIdAge",
           current_setting('autovacuum_freeze_max_age')::integer as "transactionIdAgeMax",
           coalesce(sum(n_dead_tup), 0)::bigint as "deadRows",
           coalesce(max(n_dead_tup::float8 / (n_live_tup + n_dead_tup)) filter (where n_dead_tup > 1000), 0)::float8 as "deadRatioMax",
           coalesce(extract(epoch from clock_timestamp() - max(last_autovacuum)), -1)::float8 as "autovacuumAgeSeconds"
      from pg_stat_user_tables`
  return must(row, 'an aggregate has a row')
}

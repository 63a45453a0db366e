// The SQL of the console: what waits for an operator, the load of today, and the lists of merchants, fees, connections and freezes, each
// page of which is read from an index.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { minuteMs } from '#/kernel/time.ts'
import type { Freeze } from '#/merchants/freeze.ts'
import type { Method } from '#/rails/method.ts'

export type ListedMerchant = {
  readonly id: MerchantId
  readonly mode: Mode
  readonly name: string
  readonly createdAt: Date
  readonly isSuspended: boolean
  readonly isFrozen: boolean
  /** Of a sandbox that was archived. */
  readonly archivedAt: Date | null
}

function merchantColumns(sql: Sql) {
  return sql`merchant.id, merchant.mode, merchant.name, merchant.created_at as "createdAt",
             exists (select from money_freeze where money_freeze.merchant_id = merchant.id and kind = 'SUSPENSION') as "isSuspended",
             exists (select from money_freeze where money_freeze.merchant_id = merchant.id and kind = 'FREEZE') as "isFrozen",
             (select archived_at from sandbox where sandbox.merchant_id = merchant.id) as "archivedAt"`
}

/** As the list names them: an archived merchant is only archived, and a suspended one is not also shown as frozen. */
export const merchantStates = ['active', 'suspended', 'frozen', 'archived'] as const
export type MerchantState = (typeof merchantStates)[number]

export type MerchantFilter = { readonly mode?: Mode; readonly state?: MerchantState }

/** The condition of a filter, after an `and`. */
function matching(sql: Sql, { mode, state }: MerchantFilter) {
  const kept = (kind: string) =>
    sql`merchant.id in (select merchant_id from money_freeze where kind = ${kind} and merchant_id is not null)`
  const archived = sql`merchant.id in (select merchant_id from sandbox where archived_at is not null)`
  const open = sql`not (${archived})`
  const states = {
    active: sql`${open} and not (${kept('SUSPENSION')}) and not (${kept('FREEZE')})`,
    suspended: sql`${kept('SUSPENSION')} and ${open}`,
    frozen: sql`${kept('FREEZE')} and not (${kept('SUSPENSION')}) and ${open}`,
    archived,
  }
  return sql`${state === undefined ? sql`true` : states[state]} ${mode === undefined ? sql`` : sql`and merchant.mode = ${mode}`}`
}

/** One page of all merchants that fit the filter, newest first; of one only if its id is given. */
export function selectMerchantPage(
  sql: Sql,
  page: MerchantFilter & {
    readonly id?: MerchantId
    readonly before?: MerchantId
    readonly limit: number
  },
): Promise<readonly ListedMerchant[]> {
  const { id, before } = page
  return sql<ListedMerchant[]>`
    select ${merchantColumns(sql)}
      from merchant
     where ${matching(sql, page)}
           ${id === undefined ? sql`` : sql`and merchant.id = ${id}`}
           ${before === undefined ? sql`` : sql`and merchant.id < ${before}`}
     order by merchant.id desc
     limit ${page.limit}`
}

/** One page of the merchants that fit the filter and whose name begins with these letters, in any case, by name. */
export function selectMerchantsNamed(
  sql: Sql,
  page: MerchantFilter & {
    readonly prefix: string
    readonly after?: MerchantId
    readonly limit: number
  },
): Promise<readonly ListedMerchant[]> {
  const { after } = page
  // The largest character: every name that begins with the prefix lies before it.
  const end = `${page.prefix}\u{10FFFF}`
  return sql<ListedMerchant[]>`
    select ${merchantColumns(sql)}
      from merchant
     where ${matching(sql, page)}
       and lower(name) collate "C" >= lower(${page.prefix}::text) collate "C" and lower(name) collate "C" < lower(${end}::text) collate "C"
       ${
         after === undefined
           ? sql``
           : sql`and (lower(name) collate "C", id) > ((select lower(named.name) collate "C" from merchant as named where named.id = ${after}), ${after}::uuid)`
       }
     order by lower(name) collate "C", id
     limit ${page.limit}`
}

/** One merchant as the list shows it. */
export async function selectListedMerchant(sql: Sql, id: MerchantId): Promise<ListedMerchant | undefined> {
  const [row] = await sql<ListedMerchant[]>`select ${merchantColumns(sql)} from merchant where id = ${id}`
  return row
}

export type PastFee = {
  readonly fixedMinor: bigint
  readonly ratePpm: bigint
  readonly validFrom: Date
  readonly validTo: Date
}

/**
 * The replaced rules of one merchant, method and currency, the latest first. `before`: the beginning of the last one of the page before.
 */
export function selectFeeHistory(
  sql: Sql,
  rule: { readonly merchantId: MerchantId; readonly method: string; readonly currency: Currency },
  page: { readonly before?: Date; readonly limit: number },
): Promise<readonly PastFee[]> {
  const { merchantId, method, currency } = rule
  return sql<PastFee[]>`
    select fixed_minor as "fixedMinor", rate_ppm as "ratePpm", valid_from as "validFrom", valid_to as "validTo"
      from fee_rule_past
     where merchant_id = ${merchantId} and method = ${method} and currency = ${currency}
       ${page.before === undefined ? sql`` : sql`and valid_from < ${page.before}`}
     order by valid_from desc
     limit ${page.limit}`
}

export type ListedConnection = {
  readonly id: ConnectionId
  readonly merchantId: MerchantId | null
  readonly merchantName: string | null
  readonly mode: Mode
  readonly method: string
  readonly provider: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly canRefund: boolean
  readonly isActive: boolean
  readonly archivedAt: Date | null
  readonly createdAt: Date
  readonly changedAt: Date
}

function connectionColumns(sql: Sql | Tx) {
  return sql`connection.id, connection.merchant_id as "merchantId", merchant.name as "merchantName", connection.mode,
             connection.method, connection.provider, connection.settings, connection.sealed_refunds is not null as "canRefund",
             connection.is_active as "isActive", connection.archived_at as "archivedAt", connection.created_at as "createdAt",
             connection.changed_at as "changedAt"`
}

/** One page of the connections by id, without their secrets: all, those of one merchant, or those that all merchants of a mode share. */
export function selectConnectionPage(
  sql: Sql | Tx,
  page: { readonly of?: MerchantId | 'shared'; readonly after?: string; readonly limit: number },
): Promise<readonly ListedConnection[]> {
  const of =
    page.of === undefined
      ? sql`true`
      : page.of === 'shared'
        ? sql`connection.merchant_id is null`
        : sql`connection.merchant_id = ${page.of}`
  return sql<ListedConnection[]>`
    select ${connectionColumns(sql)}
      from connection
      left join merchant on merchant.id = connection.merchant_id
     where ${of} ${page.after === undefined ? sql`` : sql`and connection.id > ${page.after}`}
     order by connection.id
     limit ${page.limit}`
}

export async function selectListedConnection(
  sql: Sql,
  id: ConnectionId,
): Promise<ListedConnection | undefined> {
  const [row] = await sql<ListedConnection[]>`
    select ${connectionColumns(sql)}
      from connection
      left join merchant on merchant.id = connection.merchant_id
     where connection.id = ${id}`
  return row
}

export type ListedFreeze = Omit<Freeze, 'rail'> & {
  readonly rail: Method | null
  readonly merchantName: string | null
}

/** One page of what is frozen or suspended, the oldest first. */
export function selectFreezePage(
  sql: Sql,
  page: { readonly after?: string; readonly limit: number },
): Promise<readonly ListedFreeze[]> {
  return sql<ListedFreeze[]>`
    select money_freeze.id, kind, merchant_id as "merchantId", merchant.name as "merchantName", rail, reason,
           decided_by as "decidedBy", at
      from money_freeze
      left join merchant on merchant.id = merchant_id
     ${page.after === undefined ? sql`` : sql`where money_freeze.id > ${page.after}`}
     order by money_freeze.id
     limit ${page.limit}`
}

/** The freeze and the suspension of one merchant, as far as there are any. */
export function selectFreezesOf(
  sql: Sql,
  merchantId: MerchantId,
): Promise<readonly Pick<Freeze, 'kind' | 'reason' | 'decidedBy' | 'at'>[]> {
  return sql<Pick<Freeze, 'kind' | 'reason' | 'decidedBy' | 'at'>[]>`
    select kind, reason, decided_by as "decidedBy", at
      from money_freeze
     where kind in ('FREEZE', 'SUSPENSION') and merchant_id = ${merchantId} and rail is null
     order by kind`
}

export type Attention = {
  /** Requests of one person that another one decides. */
  readonly approvals: number
  readonly suspense: number
  readonly parked: number
  readonly typos: number
  /** Movements on bank accounts that have the name of another one. */
  readonly held: number
  /** Money on bank accounts in currencies that the books do not have. */
  readonly foreign: number
  /** Files of payments that nobody has taken. */
  readonly paymentFiles: number
  /** Withdrawals whose end a person has to find out. */
  readonly withdrawals: number
  /** Wallets of ours that send nothing more. */
  readonly wallets: number
}

export async function selectAttention(sql: Sql, most: number): Promise<Attention> {
  const [row] = await sql<Attention[]>`
    select (select count(*) from (select from operator_proposal where status = 'OPEN' limit ${most}) as each)::integer as approvals,
           (select count(*)
              from (select from unmatched where resolved_at is null and outcome = 'paid' and amount_minor > 0 limit ${most}) as each)::integer as suspense,
           (select count(*) from (select from inbox where parked limit ${most}) as each)::integer as parked,
           (select count(*) from (select from sepa_entry where kind = 'PROPOSED' limit ${most}) as each)::integer as typos,
           (select count(*) from (select from sepa_entry where kind = 'HELD' limit ${most}) as each)::integer as held,
           (select count(*) from (select from sepa_foreign where decided_at is null limit ${most}) as each)::integer as "foreign",
           (select count(*) from (select from sepa_batch where taken_at is null limit ${most}) as each)::integer as "paymentFiles",
           (select count(*) from (select from withdrawal where review_required limit ${most}) as each)::integer as withdrawals,
           (select count(*) from hot_wallet where stopped is not null)::integer as wallets`
  return must(row, 'counts are one row')
}

/** What the books took in the last minutes. */
export type BooksLoad = {
  readonly minutes: number
  readonly batches: number
  readonly transfers: number
  readonly events: number
}

/**
 * The books' load over some minutes before now, by the database's clock. Transfers and batches are numbered without gaps, so two rows give
 * them; events are added up over at most `batchesMax` batches, and are absent above that.
 */
export async function selectBooksLoad(
  sql: Sql,
  cell: string,
  minutes: number,
  batchesMax: number,
): Promise<Omit<BooksLoad, 'events'> & { readonly events: number | null }> {
  const [row] = await sql<{ batches: number; transfers: number; events: number | null }[]>`
    with present as (
      select batch, transfer from head where cell = ${cell}
    ), before as (
      select number, transfer_to from batch
       where at < ${dueIn(sql, -minutes * minuteMs)}
       order by at desc, number desc
       limit 1
    )
    select (present.batch - coalesce(before.number, 0))::integer as batches,
           (present.transfer - coalesce(before.transfer_to, 0))::integer as transfers,
           case when present.batch - coalesce(before.number, 0) <= ${batchesMax}
             then (select coalesce(sum(events), 0) from batch where number > coalesce(before.number, 0))::integer end as events
      from present
      left join before on true`
  return { minutes, ...(row ?? { batches: 0, transfers: 0, events: 0 }) }
}

export type TallyLoad = { readonly figure: 'CREATED' | 'PAID'; readonly count: bigint; readonly read: number }

/** Payments of today, in UTC, of all merchants, by the tally; `read`: rows that were added up, at most `rowsMax`. */
export function selectTallyLoad(sql: Sql, rowsMax: number): Promise<readonly TallyLoad[]> {
  return sql<TallyLoad[]>`
    select figure, sum(count)::bigint as count, count(*)::integer as read
      from (select figure, count from insight_day
             where day = (${dueNow(sql)} at time zone 'UTC')::date and figure in ('CREATED', 'PAID')
             limit ${rowsMax}) as today
     group by figure`
}

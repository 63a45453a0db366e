// The SQL of the console's lists of merchants, fees and connections: each page is read from an index.
import type { Sql, Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'

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

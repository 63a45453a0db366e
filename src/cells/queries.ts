// All SQL of the directory of cells.
import type { Sql, Tx } from '#/db/client.ts'
import { list } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Cell, CellPlaces, CellState } from './cell.ts'

type CellRow = Omit<Cell, 'callbackHost' | 'dashboardHost' | 'books'> & {
  readonly callbackHost: string | null
  readonly dashboardHost: string | null
  readonly books: string | null
}

/** All cells, by their codes. */
export async function selectCells(sql: Sql | Tx): Promise<readonly Cell[]> {
  const rows = await sql<CellRow[]>`
    select code, state, is_default as "isDefault", servers, callback_host as "callbackHost",
           dashboard_host as "dashboardHost", books
      from cell order by code`
  return rows.map(({ callbackHost, dashboardHost, books, ...cell }) => ({
    ...cell,
    ...(callbackHost === null ? {} : { callbackHost }),
    ...(dashboardHost === null ? {} : { dashboardHost }),
    ...(books === null ? {} : { books }),
  }))
}

/** Inserts the cell, as the default one when there is no other. False when the code is taken. */
export async function insertCell(tx: Tx, code: string, places: CellPlaces): Promise<boolean> {
  const { servers, callbackHost = null, dashboardHost = null, books = null } = places
  const inserted = await tx`
    insert into cell (code, is_default, servers, callback_host, dashboard_host, books)
    values (${code}, not exists (select from cell), ${list(servers)}::text[], ${callbackHost}, ${dashboardHost}, ${books})
    on conflict (code) do nothing
    returning code`
  return inserted.length === 1
}

/** Changes what is given, and nothing else. False when there is no such cell. */
export async function updateCell(
  tx: Tx,
  code: string,
  {
    state,
    servers,
    callbackHost,
    dashboardHost,
    books,
  }: Partial<CellPlaces> & { readonly state?: CellState },
): Promise<boolean> {
  const updated = await tx`
    update cell
       set state = coalesce(${state ?? null}, state),
           servers = coalesce(${servers === undefined ? null : list(servers)}::text[], servers),
           callback_host = coalesce(${callbackHost ?? null}, callback_host),
           dashboard_host = coalesce(${dashboardHost ?? null}, dashboard_host),
           books = coalesce(${books ?? null}, books),
           changed_at = clock_timestamp()
     where code = ${code}
    returning code`
  return updated.length === 1
}

/** Makes this cell the default one. False when there is no such cell. */
export async function moveDefault(tx: Tx, code: string): Promise<boolean> {
  await tx`update cell set is_default = false where is_default and code <> ${code}`
  const updated = await tx`update cell set is_default = true where code = ${code} returning code`
  return updated.length === 1
}

/** Serializes the changes of cells until the end of the transaction. */
export async function lockCells(tx: Tx): Promise<void> {
  await tx`lock table cell in share row exclusive mode`
}

export async function insertChange(
  tx: Tx,
  change: {
    readonly cell: string
    readonly action: string
    readonly who: string
    readonly after: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const { cell, action, who, after } = change
  await tx`insert into cell_change (cell, action, who, after) values (${cell}, ${action}, ${who}, ${JSON.stringify(after)}::text::jsonb)`
}

/** The state of a cell, which stays as it is until the transaction ends. */
export async function selectStateForShare(tx: Tx, code: string): Promise<CellState | undefined> {
  const [row] = await tx<{ state: CellState }[]>`select state from cell where code = ${code} for share`
  return row?.state
}

export type MerchantPlace = {
  readonly id: MerchantId
  readonly cell: string
  readonly mode: Mode
  readonly name: string
}

/** The id under which this merchant is being created, if it is. */
export async function selectPending(
  tx: Tx,
  { cell, mode, name }: Omit<MerchantPlace, 'id'>,
): Promise<MerchantId | undefined> {
  const [row] = await tx<{ id: MerchantId }[]>`
    select id from placed_merchant where cell = ${cell} and mode = ${mode} and name = ${name} and state = 'PENDING'`
  return row?.id
}

/** Inserts a merchant that is being created. Does nothing when another command has just started the same creation. */
export async function insertPending(tx: Tx, { id, cell, mode, name }: MerchantPlace): Promise<void> {
  await tx`
    insert into placed_merchant (id, cell, mode, name) values (${id}, ${cell}, ${mode}, ${name})
    on conflict (cell, mode, name) where state = 'PENDING' do nothing`
}

/** Removes a merchant that is in no cell. */
export async function deletePending(sql: Sql | Tx, id: MerchantId): Promise<void> {
  await sql`delete from placed_merchant where id = ${id} and state = 'PENDING'`
}

/** Records that the merchant is in its cell. Safe to repeat, also when the PENDING row was removed meanwhile. */
export async function activatePlaced(sql: Sql | Tx, { id, cell, mode, name }: MerchantPlace): Promise<void> {
  await sql`
    insert into placed_merchant (id, cell, mode, name, state, active_at)
    values (${id}, ${cell}, ${mode}, ${name}, 'ACTIVE', clock_timestamp())
    on conflict (id) do update set state = 'ACTIVE', active_at = coalesce(placed_merchant.active_at, clock_timestamp())`
}

/** How many merchants of each cell the directory knows, and how many of them are being created. */
export function countPlaced(
  sql: Sql | Tx,
): Promise<readonly { readonly cell: string; readonly merchants: number; readonly pending: number }[]> {
  return sql<{ cell: string; merchants: number; pending: number }[]>`
    select cell, count(*)::integer as merchants, (count(*) filter (where state = 'PENDING'))::integer as pending
      from placed_merchant group by cell order by cell`
}

export type ClaimKind = 'PROVIDER_ACCOUNT' | 'TREASURY' | 'HOT_WALLET' | 'GAS_WALLET'

/** The cell that holds the account: this one, unless another claimed it before. */
export async function insertClaim(
  sql: Sql | Tx,
  { kind, account, cell }: { readonly kind: ClaimKind; readonly account: string; readonly cell: string },
): Promise<string | undefined> {
  await sql`
    insert into claim (kind, account, cell) values (${kind}, ${account}, ${cell}) on conflict (account) do nothing`
  const [row] = await sql<{ cell: string }[]>`select cell from claim where account = ${account}`
  return row?.cell
}

// The directory of an installation with several cells: a small database of its own. The codes in keys, page tokens and
// connection ids lead every call to its cell, so no call of a merchant or payer reads the directory. The acts of operators do,
// and so does the command that writes the proxy's configuration.
import { fileURLToPath } from 'node:url'
import { connect, type Sql, type Tx } from '#/db/client.ts'
import { migrate } from '#/db/migrate.ts'
import { readMigrations } from '#/db/migration.ts'
import { AppError } from '#/kernel/error.ts'
import type { Cell, CellPlaces, CellState } from './cell.ts'
import * as queries from './queries.ts'

const migrations = fileURLToPath(new URL('migrations/', import.meta.url))

export type Directory = {
  readonly sql: Sql
  readonly close: () => Promise<void>
}

/** Opens the directory at `url`, whose user owns it, and brings it up to this release. */
export async function openDirectory(url: string): Promise<Directory> {
  await migrate(url, { migrations: await readMigrations(migrations) })
  const sql = connect(url, { max: 2, applicationName: 'vintem-directory' })
  return { sql, close: () => sql.end({ timeout: 5 }) }
}

/** All cells, by their codes. */
export function listCells({ sql }: Pick<Directory, 'sql'>): Promise<readonly Cell[]> {
  return queries.selectCells(sql)
}

/** Adds a cell; the first one is the default. `invalid_state` when its code or a host name is taken. */
export async function addCell(
  directory: Pick<Directory, 'sql'>,
  who: string,
  { code, ...places }: CellPlaces & { readonly code: string },
): Promise<void> {
  await changing(directory, { cell: code, action: 'cell.add', who, after: places }, async (tx) => {
    if (await queries.insertCell(tx, code, places)) return
    throw new AppError('invalid_state', `There is a cell ${code} already. ./vintem cell change changes it.`)
  })
}

/** What changes of a cell. `isDefault`: from now on it answers calls with unknown codes. */
export type CellChange = Partial<CellPlaces> & { readonly state?: CellState; readonly isDefault?: true }

/** Changes a cell. `not_found` when there is none, `invalid_state` when a host name is another cell's. */
export async function changeCell(
  directory: Pick<Directory, 'sql'>,
  who: string,
  code: string,
  change: CellChange,
): Promise<void> {
  await changing(directory, { cell: code, action: 'cell.change', who, after: change }, async (tx) => {
    const { isDefault, ...rest } = change
    const isFound = await queries.updateCell(tx, code, rest)
    if (!isFound || (isDefault && !(await queries.moveDefault(tx, code)))) throw noCell(code)
  })
}

export function noCell(code: string): AppError {
  return new AppError('not_found', `There is no cell ${code}. See ./vintem cell list.`)
}

/** Changes cells, one command after another: of two servers or hosts that are given twice, the second is refused. */
async function changing(
  { sql }: Pick<Directory, 'sql'>,
  change: Parameters<typeof queries.insertChange>[1],
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  await sql.begin(async (tx) => {
    await queries.lockCells(tx)
    await work(tx)
    requireDistinct(await queries.selectCells(tx))
    await queries.insertChange(tx, change)
  })
}

/** A server belongs to one cell, and a host name to one use of one cell. */
function requireDistinct(cells: readonly Cell[]): void {
  const server = twice(cells.flatMap(({ servers }) => servers))
  if (server !== undefined)
    throw new AppError(
      'invalid_state',
      `${server} is a server of another cell: it would get the calls of both cells.`,
    )
  const host = twice(
    cells
      .flatMap(({ callbackHost, dashboardHost }) => [callbackHost, dashboardHost])
      .filter((each) => each !== undefined),
  )
  if (host !== undefined)
    throw new AppError(
      'invalid_state',
      `${host} is named twice: callbacks and dashboard of each cell need names of their own.`,
    )
}

function twice(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index)
}

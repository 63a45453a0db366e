// The directory of an installation with several cells: a small database of its own. The codes in keys, page tokens and
// connection ids lead every call to its cell, so no call of a merchant or payer reads the directory. The acts of operators do,
// and so does the command that writes the proxy's configuration.
import { fileURLToPath } from 'node:url'
import { connect, type Sql, type Tx } from '#/db/client.ts'
import { migrate } from '#/db/migrate.ts'
import { readMigrations } from '#/db/migration.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import type { Cell, CellPlaces, CellState } from './cell.ts'
import * as queries from './queries.ts'
import { insertClaim, type ClaimKind } from './queries.ts'

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
type CellChange = Partial<CellPlaces> & { readonly state?: CellState; readonly isDefault?: true }

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

function noCell(code: string): AppError {
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

// What only one cell may use: an account at a provider, a treasury, a wallet. Two cells with the same account would both count
// what comes in, and neither would know what the other sends.

export type Claimed = {
  readonly kind: ClaimKind
  /** What identifies it: an address, an account, or the digest of a key. Never a secret. */
  readonly account: string
  /** How it is called in the refusal. */
  readonly label: string
}

/**
 * Claims each of them for this cell; what the cell already has stays. A claim never ends, because money may still come in.
 * Throws AppError `invalid_state` for the first claim that another cell has, `not_found` for a cell that is not in the
 * directory.
 */
export async function claimAll(
  { sql }: Pick<Directory, 'sql'>,
  cell: string,
  claims: readonly Claimed[],
): Promise<void> {
  const cells = await listCells({ sql })
  if (!cells.some(({ code }) => code === cell)) throw noCell(cell)
  for (const { kind, account, label } of claims) {
    const holder = await insertClaim(sql, { kind, account, cell })
    if (holder !== cell)
      throw new AppError(
        'invalid_state',
        `${label} belongs to cell ${holder}: two cells would both count what comes in there. Use another one in cell ${cell}.`,
      )
  }
}

// A merchant is created in two databases: in the directory, which says in which cell it is, and in its cell. The directory is
// written first and last, so an interrupted creation is found there and continued under the same id.

type NewPlace = Omit<queries.MerchantPlace, 'id'>

/** What the cell does. `make` rejects when the id is taken. */
type InCell<Made> = {
  readonly find: (id: MerchantId) => Promise<Made | undefined>
  readonly make: (id: MerchantId) => Promise<Made>
}

/**
 * Creates a merchant in this cell: PENDING in the directory, then in the cell, then ACTIVE in the directory. If an earlier call
 * with the same cell, mode and name was interrupted, this call continues it.
 * Throws `not_found` for a cell that the directory does not know, `invalid_state` for a cell that is drained.
 */
export async function placeMerchant<Made>(
  { sql }: Pick<Directory, 'sql'>,
  place: NewPlace,
  { find, make }: InCell<Made>,
): Promise<Made> {
  const { id, isOpen } = await begin({ sql }, place)
  const made = (await find(id)) ?? (isOpen ? await makeOnce(id, { find, make }) : undefined)
  if (made === undefined) {
    await queries.deletePending(sql, id)
    throw drained(place.cell)
  }
  await queries.activatePlaced(sql, { ...place, id })
  return made
}

/** The id of the merchant. `isOpen`: if the merchant is not in its cell yet, it may still be created. */
async function begin(
  { sql }: Pick<Directory, 'sql'>,
  place: NewPlace,
): Promise<{ readonly id: MerchantId; readonly isOpen: boolean }> {
  const started = await sql.begin(async (tx) => {
    // A command that drains the cell waits for this lock, so no creation starts after the cell was drained.
    const state = await queries.selectStateForShare(tx, place.cell)
    if (state === undefined) throw noCell(place.cell)
    const isOpen = state === 'ACTIVE'
    const before = await queries.selectPending(tx, place)
    if (before !== undefined) return { id: before, isOpen }
    if (!isOpen) throw drained(place.cell)
    await queries.insertPending(tx, { ...place, id: newId<'merchant'>() })
    return { id: must(await queries.selectPending(tx, place), 'what was inserted is there'), isOpen }
  })
  return started
}

/** If two commands create the same merchant, the second finds what the first created. */
async function makeOnce<Made>(id: MerchantId, { find, make }: InCell<Made>): Promise<Made> {
  try {
    return await make(id)
  } catch (error) {
    const made = await find(id)
    if (made === undefined) throw error
    return made
  }
}

function drained(cell: string): AppError {
  return new AppError(
    'invalid_state',
    `Cell ${cell} is drained: it gets no new merchants. ./vintem cell list shows other cells, ./vintem cell reopen ends the drain.`,
  )
}

// A merchant is created in two databases: in the directory, which says in which cell it is, and in its cell. The directory is
// written first and last, so an interrupted creation is found there and continued under the same id.
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { noCell, type Directory } from './directory.ts'
import * as queries from './queries.ts'

type NewPlace = Omit<queries.MerchantPlace, 'id'>

/** What the cell does. `make` rejects when the id is taken. */
export type InCell<Made> = {
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

// The head of the books: made once, in a database that has no other cell's.
import type { Sql } from '#/db/client.ts'
import { StartError } from '#/db/failure.ts'
import type { Clock } from '#/kernel/time.ts'
import { genesisHash } from './chain.ts'
import { insertHead, selectCell } from './queries.ts'

/** Makes the head of a new database. Throws a StartError when the database belongs to another cell. */
export async function ensureHead(sql: Sql, cell: string, clock: Clock): Promise<void> {
  await insertHead(sql, cell, genesisHash, clock.now())
  await confirmCell(sql, cell)
}

/** Throws a StartError when the database belongs to another cell. A database without a head belongs to none yet. */
export async function confirmCell(sql: Sql, cell: string): Promise<void> {
  const found = await selectCell(sql)
  if (found === undefined || found === cell) return
  throw new StartError(
    `This database belongs to cell ${found}, and VINTEM_CELL is ${cell}.`,
    `Set VINTEM_CELL=${found}, or DATABASE_URL to the database of cell ${cell}.`,
  )
}

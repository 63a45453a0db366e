// The driver's queries, and what has to be put right with each.
import { invariant } from '#/kernel/check.ts'

/** What a query of the driver has besides being a promise. Tests watch that it does. */
export type Statement = Promise<unknown> & {
  /** Sends it. */
  handler: (statement: Statement) => void
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/** The query that a call of the driver made, if it made one: it also makes identifiers and lists of values. */
export function asStatement(made: unknown): Statement | undefined {
  if (!(made instanceof Promise)) return undefined
  const statement = made as Statement
  const isWhole = typeof statement.handler === 'function' && typeof statement.resolve === 'function'
  invariant(isWhole, 'a query of the driver is sent and settled by its own members')
  return statement
}

/**
 * Makes sure that the rows of a result begin at its beginning. When a query fails after its first rows, the driver goes on
 * counting from there and leaves that many holes at the beginning of the next result on the connection.
 */
export function mended<Made>(made: Made): Made {
  const statement = asStatement(made)
  if (statement === undefined) return made
  const resolve = statement.resolve
  statement.resolve = (result) => {
    fillHoles(result)
    resolve(result)
  }
  return made
}

function fillHoles(result: unknown): void {
  if (!Array.isArray(result) || result.length === 0) return
  const rows: unknown[] = result
  let holes = 0
  while (holes < rows.length && !(holes in rows)) holes += 1
  if (holes > 0) rows.splice(0, holes)
  // Several statements in one query have a result each.
  if (Array.isArray(rows[0])) for (const each of rows) fillHoles(each)
}

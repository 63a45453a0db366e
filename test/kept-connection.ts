// A connection that many short statements of a test use one after another: each new one costs PostgreSQL a process.
import { connect, type Sql } from '#/db/client.ts'

/** It is closed when nobody has used it for this long. */
const idleMs = 400

type Kept = { readonly sql: Sql; readonly closing: NodeJS.Timeout; users: number }

const byUrl = new Map<string, Kept>()

/** Runs the work on the one connection of this process to `url`. Works that run at once wait for one another. */
export async function onKeptConnection<Result>(
  url: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const kept = byUrl.get(url) ?? open(url)
  kept.users += 1
  try {
    return await work(kept.sql)
  } finally {
    kept.users -= 1
    kept.closing.refresh()
  }
}

function open(url: string): Kept {
  const sql = connect(url, { max: 1, applicationName: 'vintem-test' })
  const closing = setTimeout(() => {
    if (kept.users > 0) return void closing.refresh()
    byUrl.delete(url)
    // A database that was dropped has closed it already.
    void sql.end({ timeout: 1 }).catch(() => {})
  }, idleMs)
  const kept: Kept = { sql, closing, users: 0 }
  byUrl.set(url, kept)
  return kept
}

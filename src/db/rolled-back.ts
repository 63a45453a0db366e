// A client whose transactions leave nothing behind: what they write is rolled back when their work has its result.
import { must } from '#/kernel/check.ts'
import type { Sql, Tx } from './client.ts'

/**
 * The same client for work that is only tried out. Each transaction sees what it writes itself, keeps its locks until its work has ended, and
 * is then rolled back. Statements outside of transactions may only read, because the client has no other place for them to be undone.
 */
export function rolledBack(sql: Sql): Sql {
  const begin = async <T>(first: string | Work<T>, second?: Work<T>): Promise<T> => {
    const [options, work] =
      typeof first === 'string' ? [first, must(second, 'a transaction does something')] : ['', first]
    let done: { readonly result: T } | undefined
    try {
      await sql.begin(options, async (tx) => {
        done = undefined
        done = { result: await work(tx) }
        throw new Undone()
      })
    } catch (error) {
      if (!(error instanceof Undone)) throw error
    }
    return must(done, 'work that was undone has a result').result
  }
  return new Proxy(sql, {
    get: (client, name): unknown => (name === 'begin' ? begin : Reflect.get(client, name)),
  })
}

type Work<T> = (tx: Tx) => T | Promise<T>

/** Ends a transaction whose work has succeeded. */
class Undone extends Error {
  constructor() {
    super('undone')
  }
}

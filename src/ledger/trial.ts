// What the lane would decide now, without doing it. The work loads and decides in a transaction that may only read, and is never written.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { emptyCache, openBooks } from './books.ts'
import type { RunnableKind } from './kind.ts'
import * as queries from './queries.ts'

/**
 * The verdict that the lane would give on the item at this moment: the same work loads and decides. It is no promise, because it waits for no
 * lock: what commits meanwhile may change the verdict. Only for kinds that lock nothing while they load, because PostgreSQL refuses to lock
 * rows here, as it refuses to write any.
 */
export async function tryOut<Item, Verdict, Draft>(
  sql: Sql,
  kind: RunnableKind<Item, Verdict, Draft>,
  item: Item,
): Promise<Verdict> {
  let verdict: { readonly is: Verdict } | undefined
  await sql.begin('isolation level repeatable read read only', async (tx) => {
    const { batch, lastAt, now } = await queries.selectMoment(tx)
    const at = new Date(Math.max(now.getTime(), lastAt.getTime()))
    const books = openBooks(tx, emptyCache())
    const { verdicts } = await kind.run({ tx, books, at, now, number: batch + 1n }, [item])
    verdict = { is: must(verdicts[0], 'an item has a verdict') }
  })
  return must(verdict, 'what was tried out has a verdict').is
}

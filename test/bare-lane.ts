// A pool and a ledger lane on a transaction with a test's own rows (bare-rows.ts): what is decided and written there, without the rules of tables.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { Batch, RunnableKind } from '#/ledger/kind.ts'

/** A transaction as a pool: what would begin one of its own is a part of it. */
export function poolOn(tx: Tx): Sql {
  const begin = (...given: readonly unknown[]) => {
    const run = given.at(-1) as (inner: Tx) => Promise<unknown>
    return run(tx)
  }
  return new Proxy(tx, {
    get: (of, name): unknown => (name === 'begin' ? begin : Reflect.get(of, name)),
  }) as Sql
}

/** A field of a line of the log. */
export function fieldOf(line: string, name: 'msg' | 'error'): string {
  return (JSON.parse(line) as Readonly<Record<string, string>>)[name] ?? ''
}

/** What a batch of the lane decided. Its changes are written. */
export async function runBatch<Item, Verdict, Draft>(
  batch: Batch,
  kind: RunnableKind<Item, Verdict, Draft>,
  items: readonly Item[],
): Promise<{ readonly verdicts: readonly Verdict[]; readonly events: readonly Draft[] }> {
  const { verdicts, events, write } = await kind.run(batch, items)
  await write?.()
  return { verdicts, events }
}

/** A lane whose batches are made of an item, `times` times, as several processes may submit it. `events`: those of all batches. */
export function laneOn<Draft>(batch: Batch, times = 1) {
  const events: Draft[] = []
  return {
    events,
    async submit<Item, Verdict>(kind: RunnableKind<Item, Verdict, Draft>, item: Item): Promise<Verdict> {
      const done = await runBatch(
        batch,
        kind,
        Array.from({ length: times }, () => item),
      )
      events.push(...done.events)
      return must(done.verdicts[0], 'each item has a verdict')
    },
  }
}

// A simulator's memory: events in their order, each applied when it is recorded and again when the journal is replayed.
import { join } from 'node:path'
import { openJournal } from './journal.ts'
import { freshSeed } from './seed.ts'

export type Memory<Item> = {
  readonly seed: number
  record(item: Item): void
  /** `record`s made inside happened together: all of them survive a crash, or none. */
  together<T>(work: () => T): T
  /** Settles when all that was recorded is in the file; undefined when it is already. */
  kept(): Promise<void> | undefined
  close(): Promise<void>
}

type Line<Item> = readonly Item[] | { readonly seed: number }

/** Opens the journal in `dir`. `seed`: default the stored one, or a random one for a new journal. */
export async function openMemory<Item>(
  dir: string,
  seed: number | undefined,
  apply: (item: Item) => void,
): Promise<Memory<Item>> {
  let stored: number | undefined
  const journal = await openJournal(join(dir, 'journal.jsonl'), (text) => {
    const line = JSON.parse(text) as Line<Item>
    if ('seed' in line) stored = line.seed
    else for (const item of line) apply(item)
  })
  const append = (line: Line<Item>) => journal.append(JSON.stringify(line))
  const used = seed ?? stored ?? freshSeed()
  if (used !== stored) append({ seed: used })
  let group: Item[] | undefined
  return {
    seed: used,
    record: (item) => {
      apply(item)
      if (group === undefined) append([item])
      else group.push(item)
    },
    together: (work) => {
      if (group !== undefined) return work()
      const mine: Item[] = []
      group = mine
      try {
        return work()
      } finally {
        group = undefined
        if (mine.length > 0) append(mine)
      }
    },
    kept: journal.kept,
    close: journal.close,
  }
}

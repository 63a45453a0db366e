// Contenders take turns, round after round, so that other work of the machine meets all of them.
import type { Sample } from './stats.ts'

export type Pace = { readonly rounds: number; readonly spanMs: number }

export type Contender = {
  readonly name: string
  run(spanMs: number): Promise<Sample>
  close(): Promise<void>
}

/** The samples of each contender by name, one for each round. The first turn of each only warms up and does not count. */
export async function takeTurns(
  contenders: readonly Contender[],
  { rounds, spanMs }: Pace,
): Promise<(name: string) => readonly Sample[]> {
  const samples = new Map<string, Sample[]>(contenders.map(({ name }) => [name, []]))
  for (const { run } of contenders) await run(spanMs)
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, run } of contenders) samples.get(name)?.push(await run(spanMs))
  }
  for (const { close } of contenders) await close()
  return (name) => samples.get(name) ?? []
}

// One page of a timeline that is merged from several sources. Each source has an order of its own and is read from a position on, so a
// page costs the same however long the history is, and nothing is skipped or repeated from page to page.
import type { Step, StepKind } from './step.ts'

/** Something that happened, with its steps: a report with the transfers that it caused, an event with its delivery. */
export type Happening = {
  readonly at: Date
  /** The position in its source after it. */
  readonly position: string
  readonly steps: readonly Step[]
}

/** Reads at most `limit` happenings after a position, in the order of the source. */
export type Source = (after: string | undefined, limit: number) => Promise<readonly Happening[]>

/** The position of each source, by its index. Empty: at its beginning. */
export type Positions = readonly string[]

export type TimelinePage = { readonly steps: readonly Step[]; readonly next?: Positions }

/** The next `limit` happenings of all sources, by time; of those at the same instant, the one of the earlier source first. */
export async function timelinePage(
  sources: readonly Source[],
  positions: Positions,
  limit: number,
): Promise<TimelinePage> {
  const found = await Promise.all(
    sources.map((source, index) => source(positions[index] || undefined, limit + 1)),
  )
  const taken: Happening[] = []
  const counts = sources.map(() => 0)
  while (taken.length < limit) {
    const first = earliest(found, counts)
    if (first === undefined) break
    taken.push(first.happening)
    counts[first.index] = (counts[first.index] ?? 0) + 1
  }
  const steps = inOrder(taken.flatMap((happening) => happening.steps))
  if (earliest(found, counts) === undefined) return { steps }
  const next = sources.map((_source, index) => {
    const last = found[index]?.[(counts[index] ?? 0) - 1]
    return last?.position ?? positions[index] ?? ''
  })
  return { steps, next }
}

function earliest(
  found: readonly (readonly Happening[])[],
  counts: readonly number[],
): { readonly happening: Happening; readonly index: number } | undefined {
  let first: { readonly happening: Happening; readonly index: number } | undefined
  for (const [index, happenings] of found.entries()) {
    const happening = happenings[counts[index] ?? 0]
    if (happening === undefined || (first !== undefined && first.happening.at <= happening.at)) continue
    first = { happening, index }
  }
  return first
}

/** The order within one instant of the books: what was reported, then what it changed, then what was booked, then who was notified. */
const ranks: Readonly<Record<StepKind, number>> = {
  OBSERVATION: 0,
  PROVIDER_ANSWER: 0,
  STATE_CHANGE: 1,
  LEDGER: 2,
  DELIVERY: 3,
}

/** What must have happened before anything is reported. Their sources come first. */
const beginnings: ReadonlySet<Step['cause']> = new Set(['PAYMENT_REQUESTED', 'METHOD_CHOSEN'])

/** By time and rank. Steps that are equal in both keep their order. */
function inOrder(steps: readonly Step[]): readonly Step[] {
  const rankOf = ({ kind, cause }: Step) => (beginnings.has(cause) ? 0 : ranks[kind])
  return steps.toSorted((a, b) => a.at.getTime() - b.at.getTime() || rankOf(a) - rankOf(b))
}

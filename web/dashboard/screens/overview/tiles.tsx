// Figures of a span in one currency, each beside what it was in the span before.
import type { Overview } from '../../api/generated.ts'
import type { Figures } from '../../api/overview.ts'
import { overviewWords } from '../../words/overview.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { growthOf, totalOf, type Total } from './sums.ts'

type Tile = { readonly name: string; readonly value: string; readonly notes: readonly string[] }

export function Tiles(props: { readonly overview: Overview; readonly currency: string }) {
  const tiles = useTiles(props)
  return (
    <dl className="-mx-4 -my-1 grid grid-cols-[repeat(auto-fit,minmax(160px,1fr))] gap-y-4 lg:grid-cols-5">
      {tiles.map(({ name, value, notes }) => (
        <div key={name} className="min-w-0 px-4 lg:not-first:border-l lg:not-first:border-line">
          <dt className="text-13 text-ink-soft">{name}</dt>
          <dd>
            <strong className="figures block text-17 break-words">{value}</strong>
            {notes.map((note) => (
              <span key={note} className="figures block text-13 text-ink-soft">
                {note}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Says how a figure changed: `+12,3 %, antes 1.000`. */
export function useChange(write: (value: bigint) => string): (present: bigint, before: bigint) => string {
  const words = useWords(overviewWords)
  const format = useFormat()
  return (present, before) => {
    const growth = growthOf(present, before)
    return growth === undefined
      ? words.before(write(before))
      : words.growth(format.growth(growth), write(before))
  }
}

function useTiles({
  overview: { present, before },
  currency,
}: {
  readonly overview: Overview
  readonly currency: string
}): readonly Tile[] {
  const words = useWords(overviewWords)
  const format = useFormat()
  const write = (minor: bigint) => format.money(minor, currency)
  const changeOfCount = useChange(format.count)
  const changeOfSum = useChange(write)
  const of = (pick: (figures: Figures) => Parameters<typeof totalOf>[0]): readonly [Total, Total] => [
    totalOf(pick(present), currency),
    totalOf(pick(before), currency),
  ]
  const counted = (name: string, [now, then]: readonly [Total, Total]): Tile => ({
    name,
    value: format.count(now.count),
    notes: [changeOfCount(now.count, then.count)],
  })
  const summed = (name: string, [now, then]: readonly [Total, Total], ...more: readonly string[]): Tile => ({
    name,
    value: write(now.amount),
    notes: [
      ...(now.count === 0n ? [] : [words.times(Number(now.count), format.count(now.count))]),
      changeOfSum(now.amount, then.amount),
      ...more,
    ],
  })
  const [won] = of((figures) => figures.disputesWon)
  const [lost] = of((figures) => figures.disputesLost)
  const ended =
    won.count + lost.count === 0n
      ? []
      : [words.disputesEnded(format.count(won.count), format.count(lost.count))]
  return [
    counted(
      words.created,
      of(({ created }) => created),
    ),
    counted(
      words.paid,
      of(({ paid }) => paid),
    ),
    summed(
      words.refunds,
      of(({ refunded }) => refunded),
    ),
    summed(
      words.disputes,
      of(({ disputed }) => disputed),
      ...ended,
    ),
    summed(
      words.withdrawals,
      of(({ withdrawn }) => withdrawn),
    ),
  ]
}

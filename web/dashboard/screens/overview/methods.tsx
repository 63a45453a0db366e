// How well and how fast each method works, beside what it did in the span before.
import type { Overview } from '../../api/generated.ts'
import { Card } from '../../kit/page.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { methodRows, type MethodRow } from './sums.ts'

export function Methods({ overview }: { readonly overview: Overview }) {
  const words = useWords(overviewWords)
  const rows = methodRows(overview)
  return (
    <Card title={words.methods} flush>
      {rows.length === 0 ? (
        <p className="px-4 py-6 text-13 text-ink-soft">{words.noMethods}</p>
      ) : (
        <table role="table" className="w-full border-collapse text-13">
          <thead role="rowgroup" className="max-sm:aside">
            <tr role="row" className="border-b border-line text-left text-ink-soft">
              <th role="columnheader" scope="col" className="h-9 py-1 pl-4 font-normal">
                {words.method}
              </th>
              <th role="columnheader" scope="col" className="px-3 py-1 font-normal">
                {words.success}
              </th>
              <th
                role="columnheader"
                scope="col"
                className="py-1 pr-4 text-right font-normal whitespace-nowrap"
              >
                {words.time} ({words.timeNote})
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <Row key={row.method} row={row} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

function Row({ row }: { readonly row: MethodRow }) {
  const words = useWords(overviewWords)
  const states = useWords(stateWords)
  const format = useFormat()
  const names: Readonly<Record<string, string>> = states.method
  const share = (value: number | undefined) => (value === undefined ? words.none : format.share(value))
  const nothing = (
    <>
      <span aria-hidden="true">–</span>
      <span className="aside">{words.none}</span>
    </>
  )
  // A median is known to some percent: no parts of a second where it is long.
  const time = (ms: number | undefined) => {
    if (ms === undefined) return words.none
    return ms < 1_000 ? `< ${format.span(1_000)}` : format.span(rounded(ms))
  }
  return (
    <tr
      role="row"
      className="border-b border-line align-top max-sm:grid max-sm:grid-cols-[1fr_auto] last:border-0"
    >
      <th role="rowheader" scope="row" className="py-3 pl-4 text-left font-strong">
        {names[row.method] ?? row.method}
      </th>
      <td
        role="cell"
        className="figures w-full px-3 py-3 max-sm:order-last max-sm:col-span-2 max-sm:px-4 max-sm:pt-0"
      >
        <span className="flex flex-wrap items-center gap-x-2">
          <strong className="text-15">{row.rate === undefined ? nothing : share(row.rate)}</strong>
          <span className="text-ink-soft">{words.before(share(row.rateBefore))}</span>
        </span>
        {row.rate !== undefined && (
          <span aria-hidden="true" className="mt-1 block h-1.5 overflow-hidden rounded-full bg-inset">
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" className="block size-full">
              <rect width={row.rate * 100} height="1" className="fill-accent" />
            </svg>
          </span>
        )}
        {row.ended > 0n && (
          <span className="mt-1 block text-ink-soft">
            {words.successOf(format.count(row.paid), format.count(row.ended))}
          </span>
        )}
      </td>
      <td
        role="cell"
        className="figures py-3 pr-4 text-right max-sm:flex max-sm:flex-wrap max-sm:items-baseline max-sm:justify-end max-sm:gap-x-2"
      >
        <span aria-hidden="true" className="text-ink-soft sm:hidden">
          {words.time}
        </span>
        <strong className="text-15 whitespace-nowrap">
          {row.medianMs === undefined ? nothing : time(row.medianMs)}
        </strong>
        {(row.medianMs ?? row.medianMsBefore) !== undefined && (
          <span className="block whitespace-nowrap text-ink-soft">
            {words.before(time(row.medianMsBefore))}
          </span>
        )}
      </td>
    </tr>
  )
}

function rounded(ms: number): number {
  const unit = ms < 10_000 ? 100 : 1_000
  return Math.round(ms / unit) * unit
}

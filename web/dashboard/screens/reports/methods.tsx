// What came and went in a month by method.
import type { Minor } from '../../kit/format.ts'
import { Money } from '../../kit/money.tsx'
import { Card } from '../../kit/page.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { reportWords } from '../../words/reports.ts'
import { stateWords } from '../../words/states.ts'

type Row = {
  readonly method: string
  readonly currency: string
  readonly count: number
  readonly amount: Minor
}

export type ByMethod = {
  readonly paid: readonly Row[]
  readonly refunded: readonly Row[]
  readonly withdrawn: readonly Row[]
}

const figures = ['paid', 'refunded', 'withdrawn'] as const

export function Methods({ byMethod, asOf }: { readonly byMethod: ByMethod; readonly asOf: string }) {
  const words = useWords(reportWords)
  const states = useWords(stateWords)
  const format = useFormat()
  const rows = figures.flatMap((figure) => byMethod[figure].map((row) => ({ figure, ...row })))
  if (rows.length === 0) return null
  const nameOf = (method: string) => (states.method as Readonly<Record<string, string>>)[method] ?? method
  return (
    <Card title={words.methods}>
      <p className="mb-3 max-w-150 text-13 text-ink-soft">{words.methodsLead(format.short(asOf))}</p>
      <table className="w-full text-13">
        <thead className="aside">
          <tr>
            <th scope="col">{words.method}</th>
            <th scope="col">{words.amount}</th>
          </tr>
        </thead>
        {figures.map((figure) => {
          const own = rows.filter((row) => row.figure === figure)
          if (own.length === 0) return null
          return (
            <tbody key={figure}>
              <tr>
                <th scope="rowgroup" colSpan={2} className="pt-3 pb-1 text-left">
                  {words[figure]}
                </th>
              </tr>
              {own.map(({ method, currency, count, amount }) => (
                <tr key={`${method} ${currency}`} className="border-t border-line">
                  <th scope="row" className="py-1.5 text-left font-normal">
                    {nameOf(method)} <span className="figures text-ink-soft">× {format.count(count)}</span>
                  </th>
                  <td className="py-1.5 pl-4 text-right">
                    <Money minor={amount} currency={currency} />
                  </td>
                </tr>
              ))}
            </tbody>
          )
        })}
      </table>
    </Card>
  )
}

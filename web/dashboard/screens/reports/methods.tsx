// What came and went on a wallet in a month by method. The methods' lines add up to the wallet's.
import { Money } from '../../kit/money.tsx'
import { Card } from '../../kit/page.tsx'
import { useWords } from '../../words/reader.ts'
import { reportWords } from '../../words/reports.ts'
import { stateWords } from '../../words/states.ts'
import { figuresByMethod, methodLines, type WalletMonth } from './lines.ts'

export function MethodSheet({ wallet }: { readonly wallet: WalletMonth }) {
  const words = useWords(reportWords)
  const states = useWords(stateWords)
  const { label, currency } = wallet
  const methods = figuresByMethod(wallet)
  if (methods.length === 0) return null
  const nameOf = (method: string | undefined) =>
    method === undefined
      ? words.noMethod
      : ((states.method as Readonly<Record<string, string>>)[method] ?? method)
  return (
    <Card title={words.methodsOf(label)}>
      <table className="w-full text-13">
        <thead className="aside">
          <tr>
            <th scope="col">{words.lines}</th>
            <th scope="col">{words.amount}</th>
          </tr>
        </thead>
        {methods.map(({ method, figures }) => (
          <tbody key={method ?? ''}>
            <tr>
              <th scope="rowgroup" colSpan={2} className="pt-3 pb-1 text-left font-strong">
                {nameOf(method)}
              </th>
            </tr>
            {methodLines
              .filter((line) => figures[line] !== 0n)
              .map((line) => (
                <tr key={line} className="border-t border-line text-ink-soft">
                  <th scope="row" className="py-1.5 text-left font-normal">
                    {words.line[line]}
                  </th>
                  <td className="py-1.5 pl-4 text-right text-ink">
                    <Money minor={figures[line]} currency={currency} />
                  </td>
                </tr>
              ))}
          </tbody>
        ))}
      </table>
    </Card>
  )
}

// Money on bank accounts in currencies that the books do not have: a person says what became of it at the bank.
import { useState } from 'react'
import type { ForeignMoney } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { useList } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Fault } from '../../kit/fault.tsx'
import { Card } from '../../kit/page.tsx'
import { kitWords } from '../../words/kit.ts'
import { operatorFileWords } from '../../words/operator-files.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'
import { Line } from './parts.tsx'

/** Nothing, while nothing waits. */
export function ForeignList() {
  const words = useWords(operatorFileWords)
  const kit = useWords(kitWords)
  const list = useList('listForeignMoney')
  const [chosen, setChosen] = useState<ForeignMoney>()
  if (list.error !== null) return <Fault error={list.error} onRetry={list.retry} />
  if (list.rows === undefined || list.rows.length === 0) return null
  return (
    <Card title={words.foreign} flush>
      <p className="px-4 pt-3 text-13 text-ink-soft">{words.foreignLead}</p>
      <ul>
        {list.rows.map((each) => (
          <ForeignLine key={each.id} money={each} onDone={() => setChosen(each)} />
        ))}
      </ul>
      {list.hasMore && (
        <div className="p-3">
          <Button onClick={list.more}>{kit.more}</Button>
        </div>
      )}
      {chosen !== undefined && (
        <ActionDialog
          title={words.foreignTitle(textOf(chosen))}
          lead={words.foreignDoneLead}
          act={words.foreignDone}
          reason="needed"
          call="endForeignMoney"
          id={chosen.id}
          done={words.foreignWasDone}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Card>
  )
}

/** Not by the format of money: nobody here knows how many places the currency has. */
function textOf({ amount, currency }: ForeignMoney): string {
  return `${amount} ${currency}`
}

function ForeignLine({ money, onDone }: { readonly money: ForeignMoney; readonly onDone: () => void }) {
  const words = useWords(operatorFileWords)
  const may = useMayOperate()
  const format = useFormat()
  return (
    <Line>
      <span className="min-w-0 flex-1 basis-72">
        <span className="figures block text-15 font-strong">{textOf(money)}</span>
        <span className="block break-words text-ink-soft">
          {[money.party, money.wrote].filter((each) => each !== '').join(' · ')}
        </span>
        <span className="block break-words text-ink-soft">
          {money.entry} · {words.booked} {format.date(money.bookedOn)}
        </span>
      </span>
      {may('approve') && <Button onClick={onDone}>{words.foreignDone}</Button>}
    </Line>
  )
}

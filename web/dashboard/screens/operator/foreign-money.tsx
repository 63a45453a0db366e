// Money on bank accounts in currencies that the books do not have: a person says what became of it at the bank.
import type { ForeignMoney } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { isNothing, RecordList, useRecords } from '../../kit/record-list.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { Line } from './parts.tsx'

/** Nothing, while nothing waits. */
export function ForeignList() {
  const words = useWords(operatorFileWords)
  const records = useRecords('listForeignMoney')
  if (isNothing(records)) return null
  return (
    <RecordList
      records={records}
      words={{ title: words.foreign, none: '' }}
      title={words.foreign}
      line={(each) => <ForeignLine money={each} />}
    >
      <p className="px-4 pt-3 text-13 text-ink-soft">{words.foreignLead}</p>
    </RecordList>
  )
}

/** Not by the format of money: nobody here knows how many places the currency has. */
function textOf({ amount, currency }: ForeignMoney): string {
  return `${amount} ${currency}`
}

function ForeignLine({ money }: { readonly money: ForeignMoney }) {
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
      {may('approve') && (
        <OperatorButton
          title={words.foreignTitle(textOf(money))}
          lead={words.foreignDoneLead}
          act={words.foreignDone}
          reason="needed"
          call="endForeignMoney"
          id={money.id}
          done={words.foreignWasDone}
        />
      )}
    </Line>
  )
}

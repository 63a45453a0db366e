// Movements that have the name of another one: a person says whether it is that one.
import { useState } from 'react'
import type { HeldMovement } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { Button } from '../../kit/button.tsx'
import { Money } from '../../kit/money.tsx'
import { isNothing, RecordList, useRecords } from '../../kit/record-list.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'
import { Line } from './parts.tsx'

/** Nothing, while nothing is held. */
export function HeldMovements() {
  const words = useWords(operatorFileWords)
  const format = useFormat()
  const records = useRecords('listHeldMovements')
  const [action, setAction] = useState<readonly ['NEW' | 'SAME', HeldMovement]>()
  if (isNothing(records)) return null
  const [as, held] = action ?? []
  const amount = held === undefined ? '' : format.money(held.amount, held.currency)
  return (
    <>
      <RecordList
        records={records}
        words={{ title: words.held, none: '' }}
        title={words.held}
        rowId={(held) => `${held.connection} ${held.entry}`}
        line={(each) => <HeldLine held={each} onAction={(word) => setAction([word, each])} />}
      >
        <p className="px-4 pt-3 text-13 text-ink-soft">{words.heldLead}</p>
      </RecordList>
      {as !== undefined && held !== undefined && (
        <ActionDialog
          title={as === 'NEW' ? words.heldNewTitle(amount) : words.heldSameTitle(amount)}
          lead={as === 'NEW' ? words.heldNewLead : words.heldSameLead}
          act={as === 'NEW' ? words.heldNew : words.heldSame}
          reason="needed"
          call="decideHeldMovement"
          body={() => ({ connection: held.connection, entry: held.entry, as })}
          done={as === 'NEW' ? words.heldWasNew : words.heldWasSame}
          onClose={() => setAction(undefined)}
        >
          {() => <Texts held={held} />}
        </ActionDialog>
      )}
    </>
  )
}

function HeldLine({
  held,
  onAction,
}: {
  readonly held: HeldMovement
  readonly onAction: (as: 'NEW' | 'SAME') => void
}) {
  const words = useWords(operatorFileWords)
  const may = useMayOperate()
  const format = useFormat()
  return (
    <Line>
      <span className="min-w-0 flex-1 basis-72">
        <Money minor={held.amount} currency={held.currency} className="text-15 font-strong" />
        <Texts held={held} />
        <span className="block text-ink-soft">
          {held.party !== '' && `${held.party} · `}
          {words.booked} {format.date(held.bookedOn)}
        </span>
      </span>
      {may('approve') && (
        <>
          {held.like !== undefined && <Button onClick={() => onAction('SAME')}>{words.heldSame}</Button>}
          <Button variant="primary" onClick={() => onAction('NEW')}>
            {words.heldNew}
          </Button>
        </>
      )}
    </Line>
  )
}

/** The movement and the one that has its name, one above the other, so that their differences are visible. */
function Texts({ held }: { readonly held: HeldMovement }) {
  const words = useWords(operatorFileWords)
  const format = useFormat()
  const { like, currency } = held
  return (
    <span className="my-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-13">
      <span className="text-ink-soft">{words.heldThis}</span>
      <span className="font-mono break-all">
        {held.entry} {held.wrote}
      </span>
      <span className="text-ink-soft">{words.heldLike}</span>
      <span className="font-mono break-all">
        {like === undefined
          ? words.heldContradicts
          : `${like.entry} ${format.money(like.amount, currency)} ${format.date(like.bookedOn)} ${like.wrote}`}
      </span>
    </span>
  )
}

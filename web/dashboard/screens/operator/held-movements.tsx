// Movements that have the name of another one: a person says whether it is that one.
import type { HeldMovement } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { Money } from '../../kit/money.tsx'
import { isNothing, RecordList, useRecords } from '../../kit/record-list.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { Line } from './parts.tsx'

/** Nothing, while nothing is held. */
export function HeldMovements() {
  const words = useWords(operatorFileWords)
  const records = useRecords('listHeldMovements')
  if (isNothing(records)) return null
  return (
    <RecordList
      records={records}
      words={{ title: words.held, none: '' }}
      title={words.held}
      rowId={(held) => `${held.connection} ${held.entry}`}
      line={(each) => <HeldLine held={each} />}
    >
      <p className="px-4 pt-3 text-13 text-ink-soft">{words.heldLead}</p>
    </RecordList>
  )
}

function HeldLine({ held }: { readonly held: HeldMovement }) {
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
          {held.like !== undefined && <Decide held={held} as="SAME" />}
          <Decide held={held} as="NEW" />
        </>
      )}
    </Line>
  )
}

function Decide({ held, as }: { readonly held: HeldMovement; readonly as: 'NEW' | 'SAME' }) {
  const words = useWords(operatorFileWords)
  const format = useFormat()
  const amount = format.money(held.amount, held.currency)
  const isNew = as === 'NEW'
  return (
    <OperatorButton
      variant={isNew ? 'primary' : 'plain'}
      title={isNew ? words.heldNewTitle(amount) : words.heldSameTitle(amount)}
      lead={isNew ? words.heldNewLead : words.heldSameLead}
      act={isNew ? words.heldNew : words.heldSame}
      reason="needed"
      call="decideHeldMovement"
      body={() => ({ connection: held.connection, entry: held.entry, as })}
      done={isNew ? words.heldWasNew : words.heldWasSame}
    >
      <Texts held={held} />
    </OperatorButton>
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

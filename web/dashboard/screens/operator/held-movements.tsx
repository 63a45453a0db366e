// Movements that have the name of another one: a person says whether it is that one.
import { Link } from '@tanstack/react-router'
import type { HeldMovement, Typo } from '../../api/generated.ts'
import { useMayOperate } from '../../api/session.ts'
import { Code } from '../../kit/copy.tsx'
import { Money } from '../../kit/money.tsx'
import { isNothing, RecordList, useRecords } from '../../kit/record-list.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { operatorWords } from '../../words/operator.ts'
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

// Transfers whose reference is almost one of ours: a person says whether the money is that payment's.

/** Nothing, while nothing waits. */
export function Typos() {
  const words = useWords(operatorFileWords)
  const records = useRecords('listTypos')
  if (isNothing(records)) return null
  return (
    <RecordList
      records={records}
      words={{ title: words.typos, none: '' }}
      title={words.typos}
      rowId={(typo) => `${typo.connection} ${typo.entry}`}
      line={(each) => <TypoLine typo={each} />}
    >
      <p className="px-4 pt-3 text-13 text-ink-soft">{words.typosLead}</p>
    </RecordList>
  )
}

function TypoLine({ typo }: { readonly typo: Typo }) {
  const words = useWords(operatorFileWords)
  const shared = useWords(operatorWords)
  const may = useMayOperate()
  const format = useFormat()
  return (
    <Line>
      <span className="min-w-0 flex-1 basis-72">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Money minor={typo.amount} currency={typo.currency} className="text-15 font-strong" />
          <Link
            to={`/operator/merchants/${typo.merchantId}`}
            className="link inline-flex items-center phone:min-h-11"
          >
            {shared.merchant}
          </Link>
          <Code value={typo.paymentId} what={words.payment} />
        </span>
        <References typo={typo} />
        <span className="block text-ink-soft">
          {typo.payer !== '' && `${typo.payer} · `}
          {words.booked} {format.date(typo.bookedOn)}
        </span>
      </span>
      {may('approve') && (
        <>
          <DecideTypo typo={typo} as="refuse" />
          <DecideTypo typo={typo} as="accept" />
        </>
      )}
    </Line>
  )
}

function DecideTypo({ typo, as }: { readonly typo: Typo; readonly as: 'accept' | 'refuse' }) {
  const words = useWords(operatorFileWords)
  const format = useFormat()
  const amount = format.money(typo.amount, typo.currency)
  const isAccepting = as === 'accept'
  return (
    <OperatorButton
      variant={isAccepting ? 'primary' : 'plain'}
      title={words[`${as}Title`](amount)}
      lead={words[`${as}Lead`]}
      act={words[as]}
      isDanger={!isAccepting}
      reason={isAccepting ? 'maybe' : 'needed'}
      call={`${as}Typo` as const}
      body={() => ({ connection: typo.connection, entry: typo.entry })}
      done={isAccepting ? words.accepted : words.wasRefused}
    >
      <References typo={typo} />
    </OperatorButton>
  )
}

/** The two references one above the other in a monospaced font, so that their differences are visible. */
function References({ typo }: { readonly typo: Typo }) {
  const words = useWords(operatorFileWords)
  return (
    <span className="my-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-13">
      <span className="text-ink-soft">{words.wrote}</span>
      <span className="font-mono break-all">{typo.wrote}</span>
      <span className="text-ink-soft">{words.near}</span>
      <span className="font-mono break-all">{typo.near}</span>
    </span>
  )
}

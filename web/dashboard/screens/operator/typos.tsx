// Transfers whose reference is almost one of ours: a person says whether the money is that payment's.
import { Link } from '@tanstack/react-router'
import type { Typo } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { Code } from '../../kit/copy.tsx'
import { Money } from '../../kit/money.tsx'
import { isNothing, RecordList, useRecords } from '../../kit/record-list.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { Line } from './parts.tsx'

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
        <Texts typo={typo} />
        <span className="block text-ink-soft">
          {typo.payer !== '' && `${typo.payer} · `}
          {words.booked} {format.date(typo.bookedOn)}
        </span>
      </span>
      {may('approve') && (
        <>
          <Decide typo={typo} as="refuse" />
          <Decide typo={typo} as="accept" />
        </>
      )}
    </Line>
  )
}

function Decide({ typo, as }: { readonly typo: Typo; readonly as: 'accept' | 'refuse' }) {
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
      <Texts typo={typo} />
    </OperatorButton>
  )
}

/** The two references one above the other in a monospaced font, so that their differences are visible. */
function Texts({ typo }: { readonly typo: Typo }) {
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

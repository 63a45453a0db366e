// Transfers whose reference is almost one of ours: a person says whether the money is that payment's.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Typo } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/copy.tsx'
import { Money } from '../../kit/money.tsx'
import { isNothing, RecordList, useRecords } from '../../kit/record-list.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'
import { Line } from './parts.tsx'

/** Nothing, while nothing waits. */
export function Typos() {
  const words = useWords(operatorFileWords)
  const format = useFormat()
  const records = useRecords('listTypos')
  const [action, setAction] = useState<readonly ['accept' | 'refuse', Typo]>()
  if (isNothing(records)) return null
  const [kind, typo] = action ?? []
  const amount = typo === undefined ? '' : format.money(typo.amount, typo.currency)
  return (
    <>
      <RecordList
        records={records}
        words={{ title: words.typos, none: '' }}
        title={words.typos}
        rowId={(typo) => `${typo.connection} ${typo.entry}`}
        line={(each) => <TypoLine typo={each} onAction={(word) => setAction([word, each])} />}
      >
        <p className="px-4 pt-3 text-13 text-ink-soft">{words.typosLead}</p>
      </RecordList>
      {kind !== undefined && typo !== undefined && (
        <ActionDialog
          title={kind === 'accept' ? words.acceptTitle(amount) : words.refuseTitle(amount)}
          lead={kind === 'accept' ? words.acceptLead : words.refuseLead}
          act={kind === 'accept' ? words.accept : words.refuse}
          isDanger={kind === 'refuse'}
          reason={kind === 'accept' ? 'maybe' : 'needed'}
          call={`${kind}Typo` as const}
          body={() => ({ connection: typo.connection, entry: typo.entry })}
          done={kind === 'accept' ? words.accepted : words.wasRefused}
          onClose={() => setAction(undefined)}
        >
          {() => <Texts typo={typo} />}
        </ActionDialog>
      )}
    </>
  )
}

function TypoLine({
  typo,
  onAction,
}: {
  readonly typo: Typo
  readonly onAction: (word: 'accept' | 'refuse') => void
}) {
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
          <Button onClick={() => onAction('refuse')}>{words.refuse}</Button>
          <Button variant="primary" onClick={() => onAction('accept')}>
            {words.accept}
          </Button>
        </>
      )}
    </Line>
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

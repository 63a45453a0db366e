// Signals of providers that could not be settled. Their content was written by others.
import type { ParkedSignal } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { CodeBlock, readable } from '../../kit/code.tsx'
import { Details } from '../../kit/details.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorQueueWords } from '../../words/operator-queues.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { useMethodName } from './parts.tsx'

export function ParkedCard() {
  const words = useWords(operatorQueueWords)
  const records = useRecords('listParkedSignals')
  return (
    <RecordList
      records={records}
      words={{ title: words.parked, none: words.parkedNone }}
      title={words.parked}
      line={(each) => <SignalLine signal={each} />}
    >
      {records.rows !== undefined && records.rows.length > 0 && (
        <p className="px-4 pt-3 text-13 text-ink-soft">{words.parkedLead}</p>
      )}
    </RecordList>
  )
}

function SignalLine({ signal }: { readonly signal: ParkedSignal }) {
  const words = useWords(operatorQueueWords)
  const format = useFormat()
  const nameOf = useMethodName()
  const may = useMayOperate()
  return (
    <li className="flex flex-col gap-2 border-b border-line px-4 py-3 text-13 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 flex-1 basis-48">
          <span className="font-strong">
            {nameOf(signal.method)} · {signal.id}
          </span>
          <span className="block font-mono break-all text-ink-soft">{signal.connection}</span>
          <Details>{signal.lastError}</Details>
        </span>
        <span className="figures text-ink-soft">{words.fails(format.count(signal.tries))}</span>
        <Time at={signal.receivedAt} className="text-ink-soft" />
        {may('write') && (
          <OperatorButton
            title={words.retry}
            lead={words.retryLead}
            act={words.retry}
            reason="maybe"
            call="retrySignal"
            id={signal.id}
            done={words.retried}
          />
        )}
        {may('approve') && (
          <OperatorButton
            variant="danger"
            title={words.drop}
            lead={words.dropLead}
            act={words.drop}
            isDanger
            reason="needed"
            call="dropSignal"
            id={signal.id}
            done={words.dropped}
          />
        )}
      </div>
      <CodeBlock label={words.body} code={readable(signal.body)} />
    </li>
  )
}

// Transactions without an end, and deposit addresses whose collection failed.
import { Code } from '../../kit/copy.tsx'
import { Details } from '../../kit/details.tsx'
import { RecordList, useAllRecords, useRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorChainWords } from '../../words/operator-chains.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { Line } from './parts.tsx'

export function HangingCard() {
  const words = useWords(operatorChainWords)
  return (
    <RecordList
      records={useAllRecords('listHangingTransactions')}
      words={{ title: words.hanging, none: words.hangingNone }}
      title={words.hanging}
      line={(each) => (
        <Line>
          <span className="min-w-0 flex-1 basis-60 break-words">
            <span className="font-strong">
              {each.chain} · {words.nonce} {each.nonce}
            </span>{' '}
            <span className="text-ink-soft">
              {each.purpose} · {each.state}
            </span>
            <span className="block font-mono break-all">{each.subject}</span>
            <Details>{each.cancel}</Details>
            {each.isTaken && <span className="block text-bad">{words.isTaken}</span>}
          </span>
          <Time at={each.createdAt} className="text-ink-soft" />
        </Line>
      )}
    />
  )
}

export function SweepsCard({ chain }: { readonly chain: string }) {
  const words = useWords(operatorChainWords)
  const shared = useWords(operatorWords)
  const format = useFormat()
  const title = `${words.sweeps}: ${chain}`
  return (
    <RecordList
      records={useRecords('listFailedSweeps', { query: { chain } })}
      words={{ title, none: words.sweepsNone }}
      title={title}
      rowId={({ address }) => address}
      line={({ address, reason, fails, dueAt }) => (
        <Line>
          <span className="min-w-0 flex-1 basis-48">
            <Code value={address} what={shared.id} />
            <Details>{reason}</Details>
          </span>
          <span className="figures text-ink-soft">{words.fails(format.count(fails))}</span>
          {dueAt !== undefined && (
            <span className="text-ink-soft">
              {words.again} <Time at={dueAt} />
            </span>
          )}
        </Line>
      )}
    />
  )
}

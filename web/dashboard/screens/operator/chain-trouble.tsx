// Transactions without an end, and deposit addresses whose collection failed.
import { useList, useRead } from '../../api/queries.ts'
import { Code } from '../../kit/copy.tsx'
import { Details } from '../../kit/details.tsx'
import { Fault } from '../../kit/fault.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Card } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorChainWords } from '../../words/operator-chains.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { Line, More, NothingHere, Part } from './parts.tsx'

export function HangingCard() {
  const words = useWords(operatorChainWords)
  const query = useRead('listHangingTransactions')
  return (
    <Card title={words.hanging} flush>
      <Part query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <NothingHere>{words.hangingNone}</NothingHere>
          ) : (
            <ul>
              {data.map((each) => (
                <Line key={each.id}>
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
              ))}
            </ul>
          )
        }
      </Part>
    </Card>
  )
}

export function SweepsCard({ chain }: { readonly chain: string }) {
  const words = useWords(operatorChainWords)
  const shared = useWords(operatorWords)
  const format = useFormat()
  const list = useList('listFailedSweeps', { query: { chain } })
  const title = `${words.sweeps}: ${chain}`
  return (
    <Card title={title} flush>
      <LoadingLine isOn={list.isFetching && list.rows === undefined} />
      {list.error !== null && <Fault error={list.error} onRetry={list.retry} />}
      {list.rows?.length === 0 && <NothingHere>{words.sweepsNone}</NothingHere>}
      <ul>
        {list.rows?.map((each) => (
          <Line key={each.address}>
            <span className="min-w-0 flex-1 basis-48">
              <Code value={each.address} what={shared.id} />
              <Details>{each.reason}</Details>
            </span>
            <span className="figures text-ink-soft">{words.fails(format.count(each.fails))}</span>
            {each.dueAt !== undefined && (
              <span className="text-ink-soft">
                {words.again} <Time at={each.dueAt} />
              </span>
            )}
          </Line>
        ))}
      </ul>
      <More list={list} />
    </Card>
  )
}

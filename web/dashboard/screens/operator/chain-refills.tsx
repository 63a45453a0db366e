// Refills of the wallet that pays out, from the treasury: under way, and done.
import { Badge } from '../../kit/badge.tsx'
import { Money } from '../../kit/money.tsx'
import { RecordList, useAllRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorChainWords } from '../../words/operator-chains.ts'
import { useWords } from '../../words/reader.ts'
import { OnlyCommand } from './only-command.tsx'
import { Line } from './parts.tsx'

/** Refills are whole cents of a token with eighteen decimals. */
const unitsPerCent = 10n ** 16n

export function RefillsCard() {
  const words = useWords(operatorChainWords)
  return (
    <>
      <RecordList
        records={useAllRecords('listRefills')}
        words={{ title: words.refills, none: words.refillsNone }}
        title={words.refills}
        line={({ chain, units, isByHand, createdAt, endedAt }) => (
          <Line>
            <span className="min-w-0 flex-1 basis-48">
              <Money minor={BigInt(units) / unitsPerCent} currency="USDT" className="font-strong" />{' '}
              <span className="text-ink-soft">
                {chain} · {isByHand ? words.refillByHand : words.refillBySigner}
              </span>
            </span>
            <Badge tone={endedAt === undefined ? 'wait' : 'good'}>
              {endedAt === undefined ? words.refillOpen : words.refillEnded}
            </Badge>
            <Time at={createdAt} className="text-ink-soft" />
          </Line>
        )}
      />
      <OnlyCommand why="refill" commands={['coins refill', 'coins forget-refill']} />
    </>
  )
}

// Refills of the wallet that pays out, from the treasury: under way, and done.
import { useRead } from '../../api/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { Money } from '../../kit/money.tsx'
import { Card } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorChainWords } from '../../words/operator-chains.ts'
import { useWords } from '../../words/reader.ts'
import { OnlyCommand } from './only-command.tsx'
import { Line, NothingHere, Part } from './parts.tsx'

/** Refills are whole cents of a token with eighteen decimals. */
const unitsPerCent = 10n ** 16n

export function RefillsCard() {
  const words = useWords(operatorChainWords)
  const query = useRead('listRefills')
  return (
    <Card title={words.refills} flush>
      <Part query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <NothingHere>{words.refillsNone}</NothingHere>
          ) : (
            <ul>
              {data.map(({ id, chain, units, isByHand, createdAt, endedAt }) => (
                <Line key={id}>
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
              ))}
            </ul>
          )
        }
      </Part>
      <div className="p-4">
        <OnlyCommand why="refill" commands={['coins refill', 'coins forget-refill']} />
      </div>
    </Card>
  )
}

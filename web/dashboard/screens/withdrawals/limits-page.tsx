// What the operator allows, how much of it was spent today, and where withdrawals may go. The operator alone changes it.
import type { WithdrawalLimits } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { Code } from '../../kit/copy.tsx'
import { Empty } from '../../kit/empty.tsx'
import { LoadingOrFault } from '../../kit/fault.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, Definitions } from '../../kit/page.tsx'
import { useWords } from '../../words/reader.ts'
import { withdrawalLimitWords } from '../../words/withdrawal-limits.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { WithdrawalFrame } from './frame.tsx'
import { Limits } from './limits.tsx'

export function LimitsPage() {
  const words = useWords(withdrawalLimitWords)
  const shared = useWords(withdrawalWords)
  const { data, error, refetch } = useRead('getWithdrawalLimits', { of: ['withdrawals', 'limits'] })
  return (
    <WithdrawalFrame>
      {data === undefined ? (
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="flex flex-col gap-6 phone:gap-4">
          <p className="max-w-150 text-13 text-ink-soft">{words.limitsLead}</p>
          {data.limits.length === 0 && (
            <Card>
              <Empty icon="shield" title={words.limitsNone}>
                {words.limitsNoneLead}
              </Empty>
            </Card>
          )}
          <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,320px),1fr))] gap-6 phone:gap-4">
            {data.limits.map((limit) => (
              <Card key={`${limit.type} ${limit.currency}`} title={shared.types[limit.type]}>
                <Definitions
                  items={[
                    [
                      words.limitSpent,
                      <Money key="spent" minor={limit.spentToday} currency={limit.currency} />,
                    ],
                  ]}
                />
                <Limits limit={limit} currency={limit.currency} />
              </Card>
            ))}
          </div>
          <Destinations of={data} />
        </div>
      )}
    </WithdrawalFrame>
  )
}

function Destinations({ of: { destinations, hasMore } }: { readonly of: WithdrawalLimits }) {
  const words = useWords(withdrawalLimitWords)
  const shared = useWords(withdrawalWords)
  return (
    <Card title={words.allowed}>
      {destinations.length === 0 ? (
        <p className="text-13 text-ink-soft">{words.allowedNone}</p>
      ) : (
        <ul>
          {destinations.map(({ type, destination }) => (
            <li
              key={`${type} ${destination}`}
              className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 border-b border-line py-1.5 text-13 last:border-0"
            >
              <span className="text-ink-soft">{shared.types[type]}</span>
              <Code value={destination} what={shared.destination} keep={20} />
            </li>
          ))}
        </ul>
      )}
      {hasMore && <p className="mt-2 text-13 text-ink-soft">{words.allowedMore}</p>}
    </Card>
  )
}

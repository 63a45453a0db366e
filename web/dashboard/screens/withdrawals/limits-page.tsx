// What the operator allows, how much of it was spent today, and where withdrawals may go. The operator alone changes it.
import type { WithdrawalLimit, WithdrawalLimits } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { Code } from '../../kit/copy.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Definitions, sumsIn } from '../../kit/facts.tsx'
import { Loaded } from '../../kit/fault.tsx'
import { Card } from '../../kit/page.tsx'
import { useWords } from '../../words/reader.ts'
import { withdrawalLimitWords } from '../../words/withdrawal-limits.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { WithdrawalFrame } from './frame.tsx'

export function LimitsPage() {
  const words = useWords(withdrawalLimitWords)
  const shared = useWords(withdrawalWords)
  const read = useRead('getWithdrawalLimits', { of: ['withdrawals', 'limits'] })
  return (
    <WithdrawalFrame>
      <Loaded of={read}>
        {(data) => (
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
                  <Definitions items={[[words.limitSpent, sumsIn(limit.currency)(limit.spentToday)]]} />
                  <Limits limit={limit} currency={limit.currency} />
                </Card>
              ))}
            </div>
            <Destinations of={data} />
          </div>
        )}
      </Loaded>
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

/** What the operator allows, and how much of it is left today. */
export function Limits({ limit, currency }: { readonly limit: WithdrawalLimit; readonly currency: string }) {
  const words = useWords(withdrawalWords)
  const { each, day, approvalAbove, approvalChoice, listedOnly } = limit
  const sum = sumsIn(currency)
  return (
    <section aria-label={words.limitTitle}>
      <h3 className="text-13 font-strong">{words.limitTitle}</h3>
      <Definitions
        items={[
          [words.limitEach, sum(each)],
          [words.limitDay, sum(day)],
          [words.limitLeft, sum(leftOf(limit))],
          [
            words.limitApproval,
            approvalAbove !== undefined && BigInt(approvalAbove) === 0n
              ? words.limitAlways
              : sum(approvalAbove),
          ],
        ]}
      />
      {approvalChoice === 'SUGGESTED' && <p className="text-13 text-ink-soft">{words.limitSuggested}</p>}
      {approvalChoice === 'ONE_PERSON' && <p className="text-13 text-ink-soft">{words.limitOnePerson}</p>}
      {listedOnly && <p className="text-13 text-ink-soft">{words.limitListed}</p>}
    </section>
  )
}

function leftOf({ day, spentToday }: WithdrawalLimit): bigint | undefined {
  if (day === undefined) return undefined
  const left = BigInt(day) - BigInt(spentToday)
  return left > 0n ? left : 0n
}

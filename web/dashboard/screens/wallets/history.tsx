// How the balance of one wallet moved.
import type { Wallet } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { StepLine, sinceFirst } from '../../kit/charts.tsx'
import { Fault } from '../../kit/fault.tsx'
import { useFilters } from '../../kit/filter-values.ts'
import { LoadingLine } from '../../kit/loading.tsx'
import { Card } from '../../kit/page.tsx'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'

const dayMs = 86_400_000
const spans = {
  '30d': { days: 30, interval: 'DAY' },
  '90d': { days: 90, interval: 'DAY' },
  '12m': { days: 364, interval: 'WEEK' },
} as const
const names = Object.keys(spans) as readonly (keyof typeof spans)[]

export function WalletHistory({ wallet }: { readonly wallet: Wallet }) {
  const words = useWords(walletWords)
  const format = useFormat()
  const { timeZone } = useReader()
  const [values, change] = useFilters()
  const span = names.find((each) => each === values['span']) ?? '30d'
  const { days, interval } = spans[span]
  // From a day on, so that the query stays the same for the whole day.
  const from = new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10)
  const query = { interval, timeZone, walletId: wallet.id, from }
  const { data, error, refetch } = useRead('getBalanceHistory', { query, of: ['wallets', wallet.id] })
  const choice = (
    <div role="group" aria-label={words.spanLabel} className="flex gap-0.5 rounded-control bg-inset p-0.5">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={span === name}
          onClick={() => change({ span: name })}
          className={`min-h-7 rounded-[8px] px-2.5 text-13 phone:min-h-11 ${span === name ? 'bg-card font-strong shadow-lift' : 'text-ink-soft hover:text-ink'}`}
        >
          {words.spans[name]}
        </button>
      ))}
    </div>
  )
  return (
    <Card>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-15 font-strong">{words.history}</h2>
        {choice}
      </div>
      <LoadingLine isOn={data === undefined && error === null} />
      {error === null ? (
        <div className="min-h-60">
          <StepLine
            label={`${words.history} · ${wallet.label}`}
            points={sinceFirst(
              (data?.data ?? []).map(({ date, closingBalance }) => ({
                at: `${date}T12:00:00Z`,
                value: closingBalance,
              })),
            )}
            write={(value) => format.money(value, wallet.currency)}
          />
        </div>
      ) : (
        <Fault error={error} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}

// The money of each currency: what the wallets hold, and for the chosen one its charts and its figures of the span.
import type { Overview } from '../../api/generated.ts'
import { useFilters } from '../../kit/filters.tsx'
import { Money } from '../../kit/money.tsx'
import { Card } from '../../kit/page.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/reader.ts'
import { BalanceCard, VolumeCard } from './charts.tsx'
import { balanceOf, currenciesOf, type Balance } from './sums.ts'
import { Tiles } from './tiles.tsx'

export function Currencies({ overview }: { readonly overview: Overview }) {
  const words = useWords(overviewWords)
  const [values, change] = useFilters()
  const currencies = currenciesOf(overview)
  const chosen = currencies.find((each) => each === values['currency']) ?? usedMost(overview, currencies)
  if (chosen === undefined) return null
  const { wallets } = overview
  return (
    <>
      {currencies.length > 1 && (
        <div
          role="group"
          aria-label={wallets === undefined ? words.currency : words.balances}
          className="grid grid-cols-[repeat(auto-fit,minmax(200px,1fr))] gap-3 phone:grid-cols-1 phone:gap-2"
        >
          {currencies.map((currency) => (
            <Choice
              key={currency}
              currency={currency}
              balance={wallets === undefined ? undefined : balanceOf(wallets, currency)}
              isChosen={currency === chosen}
              onChoose={() => change({ currency })}
            />
          ))}
        </div>
      )}
      <div className={`grid grid-cols-1 gap-6 phone:gap-4 ${wallets === undefined ? '' : 'md:grid-cols-2'}`}>
        {wallets !== undefined && (
          <BalanceCard overview={overview} currency={chosen} isAlone={currencies.length === 1} />
        )}
        <VolumeCard overview={overview} currency={chosen} />
      </div>
      <Card>
        <Tiles overview={overview} currency={chosen} />
      </Card>
    </>
  )
}

/** The one that most payments were paid in, else the one that most were created in, else the first. */
function usedMost({ present, before }: Overview, currencies: readonly string[]): string | undefined {
  const weight = (currency: string) => {
    const count = (all: readonly { readonly currency: string; readonly count: number | bigint }[]) =>
      all.reduce((sum, each) => sum + (each.currency === currency ? Number(each.count) : 0), 0)
    return (count(present.paid) + count(before.paid)) * 1_000 + count(present.created) + count(before.created)
  }
  return currencies.toSorted((a, b) => weight(b) - weight(a))[0]
}

function Choice({
  currency,
  balance,
  isChosen,
  onChoose,
}: {
  readonly currency: string
  readonly balance: Balance | undefined
  readonly isChosen: boolean
  readonly onChoose: () => void
}) {
  const words = useWords(overviewWords)
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={`flex min-h-11 flex-col items-start rounded-card border bg-card px-4 py-3 text-left transition-colors duration-150 phone:flex-row phone:flex-wrap phone:items-baseline phone:justify-between phone:gap-x-3 ${isChosen ? 'border-accent ring-1 ring-accent' : 'border-line hover:border-edge'}`}
    >
      <span className="text-13 text-ink-soft">
        {balance === undefined ? currency : `${words.available} · ${currency}`}
      </span>
      {balance !== undefined && (
        <>
          <Money
            minor={balance.available}
            currency={currency}
            className="text-20 font-strong tracking-tight phone:text-17"
          />
          <Rest balance={balance} />
        </>
      )}
    </button>
  )
}

/** What belongs to the merchant and cannot be used yet. Nothing is said where there is none. */
function Rest({ balance: { pending, held, currency } }: { readonly balance: Balance }) {
  const words = useWords(overviewWords)
  const parts = [
    [words.pending, pending],
    [words.held, held],
  ] as const
  if (pending === 0n && held === 0n) return null
  return (
    <span className="flex flex-wrap gap-x-3 text-13 text-ink-soft phone:w-full">
      {parts.map(
        ([name, minor]) =>
          minor !== 0n && (
            <span key={name}>
              {name} <Money minor={minor} currency={currency} />
            </span>
          ),
      )}
    </span>
  )
}

// The money of each currency: what the wallets hold, and for the chosen one its charts and its figures of the span.
import type { Overview } from '../../api/generated.ts'
import { Bars, StepLine, sinceFirst } from '../../kit/charts.tsx'
import { Definitions } from '../../kit/facts.tsx'
import { useFilters } from '../../kit/filter-values.ts'
import type { Minor } from '../../kit/format.ts'
import { Money } from '../../kit/money.tsx'
import { Card } from '../../kit/page.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useWords, useFormat } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import {
  balanceOf,
  currenciesOf,
  type Balance,
  closingByDay,
  movedOver,
  paidByDay,
  totalOf,
  growthOf,
  type Total,
  type BalanceDay,
  type Figures,
} from './sums.ts'

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

// The two charts of a currency: how its balance moved, and what was paid on each day. Today is one day, so it has figures and no chart.

type Props = { readonly overview: Overview; readonly currency: string }

/** `isAlone`: no line above says what there is. */
function BalanceCard({ overview, currency, isAlone }: Props & { readonly isAlone: boolean }) {
  const words = useWords(overviewWords)
  const format = useFormat()
  const { wallets = [], balanceHistory, span } = overview
  const { available } = balanceOf(wallets, currency)
  const history = (balanceHistory?.data ?? []).filter((each) => each.currency === currency)
  const moved = movedOver(history)
  const summary = isAlone
    ? { value: format.money(available, currency), note: words.balanceNow }
    : { value: `${moved > 0n ? '+' : ''}${format.money(moved, currency)}`, note: words.balanceChange }
  const inCurrency = wallets.filter((each) => each.currency === currency)
  return (
    <Card title={words.balance(currency)}>
      {span === 'today' ? (
        <>
          <Headline {...summary} />
          <Today day={history.at(-1)} currency={currency} />
        </>
      ) : history.every(({ closingBalance }) => BigInt(closingBalance) === 0n) ? (
        <NoChart {...summary}>{words.noChart}</NoChart>
      ) : (
        <StepLine
          label={words.balance(currency)}
          points={sinceFirst(closingByDay(history))}
          write={(value) => format.money(value, currency)}
          summary={summary}
        />
      )}
      <Parts
        title={words.wallets}
        currency={currency}
        parts={inCurrency.map(({ id, label, balance }) => ({ key: id, name: label, minor: balance }))}
      />
    </Card>
  )
}

function VolumeCard({ overview, currency }: Props) {
  const words = useWords(overviewWords)
  const format = useFormat()
  const names: Readonly<Record<string, string>> = useWords(stateWords).method
  const { present, before, days, span } = overview
  const [now, then] = [present, before].map(({ paid }) => totalOf(paid, currency).amount)
  const change = useChange((value: bigint) => format.money(value, currency))
  const summary = { value: format.money(now ?? 0n, currency), note: change(now ?? 0n, then ?? 0n) }
  return (
    <Card title={words.volume(currency)}>
      {span === 'today' ? (
        <Headline {...summary} />
      ) : now === 0n ? (
        <NoChart {...summary}>{words.noChart}</NoChart>
      ) : (
        <Bars
          label={words.volumePerDay(currency)}
          points={sinceFirst(paidByDay(days, present, currency))}
          write={(value) => format.money(value, currency)}
          summary={summary}
        />
      )}
      <Parts
        title={words.byMethod}
        currency={currency}
        parts={present.paid
          .filter((each) => each.currency === currency)
          .map(({ method, amount }) => ({ key: method, name: names[method] ?? method, minor: amount }))}
      />
    </Card>
  )
}

/** What a sum is made of, where it is made of several. */
function Parts({
  title,
  parts,
  currency,
}: {
  readonly title: string
  readonly parts: readonly { readonly key: string; readonly name: string; readonly minor: Minor }[]
  readonly currency: string
}) {
  if (parts.length < 2) return null
  return (
    <div className="mt-2 border-t border-line pt-3">
      <h3 className="text-13 font-normal text-ink-soft">{title}</h3>
      <ul>
        {parts.map(({ key, name, minor }) => (
          <li key={key} className="flex min-h-8 items-center justify-between gap-4 text-13">
            <span className="min-w-0 truncate">{name}</span>
            <Money minor={minor} currency={currency} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** In place of a chart without anything on it: what will stand there. */
function NoChart({ children, ...summary }: Summary & { readonly children: string }) {
  return (
    <>
      <Headline {...summary} />
      <p className="rounded-control bg-inset p-4 text-13 text-ink-soft">{children}</p>
    </>
  )
}

type Summary = { readonly value: string; readonly note: string }

/** As above a chart. */
function Headline({ value, note }: Summary) {
  return (
    <p className="figures flex min-h-8 flex-wrap items-baseline gap-x-2">
      <strong className="text-20">{value}</strong>
      <span className="text-13 text-ink-soft">{note}</span>
    </p>
  )
}

function Today({ day, currency }: { readonly day: BalanceDay | undefined; readonly currency: string }) {
  const words = useWords(overviewWords)
  const sum = (minor: Minor = 0) => <Money minor={minor} currency={currency} />
  return (
    <Definitions
      items={[
        [words.inflow, sum(day?.inflow)],
        [words.outflow, sum(day?.outflow)],
      ]}
    />
  )
}

// Figures of a span in one currency, each beside what it was in the span before.

type Tile = { readonly name: string; readonly value: string; readonly notes: readonly string[] }

function Tiles(props: { readonly overview: Overview; readonly currency: string }) {
  const tiles = useTiles(props)
  return (
    <dl className="-mx-4 -my-1 grid grid-cols-[repeat(auto-fit,minmax(160px,1fr))] gap-y-4 lg:grid-cols-5">
      {tiles.map(({ name, value, notes }) => (
        <div key={name} className="min-w-0 px-4 lg:not-first:border-l lg:not-first:border-line">
          <dt className="text-13 text-ink-soft">{name}</dt>
          <dd>
            <strong className="figures block text-17 break-words">{value}</strong>
            {notes.map((note) => (
              <span key={note} className="figures block text-13 text-ink-soft">
                {note}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Says how a figure changed: `+12,3 %, antes 1.000`. */
function useChange(write: (value: bigint) => string): (present: bigint, before: bigint) => string {
  const words = useWords(overviewWords)
  const format = useFormat()
  return (present, before) => {
    const growth = growthOf(present, before)
    return growth === undefined
      ? words.before(write(before))
      : words.growth(format.growth(growth), write(before))
  }
}

function useTiles({
  overview: { present, before },
  currency,
}: {
  readonly overview: Overview
  readonly currency: string
}): readonly Tile[] {
  const words = useWords(overviewWords)
  const format = useFormat()
  const write = (minor: bigint) => format.money(minor, currency)
  const changeOfCount = useChange(format.count)
  const changeOfSum = useChange(write)
  const of = (pick: (figures: Figures) => Parameters<typeof totalOf>[0]): readonly [Total, Total] => [
    totalOf(pick(present), currency),
    totalOf(pick(before), currency),
  ]
  const counted = (name: string, [now, then]: readonly [Total, Total]): Tile => ({
    name,
    value: format.count(now.count),
    notes: [changeOfCount(now.count, then.count)],
  })
  const summed = (name: string, [now, then]: readonly [Total, Total], ...more: readonly string[]): Tile => ({
    name,
    value: write(now.amount),
    notes: [
      ...(now.count === 0n ? [] : [words.times(Number(now.count), format.count(now.count))]),
      changeOfSum(now.amount, then.amount),
      ...more,
    ],
  })
  const [won] = of((figures) => figures.disputesWon)
  const [lost] = of((figures) => figures.disputesLost)
  const ended =
    won.count + lost.count === 0n
      ? []
      : [words.disputesEnded(format.count(won.count), format.count(lost.count))]
  return [
    counted(
      words.created,
      of(({ created }) => created),
    ),
    counted(
      words.paid,
      of(({ paid }) => paid),
    ),
    summed(
      words.refunds,
      of(({ refunded }) => refunded),
    ),
    summed(
      words.disputes,
      of(({ disputed }) => disputed),
      ...ended,
    ),
    summed(
      words.withdrawals,
      of(({ withdrawn }) => withdrawn),
    ),
  ]
}

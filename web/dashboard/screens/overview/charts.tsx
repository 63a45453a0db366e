// The two charts of a currency: how its balance moved, and what was paid on each day. Today is one day, so it has figures and no chart.
import type { Overview } from '../../api/generated.ts'
import type { BalanceDay } from '../../api/overview.ts'
import { Bars, StepLine } from '../../kit/charts.tsx'
import { Definitions } from '../../kit/facts.tsx'
import type { Minor } from '../../kit/format.ts'
import { Money } from '../../kit/money.tsx'
import { Card } from '../../kit/page.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { balanceOf, closingByDay, movedOver, paidByDay, totalOf } from './sums.ts'
import { useChange } from './tiles.tsx'

type Props = { readonly overview: Overview; readonly currency: string }

/** `isAlone`: no line above says what there is. */
export function BalanceCard({ overview, currency, isAlone }: Props & { readonly isAlone: boolean }) {
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
      ) : (
        <StepLine
          label={words.balance(currency)}
          points={closingByDay(history)}
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

export function VolumeCard({ overview, currency }: Props) {
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
      ) : (
        <Bars
          label={words.volumePerDay(currency)}
          points={paidByDay(days, present, currency)}
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

/** As above a chart. */
function Headline({ value, note }: { readonly value: string; readonly note: string }) {
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

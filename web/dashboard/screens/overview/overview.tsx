// How the merchant stands: what waits for a person, balances and what came in, figures of a span against the one before.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { call } from '../../api/call.ts'
import {
  overviewSpans,
  type CreatedPayment,
  type Overview as Found,
  type OverviewSpan,
  type Payment,
  type Overview,
} from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Fault } from '../../kit/fault.tsx'
import { useFilters } from '../../kit/filter-values.ts'
import { LoadingLine } from '../../kit/loading.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, Notice, PageHeader } from '../../kit/page.tsx'
import { PaymentState } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { setupWords } from '../../words/setup.ts'
import { stateWords } from '../../words/states.ts'
import { AttentionList } from './attention.tsx'
import { isSettingUp } from './setup.ts'
import { methodRows, type MethodRow } from './sums.ts'

// The charts are a chunk of their own, which loads while the figures are fetched.
const charts = import('./currencies.tsx')
// Most merchants have put it away, or have all of it.
const SetupList = lazy(async () => ({ default: (await import('./setup-list.tsx')).SetupList }))
const Currencies = lazy(async () => ({ default: (await charts).Currencies }))

const latestShown = 6
const lagSaidMs = 60_000

export function Overview() {
  const words = useWords(overviewWords)
  const [values] = useFilters()
  const span = overviewSpans.find((each) => each === values['span']) ?? '30d'
  const { data, error, isFetching, refetch } = useOverview(span)
  const latest = useRead('listPayments', { query: { limit: latestShown }, of: ['overview', 'latest'] })
  const setup = useRead('getSetup', { of: ['overview', 'setup'] })
  const [made, setMade] = useState<CreatedPayment>()
  const payments = latest.data?.data
  const isNew = payments?.length === 0
  const failed = error ?? latest.error ?? setup.error
  if (data === undefined || payments === undefined || setup.data === undefined)
    return (
      <>
        <PageHeader title={words.title} />
        {failed === null ? (
          <LoadingLine isOn />
        ) : (
          <Fault
            error={failed}
            onRetry={() => void Promise.all([refetch(), latest.refetch(), setup.refetch()])}
          />
        )}
      </>
    )
  return (
    <>
      <PageHeader
        title={words.title}
        lead={isNew ? undefined : <Compared overview={data} />}
        actions={isNew ? undefined : <SpanChoice span={span} />}
      />
      <LoadingLine isOn={isFetching && data.span !== span} />
      {/* All of it comes together: nobody knows the heights before. */}
      <Suspense fallback={<LoadingLine isOn />}>
        <div className="flex flex-col gap-6 phone:gap-4">
          {isSettingUp(setup.data) ? (
            <SetupList setup={setup.data} made={made} onMade={setMade} />
          ) : (
            isNew && <NothingYet />
          )}
          {data.lagMs > lagSaidMs && <Lag ms={data.lagMs} />}
          {payments.length > 0 && (
            <>
              <AttentionList attention={data.attention} />
              <Currencies overview={data} />
              <div className="grid grid-cols-1 gap-6 lg:grid-cols-2 phone:gap-4">
                <Methods overview={data} />
                <Latest payments={payments} />
              </div>
              <Foot overview={data} />
            </>
          )}
        </div>
      </Suspense>
    </>
  )
}

function NothingYet() {
  const words = useWords(setupWords)
  const { id, may } = useMerchant()
  return (
    <Card>
      <Empty
        icon="payments"
        title={words.noneTitle}
        action={
          may('payments:write') && <ButtonLink to={`/m/${id}/payments/new`}>{words.newPayment}</ButtonLink>
        }
      >
        {words.none}
      </Empty>
    </Card>
  )
}

/** Which days are shown, against which, and how old their figures are. */
function Compared({ overview: { span, present, before, asOf } }: { readonly overview: Found }) {
  const words = useWords(overviewWords)
  const { date } = useFormat()
  return (
    <>
      {span === 'today'
        ? words.comparedToday
        : words.compared(date(present.from), date(present.to), date(before.from), date(before.to))}
      {' · '}
      <span className="whitespace-nowrap">
        {words.updated} <Time at={asOf} />
      </span>
    </>
  )
}

function SpanChoice({ span }: { readonly span: OverviewSpan }) {
  const words = useWords(overviewWords)
  const [, change] = useFilters()
  return (
    <div role="group" aria-label={words.spanLabel} className="flex gap-0.5 rounded-control bg-inset p-0.5">
      {overviewSpans.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={span === each}
          onClick={() => change({ span: each })}
          className={`min-h-8 rounded-[8px] px-3 text-13 transition-colors duration-150 whitespace-nowrap phone:min-h-11 ${span === each ? 'bg-card font-strong shadow-lift' : 'text-ink-soft hover:text-ink'}`}
        >
          {words.span[each]}
        </button>
      ))}
    </div>
  )
}

function Lag({ ms }: { readonly ms: number }) {
  const words = useWords(overviewWords)
  const format = useFormat()
  return (
    <div role="status">
      <Notice>{words.lags(format.span(ms))}</Notice>
    </div>
  )
}

function Foot({ overview: { createdFrom } }: { readonly overview: Found }) {
  const words = useWords(overviewWords)
  const format = useFormat()
  return (
    <p className="text-13 text-ink-soft">
      {words.utc}
      {createdFrom !== undefined && ` ${words.createdFrom(format.date(createdFrom))}`}
    </p>
  )
}

// The newest payments.

export function Latest({ payments }: { readonly payments: readonly Payment[] }) {
  const words = useWords(overviewWords)
  const { id } = useMerchant()
  return (
    <Card
      title={words.latest}
      flush
      action={
        <Link to={`/m/${id}/payments`} className="link inline-flex items-center text-13 phone:min-h-11">
          {words.seeAll}
        </Link>
      }
    >
      <ul>
        {payments.map((payment) => (
          <Row key={payment.id} payment={payment} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ payment }: { readonly payment: Payment }) {
  const { id } = useMerchant()
  const { customerName, customerEmail, description } = payment
  return (
    <li className="border-b border-line last:border-0">
      <Link
        to={`/m/${id}/payments/${payment.id}`}
        className="flex min-h-12 items-center gap-3 px-4 py-2 text-13 -outline-offset-2! hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate">
            {customerName ?? customerEmail ?? description ?? payment.id.slice(-12)}
          </span>
          <Time at={payment.createdAt} inRow className="text-ink-soft" />
        </span>
        <PaymentState payment={payment} />
        <Money
          minor={payment.amount}
          currency={payment.currency}
          className="min-w-24 text-right font-strong max-sm:min-w-0"
        />
      </Link>
    </li>
  )
}

const followMs = 2_000
const usualMs = 60_000

/** The figures of a span. They are counted behind the events, so while some are not counted yet they are fetched again soon. */
function useOverview(span: OverviewSpan) {
  const { id } = useMerchant()
  return useQuery({
    queryKey: ['m', id, 'overview', 'figures', span],
    queryFn: ({ signal }) => call('getOverview', { merchant: id, query: { span } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.lagMs > 0 ? followMs : usualMs),
  })
}

// How well and how fast each method works, beside what it did in the span before.

function Methods({ overview }: { readonly overview: Overview }) {
  const words = useWords(overviewWords)
  const rows = methodRows(overview)
  return (
    <Card title={words.methods} flush>
      {rows.length === 0 ? (
        <p className="px-4 py-6 text-13 text-ink-soft">{words.noMethods}</p>
      ) : (
        <table role="table" className="w-full border-collapse text-13">
          <thead role="rowgroup" className="max-sm:aside">
            <tr role="row" className="border-b border-line text-left text-ink-soft">
              <th role="columnheader" scope="col" className="h-9 py-1 pl-4 font-normal">
                {words.method}
              </th>
              <th role="columnheader" scope="col" className="px-3 py-1 font-normal">
                {words.success}
              </th>
              <th
                role="columnheader"
                scope="col"
                className="py-1 pr-4 text-right font-normal whitespace-nowrap"
              >
                {words.time} ({words.timeNote})
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <MethodLine key={row.method} row={row} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

function MethodLine({ row }: { readonly row: MethodRow }) {
  const words = useWords(overviewWords)
  const states = useWords(stateWords)
  const format = useFormat()
  const names: Readonly<Record<string, string>> = states.method
  const share = (value: number | undefined) => (value === undefined ? words.none : format.share(value))
  const nothing = (
    <>
      <span aria-hidden="true">–</span>
      <span className="aside">{words.none}</span>
    </>
  )
  // A median is known to some percent: no parts of a second where it is long.
  const time = (ms: number | undefined) => {
    if (ms === undefined) return words.none
    return ms < 1_000 ? `< ${format.span(1_000)}` : format.span(rounded(ms))
  }
  return (
    <tr
      role="row"
      className="border-b border-line align-top max-sm:grid max-sm:grid-cols-[1fr_auto] last:border-0"
    >
      <th role="rowheader" scope="row" className="py-3 pl-4 text-left font-strong">
        {names[row.method] ?? row.method}
      </th>
      <td
        role="cell"
        className="figures w-full px-3 py-3 max-sm:order-last max-sm:col-span-2 max-sm:px-4 max-sm:pt-0"
      >
        <span className="flex flex-wrap items-center gap-x-2">
          <strong className="text-15">{row.rate === undefined ? nothing : share(row.rate)}</strong>
          <span className="text-ink-soft">{words.before(share(row.rateBefore))}</span>
        </span>
        {row.rate !== undefined && (
          <span aria-hidden="true" className="mt-1 block h-1.5 overflow-hidden rounded-full bg-inset">
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" className="block size-full">
              <rect width={row.rate * 100} height="1" className="fill-accent" />
            </svg>
          </span>
        )}
        {row.ended > 0n && (
          <span className="mt-1 block text-ink-soft">
            {words.successOf(format.count(row.paid), format.count(row.ended))}
          </span>
        )}
      </td>
      <td
        role="cell"
        className="figures py-3 pr-4 text-right max-sm:flex max-sm:flex-wrap max-sm:items-baseline max-sm:justify-end max-sm:gap-x-2"
      >
        <span aria-hidden="true" className="text-ink-soft sm:hidden">
          {words.time}
        </span>
        <strong className="text-15 whitespace-nowrap">
          {row.medianMs === undefined ? nothing : time(row.medianMs)}
        </strong>
        {(row.medianMs ?? row.medianMsBefore) !== undefined && (
          <span className="block whitespace-nowrap text-ink-soft">
            {words.before(time(row.medianMsBefore))}
          </span>
        )}
      </td>
    </tr>
  )
}

function rounded(ms: number): number {
  const unit = ms < 10_000 ? 100 : 1_000
  return Math.round(ms / unit) * unit
}

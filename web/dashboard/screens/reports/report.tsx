// A month on one page: what came in, what went, and what was left, wallet by wallet and by method. It can be printed and saved.
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { CsvButton } from '../../kit/csv-button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Fault } from '../../kit/fault.tsx'
import { Select } from '../../kit/field.tsx'
import { useFilters } from '../../kit/filter-values.ts'
import { LoadingLine } from '../../kit/loading.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, PageHeader } from '../../kit/page.tsx'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { reportWords } from '../../words/reports.ts'
import { stateWords } from '../../words/states.ts'
import {
  figuresByMethod,
  figuresOf,
  isQuiet,
  lines,
  methodLines,
  type Figures,
  type WalletMonth,
  reportCsv,
  lastDayOf,
  monthNow,
  monthsBack,
  nameOfMonth,
  otherMonth,
} from './lines.ts'

export function ReportPage() {
  const words = useWords(reportWords)
  const format = useFormat()
  const { locale, timeZone } = useReader()
  const [values] = useFilters()
  const present = monthNow(timeZone)
  const given = values['month'] ?? present
  const month = /^\d{4}-(?:0[1-9]|1[0-2])$/.test(given) && given <= present ? given : present
  const { data, error, refetch } = useRead('getMonthReport', {
    query: { month, timeZone },
    of: ['wallets', 'report'],
  })
  const name = nameOfMonth(month, locale)
  const shown = data?.wallets.filter((wallet) => !isQuiet(wallet)) ?? []
  const quiet = (data?.wallets.length ?? 0) - shown.length
  return (
    <>
      <PageHeader
        title={words.titleOf(name)}
        lead={data !== undefined && words.lead(format.short(data.from), format.short(data.to), timeZone)}
        actions={
          <span className="no-print flex flex-wrap gap-2">
            <MonthChoice month={month} present={present} />
            {shown.length > 0 && (
              <>
                <CsvButton
                  name={`vintem-${month}`}
                  read={({ style }) => Promise.resolve(reportCsv(month, shown, style))}
                />
                <Button icon="print" onClick={() => window.print()}>
                  {words.print}
                </Button>
              </>
            )}
          </span>
        }
      />
      <LoadingLine isOn={data === undefined && error === null} />
      {error !== null && data === undefined && <Fault error={error} onRetry={() => void refetch()} />}
      {data !== undefined && shown.length === 0 && (
        <Card>
          <Empty icon="reports" title={words.none}>
            {words.noneLead}
          </Empty>
        </Card>
      )}
      {data !== undefined && shown.length > 0 && (
        <div className="flex flex-col gap-6 phone:gap-4">
          <p className="text-13 text-ink-soft">
            {words.addsUp} {quiet > 0 && words.quiet(quiet)}
            {shown.some(({ byMethod }) => byMethod === undefined) && ` ${words.tooMany}`}
          </p>
          {[...new Set(shown.map(({ currency }) => currency))].map((currency) => (
            <CurrencyPart
              key={currency}
              month={month}
              currency={currency}
              wallets={shown.filter((wallet) => wallet.currency === currency)}
            />
          ))}
        </div>
      )}
    </>
  )
}

function MonthChoice({ month, present }: { readonly month: string; readonly present: string }) {
  const words = useWords(reportWords)
  const { locale } = useReader()
  const [, change] = useFilters()
  const months = monthsBack(present, month)
  return (
    <span className="flex items-center gap-1">
      <IconButton icon="left" label={words.before} onClick={() => change({ month: otherMonth(month, -1) })} />
      <Select
        aria-label={words.month}
        value={month}
        onChange={(event) => change({ month: event.target.value })}
        options={months.map((value) => ({ value, label: nameOfMonth(value, locale) }))}
        className="min-h-9! text-13! phone:min-h-11!"
      />
      <IconButton
        icon="right"
        label={words.after}
        disabled={month >= present}
        onClick={() => change({ month: otherMonth(month, 1) })}
      />
    </span>
  )
}

/** The wallets of one currency, and their sum where they are several. */
function CurrencyPart({
  month,
  currency,
  wallets,
}: {
  readonly month: string
  readonly currency: string
  readonly wallets: readonly WalletMonth[]
}) {
  const words = useWords(reportWords)
  return (
    <section
      aria-label={`${words.wallets} · ${currency}`}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,320px),1fr))] gap-6 phone:gap-4"
    >
      {wallets.length > 1 && (
        <Sheet title={words.total(currency)} figures={figuresOf(wallets)} currency={currency} />
      )}
      {wallets.map((wallet) => (
        <Fragment key={wallet.walletId}>
          <Sheet
            title={wallet.label}
            figures={figuresOf([wallet])}
            currency={currency}
            statement={`wallets/${wallet.walletId}?from=${month}-01&to=${lastDayOf(month)}`}
          />
          <MethodSheet wallet={wallet} />
        </Fragment>
      ))}
    </section>
  )
}

const strong = new Set(['net', 'closing'])

function Sheet({
  title,
  figures,
  currency,
  statement,
}: {
  readonly title: string
  readonly figures: Figures
  readonly currency: string
  readonly statement?: string
}) {
  const words = useWords(reportWords)
  const { id } = useMerchant()
  return (
    <Card title={title}>
      <table className="w-full text-13">
        <thead className="aside">
          <tr>
            <th scope="col">{words.lines}</th>
            <th scope="col">{words.amount}</th>
          </tr>
        </thead>
        <tbody>
          {lines
            // A line that most merchants never have.
            .filter((line) => line !== 'others' || figures.others !== 0n)
            .map((line) => (
              <tr
                key={line}
                className={strong.has(line) ? 'border-t border-line font-strong' : 'text-ink-soft'}
              >
                <th scope="row" className={`py-1.5 text-left ${strong.has(line) ? '' : 'font-normal'}`}>
                  {words.line[line]}
                </th>
                <td className="py-1.5 pl-4 text-right text-ink">
                  <Money minor={figures[line]} currency={currency} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
      {/* Below, so that the lines of sheets side by side are level whatever their wallets are called. */}
      {statement !== undefined && (
        <p className="no-print pt-3 text-13">
          <Link to={`/m/${id}/${statement}`} className="link inline-flex items-center phone:min-h-11">
            {words.statement}
          </Link>
        </p>
      )}
    </Card>
  )
}

// What came and went on a wallet in a month by method. The methods' lines add up to the wallet's.

export function MethodSheet({ wallet }: { readonly wallet: WalletMonth }) {
  const words = useWords(reportWords)
  const states = useWords(stateWords)
  const { label, currency } = wallet
  const methods = figuresByMethod(wallet)
  if (methods.length === 0) return null
  const nameOf = (method: string | undefined) =>
    method === undefined
      ? words.noMethod
      : ((states.method as Readonly<Record<string, string>>)[method] ?? method)
  return (
    <Card title={words.methodsOf(label)}>
      <table className="w-full text-13">
        <thead className="aside">
          <tr>
            <th scope="col">{words.lines}</th>
            <th scope="col">{words.amount}</th>
          </tr>
        </thead>
        {methods.map(({ method, figures }) => (
          <tbody key={method ?? ''}>
            <tr>
              <th scope="rowgroup" colSpan={2} className="pt-3 pb-1 text-left font-strong">
                {nameOf(method)}
              </th>
            </tr>
            {methodLines
              .filter((line) => figures[line] !== 0n)
              .map((line) => (
                <tr key={line} className="border-t border-line text-ink-soft">
                  <th scope="row" className="py-1.5 text-left font-normal">
                    {words.line[line]}
                  </th>
                  <td className="py-1.5 pl-4 text-right text-ink">
                    <Money minor={figures[line]} currency={currency} />
                  </td>
                </tr>
              ))}
          </tbody>
        ))}
      </table>
    </Card>
  )
}

// All refunds of a merchant, newest first.
import type { Locale } from '#/kernel/language.ts'
import type { Query } from '../../api/call.ts'
import type { Payment, Refund } from '../../api/generated.ts'
import { useNews } from '../../api/news.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { amountColumn, createdColumn } from '../../kit/columns.tsx'
import { spanOf } from '../../kit/days.ts'
import { Empty } from '../../kit/empty.tsx'
import {
  FilterBar,
  currencyFilter,
  hasFilter,
  spanFilters,
  useFilters,
  type Filter,
  type Values,
} from '../../kit/filters.tsx'
import { minorOf } from '../../kit/format.ts'
import { Money } from '../../kit/money.tsx'
import { Card, Notice, PageHeader } from '../../kit/page.tsx'
import { RefundState } from '../../kit/states.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { frameWords } from '../../words/frame.ts'
import { useReader, useWords, type Reader } from '../../words/reader.ts'
import { refundWords } from '../../words/refunds.ts'
import { stateWords } from '../../words/states.ts'
import { customerOf } from './customer.ts'

/** With the payment whose money goes back. */
type Row = Refund & { readonly payment?: Payment }

const statuses = ['PENDING', 'COMPLETED', 'FAILED'] as const

export function RefundList() {
  const words = useWords(refundWords)
  const { nav } = useWords(frameWords)
  const { id } = useMerchant()
  const reader = useReader()
  const [values] = useFilters()
  const { query, isUnreadable } = queryOf(values, reader)
  const list = useList('listRefunds', { query: { expand: 'payment', ...query }, enabled: !isUnreadable })
  const news = useNews('refunds', list.retry)
  const isFiltered = hasFilter(query) || isUnreadable
  return (
    <>
      <PageHeader title={words.title} />
      <Card flush>
        <FilterBar filters={useFilterList()} search={words.search} />
        {isUnreadable && (
          <div className="p-3">
            <Notice tone="calm">{words.notSearchable}</Notice>
          </div>
        )}
        <Table
          label={words.title}
          columns={useColumns()}
          {...list}
          rows={isUnreadable ? [] : list.rows}
          rowId={(refund) => refund.id}
          href={(refund) => `/m/${id}/refunds/${refund.id}`}
          phone={(refund) => <PhoneLines refund={refund} />}
          news={news}
          empty={
            <Empty
              icon="refunds"
              title={isFiltered ? words.noneFound : words.none}
              action={!isFiltered && <ButtonLink to={`/m/${id}/payments`}>{nav.payments}</ButtonLink>}
            >
              {isFiltered ? words.noneFoundLead : words.noneLead}
            </Empty>
          }
        />
      </Card>
    </>
  )
}

/** The state, or that a second person has to decide. */
export function RefundStateOf({ refund }: { readonly refund: Refund }) {
  const words = useWords(refundWords)
  if (refund.status === 'PENDING' && refund.approvalRequired === true)
    return (
      <Badge tone="accent" icon="user">
        {words.needsApproval}
      </Badge>
    )
  return <RefundState status={refund.status} />
}

function PhoneLines({ refund }: { readonly refund: Row }) {
  return (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate">{customerOf(refund)}</span>
        <Money minor={refund.amount} currency={refund.currency} className="text-15 font-strong" />
      </span>
      <span className="flex items-center justify-between gap-3">
        <RefundStateOf refund={refund} />
        <Time at={refund.createdAt} inRow className="text-ink-soft" />
      </span>
    </>
  )
}

function useColumns(): readonly Column<Row>[] {
  const words = useWords(refundWords)
  return [
    amountColumn(words.amount),
    { id: 'state', header: words.state, cell: (refund) => <RefundStateOf refund={refund} /> },
    {
      id: 'customer',
      header: words.customer,
      grow: true,
      cell: (refund) => (
        <span className="block truncate">
          {customerOf(refund)}
          {refund.reason !== undefined && <span className="text-ink-soft"> · {refund.reason}</span>}
        </span>
      ),
    },
    createdColumn(words.created),
  ]
}

function useFilterList(): readonly Filter[] {
  const words = useWords(refundWords)
  const states = useWords(stateWords)
  return [
    {
      name: 'status',
      label: words.state,
      options: statuses.map((value) => ({ value, label: states.refund[value] })),
    },
    currencyFilter(words.currency),
    ...spanFilters(words),
  ]
}

/** The address as a query of /v1. */
function queryOf(
  values: Values,
  { locale, timeZone }: Reader,
): { readonly query: Query<'listRefunds'>; readonly isUnreadable: boolean } {
  const { status, currency, q = '' } = values
  const found = q === '' ? {} : findOf(q, locale)
  return {
    query: { status, currency, ...spanOf(values, timeZone), ...found },
    isUnreadable: found === undefined,
  }
}

function findOf(text: string, locale: Locale): Readonly<Record<string, string>> | undefined {
  const given = text.trim()
  if (/^0x[0-9a-f]{64}$/i.test(given)) return { txHash: given }
  if (/^[ED][A-Za-z0-9]{20,39}$/.test(given)) return { endToEndId: given }
  const minor = minorOf(given.replace(/^(?:R\$|US\$|\$|€|USDT)\s*/i, ''), locale)
  return minor === undefined || minor === 0n ? undefined : { amount: String(minor) }
}

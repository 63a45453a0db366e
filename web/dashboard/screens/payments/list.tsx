// All payments of a merchant, newest first.
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import type { Query } from '../../api/call.ts'
import { findInPayments, questionsOf, recordPlaces, type Found } from '../../api/find.ts'
import { paymentExceptions, paymentMethods, paymentStatuses, type Payment } from '../../api/generated.ts'
import { useNews } from '../../api/news.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { amountColumn, createdColumn } from '../../kit/columns.tsx'
import { CsvButton } from '../../kit/csv-button.tsx'
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
import { Exceptions, PaymentState } from '../../kit/states.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { overviewWords } from '../../words/overview.ts'
import { paymentWords } from '../../words/payments.ts'
import { useReader, useWords, type Reader } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { readPaymentCsv } from './csv.ts'
import { useTemplateOptions } from './template-options.ts'

/** The list, or the record that the search names. */
export function PaymentList() {
  const { id } = useMerchant()
  const [values] = useFilters()
  const search = useSearch(values['q'] ?? '')
  if (search.record === undefined) return <Payments values={values} search={search} />
  const { kind, id: recordId } = search.record
  return <Navigate to={`/m/${id}/${recordPlaces[kind]}/${recordId}`} replace />
}

function Payments({ values, search }: { readonly values: Values; readonly search: Searched }) {
  const words = useWords(paymentWords)
  const overview = useWords(overviewWords)
  const { id } = useMerchant()
  const reader = useReader()
  const { query, isUnreadable } = queryOf(values, search, reader)
  const isOff = isUnreadable || search.isPending || search.isNothing
  const list = useList('listPayments', { query, enabled: !isOff })
  const news = useNews('payments', list.retry)
  const isFiltered = hasFilter(query) || isUnreadable || search.isNothing
  return (
    <>
      <PageHeader
        title={words.title}
        actions={
          !isOff && <CsvButton name="payments" read={(reading) => readPaymentCsv(id, query, reading)} />
        }
      />
      <Card flush>
        <FilterBar filters={useFilterList()} search={words.search} />
        {(isUnreadable || search.isNothing) && (
          <div className="p-3">
            <Notice tone="calm">{isUnreadable ? words.notAmount : words.notSearchable}</Notice>
          </div>
        )}
        <Table
          label={words.title}
          columns={useColumns()}
          {...list}
          rows={isUnreadable || search.isNothing ? [] : list.rows}
          rowId={(payment) => payment.id}
          href={(payment) => `/m/${id}/payments/${payment.id}`}
          phone={(payment) => <PhoneLines payment={payment} />}
          isFetching={list.isFetching || search.isPending}
          news={news}
          empty={
            <Empty
              icon="payments"
              title={isFiltered ? words.noneFound : words.none}
              action={!isFiltered && <ButtonLink to={`/m/${id}`}>{overview.startTitle}</ButtonLink>}
            >
              {isFiltered ? words.noneFoundLead : words.noneLead}
            </Empty>
          }
        />
      </Card>
    </>
  )
}

function PhoneLines({ payment }: { readonly payment: Payment }) {
  const { customerName, customerEmail, description, id } = payment
  return (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate">
          {customerName ?? customerEmail ?? description ?? id.slice(-12)}
        </span>
        <Money minor={payment.amount} currency={payment.currency} className="text-15 font-strong" />
      </span>
      <span className="flex items-center justify-between gap-3">
        <span className="flex min-w-0 flex-wrap items-center gap-1">
          <PaymentState payment={payment} />
          <Exceptions payment={payment} isShort />
        </span>
        <Time at={payment.createdAt} inRow className="text-ink-soft" />
      </span>
    </>
  )
}

function useColumns(): readonly Column<Payment>[] {
  const words = useWords(paymentWords)
  const states = useWords(stateWords)
  return [
    amountColumn(words.amount),
    {
      id: 'state',
      header: words.state,
      cell: (payment) => (
        <span className="flex items-center gap-1">
          <PaymentState payment={payment} />
          <span className="contents max-sm:hidden">
            <Exceptions payment={payment} isShort />
          </span>
        </span>
      ),
    },
    {
      id: 'method',
      header: words.method,
      from: 'md',
      cell: ({ paymentMethod, paymentMethods: offered, card }) => (
        <span className="whitespace-nowrap">
          {(paymentMethod === undefined ? offered : [paymentMethod])
            .map((each) => states.method[each])
            .join(', ')}
          {card?.last4 !== undefined && <span className="figures text-ink-soft"> ·· {card.last4}</span>}
        </span>
      ),
    },
    {
      id: 'customer',
      header: words.customer,
      from: 'sm',
      grow: true,
      cell: ({ customerName, customerEmail, description, id }) => (
        <span className="block truncate">
          {customerName ?? customerEmail ?? description ?? (
            <span className="font-mono text-ink-soft">{id.slice(-12)}</span>
          )}
        </span>
      ),
    },
    createdColumn(words.created),
  ]
}

function useFilterList(): readonly Filter[] {
  const words = useWords(paymentWords)
  const states = useWords(stateWords)
  const templates = useTemplateOptions()
  return [
    {
      name: 'status',
      label: words.state,
      options: paymentStatuses.map((value) => ({ value, label: states.payment[value] })),
    },
    {
      name: 'method',
      label: words.method,
      options: paymentMethods.map((value) => ({ value, label: states.method[value] })),
    },
    currencyFilter(words.currency),
    {
      name: 'exception',
      label: words.exception,
      options: [
        { value: paymentExceptions.join(','), label: words.anyException },
        ...paymentExceptions.map((value) => ({ value, label: states.exception[value] })),
      ],
    },
    ...(templates.length === 0 ? [] : [{ name: 'checkout', label: words.template, options: templates }]),
    { name: 'amount', label: words.amount, type: 'amount' },
    ...spanFilters(words),
  ]
}

type Searched = {
  readonly query: Query<'listPayments'>
  /** The single record that the search names, with its place. */
  readonly record?: Found
  readonly isPending: boolean
  /** The text cannot be searched for, or nothing fits it. */
  readonly isNothing: boolean
}

/** The query of the search box for the list. A text that may be several things (such as an amount and an id) is tried as each of them. */
function useSearch(text: string): Searched {
  const { id: merchantId, may } = useMerchant()
  const { locale } = useReader()
  const hasText = text !== ''
  const isFindable = hasText && questionsOf(text, locale).length > 0
  const { data, isPending } = useQuery({
    queryKey: ['m', merchantId, 'payments', 'search', text, locale],
    queryFn: async ({ signal }) => (await findInPayments(text, { merchantId, may, locale, signal })) ?? null,
    enabled: isFindable,
  })
  if (!hasText) return { query: {}, isPending: false, isNothing: false }
  if (!isFindable) return { query: {}, isPending: false, isNothing: true }
  if (data === undefined || data === null) return { query: {}, isPending, isNothing: !isPending }
  const base = { isPending: false, isNothing: false }
  return 'record' in data ? { ...base, query: {}, record: data.record } : { ...base, query: data.query }
}

/** The address as a query of /v1. A day begins and ends in the reader's time zone. */
function queryOf(
  values: Values,
  search: Searched,
  { locale, timeZone }: Reader,
): {
  readonly query: Query<'listPayments'>
  /** The written amount is not an amount. */
  readonly isUnreadable: boolean
} {
  const { status, method, currency, exception, checkout, amount } = values
  const minor = amount === undefined ? undefined : minorOf(amount, locale)
  const query = {
    status,
    method,
    currency,
    exception,
    checkout,
    amount: minor?.toString(),
    ...spanOf(values, timeZone),
    ...search.query,
  }
  return { query, isUnreadable: amount !== undefined && minor === undefined }
}

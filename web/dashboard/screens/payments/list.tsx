// All payments of a merchant, newest first.
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import type { Query } from '../../api/call.ts'
import { findInPayments, questionsOf, recordPlaces, type Found } from '../../api/find.ts'
import { paymentExceptions, paymentMethods, paymentStatuses, type Payment } from '../../api/generated.ts'
import { useNews } from '../../api/marks.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { CsvButton } from '../../kit/csv-button.tsx'
import { useFilters } from '../../kit/filter-values.ts'
import { choice, currencyFilter, spanFilters } from '../../kit/filters.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords, type FiltersOf } from '../../kit/record-list.tsx'
import { Exceptions, PaymentState } from '../../kit/states.tsx'
import type { Column } from '../../kit/table.tsx'
import { newPaymentWords } from '../../words/new-payment.ts'
import { paymentWords } from '../../words/payments.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { readPaymentCsv } from './csv.ts'

/** The list, or the record that the search names. */
export function PaymentList() {
  const { id } = useMerchant()
  const [{ q = '' }] = useFilters()
  const search = useSearch(q)
  if (search.record === undefined) return <Payments search={search} />
  const { kind, id: recordId } = search.record
  return <Navigate to={`/m/${id}/${recordPlaces[kind]}/${recordId}`} replace />
}

function Payments({ search }: { readonly search: Searched }) {
  const words = useWords(paymentWords)
  const newWords = useWords(newPaymentWords)
  const { id, may } = useMerchant()
  const records = useRecords('listPayments', {
    filters: useFilterList(),
    find: () => search.query,
    enabled: !search.isPending,
  })
  const create = may('payments:write') && (
    <ButtonLink to={`/m/${id}/payments/new`} variant="primary" icon="plus">
      {newWords.title}
    </ButtonLink>
  )
  const isOff = search.isPending || records.unreadable !== undefined
  return (
    <>
      <PageHeader
        title={words.title}
        actions={
          <>
            {!isOff && (
              <CsvButton name="payments" read={(reading) => readPaymentCsv(id, records.query, reading)} />
            )}
            {create}
          </>
        }
      />
      <RecordList
        records={{ ...records, isFetching: records.isFetching || search.isPending }}
        words={words}
        icon="payments"
        columns={useColumns()}
        href={(payment) => `/m/${id}/payments/${payment.id}`}
        news={useNews('payments', records.retry)}
        first={create}
      />
    </>
  )
}

function useColumns(): readonly Column<Payment>[] {
  const words = useWords(paymentWords)
  const states = useWords(stateWords)
  return [
    { header: words.amount, money: 'amount', className: 'font-strong' },
    {
      header: words.state,
      cell: (payment) => (
        <span className="flex flex-wrap items-center gap-1">
          <PaymentState payment={payment} />
          <Exceptions payment={payment} isShort />
        </span>
      ),
    },
    {
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
      header: words.customer,
      from: 'sm',
      grow: true,
      cell: ({ customerName, customerEmail, description, id }) =>
        customerName ??
        customerEmail ??
        description ?? <span className="font-mono text-ink-soft">{id.slice(-12)}</span>,
    },
    { header: words.created, time: 'createdAt' },
  ]
}

function useFilterList(): FiltersOf<'listPayments'> {
  const words = useWords(paymentWords)
  const states = useWords(stateWords)
  const templates = useTemplateOptions()
  const exceptions = choice('exception', words.exception, paymentExceptions, states.exception)
  return [
    choice('status', words.state, paymentStatuses, states.payment),
    choice('method', words.method, paymentMethods, states.method),
    currencyFilter(words.currency),
    {
      ...exceptions,
      options: [{ value: paymentExceptions.join(','), label: words.anyException }, ...exceptions.options],
    },
    ...(templates.length === 0
      ? []
      : [{ name: 'checkout', label: words.template, options: templates } as const]),
    { name: 'amount', label: words.amount, type: 'amount' },
    ...spanFilters(words),
  ]
}

type Searched = {
  /** The query for the list; undefined when the text cannot be searched for, or nothing fits it. */
  readonly query: Query<'listPayments'> | undefined
  /** The single record that the search names, with its place. */
  readonly record?: Found
  readonly isPending: boolean
}

/** What the search box asks for. A text that may be several things (such as an amount and an id) is tried as each of them. */
function useSearch(text: string): Searched {
  const { id: merchantId, may } = useMerchant()
  const { locale } = useReader()
  const isFindable = questionsOf(text, locale).length > 0
  const { data, isPending } = useQuery({
    queryKey: ['m', merchantId, 'payments', 'search', text, locale],
    queryFn: async ({ signal }) => (await findInPayments(text, { merchantId, may, locale, signal })) ?? null,
    enabled: text !== '' && isFindable,
  })
  if (text === '') return { query: {}, isPending: false }
  if (!isFindable) return { query: undefined, isPending: false }
  if (data === undefined || data === null) return { query: isPending ? {} : undefined, isPending }
  return { query: {}, isPending: false, ...data }
}

// The merchant's templates, as the choices of a filter.

/** Empty for who may not see templates. */
export function useTemplateOptions(): readonly { readonly value: string; readonly label: string }[] {
  const { may } = useMerchant()
  const { data } = useRead('listTemplates', { enabled: may('templates:read') })
  return (data?.data ?? []).map(({ slug }) => ({ value: slug, label: slug }))
}

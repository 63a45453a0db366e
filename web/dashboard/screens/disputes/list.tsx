// All disputes of a merchant, newest first, with what is due.
import type { Dispute, Payment } from '../../api/generated.ts'
import { useNews } from '../../api/news.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
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
} from '../../kit/filters.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, PageHeader } from '../../kit/page.tsx'
import { DisputeState } from '../../kit/states.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { disputeWords } from '../../words/disputes.ts'
import { frameWords } from '../../words/frame.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { customerOf } from '../refunds/customer.ts'
import { Due } from './due.tsx'

type Row = Dispute & { readonly payment?: Payment }

const statuses = ['OPEN', 'WON', 'LOST'] as const

export function DisputeList() {
  const words = useWords(disputeWords)
  const { nav } = useWords(frameWords)
  const { id } = useMerchant()
  const { timeZone } = useReader()
  const [values] = useFilters()
  const { status, currency } = values
  const filter = { status, currency, ...spanOf(values, timeZone) }
  const list = useList('listDisputes', { query: { expand: 'payment', ...filter } })
  const news = useNews('disputes', list.retry)
  const isFiltered = hasFilter(filter)
  return (
    <>
      <PageHeader title={words.title} />
      <Card flush>
        <FilterBar filters={useFilterList()} />
        <Table
          label={words.title}
          columns={useColumns()}
          {...list}
          rowId={(dispute) => dispute.id}
          href={(dispute) => `/m/${id}/disputes/${dispute.id}`}
          phone={(dispute) => <PhoneLines dispute={dispute} />}
          news={news}
          empty={
            <Empty
              icon="disputes"
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

function PhoneLines({ dispute }: { readonly dispute: Row }) {
  return (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate">{customerOf(dispute)}</span>
        <Money minor={dispute.amount} currency={dispute.currency} className="text-15 font-strong" />
      </span>
      <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <DisputeState status={dispute.status} />
        {dispute.status === 'OPEN' && dispute.evidenceDueAt !== undefined ? (
          <Due dispute={dispute} />
        ) : (
          <Time at={dispute.createdAt} inRow className="text-ink-soft" />
        )}
      </span>
    </>
  )
}

function useColumns(): readonly Column<Row>[] {
  const words = useWords(disputeWords)
  const states = useWords(stateWords)
  return [
    amountColumn(words.amount),
    { id: 'state', header: words.state, cell: ({ status }) => <DisputeState status={status} /> },
    { id: 'due', header: words.due, cell: (dispute) => <Due dispute={dispute} /> },
    {
      id: 'customer',
      header: words.customer,
      grow: true,
      cell: (dispute) => (
        <span className="block truncate">
          {customerOf(dispute)} <span className="text-ink-soft">· {states.disputeKind[dispute.kind]}</span>
        </span>
      ),
    },
    createdColumn(words.created, 'md'),
  ]
}

function useFilterList(): readonly Filter[] {
  const words = useWords(disputeWords)
  const states = useWords(stateWords)
  return [
    {
      name: 'status',
      label: words.state,
      options: statuses.map((value) => ({ value, label: states.dispute[value] })),
    },
    currencyFilter(words.currency),
    ...spanFilters(words),
  ]
}

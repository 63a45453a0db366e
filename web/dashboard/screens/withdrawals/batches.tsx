// Batches of withdrawals, newest first.
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { createdColumn } from '../../kit/columns.tsx'
import { spanOf } from '../../kit/days.ts'
import { Empty } from '../../kit/empty.tsx'
import { FilterBar, spanFilters, useFilters } from '../../kit/filters.tsx'
import { Card } from '../../kit/page.tsx'
import { Table } from '../../kit/table.tsx'
import { payoutWords } from '../../words/payouts.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { WithdrawalFrame } from './frame.tsx'
import { BatchState } from './state.tsx'

export function BatchList() {
  const words = useWords(payoutWords)
  const shared = useWords(withdrawalWords)
  const format = useFormat()
  const { id, may } = useMerchant()
  const { timeZone } = useReader()
  const [values] = useFilters()
  const { from, to } = values
  const query = spanOf(values, timeZone)
  const list = useList('listWithdrawalBatches', { query })
  const isFiltered = from !== undefined || to !== undefined
  const create = may('withdrawals:write') && (
    <ButtonLink variant="primary" icon="plus" to={`/m/${id}/withdrawals/batches/new`}>
      {words.batchCreate}
    </ButtonLink>
  )
  return (
    <WithdrawalFrame actions={create}>
      <Card flush>
        <FilterBar filters={[...spanFilters(shared)]} />
        <Table
          label={words.batches}
          columns={[
            {
              id: 'count',
              header: words.count,
              align: 'end',
              cell: ({ count }) => <span className="figures font-strong">{format.count(count)}</span>,
            },
            {
              id: 'state',
              header: shared.state,
              grow: true,
              cell: ({ status }) => <BatchState status={status} />,
            },
            createdColumn(shared.created),
          ]}
          {...list}
          rowId={(batch) => batch.id}
          href={(batch) => `/m/${id}/withdrawals/batches/${batch.id}`}
          empty={
            <Empty icon="withdrawals" title={isFiltered ? shared.noneFound : words.batchNone}>
              {isFiltered ? undefined : words.batchNoneLead}
            </Empty>
          }
        />
      </Card>
    </WithdrawalFrame>
  )
}

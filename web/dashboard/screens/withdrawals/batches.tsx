// Batches of withdrawals, newest first.
import { useMerchant } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { spanFilters } from '../../kit/filters.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { payoutWords } from '../../words/payouts.ts'
import { useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { WithdrawalFrame } from './frame.tsx'
import { BatchState } from './state.tsx'

export function BatchList() {
  const words = useWords(payoutWords)
  const shared = useWords(withdrawalWords)
  const { id, may } = useMerchant()
  const records = useRecords('listWithdrawalBatches', { filters: spanFilters(shared) })
  const create = may('withdrawals:write') && (
    <ButtonLink variant="primary" icon="plus" to={`/m/${id}/withdrawals/batches/new`}>
      {words.batchCreate}
    </ButtonLink>
  )
  return (
    <WithdrawalFrame actions={create}>
      <RecordList
        records={records}
        words={{
          title: words.batches,
          none: words.batchNone,
          noneLead: words.batchNoneLead,
          noneFound: shared.noneFound,
          noneFoundLead: shared.noneFoundLead,
        }}
        icon="withdrawals"
        isTable
        columns={[
          { header: words.count, count: 'count', className: 'font-strong' },
          { header: shared.state, grow: true, cell: ({ status }) => <BatchState status={status} /> },
          { header: shared.created, time: 'createdAt' },
        ]}
        href={(batch) => `/m/${id}/withdrawals/batches/${batch.id}`}
      />
    </WithdrawalFrame>
  )
}

// Batches of withdrawals, newest first.
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { WithdrawalBatch } from '../../api/generated.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { ActionButton } from '../../kit/action-dialog.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { spanFilters } from '../../kit/filters.tsx'
import { Money } from '../../kit/money.tsx'
import { Card } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { RecordPage, Stack } from '../../kit/record-page.tsx'
import { Time } from '../../kit/time.tsx'
import { payoutWords } from '../../words/payouts.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { DecisionNotice } from './decide.tsx'
import { WithdrawalFrame } from './frame.tsx'
import { BatchRows } from './list.tsx'
import { BatchState, WithdrawalState } from './state.tsx'

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

// One batch: how far it is, what can be decided about it, and its withdrawals.

/** A batch has no events of its own, so it is polled as long as it can change. */
const lookEveryMs = 3_000

export function BatchPage() {
  const words = useWords(payoutWords)
  const format = useFormat()
  const { id: merchantId, may } = useMerchant()
  const batchId = useParam('batchId')
  const read = useQuery({
    queryKey: ['m', merchantId, 'withdrawal-batches', 'one', batchId],
    queryFn: ({ signal }) => call('getWithdrawalBatch', { merchant: merchantId, id: batchId }, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'ENDED' ? false : lookEveryMs),
  })
  const isWaiting = read.data?.progress?.some(
    ({ status }) => status === 'PENDING' || status === 'PENDING_APPROVAL',
  )
  return (
    <RecordPage
      of={read}
      kind={words.batch}
      back={{ to: `/m/${merchantId}/withdrawals/batches`, label: words.batches }}
      head={(batch) => ({
        name: words.batchOf(format.count(batch.count)),
        badges: <BatchState status={batch.status} />,
        lead: <Identity batch={batch} />,
        actions: may('withdrawals:write') && isWaiting && (
          <ActionButton
            opener={{ icon: 'cross' }}
            call="cancelWithdrawalBatch"
            id={batch.id}
            title={words.cancelBatch}
            lead={words.cancelBatchLead}
            act={words.cancelBatchDo}
            isDanger
            done={words.cancelBatchDone}
          >
            <Parts batch={batch} />
          </ActionButton>
        ),
      })}
    >
      {(batch) => (
        <Stack>
          {batch.status === 'PENDING_APPROVAL' && <Decision batch={batch} />}
          <Card title={words.progress}>
            <Progress batch={batch} />
          </Card>
          <BatchRows batchId={batchId} />
        </Stack>
      )}
    </RecordPage>
  )
}

/** The id, as it is asked for elsewhere, and when the batch was made. */
function Identity({ batch }: { readonly batch: WithdrawalBatch }) {
  const words = useWords(payoutWords)
  return (
    <span className="flex max-w-full flex-wrap items-center gap-x-2">
      <span className="min-w-0 truncate font-mono text-13">{batch.id}</span>
      <CopyButton value={batch.id} what={words.batchId} />
      <Time at={batch.createdAt} className="text-ink-soft" />
    </span>
  )
}

function Decision({ batch }: { readonly batch: WithdrawalBatch }) {
  const words = useWords(payoutWords)
  const shared = useWords(withdrawalWords)
  const format = useFormat()
  const count = format.count(batch.count)
  return (
    <DecisionNotice
      of={{
        kind: 'WithdrawalBatch',
        id: batch.id,
        waits: words.batchWaits,
        titles: { approve: words.approveBatch(count), reject: words.rejectBatch(count) },
        leads: { approve: shared.approveLead, reject: shared.rejectLead },
        done: { approve: words.approveBatchDone, reject: words.rejectBatchDone },
        facts: <Parts batch={batch} />,
      }}
    />
  )
}

/** How many have their end, as a bar with a number, and what became of them. */
function Progress({ batch }: { readonly batch: WithdrawalBatch }) {
  const words = useWords(payoutWords)
  const format = useFormat()
  const done = (batch.progress ?? [])
    .filter(({ status }) => status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELED')
    .reduce((sum, { count }) => sum + count, 0)
  const text = words.ended(format.count(done), format.count(batch.count))
  return (
    <>
      <p aria-live="polite" className="figures text-13 text-ink-soft">
        {text}
      </p>
      <div
        role="progressbar"
        aria-label={words.progress}
        aria-valuemin={0}
        aria-valuemax={batch.count}
        aria-valuenow={done}
        aria-valuetext={text}
        className="mt-2 mb-3 h-2 overflow-hidden rounded-full bg-inset"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-200"
          style={{ width: `${(100 * done) / Math.max(1, batch.count)}%` }}
        />
      </div>
      <Parts batch={batch} />
    </>
  )
}

/** The sums of each state and currency. */
function Parts({ batch }: { readonly batch: WithdrawalBatch }) {
  const words = useWords(payoutWords)
  const shared = useWords(withdrawalWords)
  const format = useFormat()
  return (
    <table aria-label={words.sums} className="w-full text-13">
      <thead>
        <tr className="text-left text-ink-soft">
          <th className="py-1 font-normal">{shared.state}</th>
          <th className="py-1 pl-3 text-right font-normal">{words.count}</th>
          <th className="py-1 pl-3 text-right font-normal">{shared.amount}</th>
          <th className="py-1 pl-3 text-right font-normal max-sm:hidden">{shared.fee}</th>
        </tr>
      </thead>
      <tbody>
        {(batch.progress ?? []).map(({ status, currency, count, amount, fee }) => (
          <tr key={`${status} ${currency}`} className="border-t border-line">
            <td className="py-1.5">
              <WithdrawalState withdrawal={{ status }} />
            </td>
            <td className="figures py-1.5 pl-3 text-right">{format.count(count)}</td>
            <td className="py-1.5 pl-3 text-right">
              <Money minor={amount} currency={currency} />
            </td>
            <td className="py-1.5 pl-3 text-right max-sm:hidden">
              <Money minor={fee} currency={currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

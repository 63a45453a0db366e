// Payout schedules: wallets that pay out by themselves. Each can be paused, resumed and ended where it stands.
import { Link } from '@tanstack/react-router'
import { useAct } from '../../api/act.ts'
import type { PayoutSchedule } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { useWallets } from '../../api/wallets.ts'
import { ActionButton } from '../../kit/action-dialog.tsx'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { sumsIn, Definitions, timeOf } from '../../kit/facts.tsx'
import { Fault, useFaultText } from '../../kit/fault.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Card } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { kitWords } from '../../words/kit.ts'
import { payoutWords } from '../../words/payouts.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { WithdrawalFrame } from './frame.tsx'
import { DestinationOf, ScheduleState } from './state.tsx'

export function ScheduleList() {
  const words = useWords(payoutWords)
  const kit = useWords(kitWords)
  const { id, may } = useMerchant()
  const list = useList('listPayoutSchedules')
  const create = may('withdrawals:write') && (
    <ButtonLink variant="primary" icon="plus" to={`/m/${id}/withdrawals/schedules/new`}>
      {words.scheduleCreate}
    </ButtonLink>
  )
  const failed = list.error !== null && list.error !== undefined
  return (
    <WithdrawalFrame actions={create}>
      <LoadingLine isOn={list.isFetching} />
      {failed && <Fault error={list.error} onRetry={list.retry} />}
      {list.rows?.length === 0 && (
        <Card>
          <Empty icon="reload" title={words.scheduleNone}>
            {words.scheduleNoneLead}
          </Empty>
        </Card>
      )}
      <ul className="grid grid-cols-1 gap-4 md:grid-cols-2">
        {list.rows?.map((schedule) => (
          <li key={schedule.id}>
            <ScheduleCard schedule={schedule} />
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <Button onClick={list.more} busy={list.isFetching} className="mt-4">
          {kit.more}
        </Button>
      )}
    </WithdrawalFrame>
  )
}

function ScheduleCard({ schedule }: { readonly schedule: PayoutSchedule }) {
  const words = useWords(payoutWords)
  const shared = useWords(withdrawalWords)
  const { id: merchantId, may } = useMerchant()
  const wallets = useWallets(may('wallets:read'))
  const { currency, lastOutcome, lastRunAt, lastWithdrawalId, nextRunAt } = schedule
  const sum = sumsIn(currency)
  const wallet = wallets.data?.find(({ id }) => id === schedule.walletId)
  return (
    <Card>
      <div className="mb-1 flex flex-wrap items-start justify-between gap-2">
        <h2 className="min-w-0 text-15 font-strong">
          <RhythmText schedule={schedule} />
        </h2>
        <ScheduleState status={schedule.status} />
      </div>
      <Definitions
        items={[
          [shared.wallet, wallet?.label],
          [shared.destination, <DestinationOf of={schedule} />],
          [words.keep, sum(schedule.keep)],
          BigInt(schedule.minimum) > 1n && [words.minimum, sum(schedule.minimum)],
          [words.next, timeOf(nextRunAt)],
          [words.last, timeOf(lastRunAt)],
        ]}
      />
      {lastOutcome !== undefined && (
        <p className="flex flex-wrap justify-between gap-x-3 text-13 text-ink-soft">
          {words.outcome[lastOutcome]}
          {lastWithdrawalId !== undefined && (
            <Link to={`/m/${merchantId}/withdrawals/${lastWithdrawalId}`} className="link">
              {words.seeWithdrawal}
            </Link>
          )}
        </p>
      )}
      {may('withdrawals:write') && schedule.status !== 'ENDED' && <Changes schedule={schedule} />}
    </Card>
  )
}

function RhythmText({ schedule }: { readonly schedule: PayoutSchedule }) {
  const words = useWords(payoutWords)
  const format = useFormat()
  const { rhythm, weekday = 'MONDAY', time = '', timeZone = '', above = 0, currency } = schedule
  if (rhythm === 'ABOVE') return words.aboveOf(format.money(above, currency))
  return rhythm === 'DAILY'
    ? words.daily(time, timeZone)
    : words.weekly(words.weekdays[weekday], time, timeZone)
}

function Changes({ schedule }: { readonly schedule: PayoutSchedule }) {
  const words = useWords(payoutWords)
  const textOf = useFaultText()
  const act = useAct()
  const isActive = schedule.status === 'ACTIVE'
  const change = async (status: PayoutSchedule['status'], done: string) => {
    if (await act.send('changePayoutSchedule', { id: schedule.id, body: { status } })) toast(done)
  }
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <Button
        busy={act.isBusy}
        onClick={() => void (isActive ? change('PAUSED', words.paused) : change('ACTIVE', words.resumed))}
      >
        {isActive ? words.pause : words.resume}
      </Button>
      <ActionButton
        variant="danger"
        call="changePayoutSchedule"
        id={schedule.id}
        body={() => ({ status: 'ENDED' as const })}
        title={words.endTitle}
        lead={words.endLead}
        act={words.end}
        isDanger
        done={words.endDone}
      />
      {act.error !== undefined && (
        <p role="alert" className="w-full text-13 text-bad">
          {textOf(act.error)}
        </p>
      )}
    </div>
  )
}

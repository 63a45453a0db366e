// Payout schedules: wallets that pay out by themselves. Each can be paused, resumed and ended where it stands.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import type { PayoutSchedule } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { useWallets } from '../../api/wallets.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Fault, FormFault, useFaultText } from '../../kit/fault.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, Definitions } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
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
          wallet !== undefined && [shared.wallet, wallet.label],
          [shared.destination, <DestinationOf key="to" of={schedule} />],
          [words.keep, <Money key="keep" minor={schedule.keep} currency={currency} />],
          BigInt(schedule.minimum) > 1n && [
            words.minimum,
            <Money key="least" minor={schedule.minimum} currency={currency} />,
          ],
          nextRunAt !== undefined && [words.next, <Time key="next" at={nextRunAt} />],
          lastRunAt !== undefined && [words.last, <Time key="last" at={lastRunAt} />],
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
  const [isEnding, setEnding] = useState(false)
  const isActive = schedule.status === 'ACTIVE'
  const change = async (status: PayoutSchedule['status'], done: string) => {
    const isDone = await act.send('changePayoutSchedule', { id: schedule.id, body: { status } })
    if (isDone) toast(done)
    return isDone
  }
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <Button
        busy={act.isBusy}
        onClick={() => void (isActive ? change('PAUSED', words.paused) : change('ACTIVE', words.resumed))}
      >
        {isActive ? words.pause : words.resume}
      </Button>
      <Button variant="danger" onClick={() => setEnding(true)}>
        {words.end}
      </Button>
      {!isEnding && act.error !== undefined && (
        <p role="alert" className="w-full text-13 text-bad">
          {textOf(act.error)}
        </p>
      )}
      {isEnding && (
        <EndDialog
          act={act}
          onClose={() => setEnding(false)}
          onEnd={() => void change('ENDED', words.endDone).then((isDone) => isDone && setEnding(false))}
        />
      )}
    </div>
  )
}

function EndDialog({
  act,
  onClose,
  onEnd,
}: {
  readonly act: { readonly isBusy: boolean; readonly error: unknown }
  readonly onClose: () => void
  readonly onEnd: () => void
}) {
  const words = useWords(payoutWords)
  return (
    <Dialog open onClose={onClose} title={words.endTitle} lead={words.endLead}>
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={onEnd}>
          {words.end}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

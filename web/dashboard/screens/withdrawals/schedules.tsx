// Payout schedules: wallets that pay out by themselves. Each can be paused, resumed and ended where it stands.
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { Locale } from '#/kernel/language.ts'
import { useAct } from '../../api/act.ts'
import {
  type PayoutSchedule,
  payoutRhythms,
  weekdays,
  type PayoutRhythm,
  type Wallet,
  type Weekday,
} from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { useWallets } from '../../api/wallets.ts'
import { currencyOfType } from '../../api/withdrawals.ts'
import { ActionButton } from '../../kit/action-dialog.tsx'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { sumsIn, Definitions, timeOf } from '../../kit/facts.tsx'
import { Fault, useFaultText, FormFault, Loaded } from '../../kit/fault.tsx'
import { Fields, named, type Item } from '../../kit/form.tsx'
import { minorOf } from '../../kit/format.ts'
import { useKeptDraft } from '../../kit/kept-draft.ts'
import { LoadingLine } from '../../kit/loading.tsx'
import { Card, PageHeader } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { kitWords } from '../../words/kit.ts'
import { payoutWords } from '../../words/payouts.ts'
import { useFormat, useWords, useReader } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { payersOf } from './create.tsx'
import { DestinationFields, destinationOf, emptyDestination } from './destination.tsx'
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

// A new payout schedule: which wallet pays, to where, when, and what stays.

export function NewSchedule() {
  const words = useWords(payoutWords)
  const { id } = useMerchant()
  const wallets = useWallets()
  return (
    <>
      <PageHeader
        title={words.scheduleCreate}
        back={{ to: `/m/${id}/withdrawals/schedules`, label: words.schedules }}
        lead={<p className="max-w-150">{words.scheduleLead}</p>}
      />
      <Loaded of={wallets}>
        {(all) => (
          <div className="max-w-150">
            <ScheduleForm wallets={all} />
          </div>
        )}
      </Loaded>
    </>
  )
}

const empty = {
  ...emptyDestination,
  walletId: '',
  rhythm: 'DAILY' as PayoutRhythm,
  weekday: 'MONDAY' as Weekday,
  time: '06:00',
  above: '',
  keep: '',
  minimum: '',
}
type Draft = typeof empty

/** The written amounts; undefined where the text is not an amount. */
type Amounts<Written = bigint | undefined> = {
  readonly above: Written
  readonly keep: Written
  readonly minimum: Written
}

function amountsOf({ rhythm, above, keep, minimum }: Draft, locale: Locale): Amounts {
  // An empty field means no rule: the whole balance may leave, and any amount is enough.
  const optional = (text: string) => (text.trim() === '' ? 0n : minorOf(text, locale))
  return {
    // Only the rhythm ABOVE has a threshold: a threshold that was typed for it is ignored with any other rhythm.
    above: rhythm === 'ABOVE' ? minorOf(above, locale) : 0n,
    keep: optional(keep),
    minimum: optional(minimum),
  }
}

function isWhole(amounts: Amounts): amounts is Amounts<bigint> {
  return Object.values(amounts).every((amount) => amount !== undefined)
}

/** The fields of the body that say when. A threshold has no time of day. */
function timesOf({ rhythm, weekday, time }: Draft, timeZone: string, above: bigint) {
  return {
    rhythm,
    ...(rhythm === 'ABOVE' ? { above } : { time, timeZone }),
    ...(rhythm === 'WEEKLY' ? { weekday } : {}),
  }
}

function ScheduleForm({ wallets }: { readonly wallets: readonly Wallet[] }) {
  const words = useWords(payoutWords)
  const shared = useWords(withdrawalWords)
  const navigate = useNavigate()
  const { id } = useMerchant()
  const { locale, timeZone } = useReader()
  const draft = useKeptDraft('schedule', empty)
  const act = useAct([], draft)
  const { values } = draft
  const [wasTried, setTried] = useState(false)
  const currency = currencyOfType[values.type]
  const payers = payersOf(wallets, values)
  const wallet = payers.find((each) => each.id === values.walletId) ?? payers[0]
  const amounts = amountsOf(values, locale)
  const isAboveWrong = amounts.above === undefined || (values.rhythm === 'ABOVE' && amounts.above === 0n)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const destination = destinationOf(values)
    if (destination === undefined || wallet === undefined || !isWhole(amounts)) return
    const body = {
      ...destination,
      currency,
      walletId: wallet.id,
      ...timesOf(values, timeZone, amounts.above),
      keep: amounts.keep,
      minimum: amounts.minimum || undefined,
    }
    // What would be refused is said before a second factor is asked for.
    if (!(await act.send('reviewPayoutSchedule', { body }))) return
    if (!(await act.send('createPayoutSchedule', { body }))) return
    toast(words.scheduleDone)
    void navigate({ to: `/m/${id}/withdrawals/schedules` })
  }
  return (
    <Card>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-5 pt-1" noValidate>
        <DestinationFields draft={values} onChange={draft.put} error={act.error} wasTried={wasTried} />
        <Fields
          draft={{ ...draft, values: { ...values, walletId: wallet?.id ?? '' } }}
          error={act.error}
          wasTried={wasTried}
          items={[
            {
              name: 'walletId',
              label: shared.wallet,
              options: payers.map((each) => ({ value: each.id, label: each.label })),
            },
            ...useTimeItems(values, act.error, currency, isAboveWrong),
            { row: useAmountItems(amounts, currency) },
          ]}
        />
        <FormFault error={act.error} />
        <div className="flex justify-end">
          <Button type="submit" variant="primary" busy={act.isBusy} className="max-sm:w-full">
            {words.scheduleDo}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** When it pays. A threshold has no time of day. */
function useTimeItems(
  { rhythm }: Draft,
  error: unknown,
  currency: string,
  isAboveWrong: boolean,
): readonly Item<Draft>[] {
  const words = useWords(payoutWords)
  const { timeZone } = useReader()
  return [
    { name: 'rhythm', label: words.rhythm, cards: named(payoutRhythms, words.rhythms) },
    rhythm === 'WEEKLY' && {
      name: 'weekday',
      label: words.weekday,
      options: named(weekdays, words.weekdays),
    },
    rhythm === 'ABOVE'
      ? { name: 'above', label: words.above, currency, wrong: isAboveWrong && words.amountAny }
      : {
          name: 'time',
          label: words.time,
          help: words.timeZone(timeZone),
          type: 'time',
          fault: faultOf(error, 'time') ?? faultOf(error, 'timeZone'),
        },
  ]
}

/** What stays in the wallet, and the least that leaves it. */
function useAmountItems({ keep, minimum }: Amounts, currency: string): readonly Item<Draft>[] {
  const words = useWords(payoutWords)
  const wrongAt = (amount: bigint | undefined) => (amount === undefined ? words.amountAny : undefined)
  return [
    { name: 'keep', label: words.keep, currency, fault: wrongAt(keep) },
    { name: 'minimum', label: words.minimum, help: words.minimumHelp, currency, fault: wrongAt(minimum) },
  ]
}

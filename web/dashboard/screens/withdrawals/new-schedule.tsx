// A new payout schedule: which wallet pays, to where, when, and what stays.
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { Locale } from '#/kernel/language.ts'
import { useAct } from '../../api/act.ts'
import { payoutRhythms, weekdays, type PayoutRhythm, type Wallet, type Weekday } from '../../api/generated.ts'
import { codeOf, faultOf } from '../../api/problem.ts'
import { useMerchant } from '../../api/session.ts'
import { useWallets } from '../../api/wallets.ts'
import { currencyOfType } from '../../api/withdrawals.ts'
import { Button } from '../../kit/button.tsx'
import { FormFault, LoadingOrFault } from '../../kit/fault.tsx'
import { AmountField, RadioCards, TextField } from '../../kit/field.tsx'
import { minorOf } from '../../kit/format.ts'
import { Card, Notice, PageHeader } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { toast } from '../../kit/toast.tsx'
import { payoutWords } from '../../words/payouts.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { DestinationFields, destinationOf, emptyDestination } from './destination.tsx'
import { payersOf } from './order-form.tsx'

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
      {wallets.data === undefined ? (
        <LoadingOrFault error={wallets.error} onRetry={() => void wallets.refetch()} />
      ) : (
        <div className="max-w-150">
          <ScheduleForm wallets={wallets.data} />
        </div>
      )}
    </>
  )
}

const empty = {
  to: emptyDestination,
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
  const act = useAct()
  const [draft, setDraft] = useState(empty)
  const [wasTried, setTried] = useState(false)
  const put = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })
  const currency = currencyOfType[draft.to.type]
  const payers = payersOf(wallets, draft)
  const wallet = payers.find((each) => each.id === draft.walletId) ?? payers[0]
  const amounts = amountsOf(draft, locale)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const destination = destinationOf(draft.to)
    if (destination === undefined || wallet === undefined || !isWhole(amounts)) return
    const isMade = await act.send('createPayoutSchedule', {
      body: {
        ...destination,
        currency,
        walletId: wallet.id,
        ...timesOf(draft, timeZone, amounts.above),
        keep: amounts.keep,
        minimum: amounts.minimum || undefined,
      },
    })
    if (!isMade) return
    toast(words.scheduleDone)
    void navigate({ to: `/m/${id}/withdrawals/schedules` })
  }
  const isNotListed = codeOf(act.error) === 'destination_not_allowed'
  return (
    <Card>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-5 pt-1" noValidate>
        <DestinationFields
          draft={draft.to}
          onChange={(to) => put({ to })}
          error={act.error}
          wasTried={wasTried}
        />
        <SelectField
          label={shared.wallet}
          value={wallet?.id ?? ''}
          onChange={(event) => put({ walletId: event.target.value })}
          options={payers.map((each) => ({ value: each.id, label: each.label }))}
        />
        <When
          draft={draft}
          put={put}
          timeZone={timeZone}
          currency={currency}
          error={act.error}
          isAboveWrong={
            wasTried && (amounts.above === undefined || (draft.rhythm === 'ABOVE' && amounts.above === 0n))
          }
        />
        <StayFields draft={draft} put={put} amounts={amounts} currency={currency} error={act.error} />
        {isNotListed ? <Notice tone="bad">{shared.notListed}</Notice> : <FormFault error={act.error} />}
        <div className="flex justify-end">
          <Button type="submit" variant="primary" busy={act.isBusy} className="max-sm:w-full">
            {words.scheduleDo}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** What stays in the wallet, and the least that is worth a withdrawal. */
function StayFields({
  draft,
  put,
  amounts,
  currency,
  error,
}: {
  readonly draft: Draft
  readonly put: (changes: Partial<Draft>) => void
  readonly amounts: Amounts
  readonly currency: string
  readonly error: unknown
}) {
  const words = useWords(payoutWords)
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <AmountField
        label={words.keep}
        currency={currency}
        value={draft.keep}
        onChange={(event) => put({ keep: event.target.value })}
        fault={amounts.keep === undefined ? words.amountAny : faultOf(error, 'keep')}
      />
      <AmountField
        label={words.minimum}
        help={words.minimumHelp}
        currency={currency}
        value={draft.minimum}
        onChange={(event) => put({ minimum: event.target.value })}
        fault={amounts.minimum === undefined ? words.amountAny : faultOf(error, 'minimum')}
      />
    </div>
  )
}

function When({
  draft,
  put,
  timeZone,
  currency,
  error,
  isAboveWrong,
}: {
  readonly draft: Draft
  readonly put: (changes: Partial<Draft>) => void
  readonly timeZone: string
  readonly currency: string
  readonly error: unknown
  readonly isAboveWrong: boolean
}) {
  const words = useWords(payoutWords)
  const { rhythm, weekday, time, above } = draft
  return (
    <>
      <RadioCards
        legend={words.rhythm}
        value={rhythm}
        onChange={(value) => put({ rhythm: value })}
        options={payoutRhythms.map((value) => ({ value, label: words.rhythms[value] }))}
      />
      {rhythm === 'WEEKLY' && (
        <SelectField
          label={words.weekday}
          value={weekday}
          onChange={(event) =>
            put({ weekday: weekdays.find((each) => each === event.target.value) ?? weekday })
          }
          options={weekdays.map((value) => ({ value, label: words.weekdays[value] }))}
        />
      )}
      {rhythm === 'ABOVE' ? (
        <AmountField
          label={words.above}
          currency={currency}
          value={above}
          onChange={(event) => put({ above: event.target.value })}
          fault={isAboveWrong ? words.amountAny : faultOf(error, 'above')}
        />
      ) : (
        <TextField
          label={words.time}
          help={words.timeZone(timeZone)}
          type="time"
          value={time}
          onChange={(event) => put({ time: event.target.value })}
          fault={faultOf(error, 'time') ?? faultOf(error, 'timeZone')}
        />
      )}
    </>
  )
}

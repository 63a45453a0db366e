// What a merchant pays, by method and currency, with the fees before.
import type { Locale } from '#/kernel/language.ts'
import { currencies, feeMethods, type Currency, type FeeMethod } from '../../api/generated.ts'
import type { Fee } from '../../api/operator-records.ts'
import { useList } from '../../api/queries.ts'
import { useMayOperate } from '../../api/session.ts'
import { OpenerButton } from '../../kit/action-dialog.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { named, useDraft } from '../../kit/form.tsx'
import { inputOf, minorOf } from '../../kit/format.ts'
import { Money } from '../../kit/money.tsx'
import { RecordList, useAllRecords } from '../../kit/record-list.tsx'
import { Table } from '../../kit/table.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { Line, NothingHere, useMethodName } from './parts.tsx'

export function MerchantFees({ id }: { readonly id: string }) {
  const words = useWords(operatorMerchantWords)
  const may = useMayOperate()
  const nameOf = useMethodName()
  return (
    <RecordList
      records={useAllRecords('listFees', { id })}
      words={{ title: words.fees, none: words.feesNone }}
      title={words.fees}
      action={may('write') && <SetFee id={id} />}
      rowId={({ method, currency }) => `${method} ${currency}`}
      line={(fee) => (
        <Line>
          <span className="min-w-0 flex-1 basis-40">
            {nameOf(fee.method)} <span className="text-ink-soft">{fee.currency}</span>
          </span>
          <FeeText fee={fee} currency={fee.currency} />
          <OpenerButton
            variant="quiet"
            opener={{ icon: 'clock' }}
            act={words.history}
            about={`${nameOf(fee.method)} ${fee.currency}`}
            dialog={(onClose) => <History id={id} fee={fee} onClose={onClose} />}
          />
        </Line>
      )}
    />
  )
}

function FeeText({
  fee,
  currency,
}: {
  readonly fee: Pick<Fee, 'fixed' | 'ratePpm'>
  readonly currency: string
}) {
  const { locale } = useReader()
  return (
    <span className="figures font-strong">
      <Money minor={fee.fixed} currency={currency} /> + {rateText(fee.ratePpm, locale)}
    </span>
  )
}

function History({
  id,
  fee,
  onClose,
}: {
  readonly id: string
  readonly fee: Fee
  readonly onClose: () => void
}) {
  const words = useWords(operatorMerchantWords)
  const nameOf = useMethodName()
  const { method, currency } = fee
  const list = useList('listPastFees', { id, query: { method, currency } })
  const title = words.historyOf(`${nameOf(method)} ${currency}`)
  return (
    <Dialog open onClose={onClose} title={title} place="end">
      <Table
        label={title}
        {...list}
        rowId={({ validFrom }) => validFrom}
        isTable
        columns={[
          { header: words.fees, cell: (past) => <FeeText fee={past} currency={currency} /> },
          { header: words.from, time: 'validFrom' },
          { header: words.until, time: 'validTo' },
        ]}
        empty={<NothingHere>{words.historyNone}</NothingHere>}
      />
    </Dialog>
  )
}

/** Methods with one currency only. */
function currencyFor(method: FeeMethod): Currency | undefined {
  if (method.startsWith('PIX')) return 'BRL'
  return method.startsWith('CRYPTO') ? 'USDT' : undefined
}

function SetFee({ id }: { readonly id: string }) {
  const words = useWords(operatorMerchantWords)
  const shared = useWords(operatorWords)
  const { locale } = useReader()
  const format = useFormat()
  const nameOf = useMethodName()
  const draft = useDraft({
    method: 'PIX' as FeeMethod,
    currency: 'BRL' as Currency,
    fixedText: inputOf(0, locale),
    rate: '0',
  })
  const { method, currency, fixedText, rate } = draft.values
  const fixed = minorOf(fixedText, locale)
  const ratePpm = ppmOf(rate)
  const isGood = fixed !== undefined && ratePpm !== undefined
  return (
    <OperatorButton
      title={words.feeSet}
      lead={words.feeLead}
      act={words.feeSet}
      reason="maybe"
      call="setFee"
      id={id}
      draft={draft}
      fields={[
        {
          name: 'method',
          label: shared.method,
          options: named(feeMethods, nameOf),
          also: (next) => ({ currency: currencyFor(next) ?? currency }),
        },
        { name: 'currency', label: words.currency, options: currencies },
        { name: 'fixedText', label: words.fixed, currency, wrong: fixed === undefined && words.amountWrong },
        {
          name: 'rate',
          label: words.rate,
          help: words.rateHelp,
          inputMode: 'decimal',
          wrong: ratePpm === undefined && words.rateWrong,
        },
        <p key="whole" aria-live="polite" className="text-13 font-strong">
          {isGood && `${nameOf(method)}: ${format.money(fixed, currency)} + ${rateText(ratePpm, locale)}`}
        </p>,
      ]}
      body={() => (isGood ? { method, currency, fixed, ratePpm } : undefined)}
      done={words.feeDone}
    />
  )
}

// A rate in millionths, as people write it: in percent with up to four decimals.

/** `1,5` or `1.5` as 15000; undefined when it is no percentage from 0 to 100. */
function ppmOf(text: string): number | undefined {
  const [, whole, fraction = ''] =
    /^(\d{1,3})(?:[.,](\d{1,4}))?$/.exec(text.trim().replace(/\s*%$/, '')) ?? []
  if (whole === undefined) return undefined
  const ppm = Number(whole) * 10_000 + Number(fraction.padEnd(4, '0'))
  return ppm <= 1_000_000 ? ppm : undefined
}

/** 15000 as `1,5%`. */
function rateText(ppm: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 }).format(ppm / 1_000_000)
}

// What a merchant pays, by method and currency, with the fees before.
import { useState } from 'react'
import type { Locale } from '#/kernel/language.ts'
import { currencies, feeMethods, type Currency, type FeeMethod } from '../../api/generated.ts'
import type { Fee } from '../../api/operator-records.ts'
import { useMayOperate } from '../../api/operator.ts'
import { useList } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { AmountField, TextField } from '../../kit/field.tsx'
import { inputOf, minorOf } from '../../kit/format.ts'
import { Money } from '../../kit/money.tsx'
import { RecordList, useAllRecords } from '../../kit/record-list.tsx'
import { SelectField, oneOf } from '../../kit/select.tsx'
import { Table } from '../../kit/table.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'
import { Line, NothingHere, useMethodName } from './parts.tsx'

export function MerchantFees({ id }: { readonly id: string }) {
  const words = useWords(operatorMerchantWords)
  const may = useMayOperate()
  const nameOf = useMethodName()
  const [isSetting, setSetting] = useState(false)
  const [shown, setShown] = useState<Fee>()
  return (
    <>
      <RecordList
        records={useAllRecords('listFees', { id })}
        words={{ title: words.fees, none: words.feesNone }}
        title={words.fees}
        action={may('write') && <Button onClick={() => setSetting(true)}>{words.feeSet}</Button>}
        rowId={({ method, currency }) => `${method} ${currency}`}
        line={(fee) => (
          <Line>
            <span className="min-w-0 flex-1 basis-40">
              {nameOf(fee.method)} <span className="text-ink-soft">{fee.currency}</span>
            </span>
            <FeeText fee={fee} currency={fee.currency} />
            <Button variant="quiet" icon="clock" onClick={() => setShown(fee)}>
              {words.history}
              <span className="aside">
                : {nameOf(fee.method)} {fee.currency}
              </span>
            </Button>
          </Line>
        )}
      />
      {isSetting && <SetFee id={id} onClose={() => setSetting(false)} />}
      {shown !== undefined && <History id={id} fee={shown} onClose={() => setShown(undefined)} />}
    </>
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

function SetFee({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useWords(operatorMerchantWords)
  const shared = useWords(operatorWords)
  const { locale } = useReader()
  const format = useFormat()
  const nameOf = useMethodName()
  const [method, setMethod] = useState<FeeMethod>('PIX')
  const [currency, setCurrency] = useState<Currency>('BRL')
  const [{ fixedText, rate }, setTexts] = useState({ fixedText: inputOf(0, locale), rate: '0' })
  const [wasTried, setTried] = useState(false)
  const fixed = minorOf(fixedText, locale)
  const ratePpm = ppmOf(rate)
  const isGood = fixed !== undefined && ratePpm !== undefined
  const body = () => {
    setTried(true)
    return isGood ? { method, currency, fixed, ratePpm } : undefined
  }
  const chooseMethod = (next: FeeMethod) => {
    setMethod(next)
    setCurrency(currencyFor(next) ?? currency)
  }
  return (
    <ActionDialog
      title={words.feeSet}
      lead={words.feeLead}
      act={words.feeSet}
      reason="maybe"
      call="setFee"
      id={id}
      body={body}
      done={words.feeDone}
      onClose={onClose}
    >
      {() => (
        <>
          <SelectField
            label={shared.method}
            value={method}
            onChange={(event) => chooseMethod(oneOf(feeMethods, event.target.value))}
            options={feeMethods.map((value) => ({ value, label: nameOf(value) }))}
          />
          <SelectField
            label={words.currency}
            value={currency}
            onChange={(event) => setCurrency(oneOf(currencies, event.target.value))}
            options={currencies.map((value) => ({ value, label: value }))}
          />
          <AmountField
            label={words.fixed}
            currency={currency}
            value={fixedText}
            fault={wasTried && fixed === undefined ? words.amountWrong : undefined}
            onChange={(event) => setTexts({ fixedText: event.target.value, rate })}
          />
          <TextField
            label={words.rate}
            help={words.rateHelp}
            inputMode="decimal"
            value={rate}
            fault={wasTried && ratePpm === undefined ? words.rateWrong : undefined}
            onChange={(event) => setTexts({ fixedText, rate: event.target.value })}
          />
          <p aria-live="polite" className="text-13 font-strong">
            {isGood && `${nameOf(method)}: ${format.money(fixed, currency)} + ${rateText(ratePpm, locale)}`}
          </p>
        </>
      )}
    </ActionDialog>
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

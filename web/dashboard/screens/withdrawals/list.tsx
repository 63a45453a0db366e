// All withdrawals of a merchant, newest first.
import type { Locale } from '#/kernel/language.ts'
import { withdrawalStatuses, withdrawalTypes, type Withdrawal } from '../../api/generated.ts'
import { useNews } from '../../api/marks.ts'
import { useMerchant } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { CsvButton } from '../../kit/csv-button.tsx'
import { choice, spanFilters } from '../../kit/filters.tsx'
import { minorOf, hasAddressForm } from '../../kit/format.ts'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import type { Column } from '../../kit/table.tsx'
import { useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { WithdrawalFrame } from './frame.tsx'
import { readWithdrawalsCsv } from './list-csv.ts'
import { destinationText, WithdrawalState } from './state.tsx'

export function WithdrawalList() {
  const words = useWords(withdrawalWords)
  const { id, may } = useMerchant()
  const records = useRecords('listWithdrawals', {
    filters: [
      choice('status', words.state, withdrawalStatuses, words.status),
      choice('type', words.type, withdrawalTypes, words.types),
      ...spanFilters(words),
    ],
    find: findOf,
  })
  const actions = (
    <>
      <CsvButton name="withdrawals" read={(reading) => readWithdrawalsCsv(id, records.query, reading)} />
      {may('withdrawals:write') && (
        <ButtonLink variant="primary" icon="plus" to={`/m/${id}/withdrawals/new`}>
          {words.create}
        </ButtonLink>
      )}
    </>
  )
  return (
    <WithdrawalFrame actions={actions}>
      <RecordList
        records={records}
        words={words}
        icon="withdrawals"
        {...useWithdrawalRows()}
        news={useNews('withdrawals', records.retry)}
      />
    </WithdrawalFrame>
  )
}

/** Those of a batch. */
export function BatchRows({ batchId }: { readonly batchId: string }) {
  const words = useWords(withdrawalWords)
  const records = useRecords('listWithdrawals', { query: { batchId } })
  return (
    <RecordList
      records={records}
      words={words}
      icon="withdrawals"
      title={words.title}
      {...useWithdrawalRows()}
    />
  )
}

function useWithdrawalRows(): {
  readonly columns: readonly Column<Withdrawal>[]
  readonly href: (withdrawal: Withdrawal) => string
} {
  const words = useWords(withdrawalWords)
  const { id } = useMerchant()
  return {
    href: (withdrawal) => `/m/${id}/withdrawals/${withdrawal.id}`,
    columns: [
      { header: words.amount, money: 'amount', className: 'font-strong' },
      { header: words.state, cell: (withdrawal) => <WithdrawalState withdrawal={withdrawal} /> },
      {
        header: words.destination,
        from: 'sm',
        grow: true,
        cell: (withdrawal) => (
          <span className="block truncate" title={destinationText(withdrawal)}>
            <span className="text-ink-soft">{words.types[withdrawal.type]}</span>{' '}
            {destinationText(withdrawal)}
          </span>
        ),
      },
      { header: words.fee, money: 'fee', from: 'md', className: 'text-ink-soft' },
      { header: words.created, time: 'createdAt' },
    ],
  }
}

/** What a text in hand can be: eleven or more digits are a Pix key, fewer an amount; two letters and two digits begin an IBAN. */
function findOf(text: string, locale: Locale): Readonly<Record<string, string>> | undefined {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return { txHash: text }
  if (hasAddressForm(text)) return { cryptoAddress: text }
  if (/^[ED]\d{8}[A-Za-z0-9]{12,31}$/.test(text)) return { endToEndId: text }
  if (/^[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}$/i.test(text)) return { iban: text }
  const digits = text.replaceAll(/\D/g, '').length
  if (text.includes('@') || digits >= 11 || /^[0-9a-f-]{36}$/i.test(text)) return { pixKey: text }
  const minor = minorOf(text.replace(/^(?:R\$|€|USDT)\s*/i, ''), locale)
  return minor === undefined || minor === 0n ? undefined : { amount: String(minor) }
}

// All withdrawals of a merchant, newest first.
import type { ReactNode } from 'react'
import type { Locale } from '#/kernel/language.ts'
import type { Query } from '../../api/call.ts'
import { withdrawalStatuses, withdrawalTypes, type Withdrawal } from '../../api/generated.ts'
import { useNews } from '../../api/news.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { hasAddressForm } from '../../kit/address.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { amountColumn, createdColumn } from '../../kit/columns.tsx'
import { spanOf } from '../../kit/days.ts'
import { Empty } from '../../kit/empty.tsx'
import {
  FilterBar,
  hasFilter,
  spanFilters,
  useFilters,
  type Filter,
  type Values,
} from '../../kit/filters.tsx'
import { minorOf } from '../../kit/format.ts'
import { Money } from '../../kit/money.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useReader, useWords, type Reader } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { WithdrawalFrame } from './frame.tsx'
import { destinationText, WithdrawalState } from './state.tsx'

export function WithdrawalList() {
  const words = useWords(withdrawalWords)
  const { id, may } = useMerchant()
  const reader = useReader()
  const [values] = useFilters()
  const { query, isUnreadable } = queryOf(values, reader)
  const isFiltered = hasFilter(query) || isUnreadable
  const create = may('withdrawals:write') && (
    <ButtonLink variant="primary" icon="plus" to={`/m/${id}/withdrawals/new`}>
      {words.create}
    </ButtonLink>
  )
  return (
    <WithdrawalFrame actions={create}>
      <Card flush>
        <FilterBar filters={useFilterList()} search={words.search} />
        {isUnreadable && (
          <div className="p-3">
            <Notice tone="calm">{words.notSearchable}</Notice>
          </div>
        )}
        <WithdrawalTable
          query={query}
          isOff={isUnreadable}
          empty={
            <Empty icon="withdrawals" title={isFiltered ? words.noneFound : words.none}>
              {isFiltered ? words.noneFoundLead : words.noneLead}
            </Empty>
          }
        />
      </Card>
    </WithdrawalFrame>
  )
}

/** The withdrawals that the query finds. Those of a batch are shown by it too. */
export function WithdrawalTable({
  query,
  empty,
  isOff = false,
}: {
  readonly query: Query<'listWithdrawals'>
  readonly empty: ReactNode
  readonly isOff?: boolean
}) {
  const words = useWords(withdrawalWords)
  const { id } = useMerchant()
  const list = useList('listWithdrawals', { query, enabled: !isOff })
  const news = useNews('withdrawals', list.retry)
  return (
    <Table
      label={words.title}
      columns={useColumns()}
      {...list}
      rows={isOff ? [] : list.rows}
      rowId={(withdrawal) => withdrawal.id}
      href={(withdrawal) => `/m/${id}/withdrawals/${withdrawal.id}`}
      phone={(withdrawal) => <PhoneLines withdrawal={withdrawal} />}
      {...(query['batchId'] === undefined ? { news } : {})}
      empty={empty}
    />
  )
}

function PhoneLines({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const { amount, currency, createdAt } = withdrawal
  return (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate">{destinationText(withdrawal)}</span>
        <Money minor={amount} currency={currency} className="text-15 font-strong" />
      </span>
      <span className="flex items-center justify-between gap-3">
        <WithdrawalState withdrawal={withdrawal} />
        <Time at={createdAt} inRow className="text-ink-soft" />
      </span>
    </>
  )
}

function useColumns(): readonly Column<Withdrawal>[] {
  const words = useWords(withdrawalWords)
  return [
    amountColumn(words.amount),
    {
      id: 'state',
      header: words.state,
      cell: (withdrawal) => <WithdrawalState withdrawal={withdrawal} />,
    },
    {
      id: 'destination',
      header: words.destination,
      from: 'sm',
      grow: true,
      cell: (withdrawal) => (
        <span className="block truncate" title={destinationText(withdrawal)}>
          <span className="text-ink-soft">{words.types[withdrawal.type]}</span> {destinationText(withdrawal)}
        </span>
      ),
    },
    {
      id: 'fee',
      header: words.fee,
      align: 'end',
      from: 'md',
      cell: ({ fee, currency }) => <Money minor={fee} currency={currency} className="text-ink-soft" />,
    },
    createdColumn(words.created),
  ]
}

function useFilterList(): readonly Filter[] {
  const words = useWords(withdrawalWords)
  return [
    {
      name: 'status',
      label: words.state,
      options: withdrawalStatuses.map((value) => ({ value, label: words.status[value] })),
    },
    {
      name: 'type',
      label: words.type,
      options: withdrawalTypes.map((value) => ({ value, label: words.types[value] })),
    },
    ...spanFilters(words),
  ]
}

/** The address as a query of /v1. */
function queryOf(
  values: Values,
  { locale, timeZone }: Reader,
): { readonly query: Query<'listWithdrawals'>; readonly isUnreadable: boolean } {
  const { status, type, q = '' } = values
  const found = q === '' ? {} : findOf(q, locale)
  return { query: { status, type, ...spanOf(values, timeZone), ...found }, isUnreadable: found === undefined }
}

/** What a text in hand can be: eleven or more digits are a Pix key, fewer an amount; two letters and two digits begin an IBAN. */
function findOf(text: string, locale: Locale): Readonly<Record<string, string>> | undefined {
  const given = text.trim()
  if (/^0x[0-9a-f]{64}$/i.test(given)) return { txHash: given }
  if (hasAddressForm(given)) return { cryptoAddress: given }
  if (/^[ED]\d{8}[A-Za-z0-9]{12,31}$/.test(given)) return { endToEndId: given }
  if (/^[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}$/i.test(given)) return { iban: given }
  const digits = given.replaceAll(/\D/g, '').length
  if (given.includes('@') || digits >= 11 || /^[0-9a-f-]{36}$/i.test(given)) return { pixKey: given }
  const minor = minorOf(given.replace(/^(?:R\$|€|USDT)\s*/i, ''), locale)
  return minor === undefined || minor === 0n ? undefined : { amount: String(minor) }
}

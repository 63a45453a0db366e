// The statement of one wallet: each movement with the balance after it, newest first.
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { linkOf } from '../../api/call.ts'
import { statementEntryKinds, type StatementEntry, type Wallet } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { ButtonAnchor, ButtonLink } from '../../kit/button.tsx'
import { spanOf } from '../../kit/days.ts'
import { choice, spanFilters, useFilters } from '../../kit/filters.tsx'
import { Money } from '../../kit/money.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { FreshLine, type Column } from '../../kit/table.tsx'
import { frameWords } from '../../words/frame.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'
import { OfxButton } from './ofx-button.tsx'

export function Statement({ wallet }: { readonly wallet: Wallet }) {
  const words = useWords(walletWords)
  const { nav } = useWords(frameWords)
  const { id } = useMerchant()
  const { timeZone } = useReader()
  const [values] = useFilters()
  const records = useRecords('getStatement', {
    query: { walletId: wallet.id },
    filters: [choice('kind', words.what, statementEntryKinds, words.kind), ...spanFilters(words.span)],
    // An area of its own: the live feed must not put new rows above those that are read.
    area: 'statement',
  })
  const { query, rows, isFetching, isFiltered } = records
  const isStale = useStale(wallet, rows, isFetching)
  return (
    <RecordList
      records={records}
      words={{
        ...words,
        title: words.statement,
        none: words.noneMoved,
        noneLead: words.noneMovedLead,
      }}
      icon="wallets"
      title={words.statement}
      columns={useColumns()}
      first={<ButtonLink to={`/m/${id}/payments`}>{nav.payments}</ButtonLink>}
      action={
        <span className="no-print flex">
          <OfxButton wallet={wallet} span={spanOf(values, timeZone)} />
          <ButtonAnchor
            variant="quiet"
            icon="download"
            aria-label={words.csv}
            title={words.csv}
            href={linkOf('getStatement', { merchant: id, query: { ...query, format: 'csv' } })}
            download
          >
            CSV
          </ButtonAnchor>
        </span>
      }
    >
      {isStale && !isFiltered && <FreshLine text={words.fresh} onShow={records.retry} />}
    </RecordList>
  )
}

/** Whether the wallet's balance has moved since the shown rows were fetched. */
function useStale(
  { balance }: Wallet,
  rows: readonly StatementEntry[] | undefined,
  isFetching: boolean,
): boolean {
  const shown = useRef<{ readonly rows: unknown; readonly balance: bigint }>(undefined)
  if (isFetching || rows === undefined) return false
  const first = rows[0]?.id
  if (shown.current?.rows !== first) shown.current = { rows: first, balance: BigInt(balance) }
  return shown.current?.balance !== BigInt(balance)
}

function Change({ amount, currency }: Pick<StatementEntry, 'amount' | 'currency'>) {
  const className = BigInt(amount) > 0n ? 'text-good' : ''
  return <Money minor={amount} currency={currency} signed className={`font-strong ${className}`} />
}

function useColumns(): readonly Column<StatementEntry>[] {
  const words = useWords(walletWords)
  return [
    { header: words.what, grow: true, cell: (entry) => <What entry={entry} /> },
    { header: words.when, time: 'postedAt', from: 'sm', phone: 'note' },
    {
      header: words.amount,
      align: 'end',
      cell: ({ amount, currency }) => <Change amount={amount} currency={currency} />,
    },
    { header: words.balanceAfter, money: 'balance', from: 'sm', phone: 'end' },
  ]
}

function What({ entry }: { readonly entry: StatementEntry }) {
  const words = useWords(walletWords)
  const { id, may } = useMerchant()
  const kindNames: Readonly<Record<string, string>> = words.kind
  const name = kindNames[entry.kind] ?? entry.kind
  const place = placeOf(entry, may)
  // What the merchant wrote, such as the description of a transfer.
  const isOwn = entry.kind === 'TRANSFER' && entry.description !== 'Transfer between wallets'
  return (
    <span className="block min-w-0 truncate">
      {place === undefined ? (
        name
      ) : (
        <Link
          to={`/m/${id}/${place}`}
          className="inline-flex min-h-6 items-center underline decoration-line underline-offset-3 hover:decoration-current phone:min-h-8"
        >
          {name}
        </Link>
      )}
      {isOwn && <span className="text-ink-soft"> · {entry.description}</span>}
      {entry.label !== undefined && <span className="text-ink-soft"> · {entry.label}</span>}
    </span>
  )
}

/** Where the record is that the movement belongs to, if the role may see it. */
function placeOf(entry: StatementEntry, may: (permission: string) => boolean): string | undefined {
  const { refundId, disputeId, withdrawalId, paymentId } = entry
  if (withdrawalId !== undefined) return may('withdrawals:read') ? `withdrawals/${withdrawalId}` : undefined
  if (!may('payments:read')) return undefined
  if (refundId !== undefined) return `refunds/${refundId}`
  if (disputeId !== undefined) return `disputes/${disputeId}`
  return paymentId === undefined ? undefined : `payments/${paymentId}`
}

// The statement of one wallet: each movement with the balance after it, newest first.
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { linkOf } from '../../api/call.ts'
import { statementEntryKinds, type StatementEntry, type Wallet } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { ButtonAnchor, ButtonLink } from '../../kit/button.tsx'
import { spanOf } from '../../kit/days.ts'
import { Empty } from '../../kit/empty.tsx'
import { FilterBar, hasFilter, spanFilters, useFilters, type Filter } from '../../kit/filters.tsx'
import { Money } from '../../kit/money.tsx'
import { Card } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
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
  const filter = { kind: values['kind'], ...spanOf(values, timeZone) }
  const query = { walletId: wallet.id, ...filter }
  // An area of its own: the live feed must not put new rows above those that are read.
  const list = useList('getStatement', { query, area: 'statement' })
  const isFiltered = hasFilter(filter)
  const isStale = useStale(wallet, list.rows, list.isFetching)
  return (
    <Card
      title={words.statement}
      flush
      action={
        <span className="no-print flex">
          <OfxButton wallet={wallet} span={{ from: filter.from, to: filter.to }} />
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
      <FilterBar filters={useFilterList()} />
      {isStale && !isFiltered && (
        <button
          type="button"
          onClick={list.retry}
          className="block min-h-9 w-full border-b border-line bg-accent-tint text-13 font-strong text-accent-text phone:min-h-11"
        >
          <span role="status">{words.fresh}</span>
        </button>
      )}
      <Table
        label={words.statement}
        columns={useColumns()}
        {...list}
        rowId={(entry) => entry.id}
        phone={(entry) => <PhoneLines entry={entry} />}
        empty={
          <Empty
            icon="wallets"
            title={isFiltered ? words.noneFound : words.noneMoved}
            action={!isFiltered && <ButtonLink to={`/m/${id}/payments`}>{nav.payments}</ButtonLink>}
          >
            {isFiltered ? words.noneFoundLead : words.noneMovedLead}
          </Empty>
        }
      />
    </Card>
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

function PhoneLines({ entry }: { readonly entry: StatementEntry }) {
  const { amount, balance, currency, postedAt } = entry
  return (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <What entry={entry} />
        <Change amount={amount} currency={currency} />
      </span>
      <span className="flex items-center justify-between gap-3 text-ink-soft">
        <Time at={postedAt} inRow />
        <Money minor={balance} currency={currency} />
      </span>
    </>
  )
}

function Change({ amount, currency }: Pick<StatementEntry, 'amount' | 'currency'>) {
  const className = BigInt(amount) > 0n ? 'text-good' : ''
  return <Money minor={amount} currency={currency} signed className={`font-strong ${className}`} />
}

function useColumns(): readonly Column<StatementEntry>[] {
  const words = useWords(walletWords)
  return [
    {
      id: 'what',
      header: words.what,
      grow: true,
      cell: (entry) => <What entry={entry} />,
    },
    {
      id: 'when',
      header: words.when,
      from: 'sm',
      cell: ({ postedAt }) => <Time at={postedAt} inRow className="text-ink-soft" />,
    },
    {
      id: 'amount',
      header: words.amount,
      align: 'end',
      cell: ({ amount, currency }) => <Change amount={amount} currency={currency} />,
    },
    {
      id: 'balance',
      header: words.balanceAfter,
      align: 'end',
      from: 'sm',
      cell: ({ balance, currency }) => <Money minor={balance} currency={currency} />,
    },
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

function useFilterList(): readonly Filter[] {
  const words = useWords(walletWords)
  return [
    {
      name: 'kind',
      label: words.what,
      options: statementEntryKinds.map((value) => ({ value, label: words.kind[value] })),
    },
    ...spanFilters(words.span),
  ]
}

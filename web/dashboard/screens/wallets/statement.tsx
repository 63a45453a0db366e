// The statement of one wallet: each movement with the balance after it, newest first.
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { CsvStyle } from '#/kernel/csv.ts'
import { call, linkOf, type Page, type Query } from '../../api/call.ts'
import { statementEntryKinds, type StatementEntry, type Wallet } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { CsvButton } from '../../kit/csv-button.tsx'
import { spanOf } from '../../kit/days.ts'
import { useFaultText } from '../../kit/fault.tsx'
import { useFilters } from '../../kit/filter-values.ts'
import { choice, spanFilters } from '../../kit/filters.tsx'
import { Money } from '../../kit/money.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { FreshLine, type Column } from '../../kit/table.tsx'
import { toast } from '../../kit/toast.tsx'
import { frameWords } from '../../words/frame.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'
import { hasOfx, ofxOf } from './ofx.ts'

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
          <CsvButton
            isQuiet
            addressOf={(style) =>
              linkOf('getStatement', {
                merchant: id,
                query: { ...query, format: 'csv', ...fileQuery(style) },
              })
            }
          />
        </span>
      }
    >
      {isStale && !isFiltered && <FreshLine text={words.fresh} onShow={records.retry} />}
    </RecordList>
  )
}

/** A file for programs has no time zone: its instants are in UTC. */
function fileQuery({ spreadsheet, timeZone }: CsvStyle) {
  return spreadsheet === undefined ? {} : { spreadsheet, timeZone }
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

// Downloads the statement of a span as an OFX file. It is put together here, page by page, up to a bound.

const pageRows = 100
const rowsMax = 5_000

/** `span`: the filter of the statement. A file for accounting has all kinds of movements. */
function OfxButton({
  wallet,
  span,
}: {
  readonly wallet: Wallet
  readonly span: { readonly from: string | undefined; readonly to: string | undefined }
}) {
  const words = useWords(walletWords)
  const format = useFormat()
  const textOf = useFaultText()
  const { id } = useMerchant()
  const [count, setCount] = useState<number>()
  if (!hasOfx(wallet)) return null
  const download = async () => {
    setCount(0)
    try {
      const entries = await allEntries(id, { walletId: wallet.id, ...span }, setCount)
      if (entries === 'too_many') toast(words.ofxTooMany(format.count(rowsMax)), { isBad: true })
      else if (entries.length === 0) toast(words.ofxNone, { isBad: true })
      else {
        const nameOf = (kind: StatementEntry['kind']) => words.kind[kind] ?? kind
        const text = ofxOf({ wallet, entries, ...span, nameOf, at: new Date().toISOString() })
        saveFile(
          text,
          `${span.from?.slice(0, 10) ?? 'statement'}-${wallet.currency}.ofx`,
          'application/x-ofx',
        )
      }
    } catch (error) {
      toast(textOf(error), { isBad: true })
    }
    setCount(undefined)
  }
  return (
    <Button
      variant="quiet"
      icon="download"
      aria-label={words.ofx}
      title={words.ofx}
      busy={count !== undefined}
      onClick={() => void download()}
    >
      {count === undefined || count === 0 ? 'OFX' : words.ofxRunning(format.count(count))}
    </Button>
  )
}

async function allEntries(
  merchant: string,
  query: Query<'getStatement'>,
  onCount: (count: number) => void,
): Promise<readonly StatementEntry[] | 'too_many'> {
  const entries: StatementEntry[] = []
  for (let cursor: string | undefined; ;) {
    const input = { merchant, query: { ...query, limit: pageRows, cursor } }
    const page: Page<StatementEntry> = await call('getStatement', input)
    entries.push(...page.data)
    onCount(entries.length)
    cursor = page.nextCursor
    if (cursor === undefined) return entries
    if (entries.length >= rowsMax) return 'too_many'
  }
}

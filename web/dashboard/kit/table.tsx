// A list of records by TanStack Table: rows are links, pages come by keyset, and a row that changed is marked where it stands.
import { Link, useNavigate } from '@tanstack/react-router'
import { columnVisibilityFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table'
import { useMemo, useSyncExternalStore, type MouseEvent, type ReactNode } from 'react'
import { useChanged } from '../api/marks.ts'
import type { Pages } from '../api/queries.ts'
import { kitWords } from '../words/kit.ts'
import { useFormat, useWords } from '../words/reader.ts'
import { Button } from './button.tsx'
import { Fault } from './fault.tsx'
import { LoadingLine } from './loading.tsx'

const features = tableFeatures({ columnVisibilityFeature })

export type Column<Row> = {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Amounts and counts stand at the end. */
  readonly align?: 'end'
  /** The width from which on the column is shown. */
  readonly from?: 'sm' | 'md' | 'lg'
  /** The column that takes what room is left. */
  readonly grow?: boolean
}

/** A list that comes by pages gives the whole of its `Pages`: `{...list}`. */
export type TableProps<Row> = Pick<Pages<Row>, 'rows'> &
  Partial<Omit<Pages<Row>, 'rows'>> & {
    readonly label: string
    readonly columns: readonly Column<Row>[]
    readonly rowId: (row: Row) => string
    /** Where a row leads. Without it rows are no links. */
    readonly href?: (row: Row) => string
    /** A row on a phone, where columns have no room: two lines, what matters first. */
    readonly phone?: (row: Row) => ReactNode
    readonly empty: ReactNode
    /** How many new records wait to be shown. */
    readonly news?: { readonly count: number; readonly show: () => void }
  }

const from = { sm: 'max-sm:hidden', md: 'max-md:hidden', lg: 'max-lg:hidden' } as const

function cellClass<Row>(column: Column<Row> | undefined): string {
  return [
    column?.align === 'end' ? 'text-right whitespace-nowrap' : 'text-left',
    column?.from === undefined ? '' : from[column.from],
    column?.grow === true ? 'w-full max-w-0' : '',
  ].join(' ')
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, rowId, isFetching = false, news } = props
  const isNarrow = useSyncExternalStore(watchNarrow, () => narrow.matches)
  if (props.error !== null && props.error !== undefined && rows === undefined)
    return <Fault error={props.error} onRetry={props.retry} />
  return (
    <div className="min-w-0">
      {news !== undefined && news.count > 0 && <News {...news} />}
      <LoadingLine isOn={isFetching} />
      {rows?.length === 0 && !isFetching ? (
        props.empty
      ) : isNarrow && props.phone !== undefined ? (
        <ul aria-label={label} aria-busy={isFetching}>
          {rows?.map((row) => (
            <PhoneRow key={rowId(row)} id={rowId(row)} to={props.href?.(row)}>
              {props.phone?.(row)}
            </PhoneRow>
          ))}
        </ul>
      ) : (
        <div className="overflow-x-auto">
          <Columns {...props} />
        </div>
      )}
      <Foot {...props} />
    </div>
  )
}

function Columns<Row>({ label, columns, rows, rowId, href, isFetching = false }: TableProps<Row>) {
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns])
  const definitions = useMemo(
    (): ColumnDef<typeof features, Row & object>[] =>
      columns.map(({ id, header, cell }) => ({ id, header, cell: ({ row }) => cell(row.original) })),
    [columns],
  )
  const data = useMemo(() => (rows ?? []) as (Row & object)[], [rows])
  const table = useTable({ features, columns: definitions, data, getRowId: rowId })
  return (
    <table aria-label={label} aria-busy={isFetching} className="w-full border-collapse text-13">
      <thead className={rows === undefined ? 'opacity-0' : ''}>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} className="border-b border-line">
            {group.headers.map((header) => (
              <th
                key={header.id}
                scope="col"
                className={`h-9 px-3 font-normal whitespace-nowrap text-ink-soft first:pl-4 last:pr-4 ${cellClass(byId.get(header.column.id))}`}
              >
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <RowOf key={row.id} id={row.id} to={href?.(row.original)}>
            {row.getVisibleCells().map((cell, index) => (
              <td
                key={cell.id}
                className={`h-12 px-3 py-1.5 first:pl-4 last:pr-4 phone:h-14 ${cellClass(byId.get(cell.column.id))}`}
              >
                {index === 0 && href !== undefined ? (
                  <Link to={href(row.original)} className={wholeRow}>
                    <table.FlexRender cell={cell} />
                  </Link>
                ) : (
                  <table.FlexRender cell={cell} />
                )}
              </td>
            ))}
          </RowOf>
        ))}
      </tbody>
    </table>
  )
}

/** The link in a row's first cell reaches over the whole row. */
const wholeRow =
  "outline-none after:absolute after:inset-0 after:content-[''] focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text"

const narrow = window.matchMedia('(width < 600px)')

function watchNarrow(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

function PhoneRow({
  id,
  to,
  children,
}: {
  readonly id: string
  readonly to: string | undefined
  readonly children: ReactNode
}) {
  const isChanged = useChanged(id)
  const shape = 'flex min-h-16 flex-col justify-center gap-1 px-4 py-2.5 text-13'
  return (
    <li className={`border-b border-line last:border-0 ${isChanged ? 'changed' : ''}`}>
      {to === undefined ? (
        <div className={shape}>{children}</div>
      ) : (
        <Link to={to} className={`${shape} -outline-offset-2! active:bg-hover`}>
          {children}
        </Link>
      )}
    </li>
  )
}

function RowOf({
  id,
  to,
  children,
}: {
  readonly id: string
  readonly to: string | undefined
  readonly children: ReactNode
}) {
  const isChanged = useChanged(id)
  const navigate = useNavigate()
  // The link covers the row for the keyboard and most presses; what shows a tip lies above it.
  const press = ({ target, currentTarget }: MouseEvent) => {
    if (to === undefined || !(target instanceof Element)) return
    // React also brings the presses in what the row has opened elsewhere: a menu.
    if (currentTarget.contains(target) && target.closest('a, button') === null) void navigate({ to })
  }
  return (
    <tr
      onClick={press}
      className={`relative border-b border-line last:border-0 ${to === undefined ? '' : 'hover:bg-hover'} ${isChanged ? 'changed' : ''}`}
    >
      {children}
    </tr>
  )
}

function News({ count, show }: { readonly count: number; readonly show: () => void }) {
  const words = useWords(kitWords)
  const format = useFormat()
  return (
    <button
      type="button"
      onClick={show}
      className="block min-h-9 w-full border-b border-line bg-accent-tint text-13 font-strong text-accent-text phone:min-h-11"
    >
      <span role="status">{words.newRows(format.count(count))}</span>
    </button>
  )
}

function Foot<Row>({ rows, hasMore = false, more, isFetching = false, error, retry }: TableProps<Row>) {
  const words = useWords(kitWords)
  const format = useFormat()
  if (rows === undefined || rows.length === 0) return null
  if (error !== null && error !== undefined) return <Fault error={error} onRetry={retry} />
  return (
    <div className="flex min-h-12 items-center justify-between gap-3 border-t border-line px-4 py-2 text-13 text-ink-soft">
      <span className="figures">
        {hasMore ? format.count(rows.length) : words.allShown(format.count(rows.length))}
      </span>
      {hasMore && (
        <Button onClick={more} busy={isFetching}>
          {words.more}
        </Button>
      )}
    </div>
  )
}

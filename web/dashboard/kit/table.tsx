// A list of records, drawn from its columns: as a table, or on a phone as two lines for each row. Rows are links, pages come by keyset, and
// a row that changed is marked where it stands.
import { Link, useNavigate } from '@tanstack/react-router'
import { Fragment, useSyncExternalStore, type MouseEvent, type ReactNode } from 'react'
import { useChanged } from '../api/marks.ts'
import type { Pages } from '../api/queries.ts'
import { kitWords } from '../words/kit.ts'
import { useFormat, useWords } from '../words/reader.ts'
import { Button } from './button.tsx'
import { Fault } from './fault.tsx'
import type { Minor } from './format.ts'
import { LoadingLine } from './loading.tsx'
import { Money } from './money.tsx'
import { Time } from './time.tsx'

/** Where a column stands on a phone: at the start or the end of the first line, in a line of its own, or at the start or the end of the last. */
type Place = 'title' | 'value' | 'line' | 'note' | 'end' | 'none'

type Look = {
  readonly header: string
  readonly className?: string
  /** Default: amounts, counts and instants stand at the end. */
  readonly align?: 'start' | 'end'
  /** The width from which on the column is shown. */
  readonly from?: 'sm' | 'md' | 'lg'
  /** The column that takes what room is left, and names the row on a phone. */
  readonly grow?: boolean
  /** Default: what `placesOf` makes of its kind. */
  readonly phone?: Place
  /** On a phone, its header stands before it. */
  readonly isNamed?: boolean
}

/** The fields of a record whose value is, where it is not absent, of a type. */
type FieldOf<Row, Type> = {
  [Name in keyof Row & string]-?: Exclude<Row[Name], undefined> extends Type ? Name : never
}[keyof Row & string]

/** The fields that are amounts in minor units of the record's `currency`. */
type AmountOf<Row> = Row extends { readonly currency: string } ? FieldOf<Row, Minor> : never

/** A column shows a field as what it is, or what `cell` makes of the record. A text is cut where it has no room. */
export type Column<Row> = Look &
  (
    | { readonly text: FieldOf<Row, string> }
    | { readonly money: AmountOf<Row> }
    | { readonly count: FieldOf<Row, number> }
    /** `none`: what an absent instant means. */
    | { readonly time: FieldOf<Row, string>; readonly none?: string }
    | { readonly cell: (row: Row) => ReactNode }
  )

/** How rows are drawn: from columns, or where they have none as the items of a list. */
export type RowsProps<Row> = {
  /** Default: its `id`. */
  readonly rowId?: (row: Row) => string
  /** Where a row leads. Without it rows are no links. */
  readonly href?: (row: Row) => string
  /** How many new records wait to be shown. */
  readonly news?: { readonly count: number; readonly show: () => void }
} & (
  | {
      readonly columns: readonly Column<NoInfer<Row>>[]
      /** Figures that say nothing without their headers: a table also on a phone. */
      readonly isTable?: boolean
    }
  | { readonly line: (row: Row) => ReactNode }
)

/** A list that comes by pages gives the whole of its `Pages`: `{...list}`. */
export type TableProps<Row> = Pick<Pages<Row>, 'rows'> &
  Partial<Omit<Pages<Row>, 'rows'>> & { readonly label: string; readonly empty: ReactNode } & RowsProps<Row>

export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, isFetching = false, news } = props
  const isNarrow = useSyncExternalStore(watchNarrow, () => narrow.matches)
  if (props.error !== null && props.error !== undefined && rows === undefined)
    return <Fault error={props.error} onRetry={props.retry} />
  return (
    <div className="min-w-0">
      {news !== undefined && news.count > 0 && <News {...news} />}
      <LoadingLine isOn={isFetching} />
      {rows?.length === 0 && !isFetching && props.hasMore !== true ? (
        props.empty
      ) : 'line' in props ? (
        <ul aria-label={label} aria-busy={isFetching}>
          {rows?.map((row) => (
            <Fragment key={idOf(props, row)}>{props.line(row)}</Fragment>
          ))}
        </ul>
      ) : isNarrow && props.isTable !== true ? (
        <ul aria-label={label} aria-busy={isFetching}>
          {rows?.map((row) => (
            <PhoneRow key={idOf(props, row)} id={idOf(props, row)} to={props.href?.(row)}>
              <PhoneLines columns={props.columns} row={row} isLink={props.href !== undefined} />
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

function idOf<Row>({ rowId }: TableProps<Row>, row: Row): string {
  return rowId === undefined ? String((row as { readonly id?: unknown }).id) : rowId(row)
}

const from = { sm: 'max-sm:hidden', md: 'max-md:hidden', lg: 'max-lg:hidden' } as const

function isAtEnd<Row>(column: Column<Row>): boolean {
  const { align = 'money' in column || 'count' in column || 'time' in column ? 'end' : 'start' } = column
  return align === 'end'
}

function cellClass<Row>(column: Column<Row>): string {
  return [
    isAtEnd(column) ? 'text-right whitespace-nowrap' : 'text-left',
    column.from === undefined ? '' : from[column.from],
    column.grow === true ? 'w-full max-w-0' : '',
  ].join(' ')
}

function Columns<Row>(props: TableProps<Row> & { readonly columns: readonly Column<Row>[] }) {
  const { label, columns, rows, href, isFetching = false } = props
  return (
    <table aria-label={label} aria-busy={isFetching} className="w-full border-collapse text-13">
      <thead className={rows === undefined ? 'opacity-0' : ''}>
        <tr className="border-b border-line">
          {columns.map((column) => (
            <th
              key={column.header}
              scope="col"
              className={`h-9 px-3 font-normal whitespace-nowrap text-ink-soft first:pl-4 last:pr-4 ${cellClass(column)}`}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows?.map((row) => (
          <RowOf key={idOf(props, row)} id={idOf(props, row)} to={href?.(row)}>
            {columns.map((column, index) => (
              <td
                key={column.header}
                className={`h-12 px-3 py-1.5 first:pl-4 last:pr-4 phone:h-14 ${cellClass(column)}`}
              >
                {index === 0 && href !== undefined ? (
                  <Link to={href(row)} className={wholeRow}>
                    <Value column={column} row={row} isLink />
                  </Link>
                ) : (
                  <Value column={column} row={row} isLink={href !== undefined} />
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

type ValueProps<Row> = { readonly column: Column<Row>; readonly row: Row; readonly isLink: boolean }

/** `isLink`: the row is a link, so nothing in it is reached by Tab. */
function Value<Row>({ column, row, isLink }: ValueProps<Row>) {
  const format = useFormat()
  const fields = row as Readonly<Record<string, unknown>>
  const { className = '', grow = false } = column
  if ('money' in column)
    return (
      <Money
        minor={fields[column.money] as Minor}
        currency={String(fields['currency'])}
        className={className}
      />
    )
  if ('count' in column)
    return <span className={`figures ${className}`}>{format.count(fields[column.count] as number)}</span>
  if ('time' in column) {
    const at = fields[column.time]
    if (typeof at === 'string') return <Time at={at} inRow={isLink} className="text-ink-soft" />
    return <span className="whitespace-nowrap text-ink-soft">{column.none ?? '–'}</span>
  }
  const content = 'cell' in column ? column.cell(row) : (fields[column.text] as string | undefined)
  if (typeof content !== 'string') return content
  return (
    <span className={`block truncate ${grow ? '' : 'sm:max-w-50'} ${className}`} title={content}>
      {content}
    </span>
  )
}

const narrow = window.matchMedia('(width < 600px)')

function watchNarrow(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** The column that grows names the row; the first amount is its value, states are notes, the first instant is at the end. */
function placesOf<Row>(columns: readonly Column<Row>[]): ReadonlyMap<Column<Row>, Place> {
  const title =
    columns.find(({ phone }) => phone === 'title') ?? columns.find(({ grow }) => grow === true) ?? columns[0]
  const places = new Map(columns.map((column) => [column, column.phone]))
  const free = (place: Place) => (![...places.values()].includes(place) ? place : undefined)
  if (title !== undefined) places.set(title, 'title')
  const usualOf = (column: Column<Row>): Place => {
    if ('time' in column) return free('end') ?? 'none'
    if (column.from !== undefined || 'count' in column) return 'none'
    if ('money' in column) return free('value') ?? 'none'
    return (column.align === 'end' ? free('value') : undefined) ?? 'note'
  }
  for (const column of columns) places.set(column, places.get(column) ?? usualOf(column))
  return places as ReadonlyMap<Column<Row>, Place>
}

function PhoneLines<Row>({
  columns,
  row,
  isLink,
}: Omit<ValueProps<Row>, 'column'> & { readonly columns: readonly Column<Row>[] }) {
  const places = placesOf(columns)
  const at = (place: Place) =>
    columns
      .filter((column) => places.get(column) === place)
      .map((column) => (
        <Fragment key={column.header}>
          {column.isNamed === true && <span className="text-ink-soft">{column.header}</span>}
          <Value column={column} row={row} isLink={isLink} />
        </Fragment>
      ))
  const [notes, ends] = [at('note'), at('end')]
  return (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0">{at('title')}</span>
        <span className="shrink-0 text-15">{at('value')}</span>
      </span>
      {at('line')}
      {notes.length + ends.length > 0 && (
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="flex min-w-0 flex-wrap items-center gap-1">{notes}</span>
          <span className="flex items-center gap-1">{ends}</span>
        </span>
      )}
    </>
  )
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
  return <FreshLine text={words.newRows(format.count(count))} onShow={show} />
}

/** Above the rows: that there is something newer, which a press shows. */
export function FreshLine({ text, onShow }: { readonly text: string; readonly onShow: () => void }) {
  return (
    <button
      type="button"
      onClick={onShow}
      className="block min-h-9 w-full border-b border-line bg-accent-tint text-13 font-strong text-accent-text phone:min-h-11"
    >
      <span role="status">{text}</span>
    </button>
  )
}

function Foot<Row>(props: TableProps<Row>) {
  const { rows, hasMore = false, more, isFetching = false, error, retry } = props
  const words = useWords(kitWords)
  const format = useFormat()
  if (error !== null && error !== undefined) return <Fault error={error} onRetry={retry} />
  // A page may be the matches among many records: empty, although there are further pages.
  if (!hasMore && (rows === undefined || rows.length === 0 || 'line' in props)) return null
  return (
    <div className="flex min-h-12 items-center justify-between gap-3 border-t border-line px-4 py-2 text-13 text-ink-soft">
      <span className="figures">
        {hasMore ? format.count(rows?.length ?? 0) : words.allShown(format.count(rows?.length ?? 0))}
      </span>
      {hasMore && (
        <Button onClick={more} busy={isFetching}>
          {rows?.length === 0 ? words.goOn : words.more}
        </Button>
      )}
    </div>
  )
}

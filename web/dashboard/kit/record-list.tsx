// A screen's list of records: one call, its filters, what it says when it finds nothing, and its rows.
import type { ReactNode } from 'react'
import type { Locale } from '#/kernel/language.ts'
import type { Args, ListName, OwnInput, Parts, Query, ReadName, Row } from '../api/call.ts'
import { useAnyList, useRead, type ListOptions, type Pages, type ReadOptions } from '../api/queries.ts'
import { useReader } from '../words/reader.ts'
import { Empty } from './empty.tsx'
import { useFilters } from './filter-values.ts'
import { FilterBar, queryOf, type Filter } from './filters.tsx'
import type { IconName } from './icons.tsx'
import { Card, Notice } from './page.tsx'
import { Table, type RowsProps } from './table.tsx'

/** Filters whose values are fields of the call's query. */
export type FiltersOf<Name extends ListName> = readonly Filter<keyof Query<Name> & string>[]

type RecordsOptions<Name extends ListName> = ListOptions & {
  readonly filters?: FiltersOf<Name>
  /** What the text of the search box asks for; undefined for a text that nothing can be found by. */
  readonly find?: (text: string, locale: Locale) => Query<Name> | undefined
}

/** A list as far as it was fetched, with what it is filtered by. */
export type Records<Of, Asked> = Pages<Of> & {
  readonly query: Asked
  readonly isFiltered: boolean
  /** What was written and cannot be asked for: then the list is empty. */
  readonly unreadable?: 'notAmount' | 'notSearchable' | undefined
  readonly filters: readonly Filter[]
  readonly isSearchable: boolean
}

/** The records that the filters of the address find. `query`: what is asked for besides. */
export function useRecords<Name extends ListName>(
  name: Name,
  ...[input]: Args<OwnInput<Name> & RecordsOptions<Name>>
): Records<Row<Name>, Query<Name>> {
  const { filters = [], find, enabled = true, ...own } = (input ?? {}) as Parts & RecordsOptions<Name>
  const reader = useReader()
  const [values] = useFilters()
  const text = (values['q'] ?? '').trim()
  const filtered = queryOf(filters, values, reader)
  const found = find === undefined || text === '' ? {} : find(text, reader.locale)
  const unreadable = filtered === undefined ? 'notAmount' : found === undefined ? 'notSearchable' : undefined
  const asked = Object.fromEntries(
    Object.entries({ ...filtered, ...found }).filter(([, value]) => value !== undefined),
  )
  const query = { ...own.query, ...asked } as Query<Name>
  const list = useAnyList<Row<Name>>(name, {
    ...own,
    query,
    enabled: enabled && unreadable === undefined,
  })
  return {
    ...list,
    ...(unreadable === undefined ? {} : { rows: [], hasMore: false }),
    query,
    isFiltered: unreadable !== undefined || Object.keys(asked).length > 0,
    unreadable,
    filters,
    isSearchable: find !== undefined,
  }
}

/** The rows of a call whose answer has all of them. */
export function useAllRecords<Name extends ReadName>(
  name: Name,
  ...input: Args<OwnInput<Name> & ReadOptions<Name>>
): Records<Row<Name>, undefined> {
  const read = useRead(name, ...input)
  const { data: rows } = (read.data ?? {}) as { readonly data?: readonly Row<Name>[] }
  return recordsOf(read, rows)
}

/** The rows that were made of an answer. */
export function recordsOf<Of>(
  {
    error,
    isLoading,
    refetch,
  }: { readonly error: unknown; readonly isLoading: boolean; readonly refetch: () => unknown },
  rows: readonly Of[] | undefined,
): Records<Of, undefined> {
  return {
    rows,
    error,
    isFetching: isLoading,
    hasMore: false,
    more: () => undefined,
    retry: () => void refetch(),
    query: undefined,
    isFiltered: false,
    filters: [],
    isSearchable: false,
  }
}

/** Whether there is neither a record nor a failure to show: for lists that are seen only while something waits. */
export function isNothing({ rows, error, hasMore }: Pages<unknown>): boolean {
  return error === null && !hasMore && (rows === undefined || rows.length === 0)
}

/** What a list says, from the words of its area. */
export type ListWords = {
  readonly title: string
  /** Nothing is there yet. */
  readonly none: string
  readonly noneLead?: string
  /** Nothing fits the filters. */
  readonly noneFound?: string
  readonly noneFoundLead?: string
  readonly search?: string
  readonly notSearchable?: string
  readonly notAmount?: string
}

/** `first`: what can be done while nothing is there. `children`: what stands above the rows. */
export function RecordList<Of>({
  records,
  words,
  icon,
  first,
  title,
  action,
  children,
  ...table
}: {
  readonly records: Records<Of, unknown>
  readonly words: ListWords
  /** Without one, that nothing is there is a line of a card. */
  readonly icon?: IconName
  readonly first?: ReactNode
  /** Of a list that is a part of a screen. */
  readonly title?: string | undefined
  readonly action?: ReactNode
  readonly children?: ReactNode
} & RowsProps<Of>) {
  const { filters, isSearchable, isFiltered, unreadable } = records
  const { none, noneLead, noneFound = none, noneFoundLead } = words
  const notice = unreadable === undefined ? undefined : words[unreadable]
  return (
    <Card flush {...(title === undefined ? {} : { title })} action={action}>
      {(filters.length > 0 || isSearchable) && (
        <FilterBar filters={filters} {...(isSearchable ? { search: words.search } : {})} />
      )}
      {notice !== undefined && (
        <div className="p-3">
          <Notice tone="calm">{notice}</Notice>
        </div>
      )}
      {children}
      <Table
        label={words.title}
        {...records}
        {...table}
        empty={
          icon === undefined ? (
            <p className="px-4 py-6 text-13 text-ink-soft">{none}</p>
          ) : (
            <Empty
              icon={icon}
              title={isFiltered ? noneFound : none}
              action={isFiltered || first === false ? undefined : first}
            >
              {isFiltered ? noneFoundLead : noneLead}
            </Empty>
          )
        }
      />
    </Card>
  )
}

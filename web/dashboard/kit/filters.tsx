// Filters of a list. Their values live in the address, so a filtered list can be sent and comes back with the Back button.
import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { currencies } from '../api/generated.ts'
import { kitWords } from '../words/kit.ts'
import { useReader, useWords, type Reader } from '../words/reader.ts'
import { Button } from './button.tsx'
import { DateInput } from './date-input.tsx'
import { dateHint, isDay } from './date-text.ts'
import { spanOf } from './days.ts'
import { inputClass, type Option } from './field.tsx'
import { useFilters, type Values } from './filter-values.ts'
import { minorOf } from './format.ts'
import { Icon } from './icons.tsx'

export type Filter<Name extends string = string> = { readonly name: Name; readonly label: string } & (
  | { readonly options: readonly Option[] }
  | { readonly type: 'day' | 'amount' }
)

/** What the filters ask for. A day begins and ends in the reader's time zone. Undefined when an amount is none. */
export function queryOf(
  filters: readonly Filter[],
  values: Values,
  { locale, timeZone }: Reader,
): Values | undefined {
  const query: Record<string, string | undefined> = {}
  for (const { name, ...filter } of filters) {
    const value = values[name]
    if ('options' in filter) query[name] = value
    else if (filter.type === 'day') Object.assign(query, spanOf(values, timeZone))
    else if (value !== undefined) {
      const minor = minorOf(value, locale)
      if (minor === undefined) return undefined
      query[name] = minor.toString()
    }
  }
  return query
}

/** A choice among the values of an enumeration, by their names. */
export function choice<Name extends string, Value extends string>(
  name: Name,
  label: string,
  values: readonly Value[],
  nameOf: Readonly<Record<Value, string>> | ((value: Value) => string) = (value) => value,
): Filter<Name> & { readonly options: readonly Option[] } {
  const labelOf = typeof nameOf === 'function' ? nameOf : (value: Value) => nameOf[value]
  return { name, label, options: values.map((value) => ({ value, label: labelOf(value) })) }
}

/** The first and the last day. `spanOf` makes instants of them. */
export function spanFilters(labels: {
  readonly from: string
  readonly to: string
}): readonly Filter<'from' | 'to'>[] {
  return [
    { name: 'from', label: labels.from, type: 'day' },
    { name: 'to', label: labels.to, type: 'day' },
  ]
}

export function currencyFilter(label: string): Filter<'currency'> {
  return choice('currency', label, currencies)
}

/** `search`: a box for anything that a person has in hand; its value is the parameter `q`. */
export function FilterBar({
  filters,
  search,
  children,
}: {
  readonly filters: readonly Filter[]
  readonly search?: string | undefined
  readonly children?: ReactNode
}) {
  const words = useWords(kitWords)
  const [values, change] = useFilters()
  const names = [...filters.map(({ name }) => name), 'q']
  const used = names.filter((name) => values[name] !== undefined).length
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-col gap-2 border-b border-line p-3" role="search">
      <div className="flex flex-wrap items-center gap-2">
        {search !== undefined && (
          <SearchBox
            key={values['q'] ?? ''}
            label={search}
            value={values['q'] ?? ''}
            onChange={(q) => change({ q })}
          />
        )}
        <Button icon="filter" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="sm:hidden">
          {words.filters}
          {used > 0 && <span className="figures">({used})</span>}
        </Button>
        <div
          className={`flex flex-wrap items-center gap-2 max-sm:w-full sm:contents ${isOpen ? '' : 'max-sm:hidden'}`}
        >
          {groupsOf(filters).map((group) => (
            <div key={group[0]?.name} className="flex items-center gap-2 max-sm:grow max-sm:flex-wrap">
              {group.map((filter) => (
                <FilterControl
                  key={filter.name}
                  filter={filter}
                  value={values[filter.name] ?? ''}
                  onChange={(value) => change({ [filter.name]: value })}
                />
              ))}
            </div>
          ))}
        </div>
        {used > 0 && (
          <Button
            variant="quiet"
            icon="close"
            onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}
          >
            {words.clear}
          </Button>
        )}
        {children}
      </div>
    </div>
  )
}

/** The first and the last day stay beside each other: one of them on a line of its own looks like another filter. */
function groupsOf(filters: readonly Filter[]): readonly (readonly Filter[])[] {
  const isDate = (filter: Filter) => 'type' in filter && filter.type === 'day'
  const dates = filters.filter(isDate)
  const others = filters.filter((filter) => !isDate(filter)).map((filter) => [filter])
  return dates.length === 0 ? others : [...others, dates]
}

const small = 'min-h-9! text-13! phone:min-h-11! [field-sizing:content]'

function FilterControl({
  filter,
  value,
  onChange,
}: {
  readonly filter: Filter
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const words = useWords(kitWords)
  const isSet = value !== ''
  const highlight = isSet ? 'border-accent! bg-accent-tint! text-accent-text!' : ''
  if ('options' in filter)
    return (
      <span className="relative max-sm:flex-1">
        <select
          aria-label={filter.label}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={`${inputClass} ${small} appearance-none pr-8 ${highlight}`}
        >
          <option value="">{isSet ? words.any : filter.label}</option>
          {filter.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon
          name="down"
          className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-ink-soft"
        />
      </span>
    )
  if (filter.type === 'day')
    return <DayFilter label={filter.label} value={value} highlight={highlight} onChange={onChange} />
  return (
    <AmountFilter key={value} label={filter.label} value={value} highlight={highlight} onChange={onChange} />
  )
}

/** A day takes effect once it is one; what is none stays, with what is wrong. */
function DayFilter({ label, value, highlight, onChange }: TypedFilter) {
  const words = useWords(kitWords)
  const { locale } = useReader()
  const id = useId()
  const [text, setText] = useState(value)
  const [wasLeft, setLeft] = useState(false)
  // The address changed otherwise: by the Back button, or because the filters were cleared.
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    setText(value)
  }
  const isGood = text === '' || isDay(text)
  const isBad = wasLeft && !isGood
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-13 text-ink-soft max-sm:flex-1 max-sm:flex-col max-sm:items-stretch max-sm:gap-1">
      <label htmlFor={id}>{label}</label>
      <span className="block w-32 max-sm:w-auto max-sm:min-w-0">
        <DateInput
          id={id}
          label={label}
          value={text}
          onChange={(next) => {
            setText(next)
            setLeft(false)
            if ((next === '' || isDay(next)) && next !== value) onChange(next)
          }}
          onLeave={() => setLeft(true)}
          aria-invalid={isBad || undefined}
          aria-describedby={isBad ? `${id}-note` : undefined}
          className={`${small} ${highlight}`}
        />
        {isBad && (
          <span id={`${id}-note`} role="alert" className="mt-1 block text-bad">
            {words.dateWrong(dateHint(locale))}
          </span>
        )}
      </span>
    </span>
  )
}

type TypedFilter = {
  readonly label: string
  readonly value: string
  readonly highlight: string
  readonly onChange: (value: string) => void
}

/** What is typed, which takes effect when its form is sent. */
function useTyped(value: string, onChange: (value: string) => void) {
  const [text, setText] = useState(value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange(text.trim())
  }
  return { text, setText, submit }
}

function AmountFilter({ label, value, highlight, onChange }: TypedFilter) {
  const { text, setText, submit } = useTyped(value, onChange)
  return (
    <form onSubmit={submit} className="max-sm:flex-1">
      <input
        aria-label={label}
        placeholder={label}
        inputMode="decimal"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => text.trim() !== value && onChange(text.trim())}
        className={`${inputClass} ${small} figures w-26! max-sm:w-full! ${highlight}`}
      />
    </form>
  )
}

function SearchBox({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const { text, setText, submit } = useTyped(value, onChange)
  return (
    <form onSubmit={submit} className="relative min-w-0 flex-1 basis-60 max-sm:basis-40">
      <Icon
        name="search"
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-soft"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          if (event.target.value === '' && value !== '') onChange('')
        }}
        className={`${inputClass} min-h-9! text-13! text-ellipsis pl-9 phone:min-h-11!`}
      />
    </form>
  )
}

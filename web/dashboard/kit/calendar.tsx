// The calendar of a date field, by pointer and by keyboard: the pattern "date picker dialog" of WAI-ARIA. Loaded when the first one opens, and
// open from the start.
import { Popover as Base } from '@base-ui/react/popover'
import { useEffect, useRef, useState, type ComponentProps, type KeyboardEvent } from 'react'
import { kitWords } from '../words/kit.ts'
import { useReader, useWords } from '../words/reader.ts'
import { Button, IconButton, buttonClass } from './button.tsx'
import { addDays, addMonths, placeInWeek, today, weekStart, weeksOf } from './date-text.ts'
import { Icon } from './icons.tsx'

type Props = {
  /** The button that opens it. */
  readonly trigger: ComponentProps<'button'>
  readonly label: string
  readonly value: string | undefined
  readonly onPick: (day: string) => void
}

export function Calendar({ trigger, label, value, onPick }: Props) {
  const words = useWords(kitWords)
  const { timeZone } = useReader()
  const [isOpen, setOpen] = useState(true)
  const first = useRef<HTMLButtonElement>(null)
  return (
    <Base.Root open={isOpen} onOpenChange={setOpen} modal="trap-focus">
      <Base.Trigger {...trigger}>
        <Icon name="calendar" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end" collisionPadding={8} className="z-56 outline-none">
          <Base.Popup
            aria-label={words.calendarOf(label)}
            initialFocus={first}
            className="rounded-control border border-line bg-card p-2 shadow-over outline-none transition-opacity duration-150 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <Month
              value={value}
              focused={first}
              onPick={(day) => {
                setOpen(false)
                onPick(day)
              }}
            />
            <div className="mt-1 flex justify-between">
              <Button
                variant="quiet"
                onClick={() => {
                  setOpen(false)
                  onPick(today(timeZone))
                }}
              >
                {words.today}
              </Button>
              <Base.Close className={buttonClass('quiet')}>{words.close}</Base.Close>
            </div>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Month({
  value,
  focused,
  onPick,
}: {
  readonly value: string | undefined
  readonly focused: { readonly current: HTMLButtonElement | null }
  readonly onPick: (day: string) => void
}) {
  const words = useWords(kitWords)
  const { locale, timeZone } = useReader()
  const now = today(timeZone)
  const start = weekStart(locale)
  /** The one day that the Tab key reaches; its month is shown. */
  const [at, setAt] = useState(value ?? now)
  const wasMoved = useRef(false)
  useEffect(() => {
    if (wasMoved.current) focused.current?.focus()
    wasMoved.current = false
  }, [at, focused])
  const title = textOf(at, locale, { month: 'long', year: 'numeric' })
  const turn = (icon: 'left' | 'right', name: string, months: number) => (
    <IconButton icon={icon} label={name} onClick={() => setAt(addMonths(at, months))} />
  )
  return (
    <>
      <div className="flex items-center gap-1">
        {turn('left', words.monthBefore, -1)}
        <p aria-live="polite" className="flex-1 text-center text-13 font-strong">
          {title}
        </p>
        {turn('right', words.monthAfter, 1)}
      </div>
      <Grid
        {...{ at, value, start, focused, onPick }}
        title={title}
        now={now}
        onMove={(day) => {
          wasMoved.current = true
          setAt(day)
        }}
      />
    </>
  )
}

/** The days of a month, each in its place of the week. */
function Grid({
  at,
  value,
  now,
  start,
  title,
  focused,
  onMove,
  onPick,
}: {
  readonly at: string
  readonly value: string | undefined
  readonly now: string
  readonly start: number
  readonly title: string
  readonly focused: { readonly current: HTMLButtonElement | null }
  readonly onMove: (day: string) => void
  readonly onPick: (day: string) => void
}) {
  const { locale } = useReader()
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedBy(event, at, start)
    if (next === undefined) return
    event.preventDefault()
    onMove(next)
  }
  const dayOf = (day: string) => (
    <button
      ref={day === at ? focused : undefined}
      type="button"
      tabIndex={day === at ? 0 : -1}
      aria-label={textOf(day, locale, { dateStyle: 'full' })}
      aria-current={day === now ? 'date' : undefined}
      onClick={() => onPick(day)}
      className={`figures grid size-9 place-items-center rounded-small text-13 phone:size-11 ${looksOf(day === value, day === now)}`}
    >
      {Number(day.slice(8))}
    </button>
  )
  return (
    <table role="grid" aria-label={title} onKeyDown={onKeyDown} className="border-collapse">
      <thead>
        <tr>
          {weekDays(start).map((day) => (
            <th key={day} scope="col" className="h-8 text-13 font-normal text-ink-soft">
              <span aria-hidden="true">{textOf(day, locale, { weekday: 'narrow' })}</span>
              <span className="aside">{textOf(day, locale, { weekday: 'long' })}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(at, start).map((week) => (
          <tr key={week.find((day) => day !== undefined)}>
            {week.map((day, place) => (
              // A place before or behind the month stays empty.
              <td key={place} aria-selected={day === undefined ? undefined : day === value} className="p-0">
                {day !== undefined && dayOf(day)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function looksOf(isChosen: boolean, isToday: boolean): string {
  if (isChosen) return 'bg-accent text-on-accent font-strong'
  return isToday ? 'border border-accent font-strong hover:bg-hover' : 'hover:bg-hover'
}

function textOf(
  day: string,
  locale: ReturnType<typeof useReader>['locale'],
  options: Intl.DateTimeFormatOptions,
): string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

/** Seven days, of which the first is that with which weeks begin. */
function weekDays(start: number): readonly string[] {
  // A Monday.
  const monday = '2024-01-01'
  return Array.from({ length: 7 }, (_, nth) => addDays(monday, start - 1 + nth))
}

/** Where a key leads from a day; undefined for other keys. */
function movedBy({ key, shiftKey }: KeyboardEvent, at: string, start: number): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDays(at, -1)
    case 'ArrowRight':
      return addDays(at, 1)
    case 'ArrowUp':
      return addDays(at, -7)
    case 'ArrowDown':
      return addDays(at, 7)
    case 'Home':
      return addDays(at, -placeInWeek(at, start))
    case 'End':
      return addDays(at, 6 - placeInWeek(at, start))
    case 'PageUp':
      return addMonths(at, shiftKey ? -12 : -1)
    case 'PageDown':
      return addMonths(at, shiftKey ? 12 : 1)
    default:
      return undefined
  }
}

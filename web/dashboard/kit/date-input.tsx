// A day, written as the account's language writes it or chosen in a calendar. The browser's own field follows the browser's language, not the
// account's.
import { lazy, Suspense, useState, type ComponentProps } from 'react'
import { kitWords } from '../words/kit.ts'
import { useReader, useWords } from '../words/reader.ts'
import { dateHint, dateText, isDay, readDate } from './date-text.ts'
import { Field, inputClass, type Wrong } from './field.tsx'
import { Icon } from './icons.tsx'

const load = () => import('./calendar.tsx')
const Calendar = lazy(async () => ({ default: (await load()).Calendar }))

type Props = {
  /** Such as `2026-11-30`; what is written, while that is no day; empty for none. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** What the day is, for the name of the calendar. */
  readonly label: string
  /** Called when the field is left. */
  readonly onLeave?: () => void
} & Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'>

export function DateInput({ value, onChange, label, onLeave, className = '', ...rest }: Props) {
  const words = useWords(kitWords)
  const { locale } = useReader()
  // While somebody writes, the text stays as it is written.
  const [written, setWritten] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const button = {
    'aria-label': words.calendarOf(label),
    'aria-haspopup': 'dialog' as const,
    disabled: rest.disabled,
    className:
      'absolute inset-y-0 right-0 grid w-9 place-items-center rounded-control text-ink-soft hover:text-ink disabled:opacity-50 phone:w-11',
  }
  const plain = (
    <button
      type="button"
      {...button}
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setOpen(true)}
    >
      <Icon name="calendar" />
    </button>
  )
  return (
    <span className="relative block min-w-0">
      <input
        {...rest}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        placeholder={dateHint(locale)}
        value={written ?? (isDay(value) ? dateText(value, locale) : value)}
        onChange={({ target }) => {
          setWritten(target.value)
          onChange(readDate(target.value, locale) ?? target.value.trim())
        }}
        onBlur={() => {
          setWritten(undefined)
          const day = readDate(value, locale, true)
          if (day !== undefined && day !== value) onChange(day)
          else onLeave?.()
        }}
        className={`${inputClass} figures pr-9 phone:pr-11 ${className}`}
      />
      {isOpen ? (
        <Suspense fallback={plain}>
          <Calendar
            trigger={button}
            label={label}
            value={isDay(value) ? value : undefined}
            onPick={(day) => {
              setWritten(undefined)
              onChange(day)
            }}
          />
        </Suspense>
      ) : (
        plain
      )}
    </span>
  )
}

/** A day among the fields of a form. */
export function DateField({
  label,
  help,
  fault,
  ...rest
}: Props & { readonly help?: ComponentProps<typeof Field>['help']; readonly fault?: Wrong }) {
  return (
    <Field label={label} help={help} fault={fault}>
      {(attributes) => <DateInput label={label} {...rest} {...attributes} />}
    </Field>
  )
}

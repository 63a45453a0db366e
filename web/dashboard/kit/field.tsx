// Fields of forms: a label above, help below, and what is wrong beside the field it is wrong with.
import { lazy, Suspense, useId, useState, type ComponentProps, type ReactNode } from 'react'
import type { FieldFault } from '../api/problem.ts'
import { dictionary } from '../words/dictionary.ts'
import { useWords } from '../words/reader.ts'
import { Icon } from './icons.tsx'

const words = dictionary({
  show: ['Mostrar', 'Show', 'Mostrar'],
  hide: ['Ocultar', 'Hide', 'Ocultar'],
})

export const inputClass =
  'w-full min-w-0 min-h-10 phone:min-h-11 rounded-control border border-edge/60 bg-card px-3 text-15 text-ink placeholder:text-ink-soft/70 transition-colors duration-150 hover:border-edge aria-invalid:border-bad disabled:opacity-60'

type FieldProps = {
  readonly label: string
  readonly help?: ReactNode
  readonly fault?: Wrong
}

/** What is wrong with a value: in the page's words, or as the server says it. */
export type Wrong = string | FieldFault | undefined

/** Its words are loaded when the first value is refused. */
const ServerFault = lazy(async () => ({ default: (await import('./field-fault.tsx')).FieldFaultText }))

/** What is wrong, in the reader's language. */
export function WrongText({ fault }: { readonly fault: Wrong }) {
  if (fault === undefined || typeof fault === 'string') return fault
  return (
    <Suspense>
      <ServerFault fault={fault} />
    </Suspense>
  )
}

/** A label, help and fault around any control. The control takes the given attributes. */
export function Field({
  label,
  help,
  fault,
  children,
}: FieldProps & {
  readonly children: (attributes: {
    id: string
    'aria-describedby'?: string
    'aria-invalid'?: true
  }) => ReactNode
}) {
  const id = useId()
  const hasNote = help !== undefined || fault !== undefined
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-13 font-strong">
        {label}
      </label>
      {children({
        id,
        ...(hasNote ? { 'aria-describedby': `${id}-note` } : {}),
        ...(fault === undefined ? {} : { 'aria-invalid': true as const }),
      })}
      {hasNote && (
        <div id={`${id}-note`} className="text-13 text-ink-soft">
          {fault !== undefined && (
            <p className="flex items-start gap-1.5 text-bad" role="alert">
              <Icon name="alert" className="mt-0.5" />
              <span className="min-w-0">
                <WrongText fault={fault} />
              </span>
            </p>
          )}
          {help}
        </div>
      )}
    </div>
  )
}

export function TextField({
  label,
  help,
  fault,
  className = '',
  ...rest
}: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} help={help} fault={fault}>
      {(attributes) => <input {...rest} {...attributes} className={`${inputClass} ${className}`} />}
    </Field>
  )
}

/** A password, which can be shown. */
export function PasswordField({ label, help, fault, ...rest }: FieldProps & ComponentProps<'input'>) {
  const text = useWords(words)
  const [isShown, setShown] = useState(false)
  return (
    <Field label={label} help={help} fault={fault}>
      {(attributes) => (
        <div className="relative">
          <input
            {...rest}
            {...attributes}
            type={isShown ? 'text' : 'password'}
            className={`${inputClass} pr-24`}
          />
          <button
            type="button"
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-1 right-1 rounded-small px-2.5 text-13 text-ink-soft hover:bg-hover hover:text-ink"
          >
            {isShown ? text.hide : text.show}
          </button>
        </div>
      )}
    </Field>
  )
}

/** An amount: figures right-aligned, the currency named beside them. */
export function AmountField({
  label,
  help,
  fault,
  currency,
  ...rest
}: FieldProps & { readonly currency: string } & ComponentProps<'input'>) {
  return (
    <Field label={label} help={help} fault={fault}>
      {(attributes) => (
        <div className="relative">
          <span className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-13 text-ink-soft">
            {currency}
          </span>
          <input
            {...rest}
            {...attributes}
            inputMode="decimal"
            autoComplete="off"
            className={`${inputClass} figures pl-16 text-right`}
          />
        </div>
      )}
    </Field>
  )
}

/** A choice among a few options that are all visible. */
export function RadioCards<T extends string>({
  legend,
  value,
  options,
  onChange,
}: {
  readonly legend: string
  readonly value: T | undefined
  readonly options: readonly { readonly value: T; readonly label: string; readonly help?: string }[]
  readonly onChange: (value: T) => void
}) {
  const name = useId()
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-13 font-strong">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-11 items-start gap-3 rounded-control border border-line px-3 py-2.5 hover:bg-hover has-checked:border-accent has-checked:bg-accent-tint has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text"
        >
          <input
            type="radio"
            name={name}
            className="mt-1 size-4 shrink-0 accent-accent outline-none"
            checked={value === option.value}
            onChange={() => onChange(option.value)}
          />
          <span className="min-w-0 text-13">
            <span className="block font-strong">{option.label}</span>
            {option.help !== undefined && <span className="block text-ink-soft">{option.help}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

// Any of several: boxes to tick, and a longer text.

const boxClass = 'size-4 shrink-0 accent-accent'

/** One box with its words. `label` names it for screen readers, where the words alone say too little. */
export function Check({
  checked,
  onChange,
  label,
  disabled = false,
  children,
}: {
  readonly checked: boolean
  readonly onChange: (isOn: boolean) => void
  readonly label?: string
  readonly disabled?: boolean
  readonly children: ReactNode
}) {
  return (
    <label
      className={`flex min-h-8 items-center gap-2 text-13 phone:min-h-11 ${disabled ? 'text-ink-soft' : ''}`}
    >
      <input
        type="checkbox"
        className={boxClass}
        aria-label={label}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0 break-words">{children}</span>
    </label>
  )
}

/** A text of several lines. */
export function TextArea({
  label,
  help,
  fault,
  className = '',
  ...rest
}: {
  readonly label: string
  readonly help?: ReactNode
  readonly fault?: Wrong
} & ComponentProps<'textarea'>) {
  return (
    <Field label={label} help={help} fault={fault}>
      {(attributes) => (
        <textarea rows={3} {...rest} {...attributes} className={`${inputClass} py-2 ${className}`} />
      )}
    </Field>
  )
}

// The browser's own list: best on phones, and it costs no script.

export type Option = { readonly value: string; readonly label: string }

export function Select({
  options,
  className = '',
  ...rest
}: { readonly options: readonly Option[] } & ComponentProps<'select'>) {
  return (
    <span className="relative block min-w-0">
      <select {...rest} className={`${inputClass} appearance-none pr-9 ${className}`}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Icon
        name="down"
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-soft"
      />
    </span>
  )
}

export function SelectField({
  label,
  help,
  fault,
  ...rest
}: { readonly label: string; readonly help?: ReactNode; readonly fault?: Wrong } & ComponentProps<
  typeof Select
>) {
  return (
    <Field label={label} help={help} fault={fault}>
      {(attributes) => <Select {...rest} {...attributes} />}
    </Field>
  )
}

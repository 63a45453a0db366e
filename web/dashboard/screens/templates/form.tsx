// The controls of the editor: each changes one path of the draft, and shows what is wrong there.
import { createContext, useContext, useId, useState, type ReactNode } from 'react'
import { Field, inputClass, SelectField } from '../../kit/field.tsx'
import { inputOf, minorOf } from '../../kit/format.ts'
import { useReader } from '../../words/reader.ts'
import { type DraftHere, useFaultSentence, type Checked } from './draft.ts'
import { valueAt, type Path } from './model.ts'

export type Form = Pick<DraftHere, 'document' | 'change' | 'generation'> &
  Pick<Checked, 'faults' | 'warnings'>

export const FormContext = createContext<Form | undefined>(undefined)

export function useForm(): Form {
  const form = useContext(FormContext)
  if (form === undefined) throw new Error('this control needs the editor around it')
  return form
}

/** The JSON pointer of the path. */
function pointerTo(path: Path): string {
  return path.map((name) => `/${name}`).join('')
}

/** What is wrong at the path; `within`: or at a part of it. */
export function useFault(path: Path, within = false): string | undefined {
  const { faults } = useForm()
  const sentenceOf = useFaultSentence()
  const pointer = pointerTo(path)
  const fault = faults.find(
    (each) => each.pointer === pointer || (within && each.pointer.startsWith(`${pointer}/`)),
  )
  return fault === undefined ? undefined : sentenceOf(fault)
}

/** A value as an input shows it. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

type Common = { readonly path: Path; readonly label: string; readonly help?: string | undefined }

/** A text. Where nothing is written, the field is absent. */
export function TextInput({
  path,
  label,
  help,
  type = 'text',
  isLong = false,
  isNeeded = false,
  placeholder,
}: Common & {
  readonly type?: 'text' | 'email' | 'url'
  readonly isLong?: boolean
  /** An empty text is sent, and is a fault. */
  readonly isNeeded?: boolean
  readonly placeholder?: string
}) {
  const { document, change } = useForm()
  const fault = useFault(path)
  const given = valueAt(document, path)
  const shared = {
    value: typeof given === 'string' ? given : '',
    placeholder,
    onChange: (event: { readonly target: { readonly value: string } }) => {
      const { value } = event.target
      change(path, value === '' && !isNeeded ? undefined : value)
    },
  }
  return (
    <Field label={label} help={help} fault={fault}>
      {(attributes) =>
        isLong ? (
          <textarea {...attributes} {...shared} rows={2} className={`${inputClass} resize-y py-2`} />
        ) : (
          <input
            {...attributes}
            {...shared}
            type={type === 'email' ? 'email' : 'text'}
            inputMode={type}
            autoComplete="off"
            spellCheck={type === 'text'}
            className={inputClass}
          />
        )
      }
    </Field>
  )
}

/**
 * A whole number; `scale` of them are one unit of the field. A text that is not a number is sent as it is, and the server reports the
 * fault.
 */
export function NumberInput({ path, label, help, scale = 1 }: Common & { readonly scale?: number }) {
  const { document, change } = useForm()
  const fault = useFault(path)
  const given = valueAt(document, path)
  const shown = typeof given === 'number' ? String(given / scale) : textOf(given)
  const write = (text: string) => {
    const plain = text.trim()
    if (plain === '') change(path, undefined)
    else change(path, /^\d{1,9}$/.test(plain) ? Number(plain) * scale : plain)
  }
  return (
    <Field label={label} help={help} fault={fault}>
      {(attributes) => (
        <input
          {...attributes}
          inputMode="numeric"
          autoComplete="off"
          value={shown}
          onChange={(event) => write(event.target.value)}
          className={`${inputClass} figures`}
        />
      )}
    </Field>
  )
}

/** An amount in the currency's minor units. */
export function AmountInput({ path, label }: Common) {
  const { generation } = useForm()
  return <AmountText key={generation} path={path} label={label} />
}

function AmountText({ path, label }: Common) {
  const { document, change } = useForm()
  const { locale } = useReader()
  const fault = useFault(path)
  const given = valueAt(document, path)
  const [text, setText] = useState(typeof given === 'number' ? inputOf(given, locale) : textOf(given))
  const write = (next: string) => {
    setText(next)
    const minor = next.trim() === '' ? undefined : (minorOf(next, locale) ?? next)
    change(path, typeof minor === 'bigint' ? Number(minor) : minor)
  }
  return (
    <Field label={label} fault={fault}>
      {(attributes) => (
        <input
          {...attributes}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={(event) => write(event.target.value)}
          className={`${inputClass} figures`}
        />
      )}
    </Field>
  )
}

export function SelectInput({
  path,
  label,
  help,
  options,
}: Common & { readonly options: readonly { readonly value: string; readonly label: string }[] }) {
  const { document, change } = useForm()
  const fault = useFault(path)
  return (
    <SelectField
      label={label}
      fault={fault}
      options={options}
      value={textOf(valueAt(document, path))}
      onChange={(event) => change(path, event.target.value)}
      {...(help === undefined ? {} : { help })}
    />
  )
}

/** A box to tick. */
export function CheckBox({
  label,
  isOn,
  onChange,
}: {
  readonly label: ReactNode
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}) {
  return (
    <label className="flex min-h-9 items-center gap-2.5 text-13 phone:min-h-11">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0">{label}</span>
    </label>
  )
}

/** A switch with its word. `label` names it for screen readers, where the word alone says too little. */
export function Switch({
  label,
  isOn,
  onChange,
  children,
}: {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      onClick={() => onChange(!isOn)}
      className={`inline-flex min-h-9 shrink-0 items-center gap-2 rounded-control px-2 text-13 hover:bg-hover phone:min-h-11 ${isOn ? 'font-strong text-accent-text' : 'text-ink-soft'}`}
    >
      <span
        aria-hidden
        className={`flex w-7 rounded-full border p-0.5 ${isOn ? 'justify-end border-accent bg-accent-tint' : 'border-ink-soft bg-card'}`}
      >
        <span className={`size-3 rounded-full ${isOn ? 'bg-accent' : 'bg-ink-soft'}`} />
      </span>
      {children}
    </button>
  )
}

/** One of few, side by side. */
export function Segments<T extends string>({
  legend,
  value,
  options,
  onChange,
  isDisabled = false,
}: {
  readonly legend: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
  readonly isDisabled?: boolean
}) {
  const name = useId()
  return (
    <fieldset
      disabled={isDisabled}
      className="inline-flex rounded-control border border-line bg-inset p-0.5 disabled:opacity-60"
    >
      <legend className="aside">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative grid min-h-8 place-items-center rounded-small px-3 text-13 whitespace-nowrap text-ink-soft has-checked:bg-accent-tint has-checked:font-strong has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent-text phone:min-h-10"
        >
          <input
            type="radio"
            name={name}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

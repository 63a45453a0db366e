// The browser's own list: best on phones, and it costs no script.
import type { ComponentProps, ReactNode } from 'react'
import { Field, inputClass, type Wrong } from './field.tsx'
import { Icon } from './icons.tsx'

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

/** The value of a choice, which a browser says as text. */
export function oneOf<Value extends string>(values: readonly [Value, ...Value[]], text: string): Value {
  return values.find((value) => value === text) ?? values[0]
}

// Any of several: boxes to tick, and a longer text.
import type { ComponentProps, ReactNode } from 'react'
import { Field, inputClass, type Wrong } from './field.tsx'

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

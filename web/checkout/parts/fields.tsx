// The fields that the merchant asks for. Native inputs, so that the browser fills them in and every keyboard works.
import { useState } from 'preact/hooks'
import type { PageField, PageState } from '#/checkout/page-state.ts'
import { wordsOf } from '../words.ts'

export function Fields({ state }: { readonly state: PageState }) {
  const first = state.fields.find(({ error }) => error !== undefined)
  return (
    <div class="fields">
      {state.fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          optional={wordsOf(state).optional}
          isFirstFault={field === first}
        />
      ))}
    </div>
  )
}

type FieldProps = {
  readonly field: PageField
  readonly optional: string
  /** The field that gets the focus. */
  readonly isFirstFault: boolean
}

function Field({ field: sent, optional, isFirstFault }: FieldProps) {
  // What was said of the old value is no longer true of the one that is typed now.
  const [isCorrected, setIsCorrected] = useState(false)
  const field = isCorrected ? withoutError(sent) : sent
  const id = `field-${field.name}`
  const described = [
    ...(field.error === undefined ? [] : [`${id}-error`]),
    ...(field.note === undefined ? [] : [`${id}-note`]),
  ]
  const shared = {
    id,
    name: field.name,
    required: field.isRequired,
    autocomplete: field.autocomplete,
    ...(isFirstFault ? { autofocus: true } : {}),
    ...(field.error === undefined ? {} : { 'aria-invalid': true }),
    ...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') }),
  }
  return (
    <div class="field" onInput={() => setIsCorrected(true)}>
      <label for={id}>
        {field.label}
        {!field.isRequired && <span class="optional"> {optional}</span>}
      </label>
      <Control field={field} shared={shared} />
      {field.error !== undefined && (
        <p class="error" id={`${id}-error`} key={`error ${field.error}`}>
          {field.error}
        </p>
      )}
      {field.note !== undefined && (
        <p class="hint" id={`${id}-note`} key={`note ${field.note}`}>
          {field.note}
        </p>
      )}
    </div>
  )
}

function withoutError({ error: _error, ...field }: PageField): PageField {
  return field
}

type Shared = {
  readonly id: string
  readonly name: string
  readonly required: boolean
  readonly autocomplete: string
  readonly autofocus?: boolean
}

/** Typed text stays when the state changes: the server's value is only the initial one. */
function Control({ field, shared }: { readonly field: PageField; readonly shared: Shared }) {
  switch (field.kind) {
    case 'text':
      return <input {...shared} type="text" defaultValue={field.value} />
    case 'email':
      return <input {...shared} type="email" defaultValue={field.value} />
    case 'tel':
      return <input {...shared} type="tel" defaultValue={field.value} />
    case 'select':
      return (
        <select {...shared}>
          {(field.options ?? []).map(({ value, label }) => (
            <option key={value} value={value} selected={value === field.value}>
              {label}
            </option>
          ))}
        </select>
      )
  }
}

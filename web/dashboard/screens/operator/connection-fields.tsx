// Fields of a form that is made from a JSON schema: of settings, or of secrets, which are typed and never shown again.
import { useState, type ChangeEvent } from 'react'
import type { FormSchema, Property } from '../../api/operator-records.ts'
import { ProblemError, type FieldFault } from '../../api/problem.ts'
import { useList } from '../../api/queries.ts'
import { buttonClass } from '../../kit/button.tsx'
import { Field, inputClass, PasswordField, TextField, type Wrong } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { operatorConnectionWords } from '../../words/operator-connections.ts'
import { useWords } from '../../words/reader.ts'

/** What was typed, by the name of the field. */
export type Texts = Readonly<Record<string, string>>

/** The first values: of the present settings, else the schema's defaults. */
export function textsOf(schema: FormSchema, present: Readonly<Record<string, unknown>> = {}): Texts {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const value = present[name] ?? property.default
      return [name, Array.isArray(value) ? value.join('\n') : plainText(value)]
    }),
  )
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

/** The part as the server takes it. Fields that were left empty are absent. */
export function partOf(schema: FormSchema, texts: Texts): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
      const text = texts[name] ?? ''
      const isGiven = property.type === 'array' ? schema.required?.includes(name) === true : false
      if (text.trim() === '' && !isGiven) return []
      return [[name, valueOf(property, text)]]
    }),
  )
}

function valueOf({ type, file }: Property, text: string): unknown {
  if (type === 'array')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  if (type === 'integer' || type === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  if (type === 'boolean') return text === 'true'
  return file === undefined ? text.trim() : text
}

/** What the server found wrong with a field, or with an item of its list. */
function faultIn(error: unknown, pointer: string): FieldFault | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return error.problem.errors?.find(({ pointer: at }) => at === pointer || at.startsWith(`${pointer}/`))
}

export function SchemaFields({
  part,
  schema,
  texts,
  onChange,
  error,
  isSecret,
}: {
  readonly part: 'settings' | 'secrets' | 'refundSecrets'
  readonly schema: FormSchema
  readonly texts: Texts
  readonly onChange: (texts: Texts) => void
  readonly error: unknown
  readonly isSecret: boolean
}) {
  const words = useWords(operatorConnectionWords)
  const labels: Readonly<Record<string, string>> = words.fields
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isNeeded = schema.required?.includes(name) === true
    return (
      <SchemaField
        key={name}
        name={name}
        label={`${labels[name] ?? name}${isNeeded ? '' : ` (${words.optional})`}`}
        property={property}
        isNeeded={isNeeded}
        isSecret={isSecret}
        fault={faultIn(error, `/${part}/${name}`)}
        value={texts[name] ?? ''}
        onChange={(value) => onChange({ ...texts, [name]: value })}
      />
    )
  })
}

type SchemaFieldProps = {
  readonly name: string
  readonly label: string
  readonly property: Property
  readonly isNeeded: boolean
  readonly isSecret: boolean
  readonly fault: Wrong
  readonly value: string
  readonly onChange: (value: string) => void
}

function SchemaField(props: SchemaFieldProps) {
  const words = useWords(operatorConnectionWords)
  const { name, label, property, isNeeded, isSecret, fault, value, onChange } = props
  const options = property.anyOf?.flatMap((each) => (each.const === undefined ? [] : [each.const]))
  const change = (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => onChange(event.target.value)
  if (property.connectionOf !== undefined) return <ConnectionField {...props} of={property.connectionOf} />
  if (options !== undefined && options.length > 0)
    return (
      <SelectField
        label={label}
        fault={fault}
        value={value}
        onChange={change}
        options={[
          ...(isNeeded && value !== '' ? [] : [{ value: '', label: words.choose }]),
          ...options.map((each) => ({ value: each, label: each })),
        ]}
      />
    )
  if (property.type === 'array' || property.file !== undefined) return <LongField {...props} />
  const shared = { label, fault, value, onChange: change, name, spellCheck: false } as const
  if (isSecret) return <PasswordField {...shared} autoComplete="new-password" />
  const isNumber = property.type === 'integer' || property.type === 'number'
  return <TextField {...shared} autoComplete="off" {...(isNumber ? { inputMode: 'numeric' as const } : {})} />
}

/** Several lines: a list, or the content of a file, which can be chosen. A secret is covered as in a password field. */
function LongField({ label, property, isSecret, fault, value, name, onChange }: SchemaFieldProps) {
  const words = useWords(operatorConnectionWords)
  const [wasRead, setRead] = useState(false)
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    onChange(property.file === 'base64' ? await base64Of(file) : await file.text())
    setRead(true)
  }
  const isFile = property.file !== undefined
  return (
    <Field label={label} fault={fault} help={isFile ? undefined : words.onePerLine}>
      {(attributes) => (
        <div className="flex flex-col items-start gap-2">
          <textarea
            {...attributes}
            name={name}
            rows={isFile ? 3 : 2}
            spellCheck={false}
            autoComplete="off"
            value={value}
            onChange={(event) => {
              onChange(event.target.value)
              setRead(false)
            }}
            style={isSecret ? ({ WebkitTextSecurity: 'disc' } as object) : {}}
            className={`${inputClass} py-2 font-mono text-13!`}
          />
          {isFile && (
            <span className="flex flex-wrap items-center gap-3">
              <label
                className={buttonClass(
                  'plain',
                  'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text',
                )}
              >
                {words.chooseFile}
                <span className="aside">: {label}</span>
                <input
                  type="file"
                  className="aside"
                  onChange={(event) => void take(event.target.files?.[0])}
                />
              </label>
              <span role="status" className="text-13 text-good">
                {wasRead ? words.fileTaken : ''}
              </span>
            </span>
          )}
        </div>
      )}
    </Field>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
}

/** Another connection, such as the account from which withdrawals are paid. */
function ConnectionField({ label, fault, value, onChange, of }: SchemaFieldProps & { readonly of: string }) {
  const words = useWords(operatorConnectionWords)
  const { rows = [] } = useList('listConnections', { query: { limit: 100 } })
  return (
    <SelectField
      label={label}
      fault={fault}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      options={[
        { value: '', label: words.choose },
        ...rows
          .filter(({ method }) => method === of)
          .map(({ id, provider, merchantName }) => ({
            value: id,
            label: `${provider} · ${merchantName ?? words.shared} · ${id.slice(-8)}`,
          })),
      ]}
    />
  )
}

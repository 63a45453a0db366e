// Fields of a form that is made from a JSON schema: of settings, or of secrets, which are typed and never shown again.
import { useState } from 'react'
import type { FormSchema, Property } from '../../api/operator-records.ts'
import { useList } from '../../api/queries.ts'
import { buttonClass } from '../../kit/button.tsx'
import { Field, inputClass, type Wrong } from '../../kit/field.tsx'
import { Fields, type Item } from '../../kit/form.tsx'
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
  const optionsOf = useConnectionOptions()
  const labels: Readonly<Record<string, string>> = words.fields
  const put = (changes: Partial<Texts>) => onChange({ ...texts, ...(changes as Texts) })
  const items = Object.entries(schema.properties ?? {}).map(([name, property]): Item<Texts> => {
    const { type, anyOf, file, connectionOf } = property
    const isNeeded = schema.required?.includes(name) === true
    const label = `${labels[name] ?? name}${isNeeded ? '' : ` (${words.optional})`}`
    const shared = { name, label, at: `${part}/${name}` }
    const values = anyOf?.flatMap((each) => (each.const === undefined ? [] : [each.const])) ?? []
    const choose = { value: '', label: words.choose }
    if (connectionOf !== undefined) return { ...shared, options: [choose, ...optionsOf(connectionOf)] }
    if (values.length > 0)
      return { ...shared, options: isNeeded && (texts[name] ?? '') !== '' ? values : [choose, ...values] }
    if (type === 'array' || file !== undefined)
      return {
        at: shared.at,
        field: (fault) => (
          <LongField
            {...{ name, label, property, isSecret, fault }}
            value={texts[name] ?? ''}
            onChange={(text) => put({ [name]: text })}
          />
        ),
      }
    if (isSecret) return { ...shared, isPassword: true, spellCheck: false, autoComplete: 'new-password' }
    const isNumber = type === 'integer' || type === 'number'
    return {
      ...shared,
      spellCheck: false,
      autoComplete: 'off',
      ...(isNumber ? { inputMode: 'numeric' as const } : {}),
    }
  })
  return <Fields draft={{ values: texts, put, reset: () => undefined }} error={error} items={items} />
}

type LongFieldProps = {
  readonly name: string
  readonly label: string
  readonly property: Property
  readonly isSecret: boolean
  readonly fault: Wrong
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Several lines: a list, or the content of a file, which can be chosen. A secret is covered as in a password field. */
function LongField({ label, property, isSecret, fault, value, name, onChange }: LongFieldProps) {
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

/** Other connections of a method, such as the account from which withdrawals are paid. */
function useConnectionOptions() {
  const words = useWords(operatorConnectionWords)
  const { rows = [] } = useList('listConnections', { query: { limit: 100 } })
  return (of: string) =>
    rows
      .filter(({ method }) => method === of)
      .map(({ id, provider, merchantName }) => ({
        value: id,
        label: `${provider} · ${merchantName ?? words.shared} · ${id.slice(-8)}`,
      }))
}

// When a new key ends: never, after some days, or at the end of a day.
import { startOfDay } from '../../kit/days.ts'
import { TextField, type Wrong } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { keyWords } from '../../words/keys.ts'
import { useReader, useWords } from '../../words/reader.ts'

export type Expiry = { readonly after: string; readonly date: string }

export const noExpiry: Expiry = { after: '', date: '' }

const dayMs = 86_400_000

/** The instant of a choice; undefined for no end. */
export function useExpiry(): (expiry: Expiry) => string | undefined {
  const { timeZone } = useReader()
  return ({ after, date }) => {
    if (after === '') return undefined
    if (after === 'date') return startOfDay(date, 1, timeZone)
    // To the minute, so that the same form sent twice is the same request.
    const minute = Math.floor(Date.now() / 60_000) * 60_000
    return new Date(minute + Number(after) * dayMs).toISOString()
  }
}

export function ExpiryField({
  value,
  fault,
  onChange,
}: {
  readonly value: Expiry
  readonly fault: Wrong
  readonly onChange: (value: Expiry) => void
}) {
  const words = useWords(keyWords)
  const isDate = value.after === 'date'
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={words.expiry}
        value={value.after}
        onChange={(event) => onChange({ ...value, after: event.target.value })}
        fault={isDate ? undefined : fault}
        options={[
          { value: '', label: words.expiryNever },
          { value: '30', label: words.expiryDays(30) },
          { value: '90', label: words.expiryDays(90) },
          { value: '365', label: words.expiryYear },
          { value: 'date', label: words.expiryDate },
        ]}
      />
      {isDate && (
        <TextField
          label={words.expiryOn}
          type="date"
          required
          value={value.date}
          onChange={(event) => onChange({ ...value, date: event.target.value })}
          fault={fault}
        />
      )}
    </div>
  )
}

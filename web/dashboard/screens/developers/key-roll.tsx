// A key in place of another: both work until the overlap is over.
import { useState, type FormEvent } from 'react'
import { useMerchantMutation } from '../../api/merchant-mutation.ts'
import type { ApiKey, NewApiKey } from '../../api/developer-records.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { SelectField } from '../../kit/select.tsx'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'
import { MadeKey } from './key-form.tsx'

/** The API's longest overlap is a week. */
const overlaps = [1, 24, 72, 168]

export function RollKey({
  apiKey,
  onClose,
  onMade,
}: {
  readonly apiKey: ApiKey
  readonly onClose: () => void
  /** The new key was made, and its secret was kept. */
  readonly onMade: (made: NewApiKey) => void
}) {
  const words = useWords(keyWords)
  const mutation = useMerchantMutation()
  const [overlap, setOverlap] = useState('24')
  const [made, setMade] = useState<NewApiKey>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const done = await mutation.ask<NewApiKey>(`keys/${apiKey.id}/roll`, { overlapHours: Number(overlap) })
    if (done !== undefined) setMade(done.answer)
  }
  if (made !== undefined) return <MadeKey made={made} onClose={() => onMade(made)} />
  return (
    <Dialog open onClose={onClose} title={words.rollTitle(apiKey.name)} lead={words.rollLead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <SelectField
          label={words.rollOverlap}
          value={overlap}
          onChange={(event) => setOverlap(event.target.value)}
          options={[
            { value: '0', label: words.rollNow },
            ...overlaps.map((hours) => ({
              value: String(hours),
              label: hours < 48 ? words.rollHours(hours) : words.rollDays(hours / 24),
            })),
          ]}
        />
        <FormFault error={mutation.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={mutation.isBusy}>
            {words.rollDo}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

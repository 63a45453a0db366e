// Rolls a key or secret: the present one works beside the new one until the overlap is over.
import { useState, type FormEvent } from 'react'
import type { Act } from '../../api/act.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { SelectField } from '../../kit/select.tsx'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'

/** The API's longest overlap is a week. */
const overlaps = [1, 24, 72, 168]

export function RollDialog({
  title,
  words,
  act,
  onRoll,
  onClose,
}: {
  readonly title: string
  readonly words: Readonly<Record<'rollLead' | 'rollOverlap' | 'rollNow' | 'rollDo', string>>
  readonly act: Pick<Act, 'error' | 'isBusy'>
  readonly onRoll: (body: { readonly overlapHours: number }) => Promise<void>
  readonly onClose: () => void
}) {
  const { rollHours, rollDays } = useWords(keyWords)
  const [overlap, setOverlap] = useState('24')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void onRoll({ overlapHours: Number(overlap) })
  }
  return (
    <Dialog open onClose={onClose} title={title} lead={words.rollLead}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <SelectField
          label={words.rollOverlap}
          value={overlap}
          onChange={(event) => setOverlap(event.target.value)}
          options={[
            { value: '0', label: words.rollNow },
            ...overlaps.map((hours) => ({
              value: String(hours),
              label: hours < 48 ? rollHours(hours) : rollDays(hours / 24),
            })),
          ]}
        />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.rollDo}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

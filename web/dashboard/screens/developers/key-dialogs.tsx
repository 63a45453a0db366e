// Rolls a key or secret: the present one works beside the new one until the overlap is over.
import { useState, type FormEvent } from 'react'
import { useAct, type Act } from '../../api/act.ts'
import type { Body } from '../../api/call.ts'
import type { ApiKey, NewApiKey } from '../../api/generated.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'
import { MadeKey } from './key-form.tsx'
import { ScopeList } from './scopes.tsx'

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

// Ends a key for good, and says first what stops.

export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const words = useWords(keyWords)
  const act = useAct()
  const { id, name, lastFour, lastUsedAt, scopes } = apiKey
  const revoke = async () => {
    if (!(await act.send('revokeApiKey', { id, body: {} }))) return
    toast(words.revokedDone)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.revokeTitle(name)} lead={words.revokeLead(lastFour)}>
      <p className="text-13">
        {lastUsedAt === undefined ? (
          words.revokeUnused
        ) : (
          <>
            {words.revokeUsed} <Time at={lastUsedAt} className="font-strong" />
          </>
        )}
      </p>
      <div className="text-13">
        <p className="mb-1">{words.revokeRights}</p>
        <div className="max-h-52 overflow-y-auto rounded-control border border-line px-3" tabIndex={0}>
          <ScopeList value={scopes} />
        </div>
      </div>
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void revoke()}>
          {words.revokeDo}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

// A key in place of another: both work until the overlap is over.

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
  const act = useAct()
  const [made, setMade] = useState<NewApiKey>()
  const roll = async (body: Body<'rollApiKey'>) => {
    setMade(await act.ask('rollApiKey', { id: apiKey.id, body }))
  }
  if (made !== undefined) return <MadeKey made={made} onClose={() => onMade(made)} />
  return (
    <RollDialog
      title={words.rollTitle(apiKey.name)}
      words={words}
      act={act}
      onRoll={roll}
      onClose={onClose}
    />
  )
}

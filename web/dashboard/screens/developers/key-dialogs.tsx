// Rolls a key or secret: the present one works beside the new one until the overlap is over.
import { useState } from 'react'
import type { ApiKey, NewApiKey } from '../../api/generated.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { useDraft } from '../../kit/form.tsx'
import { Time } from '../../kit/time.tsx'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'
import { MadeKey } from './key-form.tsx'
import { ScopeList } from './scopes.tsx'

/** The API's longest overlap is a week. */
const overlaps = [1, 24, 72, 168]

/** The form of a roll, for its dialog. */
export function useRollForm(
  words: Readonly<Record<'rollLead' | 'rollOverlap' | 'rollNow' | 'rollDo', string>>,
) {
  const { rollHours, rollDays } = useWords(keyWords)
  const draft = useDraft({ overlap: '24' })
  const options = [
    { value: '0', label: words.rollNow },
    ...overlaps.map((hours) => ({
      value: String(hours),
      label: hours < 48 ? rollHours(hours) : rollDays(hours / 24),
    })),
  ]
  return {
    lead: words.rollLead,
    act: words.rollDo,
    draft,
    fields: [{ name: 'overlap', label: words.rollOverlap, options }] as const,
    body: () => ({ overlapHours: Number(draft.values.overlap) }),
  }
}

// Ends a key for good, and says first what stops.

export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const words = useWords(keyWords)
  const { id, name, lastFour, lastUsedAt, scopes } = apiKey
  return (
    <ActionDialog
      call="revokeApiKey"
      id={id}
      body={() => ({})}
      title={words.revokeTitle(name)}
      lead={words.revokeLead(lastFour)}
      act={words.revokeDo}
      isDanger
      done={words.revokedDone}
      onClose={onClose}
    >
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
    </ActionDialog>
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
  const form = useRollForm(words)
  const [made, setMade] = useState<NewApiKey>()
  if (made !== undefined) return <MadeKey made={made} onClose={() => onMade(made)} />
  return (
    <ActionDialog
      {...form}
      call="rollApiKey"
      id={apiKey.id}
      title={words.rollTitle(apiKey.name)}
      onAnswer={setMade}
      onClose={onClose}
    />
  )
}

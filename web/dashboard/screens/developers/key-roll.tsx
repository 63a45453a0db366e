// A key in place of another: both work until the overlap is over.
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import type { Body } from '../../api/call.ts'
import type { ApiKey, NewApiKey } from '../../api/generated.ts'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'
import { MadeKey } from './key-form.tsx'
import { RollDialog } from './roll-dialog.tsx'

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

// A key in place of another: both work until the overlap is over.
import { useState } from 'react'
import type { ApiKey, NewApiKey } from '../../api/developer-records.ts'
import { useMerchantMutation } from '../../api/merchant-mutation.ts'
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
  const mutation = useMerchantMutation()
  const [made, setMade] = useState<NewApiKey>()
  const roll = async (body: object) => {
    const done = await mutation.ask<NewApiKey>(`keys/${apiKey.id}/roll`, body)
    if (done !== undefined) setMade(done.answer)
  }
  if (made !== undefined) return <MadeKey made={made} onClose={() => onMade(made)} />
  return (
    <RollDialog
      title={words.rollTitle(apiKey.name)}
      words={words}
      mutation={mutation}
      onRoll={roll}
      onClose={onClose}
    />
  )
}

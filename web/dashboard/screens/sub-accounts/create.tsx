// Makes a sub-account, and shows its webhook secret this once.
import { useState } from 'react'
import { given } from '#/kernel/given.ts'
import type { NewSubAccount } from '../../api/generated.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { useDraft } from '../../kit/form.tsx'
import { SecretDialog } from '../../kit/secret.tsx'
import { useWords } from '../../words/reader.ts'
import { subAccountWords } from '../../words/sub-accounts.ts'

export function CreateSubAccountDialog({
  onClose,
  onMade,
}: {
  readonly onClose: () => void
  readonly onMade: (account: NewSubAccount) => void
}) {
  const words = useWords(subAccountWords)
  const draft = useDraft({ name: '', taxId: '', reference: '' })
  const [made, setMade] = useState<NewSubAccount>()
  const [name, taxId, reference] = [draft.values.name, draft.values.taxId, draft.values.reference].map(
    (text) => text.trim() || undefined,
  )
  if (made?.webhookSecret !== undefined)
    return (
      <SecretDialog
        title={words.secretTitle}
        lead={words.secretLead}
        label={words.secret}
        value={made.webhookSecret}
        onClose={() => onMade(made)}
      />
    )
  return (
    <ActionDialog
      call="createSubAccount"
      title={words.add}
      lead={words.addLead}
      act={words.create}
      draft={draft}
      fields={[
        {
          name: 'name',
          label: words.name,
          maxLength: 200,
          autoFocus: true,
          autoComplete: 'off',
          wrong: name === undefined && words.nameWrong,
        },
        { name: 'taxId', label: words.taxId, maxLength: 32, autoComplete: 'off' },
        { name: 'reference', label: words.reference, maxLength: 100, autoComplete: 'off' },
      ]}
      body={() => (name === undefined ? undefined : { name, ...given({ taxId, reference }) })}
      // The secret is absent when the same request had made it before.
      onAnswer={(account) => (account.webhookSecret === undefined ? onMade : setMade)(account)}
      onClose={onClose}
    />
  )
}

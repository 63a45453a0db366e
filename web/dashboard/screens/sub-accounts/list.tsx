// The sub-accounts of a merchant, newest first.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { given } from '#/kernel/given.ts'
import type { SubAccountState, NewSubAccount } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Badge } from '../../kit/badge.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { useDraft } from '../../kit/form.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { SecretDialog } from '../../kit/secret.tsx'
import { useWords } from '../../words/reader.ts'
import { subAccountWords } from '../../words/sub-accounts.ts'

export function SubAccountList() {
  const words = useWords(subAccountWords)
  const navigate = useNavigate()
  const { id, may } = useMerchant()
  const records = useRecords('listSubAccounts')
  return (
    <>
      <PageHeader
        title={words.title}
        lead={words.lead}
        actions={
          may('subaccounts:write') && (
            <DialogButton
              variant="primary"
              icon="plus"
              dialog={(onClose) => (
                <CreateSubAccountDialog
                  onClose={onClose}
                  onMade={(account) => void navigate({ to: `/m/${id}/sub-accounts/${account.id}` })}
                />
              )}
            >
              {words.add}
            </DialogButton>
          )
        }
      />
      <RecordList
        records={records}
        words={words}
        icon="subaccounts"
        columns={[
          { header: words.name, text: 'name', grow: true, className: 'font-strong' },
          { header: words.state, cell: ({ state }) => <SubAccountBadge state={state} /> },
          { header: words.referenceShort, text: 'reference', from: 'sm', className: 'text-ink-soft' },
          { header: words.createdAt, time: 'createdAt', from: 'md' },
        ]}
        href={(account) => `/m/${id}/sub-accounts/${account.id}`}
      />
    </>
  )
}

const badges = {
  PENDING: { tone: 'wait', icon: 'clock' },
  ACTIVE: { tone: 'good', icon: 'checkCircle' },
  SUSPENDED: { tone: 'bad', icon: 'cross' },
  CLOSED: { tone: 'calm', icon: 'dash' },
} as const

export function SubAccountBadge({ state }: { readonly state: SubAccountState }) {
  const { states } = useWords(subAccountWords)
  return <Badge {...badges[state]}>{states[state]}</Badge>
}

// Makes a sub-account, and shows its webhook secret this once.

function CreateSubAccountDialog({
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

// The sub-accounts of a merchant, newest first.
import { useNavigate } from '@tanstack/react-router'
import type { SubAccountState } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { useWords } from '../../words/reader.ts'
import { subAccountWords } from '../../words/sub-accounts.ts'
import { CreateSubAccountDialog } from './create.tsx'

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

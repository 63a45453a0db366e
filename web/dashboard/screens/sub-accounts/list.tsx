// The sub-accounts of a merchant, newest first.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { SubAccount, SubAccountState } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { createdColumn } from '../../kit/columns.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Card, PageHeader } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { useWords } from '../../words/reader.ts'
import { subAccountWords } from '../../words/sub-accounts.ts'
import { CreateSubAccountDialog } from './create.tsx'

export function SubAccountList() {
  const words = useWords(subAccountWords)
  const navigate = useNavigate()
  const { id, may } = useMerchant()
  const [isAdding, setAdding] = useState(false)
  const list = useList('listSubAccounts')
  return (
    <>
      <PageHeader
        title={words.title}
        lead={words.lead}
        actions={
          may('subaccounts:write') && (
            <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
              {words.add}
            </Button>
          )
        }
      />
      <Card flush>
        <Table
          label={words.title}
          columns={useColumns()}
          {...list}
          rowId={(account) => account.id}
          href={(account) => `/m/${id}/sub-accounts/${account.id}`}
          phone={(account) => (
            <span className="flex items-center justify-between gap-3">
              <span className="min-w-0 truncate font-strong">{account.name}</span>
              <SubAccountBadge state={account.state} />
            </span>
          )}
          empty={
            <Empty icon="subaccounts" title={words.none}>
              {words.noneLead}
            </Empty>
          }
        />
      </Card>
      {isAdding && (
        <CreateSubAccountDialog
          onClose={() => setAdding(false)}
          onMade={(account) => void navigate({ to: `/m/${id}/sub-accounts/${account.id}` })}
        />
      )}
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

function useColumns(): readonly Column<SubAccount>[] {
  const words = useWords(subAccountWords)
  return [
    {
      id: 'name',
      header: words.name,
      grow: true,
      cell: ({ name }) => <span className="block truncate font-strong">{name}</span>,
    },
    { id: 'state', header: words.state, cell: ({ state }) => <SubAccountBadge state={state} /> },
    {
      id: 'reference',
      header: words.referenceShort,
      from: 'sm',
      cell: ({ reference }) => <span className="block truncate text-ink-soft">{reference}</span>,
    },
    createdColumn(words.createdAt, 'md'),
  ]
}

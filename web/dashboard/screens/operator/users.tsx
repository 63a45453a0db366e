// All users of the dashboard.
import type { User } from '../../api/generated.ts'
import { Badge } from '../../kit/badge.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { operatorPeopleWords } from '../../words/operator-people.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'
import { OnlyCommand } from './parts.tsx'

export function UserList() {
  const words = useWords(operatorPeopleWords)
  const shared = useWords(operatorWords)
  const records = useRecords('listUsers', { find: (email) => ({ email }) })
  return (
    <>
      <PageHeader title={words.title} lead={words.accessLead} />
      <RecordList
        records={records}
        words={words}
        icon="user"
        columns={[
          { header: shared.name, text: 'name', phone: 'title', className: 'font-strong' },
          { header: 'E-mail', text: 'email', grow: true, phone: 'line' },
          { header: words.access, cell: (person) => <Access person={person} /> },
          { header: shared.created, time: 'createdAt' },
        ]}
        href={({ id }) => `/operator/users/${id}`}
      />
      <div className="mt-6 phone:mt-4">
        <OnlyCommand
          why="operators"
          commands={['user create <email> --operator', 'user promote <email>', 'user demote <email>']}
        />
      </div>
    </>
  )
}

export function Access({ person }: { readonly person: User }) {
  const words = useWords(operatorPeopleWords)
  return (
    <span className="flex flex-wrap gap-1">
      {person.disabledAt === undefined ? (
        <Badge tone="good">{words.isActive}</Badge>
      ) : (
        <Badge tone="bad">{words.isDisabled}</Badge>
      )}
      {person.isOperator && (
        <Badge tone="accent" icon="operator">
          {words.isOperator}
        </Badge>
      )}
    </span>
  )
}

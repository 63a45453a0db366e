// All users of the dashboard.
import type { User } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { createdColumn } from '../../kit/columns.tsx'
import { Empty } from '../../kit/empty.tsx'
import { FilterBar, useFilters } from '../../kit/filters.tsx'
import { Card, PageHeader } from '../../kit/page.tsx'
import { Table } from '../../kit/table.tsx'
import { operatorPeopleWords } from '../../words/operator-people.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'
import { OnlyCommand } from './only-command.tsx'

export function UserList() {
  const words = useWords(operatorPeopleWords)
  const shared = useWords(operatorWords)
  const [{ q = '' }] = useFilters()
  const list = useList('listUsers', { query: q === '' ? {} : { email: q } })
  return (
    <>
      <PageHeader title={words.title} lead={words.accessLead} />
      <Card flush>
        <FilterBar filters={[]} search={words.search} />
        <Table
          label={words.title}
          {...list}
          rowId={({ id }) => id}
          href={({ id }) => `/operator/users/${id}`}
          columns={[
            {
              id: 'name',
              header: shared.name,
              cell: ({ name }) => <span className="font-strong whitespace-nowrap">{name}</span>,
            },
            {
              id: 'email',
              header: 'E-mail',
              grow: true,
              cell: ({ email }) => <span className="block truncate">{email}</span>,
            },
            { id: 'access', header: words.access, cell: (person) => <Access person={person} /> },
            createdColumn(shared.created),
          ]}
          phone={(person) => (
            <>
              <span className="text-15 font-strong">{person.name}</span>
              <span className="truncate text-ink-soft">{person.email}</span>
              <Access person={person} />
            </>
          )}
          empty={
            <Empty icon="user" title={words.none}>
              {words.noneLead}
            </Empty>
          }
        />
      </Card>
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

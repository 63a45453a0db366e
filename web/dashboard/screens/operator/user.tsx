// One user: factors, merchants, and help for who is locked out.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { User } from '../../api/generated.ts'
import type { OneTimeLink, WholePerson } from '../../api/operator-records.ts'
import { useRead } from '../../api/queries.ts'
import { useSession, useMayOperate, useParam } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Definitions, timeOf } from '../../kit/facts.tsx'
import { MoreMenu } from '../../kit/menu.tsx'
import { Card, PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { operatorPeopleWords } from '../../words/operator-people.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { KeysFate } from '../settings/member-keys.tsx'
import { OperatorDialog, ShownOnce } from './action-dialog.tsx'
import { Line, ModeBadge, NothingHere, OnlyCommand } from './parts.tsx'

export function UserPage() {
  const words = useWords(operatorPeopleWords)
  const { roles } = useWords(operatorMerchantWords)
  const id = useParam('id')
  return (
    <RecordPage
      of={useRead('getUser', { id })}
      kind={words.user}
      back={{ to: '/operator/users', label: words.title }}
      head={(person) => ({
        name: person.name,
        badges: <Access person={person} />,
        lead: <span className="break-all">{person.email}</span>,
        actions: <UserActions person={person} />,
      })}
    >
      {(person) => (
        <Beside side={<AccessCard person={person} />}>
          <Card title={words.memberships} flush>
            {person.memberships.length === 0 ? (
              <NothingHere>{words.membershipsNone}</NothingHere>
            ) : (
              <ul>
                {person.memberships.map(({ merchantId, merchantName, mode, role }) => (
                  <Line key={merchantId}>
                    <Link
                      to={`/operator/merchants/${merchantId}`}
                      className="min-w-0 flex-1 basis-40 font-strong break-words"
                    >
                      {merchantName}
                    </Link>
                    <span>{roles[role]}</span>
                    <ModeBadge mode={mode} />
                  </Line>
                ))}
              </ul>
            )}
          </Card>
        </Beside>
      )}
    </RecordPage>
  )
}

function AccessCard({ person }: { readonly person: WholePerson }) {
  const words = useWords(operatorPeopleWords)
  const shared = useWords(operatorWords)
  const format = useFormat()
  const { passkeys, hasTotp } = person.factors
  const factors = [
    ...(passkeys > 0 ? [words.passkeys(format.count(passkeys))] : []),
    ...(hasTotp ? [words.totp] : []),
  ]
  return (
    <Card title={words.access}>
      <Definitions
        items={[
          [words.factors, factors.length === 0 ? words.noFactors : format.list(factors)],
          [shared.created, timeOf(person.createdAt)],
        ]}
      />
      <div className="flex flex-col gap-4">
        <OnlyCommand
          why="operators"
          commands={[`user ${person.isOperator ? 'demote' : 'promote'} ${person.email}`]}
        />
        {person.isColleague && (
          <OnlyCommand
            why="colleague"
            commands={[
              `user reset ${person.email}`,
              ...(factors.length > 0 ? [`user factors ${person.email}`] : []),
            ]}
          />
        )}
      </div>
    </Card>
  )
}

const calls = { disable: 'disableUser', enable: 'enableUser', 'remove-factors': 'removeUserFactors' } as const
type Action = keyof typeof calls | 'reset'

function UserActions({ person }: { readonly person: WholePerson }) {
  const words = useWords(operatorPeopleWords)
  const may = useMayOperate()
  const { user } = useSession()
  const [action, setAction] = useState<Action>()
  const [heir, setHeir] = useState('')
  const close = () => {
    setAction(undefined)
    setHeir('')
  }
  if (!may('write')) return null
  const mayLoseFactors = !person.isColleague && (person.factors.passkeys > 0 || person.factors.hasTotp)
  const word = person.disabledAt === undefined ? 'disable' : 'enable'
  return (
    <>
      {!person.isColleague && (
        <Button icon="key" onClick={() => setAction('reset')}>
          {words.reset}
        </Button>
      )}
      <MoreMenu
        label={words.more}
        entries={[
          mayLoseFactors && {
            label: words['remove-factors'],
            icon: 'shield',
            onSelect: () => setAction('remove-factors'),
          },
          user.id !== person.id && {
            label: words[word],
            icon: 'user',
            danger: word === 'disable',
            onSelect: () => setAction(word),
          },
        ]}
      />
      {action === 'reset' && <ResetDialog person={person} onClose={close} />}
      {action !== undefined && action !== 'reset' && (
        <OperatorDialog
          title={words[action]}
          lead={words[`${action}Lead`](person.name)}
          act={words[action]}
          isDanger={action !== 'enable'}
          reason="maybe"
          call={calls[action]}
          id={person.id}
          done={words[`${action}Done`]}
          onClose={close}
          {...(action === 'disable' && {
            body: () => (heir === '' ? {} : { keysTo: heir }),
            children: <UserKeys userId={person.id} value={heir} onChange={setHeir} />,
          })}
        />
      )}
    </>
  )
}

/** Makes a link to a new password, and shows it. */
function ResetDialog({ person, onClose }: { readonly person: WholePerson; readonly onClose: () => void }) {
  const words = useWords(operatorPeopleWords)
  const [link, setLink] = useState<OneTimeLink>()
  const about = { title: words.reset, lead: words.resetLead(person.email), onClose }
  if (link !== undefined) return <ShownOnce {...about} label={words.reset} value={link.url} />
  return (
    <OperatorDialog
      {...about}
      act={words.reset}
      reason="maybe"
      call="createResetLink"
      id={person.id}
      onAnswer={setLink}
    />
  )
}

// What becomes of the API keys of a user whom the operator disables, at all their merchants.

/** The keys with their last use, and the choice. Empty for `value`: they are revoked. */
export function UserKeys({
  userId,
  value,
  onChange,
}: {
  readonly userId: string
  readonly value: string
  readonly onChange: (heir: string) => void
}) {
  const { data, error, refetch } = useRead('listUserKeys', { id: userId })
  return (
    <KeysFate
      keys={data?.data}
      heirs={data?.heirs ?? []}
      error={error}
      onRetry={() => void refetch()}
      value={value}
      onChange={onChange}
    />
  )
}

// All users of the dashboard.

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

function Access({ person }: { readonly person: User }) {
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

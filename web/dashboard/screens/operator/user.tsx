// One user: factors, merchants, and help for who is locked out.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useParam } from '../../api/address.ts'
import type { OneTimeLink, WholePerson } from '../../api/operator-records.ts'
import { useMayOperate } from '../../api/operator.ts'
import { useRead } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { LoadingOrFault } from '../../kit/fault.tsx'
import { Icon } from '../../kit/icons.tsx'
import type { MenuEntry } from '../../kit/menu-parts.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Card, Definitions, PageHeader } from '../../kit/page.tsx'
import { TitleLine } from '../../kit/record-head.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { operatorPeopleWords } from '../../words/operator-people.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { KeysFate } from '../settings/member-keys.tsx'
import { ActionDialog, ShownOnce } from './action-dialog.tsx'
import { Line, ModeBadge, NothingHere, OnlyCommand } from './parts.tsx'
import { Access } from './users.tsx'

export function UserPage() {
  const words = useWords(operatorPeopleWords)
  const { roles } = useWords(operatorMerchantWords)
  const id = useParam('id')
  const { data: person, error, refetch } = useRead('getUser', { id })
  const back = { to: '/operator/users', label: words.title }
  if (person === undefined)
    return (
      <>
        <PageHeader title={words.user} back={back} />
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      </>
    )
  return (
    <>
      <PageHeader
        back={back}
        titleText={person.name}
        title={
          <TitleLine>
            {person.name} <Access person={person} />
          </TitleLine>
        }
        lead={<span className="break-all">{person.email}</span>}
        actions={<UserActions person={person} />}
      />
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_320px] phone:gap-4">
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
        <AccessCard person={person} />
      </div>
    </>
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
          [shared.created, <Time key="at" at={person.createdAt} />],
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
  const [link, setLink] = useState<OneTimeLink>()
  const [heir, setHeir] = useState('')
  const close = () => {
    setAction(undefined)
    setLink(undefined)
    setHeir('')
  }
  if (!may('write')) return null
  const entries = entriesOf(person, user.id === person.id, words, setAction)
  return (
    <>
      {!person.isColleague && (
        <Button icon="key" onClick={() => setAction('reset')}>
          {words.reset}
        </Button>
      )}
      {entries.length > 0 && (
        <Menu
          label={words.more}
          triggerClass={buttonClass('plain', 'px-2.5')}
          trigger={<Icon name="more" />}
          entries={entries}
        />
      )}
      {link !== undefined && (
        <ShownOnce
          title={words.reset}
          lead={words.resetLead(person.email)}
          label={words.reset}
          value={link.url}
          onClose={close}
        />
      )}
      {action === 'reset' && link === undefined && (
        <ActionDialog
          title={words.reset}
          lead={words.resetLead(person.email)}
          act={words.reset}
          reason="maybe"
          call="createResetLink"
          id={person.id}
          onAnswer={setLink}
          onClose={close}
        />
      )}
      {action !== undefined && action !== 'reset' && (
        <ActionDialog
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
            children: () => <UserKeys userId={person.id} value={heir} onChange={setHeir} />,
          })}
        />
      )}
    </>
  )
}

function entriesOf(
  person: WholePerson,
  isSelf: boolean,
  words: Readonly<Record<Action, string>>,
  setAction: (action: Action) => void,
): readonly MenuEntry[] {
  const mayLoseFactors = !person.isColleague && (person.factors.passkeys > 0 || person.factors.hasTotp)
  const word = person.disabledAt === undefined ? 'disable' : 'enable'
  return [
    ...(mayLoseFactors
      ? [
          {
            label: words['remove-factors'],
            icon: 'shield' as const,
            onSelect: () => setAction('remove-factors'),
          },
        ]
      : []),
    ...(isSelf
      ? []
      : [
          {
            label: words[word],
            icon: 'user' as const,
            danger: word === 'disable',
            onSelect: () => setAction(word),
          },
        ]),
  ]
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

// All API keys of the merchant, newest first.
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { scopes, type ApiKey } from '../../api/generated.ts'
import { usePeople } from '../../api/members.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { codeOf, Definitions, timeOf } from '../../kit/facts.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { useNow } from '../../kit/time.tsx'
import { developerWords } from '../../words/developers.ts'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'
import { KeyForm, RevokeKey, RollKey } from './key-form.tsx'
import { ScopeList } from './scopes.tsx'

export function KeyList() {
  const words = useWords(keyWords)
  const pathOf = useDevelopersPath()
  const { may } = useMerchant()
  const makerOf = useKeyMaker()
  const records = useRecords('listApiKeys')
  const create = may('keys:write') && (
    <DialogButton variant="primary" icon="plus" dialog={(onClose) => <KeyForm onClose={onClose} />}>
      {words.create}
    </DialogButton>
  )
  return (
    <DevelopersFrame lead={words.lead} actions={create}>
      <RecordList
        records={records}
        words={words}
        icon="key"
        columns={[
          {
            header: words.name,
            grow: true,
            cell: ({ name, lastFour }) => (
              <span className="block">
                <span className="block truncate font-strong">{name}</span>
                <span className="block font-mono text-ink-soft">…{lastFour}</span>
              </span>
            ),
          },
          { header: words.status, cell: (key) => <KeyState apiKey={key} /> },
          {
            header: words.rights,
            from: 'lg',
            cell: ({ scopes: granted }) => words.rightsCount(granted.length, scopes.length),
          },
          { header: words.createdBy, from: 'md', cell: makerOf },
          {
            header: words.expires,
            time: 'expiresAt',
            none: words.expiresNever,
            from: 'lg',
            phone: 'none',
          },
          { header: words.lastUsed, time: 'lastUsedAt', none: words.never, from: 'sm', isNamed: true },
        ]}
        href={({ id }) => pathOf(`keys/${id}`)}
      />
    </DevelopersFrame>
  )
}

/** Soon: within a week. */
const soonMs = 7 * 86_400_000

export function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  const words = useWords(keyWords)
  const now = useNow()
  const { status, expiresAt } = apiKey
  const endsIn = expiresAt === undefined ? Infinity : Date.parse(expiresAt) - now
  if (status === 'ACTIVE' && endsIn < soonMs) return <Badge tone="wait">{words.endsSoon}</Badge>
  const tone = ({ ACTIVE: 'good', EXPIRED: 'calm', REVOKED: 'bad' } as const)[status]
  return <Badge tone={tone}>{words.statuses[status]}</Badge>
}

/** Who made a key: a member by name, the operator, or another key. */
export function useKeyMaker(): (key: Pick<ApiKey, 'createdBy'>) => string {
  const words = useWords(keyWords)
  const nameOf = usePeople()
  return ({ createdBy: { kind, userId, keyId } }) => {
    if (kind === 'OPERATOR') return words.operator
    if (kind === 'USER') return nameOf(userId) ?? words.formerMember
    return nameOf(keyId) ?? words.otherKey
  }
}

// One API key: what it may do, and what can be done with it.

export function KeyPage() {
  const words = useWords(keyWords)
  const pathOf = useDevelopersPath()
  const keyId = useParam('keyId')
  return (
    <RecordPage
      of={useRead('getApiKey', { id: keyId })}
      kind={words.key}
      back={{ to: pathOf('keys'), label: words.title }}
      head={(key) => ({
        name: key.name,
        badges: <KeyState apiKey={key} />,
        lead: <span className="font-mono">…{key.lastFour}</span>,
        actions: <KeyActions apiKey={key} />,
      })}
    >
      {(key) => (
        <Beside side={<KeyFacts apiKey={key} />}>
          <Card title={words.rights}>
            <ScopeList value={key.scopes} />
          </Card>
        </Beside>
      )}
    </RecordPage>
  )
}

function KeyFacts({ apiKey }: { readonly apiKey: ApiKey }) {
  const words = useWords(keyWords)
  const common = useWords(developerWords)
  const makerOf = useKeyMaker()
  const pathOf = useDevelopersPath()
  const { id, createdAt, expiresAt, lastUsedAt, revokedAt, allowedCidrs, rolledFrom } = apiKey
  return (
    <Card title={words.facts}>
      <Definitions
        items={[
          [words.createdBy, makerOf(apiKey)],
          [words.createdAt, timeOf(createdAt)],
          [words.lastUsed, timeOf(lastUsedAt) ?? words.never],
          [words.expires, timeOf(expiresAt) ?? words.expiresNever],
          [words.revoked, timeOf(revokedAt)],
          [
            words.networks,
            allowedCidrs === undefined ? (
              words.networksAll
            ) : (
              <span className="font-mono break-all whitespace-pre-line">{allowedCidrs.join('\n')}</span>
            ),
          ],
          rolledFrom !== undefined && [
            words.rolledFrom,
            <Link className="link font-mono" to={pathOf(`keys/${rolledFrom}`)}>
              …{rolledFrom.slice(-6)}
            </Link>,
          ],
          [common.id, codeOf(id, common.id, 6)],
        ]}
      />
    </Card>
  )
}

type Action = 'roll' | 'change' | 'revoke'

/** A key that may do more than the role can only be revoked. */
function KeyActions({ apiKey }: { readonly apiKey: ApiKey }) {
  const words = useWords(keyWords)
  const pathOf = useDevelopersPath()
  const navigate = useNavigate()
  const { may } = useMerchant()
  const [action, setAction] = useState<Action>()
  // The end of a roll leads to the new key, whose dialog stays until then.
  if (!may('keys:write') || (apiKey.status !== 'ACTIVE' && action === undefined)) return null
  const isWithin = apiKey.scopes.every((scope) => may(scope))
  const close = () => setAction(undefined)
  return (
    <>
      {isWithin ? (
        <>
          <Button icon="reload" onClick={() => setAction('roll')}>
            {words.roll}
          </Button>
          <Button icon="settings" onClick={() => setAction('change')}>
            {words.change}
          </Button>
        </>
      ) : (
        <Notice tone="calm">{words.tooMuch}</Notice>
      )}
      <Button variant="danger" icon="cross" onClick={() => setAction('revoke')}>
        {words.revoke}
      </Button>
      {action === 'roll' && (
        <RollKey
          apiKey={apiKey}
          onClose={close}
          onMade={({ id }) => {
            close()
            void navigate({ to: pathOf(`keys/${id}`) })
          }}
        />
      )}
      {action === 'change' && <KeyForm apiKey={apiKey} onClose={close} />}
      {action === 'revoke' && <RevokeKey apiKey={apiKey} onClose={close} />}
    </>
  )
}

// One API key: what it may do, and what can be done with it.
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useParam } from '../../api/address.ts'
import type { ApiKey } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { codeOf, Definitions, timeOf } from '../../kit/facts.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { developerWords } from '../../words/developers.ts'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'
import { useDevelopersPath } from './frame.tsx'
import { RevokeKey, RollKey } from './key-dialogs.tsx'
import { KeyForm } from './key-form.tsx'
import { KeyState, useKeyMaker } from './keys.tsx'
import { ScopeList } from './scopes.tsx'

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

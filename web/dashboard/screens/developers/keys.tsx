// All API keys of the merchant, newest first.
import { useState } from 'react'
import { scopes, type ApiKey } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Card } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time, useNow } from '../../kit/time.tsx'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'
import { KeyForm } from './key-form.tsx'
import { useKeyMaker } from './key-maker.ts'

export function KeyList() {
  const words = useWords(keyWords)
  const pathOf = useDevelopersPath()
  const { may } = useMerchant()
  const list = useList('listApiKeys')
  const [isMaking, setMaking] = useState(false)
  const create = may('keys:write') && (
    <Button variant="primary" icon="plus" onClick={() => setMaking(true)}>
      {words.create}
    </Button>
  )
  return (
    <DevelopersFrame lead={words.lead} actions={create}>
      <Card flush>
        <Table
          label={words.title}
          columns={useColumns()}
          {...list}
          rowId={({ id }) => id}
          href={({ id }) => pathOf(`keys/${id}`)}
          phone={(key) => <PhoneLines apiKey={key} />}
          empty={
            <Empty icon="key" title={words.none}>
              {words.noneLead}
            </Empty>
          }
        />
      </Card>
      {isMaking && <KeyForm onClose={() => setMaking(false)} />}
    </DevelopersFrame>
  )
}

function PhoneLines({ apiKey }: { readonly apiKey: ApiKey }) {
  const words = useWords(keyWords)
  const { name, lastFour, lastUsedAt } = apiKey
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span className="flex items-center justify-between gap-3">
        <span className="min-w-0 truncate font-strong">{name}</span>
        <KeyState apiKey={apiKey} />
      </span>
      <span className="flex items-center justify-between gap-3 text-ink-soft">
        <span className="font-mono">…{lastFour}</span>
        <span>
          {words.lastUsed} {lastUsedAt === undefined ? words.never : <Time at={lastUsedAt} inRow />}
        </span>
      </span>
    </span>
  )
}

function useColumns(): readonly Column<ApiKey>[] {
  const words = useWords(keyWords)
  const makerOf = useKeyMaker()
  return [
    {
      id: 'name',
      header: words.name,
      grow: true,
      cell: ({ name, lastFour }) => (
        <span className="block">
          <span className="block truncate font-strong">{name}</span>
          <span className="block font-mono text-ink-soft">…{lastFour}</span>
        </span>
      ),
    },
    { id: 'status', header: words.status, cell: (key) => <KeyState apiKey={key} /> },
    {
      id: 'rights',
      header: words.rights,
      from: 'lg',
      cell: ({ scopes: granted }) => (
        <span className="whitespace-nowrap">{words.rightsCount(granted.length, scopes.length)}</span>
      ),
    },
    {
      id: 'by',
      header: words.createdBy,
      from: 'md',
      cell: (key) => <span className="whitespace-nowrap">{makerOf(key)}</span>,
    },
    {
      id: 'expires',
      header: words.expires,
      from: 'lg',
      align: 'end',
      cell: ({ expiresAt }) =>
        expiresAt === undefined ? (
          <span className="whitespace-nowrap text-ink-soft">{words.expiresNever}</span>
        ) : (
          <Time at={expiresAt} inRow />
        ),
    },
    {
      id: 'used',
      header: words.lastUsed,
      from: 'sm',
      align: 'end',
      cell: ({ lastUsedAt }) =>
        lastUsedAt === undefined ? (
          <span className="text-ink-soft">{words.never}</span>
        ) : (
          <Time at={lastUsedAt} inRow className="text-ink-soft" />
        ),
    },
  ]
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

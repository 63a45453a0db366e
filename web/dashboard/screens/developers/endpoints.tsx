// The merchant's webhook endpoints.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { WebhookEndpoint } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { createdColumn } from '../../kit/columns.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Card } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointState } from './endpoint-state.tsx'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'
import { OwnSecret } from './own-secret.tsx'

export function EndpointList() {
  const words = useWords(webhookWords)
  const pathOf = useDevelopersPath()
  const navigate = useNavigate()
  const { may } = useMerchant()
  const list = useList('listWebhookEndpoints')
  const [isAdding, setAdding] = useState(false)
  const add = may('webhooks:write') && (
    <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <DevelopersFrame lead={words.lead} actions={add}>
      <Card flush>
        <Table
          label={words.title}
          columns={useColumns()}
          {...list}
          rowId={({ id }) => id}
          href={({ id }) => pathOf(`webhooks/${id}`)}
          phone={(endpoint) => <PhoneLines endpoint={endpoint} />}
          empty={
            <Empty icon="send" title={words.none}>
              {words.noneLead}
            </Empty>
          }
        />
      </Card>
      <div className="mt-6 phone:mt-4">
        <OwnSecret />
      </div>
      {isAdding && (
        <EndpointForm
          onClose={() => setAdding(false)}
          onMade={(id) => void navigate({ to: pathOf(`webhooks/${id}`) })}
        />
      )}
    </DevelopersFrame>
  )
}

function Name({ endpoint: { url, description } }: { readonly endpoint: WebhookEndpoint }) {
  return (
    <span className="block max-w-full min-w-0">
      {description !== undefined && <span className="block truncate font-strong">{description}</span>}
      <span className={`block truncate font-mono ${description === undefined ? '' : 'text-ink-soft'}`}>
        {url}
      </span>
    </span>
  )
}

function PhoneLines({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  return (
    <span className="flex min-w-0 flex-col items-start gap-1.5">
      <Name endpoint={endpoint} />
      <EndpointState endpoint={endpoint} />
    </span>
  )
}

function useColumns(): readonly Column<WebhookEndpoint>[] {
  const words = useWords(webhookWords)
  return [
    {
      id: 'url',
      header: words.url,
      grow: true,
      cell: (endpoint) => <Name endpoint={endpoint} />,
    },
    { id: 'status', header: words.status, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    {
      id: 'types',
      header: words.types,
      from: 'md',
      cell: ({ eventTypes }) => (
        <span className="whitespace-nowrap">
          {eventTypes === undefined ? words.typesAll : words.typesCount(eventTypes.length)}
        </span>
      ),
    },
    createdColumn(words.created, 'sm'),
  ]
}

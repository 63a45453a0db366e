// The merchant's webhook endpoints.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { WebhookEndpoint } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Badge } from '../../kit/badge.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { Card } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { SecretDialog } from '../../kit/secret.tsx'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'

export function EndpointList() {
  const words = useWords(webhookWords)
  const pathOf = useDevelopersPath()
  const navigate = useNavigate()
  const { may } = useMerchant()
  const records = useRecords('listWebhookEndpoints')
  const add = may('webhooks:write') && (
    <DialogButton
      variant="primary"
      icon="plus"
      dialog={(onClose) => (
        <EndpointForm onClose={onClose} onMade={(id) => void navigate({ to: pathOf(`webhooks/${id}`) })} />
      )}
    >
      {words.add}
    </DialogButton>
  )
  return (
    <DevelopersFrame lead={words.lead} actions={add}>
      <RecordList
        records={records}
        words={words}
        icon="send"
        columns={[
          { header: words.url, grow: true, cell: (endpoint) => <Name endpoint={endpoint} /> },
          { header: words.status, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
          {
            header: words.types,
            from: 'md',
            cell: ({ eventTypes }) =>
              eventTypes === undefined ? words.typesAll : words.typesCount(eventTypes.length),
          },
          { header: words.created, time: 'createdAt', from: 'sm' },
        ]}
        href={({ id }) => pathOf(`webhooks/${id}`)}
      />
      <div className="mt-6 phone:mt-4">
        <OwnSecret />
      </div>
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

/** Whether an endpoint takes events, and whether it answers. */
export function EndpointState({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const words = useWords(webhookWords)
  const { status, failingSince, disabledReason } = endpoint
  if (status === 'ENABLED' && failingSince !== undefined) return <Badge tone="bad">{words.failing}</Badge>
  const isBad = status === 'DISABLED' && disabledReason !== undefined && disabledReason !== 'REQUESTED'
  return <Badge tone={status === 'ENABLED' ? 'good' : isBad ? 'bad' : 'calm'}>{words.statuses[status]}</Badge>
}

// The merchant's own webhook secret, for the addresses that payments name themselves: a new one, shown once.

function OwnSecret() {
  const words = useWords(webhookWords)
  const { may } = useMerchant()
  return (
    <Card
      title={words.ownSecret}
      action={
        may('webhooks:write') && (
          <DialogButton dialog={(onClose) => <RollOwnSecret onClose={onClose} />}>{words.roll}</DialogButton>
        )
      }
    >
      <p className="max-w-150 text-13 text-ink-soft">{words.ownSecretLead}</p>
    </Card>
  )
}

function RollOwnSecret({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(webhookWords)
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined)
    return (
      <SecretDialog
        title={words.ownSecret}
        lead={words.ownSecretLead}
        value={secret}
        label={words.secret}
        onClose={onClose}
      />
    )
  return (
    <ActionDialog
      call="rollMerchantWebhookSecret"
      body={() => ({})}
      title={words.rollTitle}
      lead={words.ownRollLead}
      act={words.rollDo}
      onAnswer={(made) => setSecret(made.secret)}
      onClose={onClose}
    />
  )
}

// The merchant's webhook endpoints.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { given } from '#/kernel/given.ts'
import type { WebhookEndpoint, CreatedWebhookEndpoint } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Badge } from '../../kit/badge.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { useDraft, type Draft, type Item } from '../../kit/form.tsx'
import { Card } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { SecretDialog, MadeSecret } from '../../kit/secret.tsx'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'
import { subscribableOf, TypePicker, type Types } from './type-picker.tsx'

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

// Adds a webhook endpoint, or changes one.

type Written = {
  readonly url: string
  readonly description: string
  /** Undefined for all. */
  readonly types: Types | undefined
}

/** Without `endpoint` it adds a new one. `onMade`: the secret was kept. */
export function EndpointForm({
  endpoint,
  onClose,
  onMade,
}: {
  readonly endpoint?: WebhookEndpoint
  readonly onClose: () => void
  readonly onMade?: (id: string) => void
}) {
  const words = useWords(webhookWords)
  const draft = useDraft<Written>({
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    types: endpoint?.eventTypes,
  })
  const [made, setMade] = useState<CreatedWebhookEndpoint>()
  const form = { lead: words.lead, isChecked: true, draft, fields: useEndpointItems(draft), onClose }
  const { types } = draft.values
  const [url, description] = [draft.values.url.trim(), draft.values.description.trim()]
  const chosen = types && subscribableOf(types)
  if (made !== undefined) return <NewSecret made={made} onClose={() => onMade?.(made.id)} />
  return endpoint === undefined ? (
    <ActionDialog
      {...form}
      call="createWebhookEndpoint"
      body={() => ({ url, ...given({ eventTypes: chosen, description: description || undefined }) })}
      title={words.add}
      act={words.add}
      onAnswer={setMade}
    />
  ) : (
    <ActionDialog
      {...form}
      call="changeWebhookEndpoint"
      id={endpoint.id}
      // To change all types back, the API wants a star; a new endpoint takes all without a list.
      body={() => ({ url, eventTypes: chosen ?? ['*'], description })}
      title={words.changeTitle}
      act={words.save}
      done={words.changed}
    />
  )
}

function useEndpointItems({ values: { types }, put }: Draft<Written>): readonly Item<Written>[] {
  const words = useWords(webhookWords)
  return [
    {
      name: 'url',
      label: words.url,
      help: words.urlHelp,
      type: 'url',
      required: true,
      maxLength: 2048,
      autoFocus: true,
      spellCheck: false,
      autoComplete: 'off',
      placeholder: 'https://',
    },
    {
      name: 'description',
      label: words.description,
      help: words.descriptionHelp,
      maxLength: 200,
      autoComplete: 'off',
    },
    {
      at: 'eventTypes',
      wrong: types?.length === 0 && words.typesNone,
      field: (fault) => (
        <TypePicker
          value={types}
          allHelp={words.typesAllHelp}
          onChange={(chosen) => put({ types: chosen })}
          fault={fault}
        />
      ),
    },
  ]
}

/** Shows a secret that was just made. */
export function NewSecret({
  made,
  onClose,
}: {
  readonly made: CreatedWebhookEndpoint
  readonly onClose: () => void
}) {
  const words = useWords(webhookWords)
  return (
    <MadeSecret
      title={words.made}
      lead={words.secretLead}
      madeBefore={words.secretBefore}
      label={words.secret}
      value={made.secret}
      onClose={onClose}
    />
  )
}

// One webhook endpoint: whether it answers, what it takes, what was sent to it, and what can be done with it.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import type { WebhookEndpoint, RolledWebhookEndpoint } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { codeOf, Definitions, timeOf } from '../../kit/facts.tsx'
import { useFaultText } from '../../kit/fault.tsx'
import { MoreMenu } from '../../kit/menu.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { RecordPage, Stack } from '../../kit/record-page.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { developerWords } from '../../words/developers.ts'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { DeliveryTable } from './deliveries.tsx'
import { EndpointState, EndpointForm, NewSecret } from './endpoints.tsx'
import { useDevelopersPath } from './frame.tsx'
import { useRollForm } from './key-form.tsx'

export function EndpointPage() {
  const words = useWords(webhookWords)
  const pathOf = useDevelopersPath()
  const endpointId = useParam('endpointId')
  return (
    <RecordPage
      of={useRead('getWebhookEndpoint', { id: endpointId })}
      kind={words.endpoint}
      back={{ to: pathOf('webhooks'), label: words.title }}
      head={(endpoint) => ({
        name: endpoint.description ?? new URL(endpoint.url).host,
        badges: <EndpointState endpoint={endpoint} />,
        lead: (
          <span className="flex max-w-full items-center gap-1">
            <span className="min-w-0 font-mono break-all">{endpoint.url}</span>
            <CopyButton value={endpoint.url} what={words.url} />
          </span>
        ),
        actions: <EndpointActions endpoint={endpoint} />,
      })}
    >
      {(endpoint) => (
        <Stack>
          <EndpointNotice endpoint={endpoint} />
          <Card>
            <EndpointFacts endpoint={endpoint} />
          </Card>
          <DeliveryTable endpointId={endpoint.id} title={words.deliveries} />
        </Stack>
      )}
    </RecordPage>
  )
}

function EndpointNotice({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const words = useWords(webhookWords)
  const { status, disabledReason, failingSince } = endpoint
  if (status === 'DISABLED')
    return (
      <Notice tone={disabledReason === 'REQUESTED' ? 'calm' : 'bad'}>
        {disabledReason === undefined ? '' : `${words.reasons[disabledReason]} `}
        {words.held}
      </Notice>
    )
  if (failingSince === undefined || status === 'DELETED') return null
  return (
    <Notice tone="bad">
      {words.failingSince} <Time at={failingSince} />. {words.failingLead}
    </Notice>
  )
}

function EndpointFacts({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const words = useWords(webhookWords)
  const common = useWords(developerWords)
  const { eventTypes, createdAt, previousSecretUntil, id } = endpoint
  return (
    <Definitions
      isWide
      items={[
        [
          words.types,
          eventTypes === undefined ? (
            words.typesAll
          ) : (
            <span className="font-mono break-words">{eventTypes.join(', ')}</span>
          ),
        ],
        [words.created, timeOf(createdAt)],
        [words.twoSecrets, timeOf(previousSecretUntil)],
        [common.id, codeOf(id, common.id)],
      ]}
    />
  )
}

// What can be done with a webhook endpoint.

type Doing = 'change' | 'roll' | 'disable' | 'remove'
type Props = { readonly endpoint: WebhookEndpoint; readonly onClose: () => void }

function EndpointActions({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const words = useWords(webhookWords)
  const { may } = useMerchant()
  const act = useAct()
  const [doing, setDoing] = useState<Doing>()
  const textOf = useFaultText()
  if (!may('webhooks:write') || endpoint.status === 'DELETED') return null
  const { id } = endpoint
  const isEnabled = endpoint.status === 'ENABLED'
  const ping = async () => {
    if (await act.send('pingWebhookEndpoint', { id })) toast(words.pinged)
  }
  const enable = async () => {
    if (await act.send('changeWebhookEndpoint', { id, body: { status: 'ENABLED' } })) toast(words.enabled)
  }
  const props = { endpoint, onClose: () => setDoing(undefined) }
  return (
    <>
      {isEnabled ? (
        <Button icon="send" busy={act.isBusy} onClick={() => void ping()}>
          {words.ping}
        </Button>
      ) : (
        <Button variant="primary" icon="play" busy={act.isBusy} onClick={() => void enable()}>
          {words.enable}
        </Button>
      )}
      <Button icon="settings" onClick={() => setDoing('change')}>
        {words.change}
      </Button>
      <MoreMenu
        label={words.more}
        entries={[
          { label: words.roll, icon: 'key', onSelect: () => setDoing('roll') },
          isEnabled && { label: words.disable, icon: 'dash', onSelect: () => setDoing('disable') },
          { label: words.remove, icon: 'cross', danger: true, onSelect: () => setDoing('remove') },
        ]}
      />
      {act.error !== undefined && (
        <p role="alert" className="basis-full text-13 text-bad">
          {textOf(act.error)}
        </p>
      )}
      {doing === 'change' && <EndpointForm {...props} />}
      {doing === 'roll' && <RollSecret {...props} />}
      {doing === 'disable' && <Disable {...props} />}
      {doing === 'remove' && <Remove {...props} />}
    </>
  )
}

function RollSecret({ endpoint, onClose }: Props) {
  const words = useWords(webhookWords)
  const form = useRollForm(words)
  const [made, setMade] = useState<RolledWebhookEndpoint>()
  if (made !== undefined) return <NewSecret made={made} onClose={onClose} />
  return (
    <ActionDialog
      {...form}
      call="rollWebhookSecret"
      id={endpoint.id}
      title={words.rollTitle}
      onAnswer={setMade}
      onClose={onClose}
    />
  )
}

function Disable({ endpoint, onClose }: Props) {
  const words = useWords(webhookWords)
  return (
    <ActionDialog
      call="changeWebhookEndpoint"
      id={endpoint.id}
      body={() => ({ status: 'DISABLED' as const })}
      title={words.disableTitle}
      lead={words.disableLead}
      act={words.disable}
      isDanger
      done={words.disabled}
      onClose={onClose}
    >
      <p className="font-mono text-13 break-all">{endpoint.url}</p>
    </ActionDialog>
  )
}

function Remove({ endpoint, onClose }: Props) {
  const words = useWords(webhookWords)
  const pathOf = useDevelopersPath()
  const navigate = useNavigate()
  return (
    <ActionDialog
      call="deleteWebhookEndpoint"
      id={endpoint.id}
      title={words.removeTitle}
      lead={words.removeLead}
      act={words.removeDo}
      isDanger
      done={words.removed}
      onAnswer={() => void navigate({ to: pathOf('webhooks') })}
      onClose={onClose}
    >
      <p className="font-mono text-13 break-all">{endpoint.url}</p>
    </ActionDialog>
  )
}

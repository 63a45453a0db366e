// What can be done with a webhook endpoint.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import type { RolledWebhookEndpoint, WebhookEndpoint } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Button } from '../../kit/button.tsx'
import { useFaultText } from '../../kit/fault.tsx'
import { MoreMenu } from '../../kit/menu.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { EndpointForm, NewSecret } from './endpoint-form.tsx'
import { useDevelopersPath } from './frame.tsx'
import { useRollForm } from './key-dialogs.tsx'

type Doing = 'change' | 'roll' | 'disable' | 'remove'
type Props = { readonly endpoint: WebhookEndpoint; readonly onClose: () => void }

export function EndpointActions({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
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

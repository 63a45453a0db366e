// What can be done with a webhook endpoint.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import type { Body } from '../../api/call.ts'
import type { RolledWebhookEndpoint, WebhookEndpoint } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault, useFaultText } from '../../kit/fault.tsx'
import { Icon } from '../../kit/icons.tsx'
import type { MenuEntry } from '../../kit/menu-parts.tsx'
import { Menu } from '../../kit/menu.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { EndpointForm, NewSecret } from './endpoint-form.tsx'
import { useDevelopersPath } from './frame.tsx'
import { RollDialog } from './key-dialogs.tsx'

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
  const entries: MenuEntry[] = [
    { label: words.roll, icon: 'key', onSelect: () => setDoing('roll') },
    ...(isEnabled
      ? [{ label: words.disable, icon: 'dash' as const, onSelect: () => setDoing('disable') }]
      : []),
    { label: words.remove, icon: 'cross', danger: true, onSelect: () => setDoing('remove') },
  ]
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
      <Menu
        label={words.more}
        triggerClass={buttonClass('plain', 'px-2.5')}
        trigger={<Icon name="more" />}
        entries={entries}
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
  const act = useAct()
  const [made, setMade] = useState<RolledWebhookEndpoint>()
  const roll = async (body: Body<'rollWebhookSecret'>) => {
    setMade(await act.ask('rollWebhookSecret', { id: endpoint.id, body }))
  }
  if (made !== undefined) return <NewSecret made={made} onClose={onClose} />
  return <RollDialog title={words.rollTitle} words={words} act={act} onRoll={roll} onClose={onClose} />
}

function Disable({ endpoint, onClose }: Props) {
  const words = useWords(webhookWords)
  const act = useAct()
  const disable = async () => {
    if (!(await act.send('changeWebhookEndpoint', { id: endpoint.id, body: { status: 'DISABLED' } }))) return
    toast(words.disabled)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.disableTitle} lead={words.disableLead}>
      <p className="font-mono text-13 break-all">{endpoint.url}</p>
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void disable()}>
          {words.disable}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Remove({ endpoint, onClose }: Props) {
  const words = useWords(webhookWords)
  const pathOf = useDevelopersPath()
  const navigate = useNavigate()
  const act = useAct()
  const remove = async () => {
    if (!(await act.send('deleteWebhookEndpoint', { id: endpoint.id }))) return
    toast(words.removed)
    onClose()
    void navigate({ to: pathOf('webhooks') })
  }
  return (
    <Dialog open onClose={onClose} title={words.removeTitle} lead={words.removeLead}>
      <p className="font-mono text-13 break-all">{endpoint.url}</p>
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void remove()}>
          {words.removeDo}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

// Adds a webhook endpoint, or changes one.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { CreatedWebhookEndpoint, WebhookEndpoint } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { MadeSecret } from './made-secret.tsx'
import { subscribableOf, TypePicker, type Types } from './type-picker.tsx'

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
  const act = useAct()
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [types, setTypes] = useState<Types>(endpoint?.eventTypes)
  const [made, setMade] = useState<CreatedWebhookEndpoint>()
  const [wasTried, setTried] = useState(false)
  const isNew = endpoint === undefined
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (types?.length === 0) return
    // To change all types back, the API wants a star; a new endpoint takes all without a list.
    const all = isNew ? undefined : (['*'] as const)
    const eventTypes = types === undefined ? all : subscribableOf(types)
    const text = description.trim()
    const body = {
      url: url.trim(),
      ...(eventTypes === undefined ? {} : { eventTypes }),
      ...(isNew && text === '' ? {} : { description: text }),
    }
    if (isNew) {
      setMade(await act.ask('createWebhookEndpoint', { body }))
    } else if (await act.send('changeWebhookEndpoint', { id: endpoint.id, body })) {
      toast(words.changed)
      onClose()
    }
  }
  if (made !== undefined) return <NewSecret made={made} onClose={() => onMade?.(made.id)} />
  return (
    <Dialog open onClose={onClose} title={isNew ? words.add : words.changeTitle} lead={words.lead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <EndpointFields
          url={url}
          setUrl={setUrl}
          description={description}
          setDescription={setDescription}
          error={act.error}
        />
        <TypePicker
          value={types}
          allHelp={words.typesAllHelp}
          onChange={setTypes}
          fault={wasTried && types?.length === 0 ? words.typesNone : faultOf(act.error, 'eventTypes')}
        />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {isNew ? words.add : words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function EndpointFields({
  url,
  setUrl,
  description,
  setDescription,
  error,
}: {
  readonly url: string
  readonly setUrl: (url: string) => void
  readonly description: string
  readonly setDescription: (description: string) => void
  readonly error: unknown
}) {
  const words = useWords(webhookWords)
  return (
    <>
      <TextField
        label={words.url}
        help={words.urlHelp}
        type="url"
        value={url}
        required
        maxLength={2048}
        autoFocus
        spellCheck={false}
        autoComplete="off"
        placeholder="https://"
        onChange={(event) => setUrl(event.target.value)}
        fault={faultOf(error, 'url')}
      />
      <TextField
        label={words.description}
        help={words.descriptionHelp}
        value={description}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setDescription(event.target.value)}
        fault={faultOf(error, 'description')}
      />
    </>
  )
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

// Adds a webhook endpoint, or changes one.
import { useState } from 'react'
import { given } from '#/kernel/given.ts'
import type { CreatedWebhookEndpoint, WebhookEndpoint } from '../../api/generated.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { useDraft, type Item } from '../../kit/form.tsx'
import { MadeSecret } from '../../kit/secret.tsx'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'
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
  const draft = useDraft({ url: endpoint?.url ?? '', description: endpoint?.description ?? '' })
  const [types, setTypes] = useState<Types>(endpoint?.eventTypes)
  const [made, setMade] = useState<CreatedWebhookEndpoint>()
  const form = {
    lead: words.lead,
    isChecked: true,
    draft,
    fields: [
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
          <TypePicker value={types} allHelp={words.typesAllHelp} onChange={setTypes} fault={fault} />
        ),
      },
    ] satisfies readonly Item<typeof draft.values>[],
    onClose,
  }
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

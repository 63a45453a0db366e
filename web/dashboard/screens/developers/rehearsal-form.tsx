// Starts a rehearsal of a server.
import { useNavigate } from '@tanstack/react-router'
import { given } from '#/kernel/given.ts'
import type { RehearsalSummary } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { useDraft } from '../../kit/form.tsx'
import { useWords } from '../../words/reader.ts'
import { sandboxWords } from '../../words/sandbox-tools.ts'
import { useDevelopersPath } from './frame.tsx'

const address = { type: 'url', maxLength: 2048, spellCheck: false, autoComplete: 'off' } as const

/** No address has a space. */
const untyped = ' '

/** The last rehearsal's addresses are offered again; the first time, that of the first endpoint. */
export function RehearsalForm({
  last,
  onClose,
}: {
  readonly last: RehearsalSummary | undefined
  readonly onClose: () => void
}) {
  const words = useWords(sandboxWords)
  const navigate = useNavigate()
  const pathOf = useDevelopersPath()
  const endpoints = useList('listWebhookEndpoints', { query: { limit: 100 } }).rows
  const draft = useDraft({ url: last?.url ?? untyped, stateUrl: last?.stateUrl ?? '', seed: '' })
  const { stateUrl, seed } = draft.values
  const url = draft.values.url === untyped ? (endpoints?.[0]?.url ?? '') : draft.values.url
  return (
    <ActionDialog
      call="createRehearsal"
      title={words.start}
      lead={words.rehearsalsLead}
      act={words.startDo}
      icon="play"
      isChecked
      draft={{ ...draft, values: { url, stateUrl, seed } }}
      fields={[
        { ...address, name: 'url', label: words.url, help: words.urlHelp, required: true },
        { ...address, name: 'stateUrl', label: words.stateUrl, help: words.stateUrlHelp },
        {
          name: 'seed',
          label: words.seed,
          help: words.seedHelp,
          inputMode: 'numeric',
          pattern: String.raw`\d{1,10}`,
        },
      ]}
      body={() => ({
        url: url.trim(),
        ...given({
          stateUrl: stateUrl.trim() || undefined,
          seed: seed.trim() === '' ? undefined : Number(seed),
        }),
      })}
      onAnswer={(made) => {
        onClose()
        void navigate({ to: pathOf(`rehearsals/${made.id}`) })
      }}
      onClose={onClose}
    />
  )
}

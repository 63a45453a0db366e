// A new template: its name in links, and a draft that begins as another template is now. Nothing is published.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useAttempt } from '../../api/attempt.ts'
import { call } from '../../api/call.ts'
import { useMerchant, useSession } from '../../api/session.ts'
import { FormDialog, useDraft } from '../../kit/form.tsx'
import { useWords } from '../../words/reader.ts'
import { templateFieldWords } from '../../words/template-fields.ts'
import { templateWords } from '../../words/templates.ts'
import { createDraft } from './draft.ts'
import { isSlug } from './model.ts'

export function NewTemplate({
  source,
  taken,
  onClose,
}: {
  /** The template that it begins as. Undefined: the original of every merchant. */
  readonly source?: string | undefined
  readonly taken: readonly string[]
  readonly onClose: () => void
}) {
  const words = useWords(templateWords)
  const fields = useWords(templateFieldWords)
  const { id } = useMerchant()
  const navigate = useNavigate()
  const { user } = useSession()
  const client = useQueryClient()
  const work = useAttempt()
  const draft = useDraft({ name: '', slug: unwritten })
  const name = draft.values.name.trim()
  const slug = draft.values.slug === unwritten ? slugOf(draft.values.name) : draft.values.slug
  const make = async () => {
    if (name === '') return
    await work.attempt(async () => {
      const [path, query] = source === undefined ? ['default', { revision: 0 }] : [source, {}]
      const from = await call('getTemplate', { merchant: id, id: path, query })
      await createDraft({ client, userId: user.id, merchantId: id }, slug, name, from)
      await navigate({ to: `/m/${id}/templates/${slug}` })
    })
  }
  return (
    <FormDialog
      title={source === undefined ? words.add : words.duplicateTitle(source)}
      lead={words.createLead}
      act={words.create}
      draft={{ ...draft, values: { name: draft.values.name, slug } }}
      fields={[
        {
          name: 'name',
          label: fields.name,
          help: fields.nameHelp,
          maxLength: 80,
          autoFocus: true,
          autoComplete: 'off',
        },
        {
          name: 'slug',
          label: words.slug,
          help: words.slugHelp,
          maxLength: 64,
          autoComplete: 'off',
          spellCheck: false,
          className: 'font-mono text-13!',
          fault: taken.includes(slug) ? words.slugTaken : undefined,
          wrong: !isSlug(slug) && words.slugBad,
        },
      ]}
      {...work}
      onSend={make}
      onClose={onClose}
    />
  )
}

/** No slug has a space: until it is written, it is made of the name. */
const unwritten = ' '

/** The name as a link has it. */
function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 64)
}

// The first template of a merchant, by one press: a draft with a name, open in the editor.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useAttempt } from '../../api/attempt.ts'
import { call } from '../../api/call.ts'
import { useMerchant, useSession } from '../../api/session.ts'
import { useReader } from '../../words/reader.ts'

const slug = 'my-checkout'

/** Opens the draft, or what has become of it since. */
export function useFirstTemplate() {
  const { locale } = useReader()
  const { id } = useMerchant()
  const navigate = useNavigate()
  const { user } = useSession()
  const client = useQueryClient()
  const { attempt, ...state } = useAttempt()
  const begin = () =>
    attempt(async () => {
      const { data, drafts } = await call('listTemplates', { merchant: id })
      if (![...data, ...drafts].some((each) => each.slug === slug)) {
        const original = await call('getTemplate', { merchant: id, id: 'default', query: { revision: 0 } })
        // The editor's parts and texts are large, and few first views need them.
        const [{ createDraft }, { templateWords }] = await Promise.all([
          import('./draft.ts'),
          import('../../words/templates.ts'),
        ])
        const author = { client, userId: user.id, merchantId: id }
        await createDraft(author, slug, templateWords[locale].firstName, original)
      }
      await navigate({ to: `/m/${id}/templates/${slug}` })
    })
  return { ...state, begin }
}

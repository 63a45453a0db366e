// The first template of a merchant, by one press: a draft with a name, open in the editor.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { get } from '../../api/client.ts'
import { useMerchant } from '../../api/session.ts'
import { useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import { useCreateDraft } from './draft.ts'
import { editable, type TemplateListed, type TemplateWithDocument } from './model.ts'

const slug = 'my-checkout'

/** Opens the draft, or what has become of it since. */
export function useFirstTemplate() {
  const words = useWords(templateWords)
  const { id } = useMerchant()
  const navigate = useNavigate()
  const createDraft = useCreateDraft()
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const begin = async () => {
    setState({ isBusy: true })
    try {
      const { data, drafts } = await get<TemplateListed>(`/m/${id}/templates`)
      if (![...data, ...drafts].some((each) => each.slug === slug)) {
        const original = await get<TemplateWithDocument>(`/m/${id}/templates/default`, { revision: 0 })
        await createDraft(slug, { ...editable(original.document), name: words.firstName })
      }
      await navigate({ to: `/m/${id}/templates/${slug}` })
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }
  return { ...state, begin }
}

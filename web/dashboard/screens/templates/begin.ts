// The first template of a merchant, by one press: a draft with a name, open in the editor.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { get } from '../../api/client.ts'
import type { Page } from '../../api/records.ts'
import { useMerchant } from '../../api/session.ts'
import { useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import { keepDraft, readDraft } from './draft.ts'
import { editable, type TemplateRow, type TemplateWithDocument } from './model.ts'

const slug = 'my-checkout'

/** Opens the draft, or what has become of it since. */
export function useFirstTemplate() {
  const words = useWords(templateWords)
  const { id } = useMerchant()
  const navigate = useNavigate()
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const begin = async () => {
    setState({ isBusy: true })
    try {
      const { data } = await get<Page<TemplateRow>>(`/m/${id}/templates`)
      if (readDraft(id, slug) === undefined && !data.some((each) => each.slug === slug)) {
        const original = await get<TemplateWithDocument>(`/m/${id}/templates/default`, { revision: 0 })
        keepDraft(id, slug, { base: 0, document: { ...editable(original.document), name: words.firstName } })
      }
      await navigate({ to: `/m/${id}/templates/${slug}` })
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }
  return { ...state, begin }
}

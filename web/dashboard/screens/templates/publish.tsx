// Publishes a draft after a review of what changes.
import { useAttempt } from '../../api/attempt.ts'
import { codeOf } from '../../api/problem.ts'
import { FormDialog } from '../../kit/form.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import { Changes } from './changes.tsx'
import type { DraftHere } from './draft.ts'
import type { Draft } from './model.ts'

export function Publish({
  before,
  draft,
  onClose,
}: {
  /** What is published now; for a new template, what it began with. */
  readonly before: Draft
  readonly draft: DraftHere
  readonly onClose: () => void
}) {
  const words = useWords(templateWords)
  const work = useAttempt()
  const publish = () =>
    work.attempt(async () => {
      try {
        await draft.keeper.publish()
        toast(words.published)
      } catch (error) {
        if (codeOf(error) !== 'invalid_state') throw error
        // The editor says who published or saved first, and lets the user choose.
        toast(words.notPublished, { isBad: true })
      }
      onClose()
    })
  return (
    <FormDialog
      title={words.reviewTitle}
      lead={words.reviewLead}
      act={words.publish}
      {...work}
      onSend={publish}
      onClose={onClose}
    >
      <Changes before={before} after={draft.document} />
    </FormDialog>
  )
}

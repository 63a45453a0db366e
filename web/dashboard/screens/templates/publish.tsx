// Publishes a draft after a review of what changes.
import { useState } from 'react'
import { codeOf } from '../../api/problem.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
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
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const publish = async () => {
    setState({ isBusy: true })
    try {
      await draft.keeper.publish()
      toast(words.published)
      onClose()
    } catch (error) {
      setState({ isBusy: false, error })
      if (codeOf(error) !== 'invalid_state') return
      // The editor says who published or saved first, and lets the user choose.
      toast(words.notPublished, { isBad: true })
      onClose()
    }
  }
  return (
    <Dialog open onClose={onClose} title={words.reviewTitle} lead={words.reviewLead}>
      <Changes before={before} after={draft.document} />
      <FormFault error={state.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="primary" busy={state.isBusy} onClick={() => void publish()}>
          {words.publish}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

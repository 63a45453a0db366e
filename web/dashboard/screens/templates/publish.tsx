// Publishes a draft after a review of what changes.
import { useDeed } from '../../api/deed.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { toast } from '../../kit/toast.tsx'
import { kitWords } from '../../words/kit.ts'
import { useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import { Changes } from './changes.tsx'
import { sentOf, type Draft } from './model.ts'

export function Publish({
  slug,
  before,
  draft,
  onDone,
  onClose,
}: {
  readonly slug: string
  /** What is published now; for a new template, what it began with. */
  readonly before: Draft
  readonly draft: Draft
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useWords(templateWords)
  const kit = useWords(kitWords)
  const deed = useDeed()
  const publish = async () => {
    if (!(await deed.send(`templates/${slug}`, sentOf(draft), 'PUT'))) return
    toast(words.published)
    onDone()
  }
  return (
    <Dialog open onClose={onClose} title={words.reviewTitle} lead={words.reviewLead}>
      <Changes before={before} after={draft} />
      <FormFault error={deed.error} />
      <DialogActions>
        <Button onClick={onClose}>{kit.cancel}</Button>
        <Button look="primary" busy={deed.isBusy} onClick={() => void publish()}>
          {words.publish}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

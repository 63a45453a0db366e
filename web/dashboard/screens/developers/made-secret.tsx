// The secret of a key or endpoint that was just made. It is absent where the same request had made the record before.
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { SecretDialog } from '../../kit/secret.tsx'
import { kitWords } from '../../words/kit.ts'
import { useWords } from '../../words/reader.ts'

/** `madeBefore`: what is said in place of a secret that cannot be shown again. */
export function MadeSecret({
  title,
  lead,
  madeBefore,
  label,
  value,
  onClose,
}: {
  readonly title: string
  readonly lead: string
  readonly madeBefore: string
  readonly label: string
  readonly value: string | undefined
  readonly onClose: () => void
}) {
  const kit = useWords(kitWords)
  if (value !== undefined)
    return <SecretDialog title={title} lead={lead} label={label} value={value} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={title} lead={madeBefore}>
      <DialogActions>
        <Button onClick={onClose}>{kit.close}</Button>
      </DialogActions>
    </Dialog>
  )
}

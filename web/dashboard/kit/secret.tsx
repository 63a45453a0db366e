// A secret that is shown once. The dialog closes only by its button, so that no slip of the finger loses the secret.
import { kitWords } from '../words/kit.ts'
import { useWords } from '../words/reader.ts'
import { Button } from './button.tsx'
import { CopyAction } from './copy.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Icon } from './icons.tsx'

export function SecretDialog({
  title,
  lead,
  value,
  label,
  onClose,
}: {
  readonly title: string
  /** What it is for. That it is not shown again stands below it in any case. */
  readonly lead: string
  readonly value: string
  readonly label: string
  readonly onClose: () => void
}) {
  const words = useWords(kitWords)
  return (
    <Dialog open mustDecide onClose={onClose} title={title} lead={lead}>
      <div
        role="group"
        aria-label={label}
        className="rounded-control border border-line bg-code p-4 font-mono text-15 break-all select-all"
      >
        {value}
      </div>
      <p className="flex items-start gap-2 text-13 text-wait">
        <Icon name="alert" className="mt-0.5" />
        {words.shownOnce}
      </p>
      <DialogActions>
        <Button onClick={onClose}>{words.kept}</Button>
        <CopyAction value={value} label={words.copyOf(label)} variant="primary" />
      </DialogActions>
    </Dialog>
  )
}

// The secret of a record that was just made. It is absent where the same request had made the record before.

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
  const words = useWords(kitWords)
  if (value !== undefined)
    return <SecretDialog title={title} lead={lead} label={label} value={value} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={title} lead={madeBefore}>
      <DialogActions>
        <Button onClick={onClose}>{words.close}</Button>
      </DialogActions>
    </Dialog>
  )
}

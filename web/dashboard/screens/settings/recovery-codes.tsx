// The recovery codes that come with a user's first factor.
import { Button } from '../../kit/button.tsx'
import { CopyAction } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'

/** Shown once: closing it without keeping them is the user's choice, made with a button that says so. */
export function CodesDialog({
  codes,
  onClose,
}: {
  readonly codes: readonly string[]
  readonly onClose: () => void
}) {
  const words = useWords(settingsWords)
  return (
    <Dialog open onClose={() => undefined} title={words.recovery} lead={words.recoveryLead}>
      <ul className="print-alone grid grid-cols-2 gap-x-6 gap-y-1 rounded-control border border-line bg-code p-4 font-mono text-15">
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="no-print flex flex-wrap gap-2">
        <CopyAction value={codes.join('\n')} label={words.recoveryCopy} />
        <Button onClick={() => window.print()}>{words.recoveryPrint}</Button>
      </div>
      <Button variant="primary" className="no-print" onClick={onClose}>
        {words.recoveryDone}
      </Button>
    </Dialog>
  )
}

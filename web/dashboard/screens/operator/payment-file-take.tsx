// Hands out a file of payments. The dialog keeps the key of its taking: when an answer was lost, the same button brings the same file.
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import type { PaymentFile } from '../../api/generated.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { operatorFileWords } from '../../words/operator-files.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'

type Handed = Answer<'takePaymentFile'>

const save = ({ name, content }: Handed) => saveFile(content, name, 'application/xml')

export function TakeDialog({ file, onClose }: { readonly file: PaymentFile; readonly onClose: () => void }) {
  const words = useWords(operatorFileWords)
  const shared = useWords(operatorWords)
  const format = useFormat()
  const [key] = useState(() => crypto.randomUUID())
  const [handed, setHanded] = useState<Handed>()
  if (handed !== undefined)
    return (
      <Dialog open onClose={onClose} title={words.takenTitle} lead={words.takenLead(handed.name)}>
        <p className="text-13">
          {words.sum}: <span className="figures font-strong">{format.money(file.amount, 'EUR')}</span> ·{' '}
          {words.payouts(format.count(file.payouts))}
        </p>
        <DialogActions>
          <Button icon="download" onClick={() => save(handed)}>
            {words.saveAgain}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {shared.done}
          </Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <ActionDialog
      title={words.takeTitle(format.money(file.amount, 'EUR'))}
      lead={words.takeLead}
      act={words.take}
      reason="none"
      call="takePaymentFile"
      id={file.id}
      body={() => ({ key })}
      onAnswer={(answer) => {
        save(answer)
        setHanded(answer)
      }}
      onClose={onClose}
    />
  )
}

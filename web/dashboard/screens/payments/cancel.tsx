// Cancels a payment that is not paid.
import { useAct } from '../../api/act.ts'
import type { Payment } from '../../api/generated.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { toast } from '../../kit/toast.tsx'
import { paymentActionWords } from '../../words/payment-actions.ts'
import { useFormat, useWords } from '../../words/reader.ts'

export function CancelDialog({
  payment,
  onClose,
}: {
  readonly payment: Payment
  readonly onClose: () => void
}) {
  const words = useWords(paymentActionWords)
  const format = useFormat()
  const act = useAct()
  const cancel = async () => {
    if (!(await act.send('cancelPayment', { id: payment.id }))) return
    toast(words.cancelDone)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.cancelTitle(format.money(payment.amount, payment.currency))}
      lead={words.cancelLead}
    >
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void cancel()}>
          {words.cancelDo}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

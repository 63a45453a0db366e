// Cancels a payment that is not paid.
import { useDeed } from '../../api/deed.ts'
import type { Payment } from '../../api/records.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { toast } from '../../kit/toast.tsx'
import { kitWords } from '../../words/kit.ts'
import { paymentDeedWords } from '../../words/payment-deeds.ts'
import { useFormat, useWords } from '../../words/reader.ts'

export function CancelDialog({
  payment,
  onClose,
}: {
  readonly payment: Payment
  readonly onClose: () => void
}) {
  const words = useWords(paymentDeedWords)
  const kit = useWords(kitWords)
  const format = useFormat()
  const deed = useDeed()
  const cancel = async () => {
    if (!(await deed.send(`payments/${payment.id}/cancel`, {}))) return
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
      <FormFault error={deed.error} />
      <DialogActions>
        <Button onClick={onClose}>{kit.cancel}</Button>
        <Button look="danger" busy={deed.isBusy} onClick={() => void cancel()}>
          {words.cancelDo}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

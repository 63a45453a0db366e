// Captures what is authorised on a card, or a part of it.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { Payment } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { AmountField } from '../../kit/field.tsx'
import { inputOf, minorOf } from '../../kit/format.ts'
import { toast } from '../../kit/toast.tsx'
import { paymentActionWords } from '../../words/payment-actions.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'

export function CaptureDialog({
  payment,
  onClose,
}: {
  readonly payment: Payment
  readonly onClose: () => void
}) {
  const words = useWords(paymentActionWords)
  const format = useFormat()
  const { locale } = useReader()
  const act = useAct()
  const [text, setText] = useState(inputOf(payment.amount, locale))
  const [wasTried, setTried] = useState(false)
  const minor = minorOf(text, locale)
  const isGood = minor !== undefined && minor > 0n && minor <= BigInt(payment.amount)
  const amount = isGood ? format.money(minor, payment.currency) : ''
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isGood) return
    // Without an amount all that is authorised is captured.
    const body = minor === BigInt(payment.amount) ? {} : { amount: minor }
    if (!(await act.send('capturePayment', { id: payment.id, body }))) return
    toast(words.captureDone(amount))
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.captureTitle}
      lead={words.captureLead(format.money(payment.amount, payment.currency))}
    >
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        <AmountField
          label={words.captureAmount}
          currency={payment.currency}
          value={text}
          autoFocus
          onChange={(event) => setText(event.target.value)}
          fault={wasTried && !isGood ? words.refundAmountWrong : faultOf(act.error, 'amount')}
        />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.captureDo(amount)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

// The actions on a payment that its state and the member's role allow. Each action has a dialog that names the amount and where it goes.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { Dispute, Payment } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useMerchant } from '../../api/session.ts'
import { Button, ButtonAnchor, buttonClass } from '../../kit/button.tsx'
import { CopyAction } from '../../kit/copy.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { AmountField } from '../../kit/field.tsx'
import { inputOf, minorOf } from '../../kit/format.ts'
import { Icon } from '../../kit/icons.tsx'
import type { MenuEntry } from '../../kit/menu-parts.tsx'
import { Menu } from '../../kit/menu.tsx'
import { toast } from '../../kit/toast.tsx'
import { paymentActionWords } from '../../words/payment-actions.ts'
import { paymentWords } from '../../words/payments.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { RefundDialog } from './refund.tsx'
import { refundable } from './refundable.ts'
import { SimulateDialog } from './simulate.tsx'

type Action = 'refund' | 'capture' | 'cancel' | 'simulate'

const unpaid: readonly Payment['status'][] = ['PENDING', 'WAITING_PAYMENT']

export function PaymentActions({
  payment,
  disputes,
}: {
  readonly payment: Payment
  readonly disputes: readonly Dispute[]
}) {
  const words = useWords(paymentWords)
  const { may, mode } = useMerchant()
  const [action, setAction] = useState<Action>()
  const mayWrite = may('payments:write')
  const most = refundable(payment, disputes)
  const isOpen = unpaid.includes(payment.status)
  const can: Readonly<Record<Action, boolean>> = {
    refund: mayWrite && most > 0n,
    capture: mayWrite && payment.status === 'APPROVED',
    cancel: mayWrite && (isOpen || payment.status === 'APPROVED'),
    simulate: mode === 'SANDBOX' && may('sandbox') && (isOpen || payment.status === 'EXPIRED'),
  }
  // The page also tells the payer how it ended, so it can be opened for good.
  const link = payment.checkoutUrl ?? payment.cardRedirectUrl
  const entries: readonly MenuEntry[] = can.cancel
    ? [{ label: words.cancel, icon: 'cross', danger: true, onSelect: () => setAction('cancel') }]
    : []
  const props = { payment, onClose: () => setAction(undefined) }
  return (
    <>
      {link !== undefined && <CopyAction value={link} label={words.copyLink} />}
      {link !== undefined && (
        <ButtonAnchor href={link} target="_blank" rel="noreferrer" icon="external" className="max-sm:hidden">
          {words.openLink}
        </ButtonAnchor>
      )}
      {can.refund && (
        <Button icon="refunds" onClick={() => setAction('refund')}>
          {words.refund}
        </Button>
      )}
      {can.simulate && (
        <Button variant="primary" icon="play" onClick={() => setAction('simulate')}>
          {words.simulate}
        </Button>
      )}
      {can.capture && (
        <Button variant="primary" icon="check" onClick={() => setAction('capture')}>
          {words.capture}
        </Button>
      )}
      {entries.length > 0 && (
        <Menu
          label={words.moreActions}
          triggerClass={buttonClass('plain', 'px-2.5')}
          trigger={<Icon name="more" />}
          entries={entries}
        />
      )}
      {action === 'refund' && <RefundDialog {...props} most={most} />}
      {action === 'capture' && <CaptureDialog {...props} />}
      {action === 'cancel' && <CancelDialog {...props} />}
      {action === 'simulate' && <SimulateDialog {...props} />}
    </>
  )
}

// Cancels a payment that is not paid.

function CancelDialog({ payment, onClose }: { readonly payment: Payment; readonly onClose: () => void }) {
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

// Captures what is authorised on a card, or a part of it.

function CaptureDialog({ payment, onClose }: { readonly payment: Payment; readonly onClose: () => void }) {
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

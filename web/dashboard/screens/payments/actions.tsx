// The actions on a payment that its state and the member's role allow. Each action has a dialog that names the amount and where it goes.
import { useState } from 'react'
import type { Dispute, Payment } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { Button, ButtonAnchor, buttonClass } from '../../kit/button.tsx'
import { CopyAction } from '../../kit/copy.tsx'
import { Icon } from '../../kit/icons.tsx'
import type { MenuEntry } from '../../kit/menu-parts.tsx'
import { Menu } from '../../kit/menu.tsx'
import { paymentWords } from '../../words/payments.ts'
import { useWords } from '../../words/reader.ts'
import { CancelDialog } from './cancel.tsx'
import { CaptureDialog } from './capture.tsx'
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

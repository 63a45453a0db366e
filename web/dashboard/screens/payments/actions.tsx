// The actions on a payment that its state and the member's role allow. Each action has a dialog that names the amount and where it goes.
import { Suspense, lazy, useState } from 'react'
import { given } from '#/kernel/given.ts'
import { scenariosOf, type ScenarioName } from '#/rails/methods.ts'
import type { Dispute, Payment, PaymentMethod } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Button, ButtonAnchor } from '../../kit/button.tsx'
import { CopyAction } from '../../kit/copy.tsx'
import { named, useDraft } from '../../kit/form.tsx'
import { inputOf, minorOf } from '../../kit/format.ts'
import { MoreMenu } from '../../kit/menu.tsx'
import { paymentActionWords } from '../../words/payment-actions.ts'
import { paymentWords } from '../../words/payments.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { refundable } from './refundable.ts'

// A script of its own: the page of a payment is read far more often than money goes back.
const RefundDialog = lazy(async () => ({ default: (await import('./refund.tsx')).RefundDialog }))

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
  const props = { payment, onClose: () => setAction(undefined) }
  return (
    <>
      {link !== undefined && <CopyAction value={link} label={words.copyLink} />}
      {link !== undefined && (
        <ButtonAnchor href={link} target="_blank" rel="noreferrer" icon="external">
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
      <MoreMenu
        label={words.moreActions}
        entries={[
          can.cancel && {
            label: words.cancel,
            icon: 'cross',
            danger: true,
            onSelect: () => setAction('cancel'),
          },
        ]}
      />
      {action === 'refund' && (
        <Suspense fallback={null}>
          <RefundDialog {...props} most={most} />
        </Suspense>
      )}
      {action === 'capture' && <CaptureDialog {...props} />}
      {action === 'cancel' && <CancelDialog {...props} />}
      {action === 'simulate' && <SimulateDialog {...props} />}
    </>
  )
}

type DialogProps = { readonly payment: Payment; readonly onClose: () => void }

// Cancels a payment that is not paid.

function CancelDialog({ payment, onClose }: DialogProps) {
  const words = useWords(paymentActionWords)
  const format = useFormat()
  return (
    <ActionDialog
      call="cancelPayment"
      id={payment.id}
      title={words.cancelTitle(format.money(payment.amount, payment.currency))}
      lead={words.cancelLead}
      act={words.cancelDo}
      isDanger
      done={words.cancelDone}
      onClose={onClose}
    />
  )
}

// Captures what is authorised on a card, or a part of it.

function CaptureDialog({ payment: { id, amount: most, currency }, onClose }: DialogProps) {
  const words = useWords(paymentActionWords)
  const format = useFormat()
  const { locale } = useReader()
  const draft = useDraft({ amount: inputOf(most, locale) })
  const minor = minorOf(draft.values.amount, locale)
  const isGood = minor !== undefined && minor > 0n && minor <= BigInt(most)
  const amount = isGood ? format.money(minor, currency) : ''
  return (
    <ActionDialog
      call="capturePayment"
      id={id}
      title={words.captureTitle}
      lead={words.captureLead(format.money(most, currency))}
      act={words.captureDo(amount)}
      draft={draft}
      fields={[
        {
          name: 'amount',
          label: words.captureAmount,
          currency,
          autoFocus: true,
          wrong: !isGood && words.refundAmountWrong,
        },
      ]}
      // Without an amount all that is authorised is captured.
      body={() => (minor === BigInt(most) ? {} : given({ amount: minor }))}
      done={words.captureDone(amount)}
      onClose={onClose}
    />
  )
}

// In the sandbox: its payer pays, by a scenario.

function SimulateDialog({ payment, onClose }: DialogProps) {
  const words = useWords(paymentActionWords)
  const states = useWords(stateWords)
  const format = useFormat()
  const offered = payment.paymentMethod === undefined ? payment.paymentMethods : [payment.paymentMethod]
  const draft = useDraft<{ readonly method: PaymentMethod; readonly scenario: ScenarioName | '' }>({
    method: offered[0] ?? 'PIX',
    scenario: '',
  })
  const { method } = draft.values
  const possible = scenariosOf(method)
  const scenario = possible.find((each) => each === draft.values.scenario) ?? possible[0]
  return (
    <ActionDialog
      call="paySandboxPayment"
      id={payment.id}
      title={words.simulateTitle}
      lead={words.simulateLead(format.money(payment.amount, payment.currency))}
      act={words.simulateDo}
      icon="play"
      draft={{ ...draft, values: { method, scenario: scenario ?? '' } }}
      fields={[
        offered.length > 1 && {
          name: 'method',
          label: words.simulateMethod,
          options: named(offered, states.method),
        },
        { name: 'scenario', label: words.simulateScenario, cards: named(possible, words.scenario) },
      ]}
      body={() => ({ scenario, ...(payment.paymentMethod === undefined ? { method } : {}) })}
      done={words.simulateDone}
      onClose={onClose}
    />
  )
}

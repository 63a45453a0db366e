// The states of records as badges: one place says which tone a state has.
import type { DeliveryStatus, Dispute, Payment, PaymentStatus, Refund } from '../api/generated.ts'
import { useWords } from '../words/reader.ts'
import { stateWords } from '../words/states.ts'
import { Badge, type Tone } from './badge.tsx'

const paymentTones: Readonly<Record<PaymentStatus, Tone>> = {
  PENDING: 'calm',
  WAITING_PAYMENT: 'wait',
  APPROVED: 'accent',
  PAID: 'good',
  EXPIRED: 'calm',
  FAILED: 'bad',
  CANCELED: 'calm',
}

/** The state of a payment, or what went back of it. */
export function PaymentState({ payment }: { readonly payment: Pick<Payment, 'status' | 'refundStatus'> }) {
  const words = useWords(stateWords)
  const { status, refundStatus } = payment
  if (status === 'PAID' && refundStatus !== 'NONE')
    return (
      <Badge tone="calm" icon="refunds">
        {words.refunded[refundStatus]}
      </Badge>
    )
  const tone = paymentTones[status]
  return (
    <Badge tone={tone} icon={icons[status] ?? (tone === 'calm' ? 'dash' : 'alert')}>
      {words.payment[status] ?? status}
    </Badge>
  )
}

const icons = {
  PENDING: 'dash',
  WAITING_PAYMENT: 'clock',
  APPROVED: 'half',
  PAID: 'checkCircle',
  EXPIRED: 'clock',
  FAILED: 'cross',
  CANCELED: 'dash',
} as const

/** What is remarkable about the money of a payment. `isShort`: in rows, where one badge has room. */
export function Exceptions({
  payment,
  isShort = false,
}: {
  readonly payment: Pick<Payment, 'exceptions'>
  readonly isShort?: boolean
}) {
  const words = useWords(stateWords)
  const [first, ...others] = payment.exceptions
  if (first === undefined) return null
  if (isShort)
    return (
      <Badge tone="wait" icon="alert">
        {words.exception[first]}
        {others.length > 0 && (
          <>
            <span aria-hidden="true">+{others.length}</span>
            <span className="aside">{others.map((each) => words.exception[each]).join(', ')}</span>
          </>
        )}
      </Badge>
    )
  return payment.exceptions.map((exception) => (
    <Badge key={exception} tone="wait" icon="alert">
      {words.exception[exception]}
    </Badge>
  ))
}

export function RefundState({ status }: { readonly status: Refund['status'] }) {
  const words = useWords(stateWords)
  return (
    <Badge tone={({ PENDING: 'wait', COMPLETED: 'good', FAILED: 'bad' } as const)[status]}>
      {words.refund[status]}
    </Badge>
  )
}

export function DisputeState({ status }: { readonly status: Dispute['status'] }) {
  const words = useWords(stateWords)
  return (
    <Badge tone={({ OPEN: 'wait', WON: 'good', LOST: 'bad' } as const)[status]}>
      {words.dispute[status]}
    </Badge>
  )
}

/** `hasFailed`: its last attempt did. */
export function DeliveryState({
  status,
  hasFailed = false,
}: {
  readonly status: DeliveryStatus
  readonly hasFailed?: boolean
}) {
  const words = useWords(stateWords)
  if (status === 'PENDING' && hasFailed) return <Badge tone="bad">{words.delivery.RETRYING}</Badge>
  const tone = ({ PENDING: 'wait', DELIVERED: 'good', EXHAUSTED: 'bad', CANCELED: 'calm' } as const)[status]
  return <Badge tone={tone}>{words.delivery[status]}</Badge>
}

// How each step of a story looks. What a provider reports looks like what follows from it: refused money is red in both steps.
import type { Step, StepCause } from '../../api/generated.ts'
import type { IconName } from '../../kit/icons.tsx'
import type { Moment } from '../../kit/timeline.tsx'

type Tone = NonNullable<Moment['tone']>
/** Without an icon it has the one of its tone. */
type Look = readonly [tone: Tone, icon?: IconName]

const looks = {
  DEPOSIT_SEEN: ['calm'],
  DEPOSIT_VANISHED: ['bad'],
  DEPOSIT_FINAL: ['good'],
  MONEY_REPORTED: ['good'],
  AUTHORISATION_REPORTED: ['good'],
  CAPTURE_REPORTED: ['good'],
  VOID_REPORTED: ['calm'],
  DECLINE_REPORTED: ['bad'],
  REFUND_REPORTED: ['good'],
  REFUND_FAILURE_REPORTED: ['bad'],
  DISPUTE_REPORTED: ['wait'],
  DISPUTE_TAKING_REPORTED: ['calm'],
  DISPUTE_WIN_REPORTED: ['good'],
  DISPUTE_LOSS_REPORTED: ['bad'],
  NOTHING_BOOKED: ['calm'],
  PAYOUT_REPORTED: ['good'],
  PAYOUT_REFUSAL_REPORTED: ['bad'],
  PAYOUT_RETURN_REPORTED: ['wait'],
  PAYMENT_REQUESTED: ['calm'],
  METHOD_CHOSEN: ['calm'],
  READY_TO_PAY: ['calm'],
  AUTHORISED: ['good'],
  PAID_IN_FULL: ['good'],
  PAID_TOO_MUCH: ['wait'],
  PAID_LATE: ['wait'],
  PAID_LATE_AND_TOO_MUCH: ['wait'],
  PAID_BY_PARTIAL_CAPTURE: ['good'],
  PAID_TOO_LITTLE: ['wait'],
  PAID_TOO_LITTLE_AFTER_END: ['wait'],
  PAID_AGAIN: ['wait'],
  PAID_AFTER_CANCELING: ['good'],
  TIME_RAN_OUT: ['wait'],
  AUTHORISATION_LAPSED: ['calm'],
  REFUSED_BY_PROVIDER: ['bad'],
  PAYMENT_CANCELED: ['calm'],
  AUTHORISATION_VOIDED: ['calm'],
  REFUND_REQUESTED: ['calm', 'refunds'],
  REFUND_NEEDS_APPROVAL: ['wait', 'refunds'],
  REFUND_HELD_FOR_APPROVAL: ['wait', 'refunds'],
  REFUND_APPROVED: ['calm', 'refunds'],
  REFUND_REJECTED: ['calm', 'refunds'],
  REFUND_DONE: ['good', 'refunds'],
  REFUND_DONE_AFTER_ALL: ['good', 'refunds'],
  REFUND_REFUSED: ['bad', 'refunds'],
  REFUND_CAME_BACK: ['wait', 'refunds'],
  REFUND_ENDED_BY_OPERATOR: ['calm', 'refunds'],
  REFUND_DISPUTED: ['calm', 'refunds'],
  REFUND_UNCOVERED: ['calm', 'refunds'],
  DISPUTE_OPENED: ['wait', 'disputes'],
  DISPUTE_OPENED_AGAIN: ['wait', 'disputes'],
  EVIDENCE_SUBMITTED: ['calm'],
  DISPUTE_WON: ['good', 'disputes'],
  DISPUTE_REINSTATED: ['good', 'disputes'],
  DISPUTE_LOST: ['bad', 'disputes'],
  WITHDRAWAL_REQUESTED: ['calm', 'withdrawals'],
  WITHDRAWAL_NEEDS_APPROVAL: ['wait'],
  WITHDRAWAL_APPROVED: ['calm', 'withdrawals'],
  WITHDRAWAL_REJECTED: ['calm', 'withdrawals'],
  WITHDRAWAL_SENT: ['calm', 'withdrawals'],
  WITHDRAWAL_DONE: ['good'],
  WITHDRAWAL_DONE_AFTER_ALL: ['good'],
  WITHDRAWAL_REFUSED: ['bad'],
  WITHDRAWAL_CANCELED: ['calm', 'withdrawals'],
  WITHDRAWAL_RETURNED: ['wait'],
  WITHDRAWAL_RESOLVED_BY_OPERATOR: ['calm', 'withdrawals'],
  WITHDRAWAL_STOPPED_BY_OPERATOR: ['calm', 'withdrawals'],
  ANNOUNCED: ['calm'],
  NO_LONGER_ANNOUNCED: ['calm'],
  CREDITED: ['calm'],
  CREDITED_TO_PENDING: ['calm'],
  FEE_TAKEN: ['calm'],
  DEBT_REPAID: ['calm'],
  PARENT_DEBT_REPAID: ['calm'],
  DEBT_MADE: ['calm'],
  RELEASED: ['calm'],
  HELD_FOR_REFUND: ['calm', 'refunds'],
  HELD_FOR_DISPUTE: ['calm', 'disputes'],
  HELD_FOR_WITHDRAWAL: ['calm', 'withdrawals'],
  FEE_HELD: ['calm'],
  HELD_MONEY_LEFT: ['calm'],
  DISPUTED_MONEY_CAME_BACK: ['calm', 'disputes'],
  DISPUTED_MONEY_FREED: ['calm', 'disputes'],
  DISPUTE_FEE_TAKEN: ['calm', 'disputes'],
  REFUND_MONEY_BACK: ['calm', 'refunds'],
  WITHDRAWAL_MONEY_BACK: ['calm', 'withdrawals'],
  FEE_BACK: ['calm'],
  WITHDRAWAL_DEBITED: ['calm', 'withdrawals'],
  MOVED: ['calm'],
  DELIVERY_PENDING: ['wait'],
  DELIVERED: ['good'],
  DELIVERY_EXHAUSTED: ['bad'],
  DELIVERY_CANCELED: ['calm'],
} as const satisfies Record<StepCause, Look>

const toneIcons: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  bad: 'close',
  wait: 'clock',
  calm: 'dash',
}

/** Where a step was seen, where it is no change of ours. */
const kindIcons: Partial<Readonly<Record<Step['kind'], IconName>>> = {
  DELIVERY: 'send',
  OBSERVATION: 'link',
  PROVIDER_ANSWER: 'external',
}

export function lookOf({ kind, cause }: Pick<Step, 'kind' | 'cause'>): {
  readonly icon: IconName
  readonly tone: Tone
} {
  const [tone, icon]: Look = looks[cause]
  return { tone, icon: kindIcons[kind] ?? icon ?? toneIcons[tone] }
}

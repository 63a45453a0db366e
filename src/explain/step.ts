// A step of an explanation: something that happened to a payment, refund or withdrawal, as the books hold it. Its cause says what it
// was. Each cause has facts of its own, and one sentence in each language.
import type { ExactMoney } from '#/kernel/money-text.ts'
import type { Money } from '#/kernel/money.ts'
import type { Method } from '#/rails/method.ts'
import type { Outcome } from '#/rails/receipt.ts'
import type { DeliveryStatus, EventType } from '#/webhooks/event.ts'

export const stepKinds = ['OBSERVATION', 'PROVIDER_ANSWER', 'STATE_CHANGE', 'LEDGER', 'DELIVERY'] as const
export type StepKind = (typeof stepKinds)[number]

/**
 * Where money was or went, as its merchant sees it. RECEIVABLE: what the merchant owes. FEES: the operator's fees. OUTSIDE: at the payer,
 * the recipient, the provider or the parent of a sub-account; which of the operator's accounts stands for that is not shown.
 */
export const accountRoles = ['AVAILABLE', 'PENDING', 'HELD', 'RECEIVABLE', 'FEES', 'OUTSIDE'] as const
export type AccountRole = (typeof accountRoles)[number]

/** One entry of a transfer: the change of one balance. */
export type EntryLine = {
  readonly account: AccountRole
  /** The wallet, if the account is one of a wallet. */
  readonly walletId?: string
  /** Signed. */
  readonly minor: bigint
}

/** A record besides the explained one, of the same payment. */
export type Related = { readonly refundId?: string; readonly disputeId?: string }

export type Reported = Related & {
  readonly amount: Money
  readonly method: Method
  readonly providerRef: string
  readonly happenedAt: Date
  readonly txHash?: string
  readonly endToEndId?: string
}
export type Changed = Related & {
  readonly amount: Money
  readonly status?: string
  readonly eventId?: string
}
export type Received = Changed & { readonly received: ExactMoney; readonly missing: ExactMoney }
export type Failed = Changed & { readonly code: string; readonly message: string }
export type Paid = Changed & {
  readonly providerRef?: string
  readonly endToEndId?: string
  readonly txHash?: string
}
export type Decided = Changed & { readonly keyId?: string }
export type Moved = Related & {
  readonly amount: Money
  readonly from: AccountRole
  readonly to: AccountRole
  readonly entries: readonly EntryLine[]
}
export type Delivered = {
  readonly eventId: string
  readonly eventType: EventType
  readonly delivery: {
    readonly id: string
    readonly url: string
    readonly status: DeliveryStatus
    /** Absent: it goes to the URL of its payment or withdrawal. */
    readonly endpointId?: string
    readonly attempts: number
    readonly responseStatus?: number
    /** Why the last attempt got no answer. */
    readonly error?: string
  }
}

/** The facts of each cause, by kind of step. A cause without a sentence in each language does not compile. */
export type Facts = {
  /** What a chain shows. */
  readonly OBSERVATION: {
    readonly DEPOSIT_SEEN: Reported
    readonly DEPOSIT_VANISHED: Reported
    readonly DEPOSIT_FINAL: Reported
  }
  readonly PROVIDER_ANSWER: {
    readonly MONEY_REPORTED: Reported
    readonly AUTHORISATION_REPORTED: Reported
    readonly CAPTURE_REPORTED: Reported & { readonly authorised: Money }
    readonly VOID_REPORTED: Reported
    readonly DECLINE_REPORTED: Omit<Reported, 'amount'>
    readonly REFUND_REPORTED: Reported
    readonly REFUND_FAILURE_REPORTED: Reported
    readonly DISPUTE_REPORTED: Reported
    readonly DISPUTE_TAKING_REPORTED: Reported
    readonly DISPUTE_WIN_REPORTED: Reported
    readonly DISPUTE_LOSS_REPORTED: Reported
    /** The report repeats or contradicts an earlier one, is of less than a cent, or nothing was set aside for it. */
    readonly NOTHING_BOOKED: Omit<Reported, 'amount'> & { readonly outcome: Outcome }
    readonly PAYOUT_REPORTED: Paid
    readonly PAYOUT_REFUSAL_REPORTED: Failed
    readonly PAYOUT_RETURN_REPORTED: Paid
  }
  readonly STATE_CHANGE: {
    readonly PAYMENT_REQUESTED: Changed
    readonly METHOD_CHOSEN: Changed & { readonly method: Method }
    readonly READY_TO_PAY: Changed
    readonly AUTHORISED: Changed
    readonly PAID_IN_FULL: Received
    readonly PAID_TOO_MUCH: Received
    readonly PAID_LATE: Received
    readonly PAID_LATE_AND_TOO_MUCH: Received
    readonly PAID_BY_PARTIAL_CAPTURE: Received
    readonly PAID_TOO_LITTLE: Received
    readonly PAID_TOO_LITTLE_AFTER_END: Received
    readonly PAID_AGAIN: Received
    readonly PAID_AFTER_CANCELING: Received
    readonly TIME_RAN_OUT: Received
    readonly AUTHORISATION_LAPSED: Changed
    readonly REFUSED_BY_PROVIDER: Failed
    readonly PAYMENT_CANCELED: Changed
    readonly AUTHORISATION_VOIDED: Changed
    readonly REFUND_REQUESTED: Changed
    readonly REFUND_NEEDS_APPROVAL: Changed
    readonly REFUND_HELD_FOR_APPROVAL: Decided
    readonly REFUND_APPROVED: Decided
    readonly REFUND_REJECTED: Failed
    readonly REFUND_DONE: Changed
    readonly REFUND_DONE_AFTER_ALL: Changed
    readonly REFUND_REFUSED: Failed
    readonly REFUND_CAME_BACK: Failed
    readonly REFUND_ENDED_BY_OPERATOR: Failed
    readonly REFUND_DISPUTED: Failed
    readonly REFUND_UNCOVERED: Failed
    readonly DISPUTE_OPENED: Changed
    readonly DISPUTE_OPENED_AGAIN: Changed
    readonly EVIDENCE_SUBMITTED: Decided
    readonly DISPUTE_WON: Changed
    readonly DISPUTE_REINSTATED: Changed
    readonly DISPUTE_LOST: Changed
    readonly WITHDRAWAL_REQUESTED: Changed & { readonly fee: Money }
    readonly WITHDRAWAL_NEEDS_APPROVAL: Changed
    readonly WITHDRAWAL_APPROVED: Decided
    readonly WITHDRAWAL_REJECTED: Decided
    readonly WITHDRAWAL_SENT: Changed
    readonly WITHDRAWAL_DONE: Changed
    readonly WITHDRAWAL_DONE_AFTER_ALL: Changed
    readonly WITHDRAWAL_REFUSED: Failed
    readonly WITHDRAWAL_CANCELED: Changed
    readonly WITHDRAWAL_RETURNED: Changed & { readonly returned: Money }
    readonly WITHDRAWAL_RESOLVED_BY_OPERATOR: Decided
    readonly WITHDRAWAL_STOPPED_BY_OPERATOR: Decided
  }
  readonly LEDGER: {
    readonly ANNOUNCED: Moved
    readonly NO_LONGER_ANNOUNCED: Moved
    readonly CREDITED: Moved
    readonly CREDITED_TO_PENDING: Moved
    readonly FEE_TAKEN: Moved
    readonly DEBT_REPAID: Moved
    /** A sub-account repaid what it owed its parent. */
    readonly PARENT_DEBT_REPAID: Moved
    readonly DEBT_MADE: Moved
    readonly RELEASED: Moved
    readonly HELD_FOR_REFUND: Moved
    readonly HELD_FOR_DISPUTE: Moved
    readonly HELD_FOR_WITHDRAWAL: Moved
    readonly FEE_HELD: Moved
    readonly HELD_MONEY_LEFT: Moved
    readonly DISPUTED_MONEY_CAME_BACK: Moved
    readonly DISPUTED_MONEY_FREED: Moved
    readonly DISPUTE_FEE_TAKEN: Moved
    readonly REFUND_MONEY_BACK: Moved
    readonly WITHDRAWAL_MONEY_BACK: Moved
    readonly FEE_BACK: Moved
    readonly WITHDRAWAL_DEBITED: Moved
    /** A kind of transfer that a newer release has written. */
    readonly MOVED: Moved
  }
  readonly DELIVERY: {
    readonly DELIVERY_PENDING: Delivered
    readonly DELIVERED: Delivered
    readonly DELIVERY_EXHAUSTED: Delivered
    /** Its endpoint was deleted. */
    readonly DELIVERY_CANCELED: Delivered
  }
}

type Causes = { readonly [Kind in StepKind]: keyof Facts[Kind] }
export type CauseOf<Kind extends StepKind> = Causes[Kind]
export type Cause = Causes[StepKind]

/** The facts of one cause. */
export type FactsOf<Wanted extends Cause> = {
  [Kind in StepKind]: Wanted extends keyof Facts[Kind] ? Facts[Kind][Wanted] : never
}[StepKind]

/** One cause with its facts. */
export type CauseWithFacts<Wanted extends Cause = Cause> = {
  [Each in Wanted]: { readonly kind: KindOf<Each>; readonly cause: Each; readonly facts: FactsOf<Each> }
}[Wanted]

type KindOf<Wanted extends Cause> = {
  [Kind in StepKind]: Wanted extends keyof Facts[Kind] ? Kind : never
}[StepKind]

export type Step = CauseWithFacts & { readonly at: Date }

/** A cause with its facts, as one value of the union. */
export function tell<Named extends Cause>(
  kind: KindOf<Named>,
  cause: Named,
  facts: FactsOf<Named>,
): CauseWithFacts<Named> {
  return { kind, cause, facts }
}

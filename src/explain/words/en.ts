// The sentences in English.
import { moneyText, type ExactMoney } from '#/kernel/money-text.ts'
import { byMethod } from '#/rails/methods.ts'
import type { PaymentSums, Sentences, Summaries } from '../sentence-types.ts'
import type { AccountRole, Delivered, Failed } from '../step.ts'

const m = (money: ExactMoney) => moneyText('en', money)

/** Who reports, and what is paid by. */
const names = byMethod(({ who, by, label }) => ({ who: who.en, by: (by ?? label).en }))

const balance: Readonly<Record<AccountRole, string>> = {
  AVAILABLE: 'the available balance',
  PENDING: 'the pending balance',
  HELD: 'the held balance',
  RECEIVABLE: 'what you owe',
  FEES: 'the fees',
  OUTSIDE: 'outside',
}

const why = ({ code, message }: Pick<Failed, 'code' | 'message'>) =>
  message === '' ? code || 'no reason was given' : message.replace(/\.$/, '')

const tries = (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`)

const answer = ({ delivery: { responseStatus, error } }: Delivered) =>
  responseStatus === undefined
    ? (error ?? 'there was no answer')
    : `the last answer was HTTP ${responseStatus}`

export const sentences: Sentences = {
  DEPOSIT_SEEN: ({ amount }) => `The chain shows a transfer of ${m(amount)} that is not final yet.`,
  DEPOSIT_VANISHED: ({ amount }) =>
    `A transfer of ${m(amount)} left the chain with its block before it was final.`,
  DEPOSIT_FINAL: ({ amount }) => `A transfer of ${m(amount)} is final on the chain.`,
  MONEY_REPORTED: ({ amount, method }) => `${names[method].who} reported that ${m(amount)} came.`,
  AUTHORISATION_REPORTED: ({ amount, method }) =>
    `${names[method].who} reported that ${m(amount)} is authorised and not captured yet.`,
  CAPTURE_REPORTED: ({ amount, authorised, method }) =>
    `${names[method].who} reported that ${m(amount)} of the ${m(authorised)} authorised was captured.`,
  VOID_REPORTED: ({ amount, method }) =>
    `${names[method].who} reported that the authorisation of ${m(amount)} has ended without a capture.`,
  DECLINE_REPORTED: ({ method }) => `${names[method].who} reported that an attempt to pay was declined.`,
  REFUND_REPORTED: ({ amount, method }) =>
    `${names[method].who} reported that the refund of ${m(amount)} is with the payer.`,
  REFUND_FAILURE_REPORTED: ({ amount, method }) =>
    `${names[method].who} reported that the refund of ${m(amount)} failed.`,
  DISPUTE_REPORTED: ({ amount, method }) =>
    `${names[method].who} reported that the payer wants ${m(amount)} back.`,
  DISPUTE_TAKING_REPORTED: ({ amount, method }) =>
    `${names[method].who} reported that it has taken the disputed ${m(amount)}.`,
  DISPUTE_WIN_REPORTED: ({ amount, method }) =>
    `${names[method].who} reported that the dispute about ${m(amount)} is won.`,
  DISPUTE_LOSS_REPORTED: ({ amount, method }) =>
    `${names[method].who} reported that the dispute about ${m(amount)} is lost.`,
  NOTHING_BOOKED: ({ method }) => `${names[method].who} sent a report for which no money was booked.`,
  PAYOUT_REPORTED: ({ amount }) => `The provider reported that ${m(amount)} reached the recipient.`,
  PAYOUT_REFUSAL_REPORTED: (facts) => `The provider refused to pay out ${m(facts.amount)}: ${why(facts)}.`,
  PAYOUT_RETURN_REPORTED: ({ amount }) =>
    `The provider reported that ${m(amount)} in all came back from the recipient.`,

  PAYMENT_REQUESTED: ({ amount }) => `A payment of ${m(amount)} was requested.`,
  METHOD_CHOSEN: ({ amount, method }) => `${m(amount)} can be paid by ${names[method].by}.`,
  READY_TO_PAY: ({ amount }) => `The payer can pay the ${m(amount)} from now on.`,
  AUTHORISED: ({ amount }) => `The full ${m(amount)} is authorised: the payment is approved.`,
  PAID_IN_FULL: ({ received }) => `The payment is paid: ${m(received)} came.`,
  PAID_TOO_MUCH: ({ amount, received }) =>
    `The payment is paid: ${m(received)} came, more than the ${m(amount)} requested.`,
  PAID_LATE: ({ received }) => `The payment is paid: ${m(received)} came, late.`,
  PAID_LATE_AND_TOO_MUCH: ({ amount, received }) =>
    `The payment is paid: ${m(received)} came, late and more than the ${m(amount)} requested.`,
  PAID_BY_PARTIAL_CAPTURE: ({ amount, received }) =>
    `The payment is paid with the ${m(received)} captured of ${m(amount)}.`,
  PAID_TOO_LITTLE: ({ received, missing }) =>
    `${m(received)} came so far; ${m(missing)} is missing, and the payment still waits.`,
  PAID_TOO_LITTLE_AFTER_END: ({ received, missing }) =>
    `Money came after the payment had ended: ${m(received)} in all, ${m(missing)} is missing.`,
  PAID_AGAIN: ({ received, amount }) =>
    `More money came after the payment was paid: ${m(received)} in all, for ${m(amount)}.`,
  PAID_AFTER_CANCELING: ({ received }) =>
    `Money came after the payment was canceled: ${m(received)} in all; the payment stays canceled.`,
  TIME_RAN_OUT: ({ amount, received }) =>
    `The payment expired with ${m(received)} of ${m(amount)}: its time was over.`,
  AUTHORISATION_LAPSED: ({ amount }) =>
    `The payment of ${m(amount)} expired because its authorisation ended.`,
  REFUSED_BY_PROVIDER: (facts) => `The payment of ${m(facts.amount)} failed: ${why(facts)}.`,
  PAYMENT_CANCELED: ({ amount }) => `The payment of ${m(amount)} was canceled.`,
  AUTHORISATION_VOIDED: ({ amount }) =>
    `The payment of ${m(amount)} was canceled, and its authorisation released.`,
  REFUND_REQUESTED: ({ amount }) => `A refund of ${m(amount)} was requested.`,
  REFUND_NEEDS_APPROVAL: ({ amount }) =>
    `A refund of ${m(amount)} was requested and waits for a second person.`,
  REFUND_HELD_FOR_APPROVAL: ({ amount }) =>
    `The refund of ${m(amount)} was not sent: from now on it waits for a second person.`,
  REFUND_APPROVED: ({ amount }) => `A second person approved the refund of ${m(amount)}.`,
  REFUND_REJECTED: ({ amount }) => `A second person rejected the refund of ${m(amount)}.`,
  REFUND_DONE: ({ amount }) => `The refund of ${m(amount)} is completed.`,
  REFUND_DONE_AFTER_ALL: ({ amount }) => `The refund of ${m(amount)} had failed and is completed after all.`,
  REFUND_REFUSED: (facts) => `The refund of ${m(facts.amount)} failed: ${why(facts)}.`,
  REFUND_CAME_BACK: (facts) =>
    `The refund of ${m(facts.amount)} was completed and has failed since: ${why(facts)}.`,
  REFUND_ENDED_BY_OPERATOR: (facts) => `The operator ended the refund of ${m(facts.amount)}: ${why(facts)}.`,
  REFUND_DISPUTED: ({ amount }) =>
    `The refund of ${m(amount)} failed: a lost dispute has given that money back already.`,
  REFUND_UNCOVERED: ({ amount }) =>
    `The refund of ${m(amount)} failed: after the dispute the wallet did not hold that much.`,
  DISPUTE_OPENED: ({ amount }) => `A dispute about ${m(amount)} was opened.`,
  DISPUTE_OPENED_AGAIN: ({ amount }) => `The dispute about ${m(amount)} is open again.`,
  EVIDENCE_SUBMITTED: ({ amount }) => `Evidence was submitted in the dispute about ${m(amount)}.`,
  DISPUTE_WON: ({ amount }) => `The dispute is won: the ${m(amount)} is yours again.`,
  DISPUTE_REINSTATED: ({ amount }) =>
    `The dispute had been lost and is won after all: the ${m(amount)} is yours again.`,
  DISPUTE_LOST: ({ amount }) => `The dispute is lost: the ${m(amount)} went back to the payer.`,
  WITHDRAWAL_REQUESTED: ({ amount, fee }) =>
    `A withdrawal of ${m(amount)} was requested, with a fee of ${m(fee)}.`,
  WITHDRAWAL_NEEDS_APPROVAL: ({ amount }) => `The withdrawal of ${m(amount)} waits for a second person.`,
  WITHDRAWAL_APPROVED: ({ amount }) => `A second person approved the withdrawal of ${m(amount)}.`,
  WITHDRAWAL_REJECTED: ({ amount }) =>
    `A second person rejected the withdrawal of ${m(amount)}: it is canceled.`,
  WITHDRAWAL_SENT: ({ amount }) => `The withdrawal of ${m(amount)} is being sent.`,
  WITHDRAWAL_DONE: ({ amount }) => `The withdrawal of ${m(amount)} is completed.`,
  WITHDRAWAL_DONE_AFTER_ALL: ({ amount }) =>
    `The withdrawal of ${m(amount)} had ended without a payout and is completed after all.`,
  WITHDRAWAL_REFUSED: (facts) => `The withdrawal of ${m(facts.amount)} failed: ${why(facts)}.`,
  WITHDRAWAL_CANCELED: ({ amount }) => `The withdrawal of ${m(amount)} was canceled before it was sent.`,
  WITHDRAWAL_RETURNED: ({ amount, returned }) =>
    `${m(returned)} of the withdrawal of ${m(amount)} came back.`,
  WITHDRAWAL_RESOLVED_BY_OPERATOR: ({ amount }) =>
    `The operator recorded how the withdrawal of ${m(amount)} ended.`,
  WITHDRAWAL_STOPPED_BY_OPERATOR: ({ amount }) => `The operator asked not to pay out the ${m(amount)}.`,

  ANNOUNCED: ({ amount }) => `${m(amount)} on its way was added to the pending balance.`,
  NO_LONGER_ANNOUNCED: ({ amount }) => `${m(amount)} that was on its way was taken off the pending balance.`,
  CREDITED: ({ amount }) => `${m(amount)} was credited to the available balance.`,
  CREDITED_TO_PENDING: ({ amount }) =>
    `${m(amount)} was credited to the pending balance until the settlement delay is over.`,
  FEE_TAKEN: ({ amount, from }) => `A fee of ${m(amount)} was taken from ${balance[from]}.`,
  DEBT_REPAID: ({ amount, from }) => `${m(amount)} of ${balance[from]} repaid what you owed.`,
  PARENT_DEBT_REPAID: ({ amount }) => `${m(amount)} repaid what you owed your platform.`,
  DEBT_MADE: ({ amount }) => `The wallets lacked ${m(amount)}, which you owe now.`,
  RELEASED: ({ amount }) => `${m(amount)} of the pending balance became available.`,
  HELD_FOR_REFUND: ({ amount, from }) => `${m(amount)} of ${balance[from]} was set aside for the refund.`,
  HELD_FOR_DISPUTE: ({ amount, from }) => `${m(amount)} of ${balance[from]} was set aside for the dispute.`,
  HELD_FOR_WITHDRAWAL: ({ amount, from }) =>
    `${m(amount)} of ${balance[from]} was set aside for the withdrawal.`,
  FEE_HELD: ({ amount, from }) => `${m(amount)} of ${balance[from]} was set aside for the fee.`,
  HELD_MONEY_LEFT: ({ amount }) => `${m(amount)} left the held balance and was paid out.`,
  DISPUTED_MONEY_CAME_BACK: ({ amount }) => `${m(amount)} came back into the held balance.`,
  DISPUTED_MONEY_FREED: ({ amount }) =>
    `${m(amount)} set aside for the dispute is in the available balance again.`,
  DISPUTE_FEE_TAKEN: ({ amount, from }) =>
    `The provider’s fee of ${m(amount)} for the dispute was taken from ${balance[from]}.`,
  REFUND_MONEY_BACK: ({ amount, to }) => `${m(amount)} of the refund is in ${balance[to]} again.`,
  WITHDRAWAL_MONEY_BACK: ({ amount, to }) => `${m(amount)} of the withdrawal is in ${balance[to]} again.`,
  FEE_BACK: ({ amount, to }) => `The fee of ${m(amount)} is in ${balance[to]} again.`,
  WITHDRAWAL_DEBITED: ({ amount, from }) =>
    `${m(amount)} was taken from ${balance[from]}, because the payout reached the recipient after all.`,
  MOVED: ({ amount, from, to }) => `${m(amount)} was moved from ${balance[from]} to ${balance[to]}.`,

  DELIVERY_PENDING: (facts) =>
    facts.delivery.attempts === 0
      ? `The event ${facts.eventType} is about to be sent to your server.`
      : `The event ${facts.eventType} has not reached your server after ${tries(facts.delivery.attempts)} (${answer(facts)}), and is tried again.`,
  DELIVERED: ({ eventType, delivery: { attempts } }) =>
    `The event ${eventType} reached your server after ${tries(attempts)}.`,
  DELIVERY_EXHAUSTED: (facts) =>
    `The event ${facts.eventType} did not reach your server after ${tries(facts.delivery.attempts)} (${answer(facts)}), and is not tried any more.`,
  DELIVERY_CANCELED: ({ eventType }) =>
    `The event ${eventType} is not sent to one of your endpoints any more, because the endpoint was deleted.`,
}

const since = ({ refunded, disputed }: PaymentSums) => [
  ...(refunded.minor > 0n ? [`${m(refunded)} was refunded or is on its way back`] : []),
  ...(disputed.minor > 0n ? [`${m(disputed)} is disputed or lost`] : []),
]

const sum = (facts: PaymentSums, text: string) => `${[text, ...since(facts)].join('; ')}.`
const soFar = (facts: PaymentSums) =>
  facts.received.minor > 0n
    ? `${m(facts.received)} of ${m(facts.amount)} came`
    : `${m(facts.amount)}, nothing came`

export const summaries: Summaries = {
  payment: {
    PENDING: (facts) => sum(facts, `Not ready to be paid yet: ${soFar(facts)}`),
    WAITING_PAYMENT: (facts) => sum(facts, `Waiting for the payer: ${soFar(facts)}`),
    APPROVED: (facts) => sum(facts, `Authorised and not captured yet: ${soFar(facts)}`),
    PAID: (facts) => sum(facts, `Paid: ${soFar(facts)}`),
    EXPIRED: (facts) => sum(facts, `Expired: ${soFar(facts)}`),
    FAILED: (facts) => sum(facts, `Failed: ${soFar(facts)}`),
    CANCELED: (facts) => sum(facts, `Canceled: ${soFar(facts)}`),
  },
  refund: {
    PENDING: ({ amount, isHeldBack, approvalRequired }) =>
      isHeldBack
        ? `The refund of ${m(amount)} waits for the end of a dispute about the same money.`
        : approvalRequired
          ? `The refund of ${m(amount)} waits for a second person.`
          : `The refund of ${m(amount)} is on its way, and its end is not known yet.`,
    COMPLETED: ({ amount }) => `The refund of ${m(amount)} is with the payer.`,
    FAILED: ({ amount }) => `The refund of ${m(amount)} failed, and the money is yours again.`,
  },
  withdrawal: {
    PENDING: ({ amount }) => `The withdrawal of ${m(amount)} waits to be sent.`,
    PENDING_APPROVAL: ({ amount }) => `The withdrawal of ${m(amount)} waits for a second person.`,
    PROCESSING: ({ amount, reviewRequired }) =>
      reviewRequired
        ? `The withdrawal of ${m(amount)} was sent, and a person has to find out how it ended.`
        : `The withdrawal of ${m(amount)} was sent, and its end is not known yet.`,
    COMPLETED: ({ amount, returned }) =>
      returned.minor > 0n
        ? `The withdrawal of ${m(amount)} reached the recipient, and ${m(returned)} came back.`
        : `The withdrawal of ${m(amount)} reached the recipient.`,
    FAILED: ({ amount }) => `The withdrawal of ${m(amount)} failed, and the money is yours again.`,
    CANCELED: ({ amount }) => `The withdrawal of ${m(amount)} was canceled, and the money is yours again.`,
  },
}

// Withdrawals, refunds and money in suspense as the API shows them, with fields that are only for the operator. The commands and the console
// show the same.
import { given, withoutNulls } from '#/kernel/given.ts'
import type { OpenRefund } from '#/refunds/due-queries.ts'
import { refundRecord, type Refund } from '#/refunds/refund.ts'
import type { Unmatched } from '#/settlement/queries.ts'
import { withdrawalRecord, type Withdrawal } from '#/withdrawals/withdrawal.ts'

/** With whose it is, by which connection and reference it leaves, where it goes, and why a person ended it. */
export function operatorWithdrawal(withdrawal: Withdrawal) {
  const { merchantId, connection, reference, note, destination } = withdrawal
  const more = { merchantId, connection, reference, destination: destination.text, ...given({ note }) }
  return { ...withdrawalRecord(withdrawal), ...more }
}

/** With how often it was sent, where it has not ended. `maybeSent`: the calls of these that may have reached the provider. */
export function operatorRefund(refund: Refund | OpenRefund) {
  const { merchantId, method, connection, paidRef } = refund
  const sends = 'sends' in refund ? { sends: refund.sends, maybeSent: refund.sends - refund.unsent } : {}
  return { ...refundRecord(refund), merchantId, method, connection, paidRef, ...sends }
}

/** What does not apply is absent. The amount is in minor units. */
export function unmatchedRecord({ amountMinor, ...rest }: Unmatched) {
  return { ...withoutNulls(rest), amount: amountMinor }
}

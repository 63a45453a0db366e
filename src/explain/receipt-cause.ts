// What a provider or a chain reported of a payment, as it was recorded.
import type { Outcome } from '#/rails/receipt.ts'
import type { ReceiptRow } from './queries.ts'
import { tell, type Related, type Reported, type CauseWithFacts } from './step.ts'

type Narrate = (facts: Reported, row: ReceiptRow) => CauseWithFacts

/** By outcome: the database's check holds the same list. */
export const receiptCauses: Readonly<Record<Outcome, Narrate>> = {
  seen: (facts) => tell('OBSERVATION', 'DEPOSIT_SEEN', facts),
  orphaned: (facts) => tell('OBSERVATION', 'DEPOSIT_VANISHED', facts),
  authorised: (facts) => tell('PROVIDER_ANSWER', 'AUTHORISATION_REPORTED', facts),
  voided: (facts) => tell('PROVIDER_ANSWER', 'VOID_REPORTED', facts),
  paid(facts, { authorisedMinor, currency }) {
    if (facts.method === 'CRYPTO') return tell('OBSERVATION', 'DEPOSIT_FINAL', facts)
    if (authorisedMinor === null) return tell('PROVIDER_ANSWER', 'MONEY_REPORTED', facts)
    const authorised = { minor: authorisedMinor, currency }
    return tell('PROVIDER_ANSWER', 'CAPTURE_REPORTED', { ...facts, authorised })
  },
  declined: ({ amount: _none, ...facts }) => tell('PROVIDER_ANSWER', 'DECLINE_REPORTED', facts),
  refunded: (facts) => tell('PROVIDER_ANSWER', 'REFUND_REPORTED', facts),
  refund_failed: (facts) => tell('PROVIDER_ANSWER', 'REFUND_FAILURE_REPORTED', facts),
  dispute_opened: (facts) => tell('PROVIDER_ANSWER', 'DISPUTE_REPORTED', facts),
  dispute_taken: (facts) => tell('PROVIDER_ANSWER', 'DISPUTE_TAKING_REPORTED', facts),
  dispute_won: (facts) => tell('PROVIDER_ANSWER', 'DISPUTE_WIN_REPORTED', facts),
  dispute_lost: (facts) => tell('PROVIDER_ANSWER', 'DISPUTE_LOSS_REPORTED', facts),
}

/** The cause of a receipt. Undefined: it records a decision of a person, which has a step of its own. */
export function causeOfReceipt(row: ReceiptRow, related: Related): CauseWithFacts | undefined {
  const { outcome, providerRef, method, happenedAt, bookedMinor, currency } = row
  if (outcome === 'refund_failed' && /^(?:ended|rejected)\//.test(providerRef)) return undefined
  const facts = { ...related, method, providerRef, happenedAt, ...namesOf(row) }
  if (bookedMinor === 0n && outcome !== 'declined')
    return tell('PROVIDER_ANSWER', 'NOTHING_BOOKED', { ...facts, outcome })
  return receiptCauses[outcome]({ ...facts, amount: { minor: bookedMinor, currency } }, row)
}

/** The names of the money outside, where the provider's reference has them. */
function namesOf({ outcome, method, providerRef }: ReceiptRow): Pick<Reported, 'txHash' | 'endToEndId'> {
  if (outcome !== 'paid') return {}
  if (method === 'PIX') return { endToEndId: providerRef }
  const txHash = method === 'CRYPTO' ? /^0x[0-9a-f]{64}(?=:)/i.exec(providerRef)?.[0] : undefined
  return txHash === undefined ? {} : { txHash }
}

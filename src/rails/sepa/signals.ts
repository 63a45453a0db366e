// The signals of movements: what goes into the inbox, and becomes evidence.
import type { Credit } from './entry.ts'
import type { EntrySignal } from './receipts.ts'
import type { NewEntry } from './statement-queries.ts'
import { remittanceText } from './texts.ts'

type Said = Pick<NewEntry, 'reference' | 'part' | 'minor' | 'currency' | 'bookedOn'> & {
  readonly remittance: string
}

/** Returns the signal of a movement. `owner`: whose it is; absent: nobody's yet. */
export function signalOf(
  entry: Said,
  owner?: {
    readonly id: string
    readonly merchantId: string
    readonly paymentId: string
    readonly quoted: string
  },
): EntrySignal {
  const { reference, part, minor, currency, bookedOn, remittance } = entry
  const base = { reference, part, amountMinor: String(minor), currency, bookedOn, remittance }
  if (owner === undefined) return base
  const { id, merchantId, paymentId, quoted } = owner
  return { ...base, attempt: { id, merchantId, paymentId }, quoted }
}

/** Returns the signal of a debit that takes back a credit. It holds the credit's own signal, the same to the byte. */
export function recallSignal(debit: Said, credit: Credit, reason = 'no reason'): EntrySignal {
  const { fact, kind, attemptId: id, merchantId, paymentId } = credit
  const owner =
    kind === 'PAID' && id !== null && merchantId !== null && paymentId !== null
      ? { id, merchantId, paymentId, quoted: fact.quoted ?? '' }
      : undefined
  const of = signalOf({ ...credit, remittance: remittanceText(fact) }, owner)
  return { ...signalOf(debit), recall: { reason, of } }
}

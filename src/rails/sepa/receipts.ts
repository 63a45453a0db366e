// Turns one movement on the account, as the bank's file describes it, into receipts. Pure: the same movement always gives the same
// receipts, and each receipt counts once. Inspected by audit/rails/sepa.ts.
import { invariant } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { isCurrency } from '#/kernel/money.ts'
import type { Receipt } from '#/rails/receipt.ts'

/** A movement in the inbox and as evidence, as JSON. */
export type EntrySignal = {
  /** The bank's own name of the entry (AcctSvcrRef), and which of its transfers it is. */
  readonly reference: string
  readonly part: number
  /** Minor units, as a decimal string. */
  readonly amountMinor: string
  readonly currency: string
  /** The day on which the bank booked it (ISO 8601). */
  readonly bookedOn: string
  /** What the payer wrote. */
  readonly remittance: string
  /** The attempt whose reference it quotes. Absent: it quotes none. */
  readonly attempt?: { readonly id: string; readonly merchantId: string; readonly paymentId: string }
  /** The reference of ours that it quotes, in its normal form. */
  readonly quoted?: string
  /** Of a debit: the credit that it takes back, and the bank's reason. */
  readonly recall?: { readonly reason: string; readonly of: EntrySignal }
}

/** A refund whose payout left or came back, by our reference of the payout, in the inbox as JSON. */
export type RefundSignal = { readonly refund: string }

/**
 * Returns the receipts of a movement. When the bank took back a credit, the receipts contain that of the credit too: so the money
 * is booked before it is taken back, whichever signal is processed first.
 */
export function receiptsOf(
  connection: ConnectionId,
  signal: EntrySignal,
  evidence: Buffer,
): readonly Receipt[] {
  const { recall } = signal
  if (recall === undefined) return [receiptOf(connection, signal, evidence)]
  const paid = receiptOf(connection, recall.of, bodyOf(recall.of))
  const taken = receiptOf(connection, signal, evidence)
  return [
    paid,
    {
      ...taken,
      ...given({ attempt: paid.attempt }),
      outcome: 'dispute_lost',
      dispute: { paidRef: paid.providerRef, kind: 'RECALL', reason: recall.reason },
    },
  ]
}

/** The bytes of a signal, the same for the same movement. */
export function bodyOf(signal: EntrySignal | RefundSignal): Buffer {
  return Buffer.from(JSON.stringify(signal))
}

/** What quotes no reference of ours is not attributed. */
function receiptOf(connection: ConnectionId, signal: EntrySignal, evidence: Buffer): Receipt {
  const { reference, part, amountMinor, currency, bookedOn, attempt } = signal
  invariant(isCurrency(currency), 'a movement in a currency that the books keep')
  return {
    method: 'SEPA_TRANSFER',
    ...(attempt === undefined ? {} : { attempt: attemptOf(attempt) }),
    connection,
    providerRef: providerRefOf({ reference, part }),
    outcome: 'paid',
    occurrence: 1,
    amount: { minor: BigInt(amountMinor), currency },
    // The bank reports only the day of an entry. Noon, so that no time zone moves it to another day.
    happenedAt: new Date(`${bookedOn}T12:00:00.000Z`),
    evidence,
  }
}

/**
 * The bank's name of the money, as a payment's record and its refunds show it. A name that itself ends with a slash and digits gets
 * the number of its part too, so that it is not mistaken for a part of another entry.
 */
export function providerRefOf({ reference, part }: Pick<EntrySignal, 'reference' | 'part'>): string {
  return part === 0 && !/\/\d{1,6}$/.test(reference) ? reference : `${reference}/${part}`
}

/** The entry and the part that a name of `providerRefOf` stands for. */
export function entryOfRef(providerRef: string): Pick<EntrySignal, 'reference' | 'part'> {
  const [, reference = providerRef, part = '0'] = /^(.*)\/(\d{1,6})$/s.exec(providerRef) ?? []
  return { reference, part: Number(part) }
}

function attemptOf({ id, merchantId, paymentId }: NonNullable<EntrySignal['attempt']>) {
  return {
    id: id as AttemptId,
    merchantId: merchantId as MerchantId,
    paymentId: paymentId as PaymentId,
  }
}

// What stays of a text that is erased: only the fields that are named here. All others are erased, so that a new field with a
// payer's data cannot stay by mistake.
import { canonicalJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'

type Fields = Readonly<Record<string, unknown>>

/** Of a payment's request: what the books, the attempts and the events compare themselves with. */
const keptOfPaymentRequest = [
  'amount',
  'currency',
  'paymentMethods',
  'webhookUrl',
  'checkout',
  'expiresIn',
  'captureMode',
  'splits',
  'feePayer',
]

/** Of a refund's request: the account that the money went to stays, as it does in the bank's files. */
const keptOfRefundRequest = ['amount', 'cryptoAddress', 'iban', 'beneficiary', 'coverShortfall']

/**
 * Of the terms of an opening: until when the attempt could be paid, and the numbers from which the amount of a rest was
 * computed.
 */
export const keptTerms = ['expiresAt', 'presentation', 'rest']

/** Of the resource in an event, by the topic of its type. */
const keptOfData: Readonly<Record<string, readonly string[]>> = {
  payment: words(
    'id mode status amount currency paymentMethods paymentMethod amountReceived amountRefunded amountRefundPending',
    'refundStatus exceptions fee netAmount paymentLinkId walletId checkout webhookUrl captureMode splits feePayer',
    'cardRedirectUrl checkoutUrl pixCopyPaste endToEndIds',
    'cryptoAddress cryptoAmount cryptoAmountToken cryptoDecimals cryptoContract cryptoChainId cryptoNetwork cryptoCurrency',
    'cryptoReceived depositCount deposits onchainTxHash',
    'payerErasedAt createdAt expiresAt approvedAt paidAt version',
  ),
  refund: words(
    'id mode paymentId status amount currency cryptoAddress cryptoNetwork cryptoCurrency txHash',
    'approvalRequired failureCode createdAt completedAt version',
  ),
  dispute: words(
    'id mode paymentId status kind amount currency fee reason evidenceDueAt createdAt closedAt version',
  ),
}

/** Undefined: there is nothing to erase in it. */
export function redactedPaymentRequest(request: Fields): Fields | undefined {
  return fewer(request, keptOfPaymentRequest)
}

/** Undefined: there is nothing to erase in it. */
export function redactedRefundRequest(request: Fields): Fields | undefined {
  return fewer(request, keptOfRefundRequest)
}

/** The body of an event without the payer's data, and the instant since when. Undefined: there is nothing to erase in it. */
export function redactedBody(type: string, body: Fields, erasedAt: Date): Fields | undefined {
  const { data, ...frame } = body
  const kept = keptOfData[type.slice(0, type.indexOf('.'))]
  if (kept === undefined || typeof data !== 'object' || data === null) return undefined
  const remaining = fewer(data as Fields, kept)
  return remaining === undefined ? undefined : { ...frame, erasedAt: erasedAt.toISOString(), data: remaining }
}

/** The object with these fields alone. Undefined when it has no others. */
function fewer(fields: Fields, kept: readonly string[]): Fields | undefined {
  const remaining = Object.entries(fields).filter(([name]) => kept.includes(name))
  return remaining.length === Object.keys(fields).length ? undefined : Object.fromEntries(remaining)
}

function words(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '))
}

// The digest of one step of an erasure: it covers which texts were erased, the texts before, and the texts now.

/** A text that was erased. */
export type ErasedText = {
  readonly place: ErasedPlace
  /** Of an event its number, of a receipt the payment and its ordinal, of the others the id. */
  readonly key: string
  readonly beforeDigest: Buffer
  readonly afterDigest: Buffer
}

/** The texts whose hash is in the books, or makes a fingerprint. The database's check holds the same list. */
const erasedPlaces = ['event.body', 'receipt.evidence', 'payment.request', 'refund.request'] as const
export type ErasedPlace = (typeof erasedPlaces)[number]

/** The action of its entry in the audit log. */
export const eraseAction = 'payer.erase'

/** The order of the texts does not matter. */
export function erasureDigest(erasureId: string, texts: readonly ErasedText[]): Buffer {
  const rows = texts.map(({ place, key, beforeDigest, afterDigest }) => [
    place,
    key,
    beforeDigest.toString('hex'),
    afterDigest.toString('hex'),
  ])
  return sha256(canonicalJson([erasureId, ...rows.map((row) => row.join(' ')).toSorted()]))
}

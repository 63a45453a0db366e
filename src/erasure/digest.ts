// The digest of one step of an erasure: it covers which texts were erased, the texts before, and the texts now.
import { canonicalJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'

/** A text that was erased. */
export type ErasedText = {
  readonly place: ErasedPlace
  /** Of an event its number, of a receipt the payment and its ordinal, of the others the id. */
  readonly key: string
  readonly beforeDigest: Buffer
  readonly afterDigest: Buffer
}

/** The texts whose hash is in the books, or makes a fingerprint. The database's check holds the same list. */
export const erasedPlaces = ['event.body', 'receipt.evidence', 'payment.request', 'refund.request'] as const
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

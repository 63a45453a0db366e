// What banks identify movements by, and the names of entries that are made of it. Pure.
import { createHash } from 'node:crypto'

/** The bank's own identifiers of a movement, without placeholders. In this order, the first that two movements both have decides. */
export type EntryIds = {
  /** AcctSvcrRef of the transfer, and of its entry. */
  readonly transfer?: string
  readonly entry?: string
  /** Refs/Prtry: the bank's own sort of reference. */
  readonly own?: string
  readonly txId?: string
  readonly uetr?: string
}

/** In their order. */
export const idKinds = ['transfer', 'entry', 'own', 'txId', 'uetr'] as const

/** Of one debit for a whole file of payments: the file by MsgId and PmtInfId, and how many payments it had. */
export type OfFile = { readonly ids: readonly string[]; readonly count: string }

/** Words that banks write where they have no identifier (ISO 20022: NOTPROVIDED; SWIFT: NONREF), and zeros. */
const placeholders: ReadonlySet<string> = new Set(
  'NONREF NOREF NOREFERENCE NOTPROVIDED NOTAVAILABLE NOTAPPLICABLE NONE NULL UNKNOWN NA'.split(' '),
)

/** The identifier, or undefined where the bank has none. */
export function identifier(text: string | undefined): string | undefined {
  const bare = (text ?? '').toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return placeholders.has(bare) || /^0*$/.test(bare) ? undefined : text
}

/**
 * The name of an entry on the account. An account number in another currency is an account of its own at the bank, so its entries
 * may have the names of entries in EUR. Two entries never get one name: whatever could be mistaken for another's gets its currency too.
 */
export function entryName(reference: string, currency: string): string {
  return currency === 'EUR' && !/-[A-Z]{3}$/.test(reference) ? reference : `${reference}-${currency}`
}

/** A name for an entry that has no identifier: its day, and a digest of what the file says. */
export function contentName(parts: readonly string[], bookedOn: string): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return `${bookedOn}.${digest.slice(0, 16)}`
}

// Which stored entry in a foreign currency a reported one is, and the names that it may have. Pure: the inspection reads them too.
import { foreignFactOf, type EntryFact } from './fact.ts'
import type { ForeignEntry } from './movement.ts'

/** A stored entry, as far as it is compared. */
type KeptForeign = {
  readonly currency: string
  readonly reference: string
  readonly credit: boolean
  readonly amount: string
  readonly bookedOn: string
  readonly fact: EntryFact
}

/** Entries of one name, side and amount on one day are numbered up to this. */
const numberedMax = 100

/** The names that an entry may have: the bank's, and, as banks repeat them, that with its day and a number. */
export function foreignNames({ reference, bookedOn, currency }: ForeignEntry) {
  const ofDay = `${reference}~${bookedOn}`
  const numbered = Array.from({ length: numberedMax - 1 }, (_, at) => `${ofDay}~${at + 2}`)
  return { currency, references: [reference, ofDay, ...numbered] }
}

/** Nothing is passed over but what is equal in all of it; an earlier program kept no identifiers. */
export function isKept(each: ForeignEntry, row: KeptForeign): boolean {
  const { fact } = row
  const now = foreignFactOf(each)
  return (
    foreignNames(each).references.includes(row.reference) &&
    row.currency === each.currency &&
    row.credit === each.isCredit &&
    row.amount === each.amount &&
    row.bookedOn === each.bookedOn &&
    (fact.ids === undefined ||
      (fact.remittance === now.remittance &&
        fact.endToEndId === now.endToEndId &&
        fact.party?.iban === now.party?.iban &&
        fact.party?.name === now.party?.name &&
        (fact.elsewhere ?? '') === (now.elsewhere ?? '')))
  )
}

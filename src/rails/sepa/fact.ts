// What is kept of what a file says of a movement. A format: the inspections read it too.
import { given } from '#/kernel/given.ts'
import type { EntryIds, OfFile } from './ids.ts'
import type { ForeignEntry, Movement } from './movement.ts'

/** What the file says of a movement. */
export type EntryFact = {
  readonly remittance: string
  /** Texts in other parts of the entry, where some banks put what the payer wrote. */
  readonly elsewhere?: string
  /** Our reference that it quotes, or that it nearly quotes. */
  readonly quoted?: string
  readonly endToEndId?: string
  readonly returned?: { readonly reason: string }
  readonly party?: { readonly name?: string; readonly iban?: string }
  /** Absent in what a program stored that knew movements by AcctSvcrRef alone. */
  readonly ids?: EntryIds
  /** The transfers of the entry do not make its amount. */
  readonly contradicts?: true
  /** Of one debit for a whole file of payments. */
  readonly ofFile?: OfFile
}

/** What is kept of an entry in a currency that the books do not have. */
export function foreignFactOf({ endToEndId, returned, party, ids, ...texts }: ForeignEntry): EntryFact {
  return {
    ...textFactsOf(texts),
    ...given({ endToEndId, returned, party }),
    ids,
  }
}

/** What the texts of a movement become when it is kept. */
export function textFactsOf({
  remittance,
  elsewhere = [],
}: Pick<Movement, 'remittance' | 'elsewhere'>): Pick<EntryFact, 'remittance' | 'elsewhere'> {
  const [words, others] = [remittance.join(' '), elsewhere.join(' ')]
  return { remittance: words, ...(others === '' ? {} : { elsewhere: others }) }
}

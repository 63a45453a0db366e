// The texts of a movement in which a payer, or a bank, may quote a reference of ours.
import type { EntryFact } from './fact.ts'
import type { Movement } from './movement.ts'
import { candidatesIn } from './reference.ts'

/** Some banks' forms have no field for a reference, so payers write it where the sender's own reference goes. */
export function textsOf({ remittance, elsewhere = [], endToEndId }: Movement): readonly string[] {
  return [...remittance, ...elsewhere, ...(endToEndId === undefined ? [] : [endToEndId])]
}

/** All texts of a movement that is kept: for a person, and as evidence. */
export function remittanceText({
  remittance,
  elsewhere,
}: Pick<EntryFact, 'remittance' | 'elsewhere'>): string {
  return [remittance, elsewhere ?? ''].filter((each) => each !== '').join(' ')
}

/** All that may be references of ours in it. */
export function quotedIn(movement: Movement): readonly string[] {
  return [...new Set(textsOf(movement).flatMap(candidatesIn))]
}

/** The names by which a later movement may refer to this one. `quoted`: the reference of ours that it was matched by. */
export function namesOf({ endToEndId, names }: Movement, quoted: string | undefined): readonly string[] {
  return [...new Set([endToEndId, ...names, quoted].filter((each) => each !== undefined))]
}

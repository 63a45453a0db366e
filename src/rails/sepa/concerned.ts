// Whose money a person decides about, when they say what a movement is. Whoever is a member of one of these merchants does not decide it
// alone: operator/interest.ts.
import type { Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Credit, Matched } from './entry.ts'
import { entryName } from './ids.ts'
import { creditsMax, selectCredit, selectCredits, type UnclearRow } from './recall-queries.ts'
import { entryOfRef, providerRefOf } from './receipts.ts'
import { candidatesIn } from './reference.ts'
import { remittanceText } from './texts.ts'

/** A debit that takes back a credit, and does not say clearly which one. */
export type UnclearDebit = Pick<UnclearRow, 'minor' | 'currency' | 'bookedOn' | 'fact' | 'names'>

export type Concerned = {
  readonly merchants: readonly MerchantId[]
  /** The names of credits: those in suspense may have been credited to a merchant since. */
  readonly credits: readonly string[]
  /** A debit that names no credit: it may take back any that is large enough. */
  readonly unnamed?: Pick<UnclearDebit, 'minor' | 'currency' | 'bookedOn'>
}

const nobody: Concerned = { merchants: [], credits: [] }

/** Whom a movement concerns that was matched so. */
export async function concernedByMatch(
  tx: Tx,
  connection: ConnectionId,
  matched: Matched | undefined,
  debit: UnclearDebit,
): Promise<Concerned> {
  if (matched === undefined) return nobody
  if ('owner' in matched) return { ...nobody, merchants: [matched.owner.merchantId] }
  if (matched.kind === 'RECALL') return ofCredits([matched.credit])
  return matched.kind === 'UNCLEAR' ? concernedByUnclear(tx, connection, debit) : nobody
}

/** Whom an unclear debit concerns: all whose credits it names. `of`: also this credit, which a person names. */
export async function concernedByUnclear(
  tx: Tx,
  connection: ConnectionId,
  { fact, names, minor, currency, bookedOn }: UnclearDebit,
  of?: string,
): Promise<Concerned> {
  const references = [
    ...names,
    ...candidatesIn(remittanceText(fact)),
    ...(fact.endToEndId === undefined ? [] : [fact.endToEndId]),
  ]
  const own = [...new Set(references.flatMap((name) => [name, entryName(name, currency)]))]
  const [named = []] = await selectCredits(tx, connection, [{ minor, currency, own, shared: [] }])
  const chosen =
    of === undefined ? undefined : await selectCredit(tx, connection, { ...entryOfRef(of), currency })
  const concerned = ofCredits([...named, ...(chosen === undefined ? [] : [chosen])])
  // Of so many, others may have the name too.
  const isNamed = named.length > 0 && named.length < creditsMax
  return isNamed ? concerned : { ...concerned, unnamed: { minor, currency, bookedOn } }
}

function ofCredits(credits: readonly Credit[]): Concerned {
  return {
    merchants: credits.flatMap(({ merchantId }) => merchantId ?? []),
    credits: credits.map(providerRefOf),
  }
}

// Money on a connected account in a currency that the books do not have, such as francs. No wallet could hold it, so it is in no book:
// each entry is kept once and waits until a person says what became of it at the bank. Inspected by audit/rails/sepa-foreign.ts.
import type { Sql, Tx } from '#/db/client.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { foreignFactOf } from './fact.ts'
import { foreignNames, isKept } from './foreign-names.ts'
import * as queries from './foreign-queries.ts'
import type { ForeignId } from './foreign-queries.ts'
import type { ForeignEntry } from './movement.ts'
import { remittanceText } from './texts.ts'

/** Money that waits for a person, as it is shown. */
export type Foreign = {
  readonly id: ForeignId
  readonly connection: ConnectionId
  /** The bank's name of the entry. */
  readonly entry: string
  readonly currency: string
  /** A decimal, as the bank wrote it; negative where the bank took money back. */
  readonly amount: string
  readonly bookedOn: string
  readonly wrote: string
  readonly party: string
  /** When its file was imported. */
  readonly createdAt: Date
}

/** Keeps the new ones of these entries, and returns their number. It refuses no file: none of this money is in a book. */
export async function storeForeign(
  tx: Tx,
  place: { readonly connection: ConnectionId; readonly file: Buffer },
  foreign: readonly ForeignEntry[],
): Promise<number> {
  if (foreign.length === 0) return 0
  const kept = await queries.selectNamed(tx, place.connection, foreign.map(foreignNames))
  const taken = new Set(kept.map(keyOf))
  const claimed = new Set<queries.ForeignRow>()
  const rows: (ForeignEntry & { readonly id: ForeignId; readonly fact: string })[] = []
  for (const each of foreign) {
    const known = kept.find((row) => !claimed.has(row) && isKept(each, row))
    if (known !== undefined) claimed.add(known)
    else {
      const names = foreignNames(each).references.map((reference) => ({ ...each, reference }))
      const free = names.find((name) => !taken.has(keyOf({ ...name, credit: name.isCredit })))
      const row = free ?? { ...each, reference: `${each.reference}~${newId()}` }
      taken.add(keyOf({ ...row, credit: row.isCredit }))
      rows.push({ ...row, id: newId<'sepa-foreign'>(), fact: JSON.stringify(foreignFactOf(each)) })
    }
  }
  return rows.length === 0 ? 0 : queries.insertForeign(tx, place, rows)
}

function keyOf({
  currency,
  reference,
  credit,
  amount,
}: Pick<queries.ForeignRow, 'currency' | 'reference' | 'credit' | 'amount'>): string {
  return `${currency} ${credit} ${amount} ${reference}`
}

/** At most this many are shown by a command; the oldest first. */
const shownMax = 500

export async function listForeign(sql: Sql): Promise<readonly Foreign[]> {
  return (await queries.selectWaitingForeign(sql, { limit: shownMax })).map(foreignOf)
}

/**
 * Ends an entry: a person says what became of the money at the bank. It moves nothing here. Undefined: there is none of this id, or
 * it was decided before.
 */
export async function decideForeign(
  sql: Sql,
  decision: {
    readonly id: ForeignId
    readonly by: string
    readonly reason: string
    /** Runs in the transaction of the decision. */
    readonly note: (tx: Tx, foreign: Foreign) => Promise<void>
  },
): Promise<Foreign | undefined> {
  return sql.begin(async (tx) => {
    const row = await queries.decideForeign(tx, decision.id, decision)
    if (row === undefined) return undefined
    const foreign = foreignOf(row)
    await decision.note(tx, foreign)
    return foreign
  })
}

/** A stored entry as a person is shown it. */
export function foreignOf({ reference, credit, fact, ...row }: queries.ForeignRow): Foreign {
  const { id, connection, currency, bookedOn, createdAt } = row
  const party = [fact.party?.name, fact.party?.iban].filter((each) => each !== undefined).join(', ')
  const texts = { wrote: remittanceText(fact), party }
  const amount = credit ? row.amount : `-${row.amount}`
  return { id, connection, entry: reference, currency, amount, bookedOn, ...texts, createdAt }
}

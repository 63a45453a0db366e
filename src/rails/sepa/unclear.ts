// A debit by which the bank takes back a credit without saying clearly which one. A person names the credit, or says that there is
// none. That is decided once, and booked only then. Inspected by audit/rails/sepa-entries.ts.
import type { Sql, Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import { concernedByUnclear, type Concerned } from './concerned.ts'
import type { Credit } from './entry.ts'
import { keepMovements, type ImportDeps } from './import.ts'
import {
  decideUnclear,
  endProposals,
  lockUnclear,
  selectCredit,
  selectUnclear,
  type UnclearRow,
} from './recall-queries.ts'
import { entryOfRef, providerRefOf } from './receipts.ts'
import { recallSignal } from './signals.ts'
import { lockAccount } from './statement-queries.ts'
import { remittanceText } from './texts.ts'

/** Money that the bank took, of a credit that nobody has named yet. */
export type Unclear = {
  readonly connection: ConnectionId
  /** The bank's name of the debit. */
  readonly entry: string
  readonly minor: bigint
  readonly currency: Currency
  readonly bookedOn: string
  /** The bank's reason, and what it wrote. */
  readonly reason: string
  readonly wrote: string
  readonly party: string
}

/** At most this many are shown; the oldest first. */
const shownMax = 500

export async function listUnclear(sql: Sql): Promise<readonly Unclear[]> {
  return (await selectUnclear(sql, shownMax)).map(unclearOf)
}

export type RecallVerdict =
  | { readonly kind: 'decided'; readonly unclear: Unclear }
  /** There is no such debit, or it was decided before. */
  | { readonly kind: 'not_found' }
  /** There is no such credit, or less of it is left than was taken. */
  | { readonly kind: 'no_credit' }

/** `of`: the bank's name of the credit that was taken back. Absent: the debit takes back no credit, and is money that left. */
export async function decideRecall(
  { sql, keep }: Pick<ImportDeps, 'sql' | 'keep'>,
  {
    connection,
    entry,
    of,
    note,
  }: Pick<Unclear, 'connection' | 'entry'> & {
    readonly of?: string
    /** Runs in the transaction of the decision. `concerned`: whose credit it may be. */
    readonly note?: (tx: Tx, concerned: Concerned) => Promise<void>
  },
): Promise<RecallVerdict> {
  return sql.begin<RecallVerdict>(async (tx): Promise<RecallVerdict> => {
    // Locked as by an import, so that not more than a credit is taken back.
    await lockAccount(tx, connection)
    const row = await lockUnclear(tx, { connection, ...entryOfRef(entry) })
    if (row === undefined) return { kind: 'not_found' }
    const { currency } = row
    const credit =
      of === undefined ? undefined : await selectCredit(tx, connection, { ...entryOfRef(of), currency })
    if (of !== undefined && (credit === undefined || credit.leftMinor < row.minor))
      return { kind: 'no_credit' }
    await note?.(tx, await concernedByUnclear(tx, connection, row, of))
    await decideUnclear(tx, row, credit)
    if (credit !== undefined) await book({ tx, keep, connection }, row, credit)
    return { kind: 'decided', unclear: unclearOf(row) }
  })
}

async function book(
  { tx, keep, connection }: Pick<ImportDeps, 'keep'> & { readonly tx: Tx; readonly connection: ConnectionId },
  row: UnclearRow,
  credit: Credit,
): Promise<void> {
  await endProposals(tx, connection, [credit])
  const signal = recallSignal(
    { ...row, remittance: remittanceText(row.fact) },
    credit,
    row.fact.returned?.reason,
  )
  await keepMovements(keep, tx, connection, [signal])
}

function unclearOf({ fact, ...row }: UnclearRow): Unclear {
  const { connection, minor, currency, bookedOn } = row
  const party = [fact.party?.name, fact.party?.iban].filter((each) => each !== undefined).join(', ')
  const reason = fact.returned?.reason ?? ''
  return {
    connection,
    entry: providerRefOf(row),
    minor,
    currency,
    bookedOn,
    reason,
    wrote: remittanceText(fact),
    party,
  }
}

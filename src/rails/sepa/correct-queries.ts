// The SQL of corrected statements.
import { list, type Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { statementColumns, type CurrencyOfAccount, type StatementRow } from './statement-queries.ts'

export type RefusedFile = {
  readonly bytes: Buffer
  readonly name: string
  readonly message: string
  readonly reason: string
  readonly handedInBy: string
}

/** A file of this account that was refused. */
export async function selectRefused(
  tx: Tx,
  connection: ConnectionId,
  digest: Buffer,
): Promise<RefusedFile | undefined> {
  const [row] = await tx<RefusedFile[]>`
    select bytes, name, message, reason, handed_in_by as "handedInBy" from sepa_file
     where connection = ${connection} and sha256 = ${digest} and state = 'REFUSED'`
  return row
}

/** Marks what a correction takes back, and what takes it back. */
export async function markCorrected(
  tx: Tx,
  connection: ConnectionId,
  entries: readonly { readonly reference: string; readonly part: number }[],
): Promise<void> {
  await tx`
    update sepa_entry as entry set corrected = true
      from unnest(${list(entries.map(({ reference }) => reference))}::text[], ${list(entries.map(({ part }) => part))}::integer[])
           as gone (reference, part)
     where entry.connection = ${connection} and entry.reference = gone.reference and entry.part = gone.part`
}

/** From now on the statement is what this file says. */
export async function correctStatementRow(
  tx: Tx,
  { connection, currency }: CurrencyOfAccount,
  {
    number,
    openingMinor,
    closingMinor,
    file,
  }: Pick<StatementRow, 'number' | 'openingMinor' | 'closingMinor'> & { readonly file: Buffer },
): Promise<void> {
  await tx`
    update sepa_statement set file_sha256 = ${file}, opening_minor = ${openingMinor}, closing_minor = ${closingMinor}
     where connection = ${connection} and currency = ${currency} and number = ${number}`
}

/** The statements of this currency on both sides of this one. */
export async function selectNeighbours(
  tx: Tx,
  { connection, currency }: CurrencyOfAccount,
  number: number,
): Promise<{ readonly before?: StatementRow; readonly next?: StatementRow }> {
  const of = tx`select ${statementColumns(tx)} from sepa_statement where connection = ${connection} and currency = ${currency}`
  const [before] = await tx<StatementRow[]>`${of} and number < ${number} order by number desc limit 1`
  const [next] = await tx<StatementRow[]>`${of} and number > ${number} order by number limit 1`
  return { ...(before && { before }), ...(next && { next }) }
}

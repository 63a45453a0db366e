// The SQL of corrected statements.
import type { Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { CurrencyOfAccount, StatementRow } from './statement-queries.ts'

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
      from ${rowsOf(tx, 'gone', entries, { reference: 'text', part: 'integer' })}
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

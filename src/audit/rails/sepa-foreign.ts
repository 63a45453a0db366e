// Inspects money in currencies that the books do not have: what a file reports is kept, and what is kept is of a file that was imported.
// Inspects what rails/sepa/foreign.ts decides.
import type { Inspector } from '#/db/inspection.ts'
import { eachPage } from '#/db/inspection.ts'
import { foreignNames, isKept } from '#/rails/sepa/foreign-names.ts'
import type { AccountReport } from '#/rails/sepa/movement.ts'
import * as queries from './sepa-kept-queries.ts'
import type { ForeignRow } from './sepa-kept-queries.ts'
import type { AccountRow } from './sepa-queries.ts'

/** The currencies of which a bank account has money in the books. */
export const currencies: readonly string[] = ['EUR', 'USD', 'BRL']

const pageRows = 500

/** What is wrong with what is kept of a report in such a currency. */
export async function faultsOfForeign(
  { sql }: Inspector,
  account: AccountRow,
  { currency, foreign }: AccountReport,
): Promise<readonly string[]> {
  const faults: string[] = []
  for (let from = 0; from < foreign.length; from += pageRows) {
    const page = foreign.slice(from, from + pageRows)
    const rows = await queries.selectForeignOf(
      sql,
      account,
      page.flatMap((each) => foreignNames(each).references.map((reference) => ({ currency, reference }))),
    )
    for (const each of page)
      if (!rows.some((row) => isKept(each, row)))
        faults.push(`reports entry ${each.reference} of ${each.amount} ${currency}, which is not kept`)
  }
  return faults
}

/** Every kept entry is of a file that was imported. */
export async function inspectForeign(
  { sql, inspected, fault }: Inspector,
  account: AccountRow,
): Promise<void> {
  await eachPage<ForeignRow>(
    (after) => queries.selectForeignPage(sql, account, after, pageRows),
    (rows) => {
      inspected('entries in other currencies', rows.length)
      for (const { reference, currency, isImported } of rows)
        if (!isImported)
          fault(`entry ${reference} in ${currency} of ${account.id}`, 'is of a file that was never imported')
    },
  )
}

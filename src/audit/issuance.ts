// Inspects the lost attempts that were recorded from issuance logs after a restore: each page of them is as the audit log says,
// whose entries the chain seals, and none of them is in the books.
// Inspects what issuance/record-lost.ts decides.
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import { digestOf } from '#/issuance/line.ts'
import * as queries from './issuance-queries.ts'

export const issuanceInspection: Inspection = { name: 'lost issuances', inspect }

const pageRows = 200

async function inspect({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.PageRow>(
    (last) => queries.selectLoggedPages(sql, last?.pageId, pageRows),
    async (pages) => {
      for (const { pageId, logged } of pages) {
        const rows = await queries.selectLostOfPage(sql, pageId)
        inspected('lost attempts', rows.length)
        if (logged['attempts'] !== rows.length || logged['digest'] !== digestOf(rows))
          fault(`page ${pageId} of lost attempts`, 'is not as its entry of the audit log says')
        for (const row of rows) for (const what of faultsOf(row)) fault(`lost attempt ${row.attemptId}`, what)
      }
    },
  )
  for (const { row, what } of await queries.selectStrayLost(sql)) fault(row, what)
}

function faultsOf({ isInBooks, connectionMethod, method, connection }: queries.LostIssuanceRow) {
  const faults: string[] = []
  if (isInBooks) faults.push('is an attempt of the books')
  if (connectionMethod !== null && !isOfMethod(connectionMethod, method))
    faults.push(`is of ${method}, but connection ${connection} is of ${connectionMethod}`)
  return faults
}

/** One connection to a provider of cards has the local methods too. */
function isOfMethod(connectionMethod: string, method: string): boolean {
  return connectionMethod === method || connectionMethod === 'CREDIT_CARD'
}

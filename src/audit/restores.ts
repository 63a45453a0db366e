// Inspects what is recorded of restores, against the entries of the audit log, which the chain seals.
// Inspects what restored/begin.ts and issuance/record-lost.ts decide.
import { type Inspection, type Inspector, eachPage } from '#/db/inspection.ts'
import { digestOf } from '#/issuance/line.ts'
import * as queries from './restores-queries.ts'

/** Each epoch begins after the batch that it names, and its entry in the audit log says the same. */
export async function inspectEpochs({ sql, cell, inspected, fault }: Inspector): Promise<void> {
  const epochs = await queries.selectEpochs(sql)
  inspected('epochs', epochs.length)
  for (const [index, epoch] of epochs.entries()) {
    const row = `epoch ${epoch.number}`
    if (epoch.number !== index + 1) fault(row, `is number ${index + 1} of all`)
    for (const what of faultsOf(epoch)) fault(row, what)
  }
  const ofHead = await queries.selectEpochOfHead(sql, cell)
  if (ofHead !== undefined && ofHead !== epochs.length)
    fault(`head ${cell}`, `says epoch ${ofHead}, and there are ${epochs.length}`)
  for (const { merchantId, epoch } of await queries.selectStrayGaps(sql))
    fault(`gap of epoch ${epoch} in the events of merchant ${merchantId}`, 'is not as long as its epoch says')
}

function faultsOf(epoch: queries.EpochRow): readonly string[] {
  const { lastBatch, lastHash, lastAt, batchHash, batchAt, firstAt, logged } = epoch
  const faults: string[] = []
  // Before the first batch there is nothing to name.
  if (lastBatch > 0n && (batchHash === null || !batchHash.equals(lastHash)))
    faults.push(`names another hash than that of batch ${lastBatch}`)
  if (lastBatch > 0n && batchAt?.getTime() !== lastAt.getTime())
    faults.push(`names another instant than that of batch ${lastBatch}`)
  if (firstAt?.getTime() !== epoch.at.getTime())
    faults.push(`has another instant than batch ${lastBatch + 1n}, which began it`)
  const facts = {
    id: epoch.id,
    lastBatch: String(lastBatch),
    lastHash: lastHash.toString('hex'),
    lastAt: lastAt.toISOString(),
    eventJump: String(epoch.eventJump),
  }
  if (logged === null) faults.push('is in no entry of the audit log')
  else if (Object.entries(facts).some(([name, value]) => logged[name] !== value))
    faults.push('is not as its entry of the audit log says')
  return faults
}

/** The lost attempts that were recorded from issuance logs: each page of them is as the audit log says, and none is in the books. */
export const issuanceInspection: Inspection = { name: 'lost issuances', inspect: inspectLost }

const pageRows = 200

async function inspectLost({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.PageRow>(
    (last) => queries.selectLoggedPages(sql, last?.pageId, pageRows),
    async (pages) => {
      for (const { pageId, logged } of pages) {
        const rows = await queries.selectLostOfPage(sql, pageId)
        inspected('lost attempts', rows.length)
        if (logged['attempts'] !== rows.length || logged['digest'] !== digestOf(rows))
          fault(`page ${pageId} of lost attempts`, 'is not as its entry of the audit log says')
        for (const row of rows)
          for (const what of faultsOfLost(row)) fault(`lost attempt ${row.attemptId}`, what)
      }
    },
  )
  for (const { row, what } of await queries.selectStrayLost(sql)) fault(row, what)
}

function faultsOfLost({ isInBooks, connectionMethod, method, connection }: queries.LostIssuanceRow) {
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

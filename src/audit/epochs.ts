// Inspects the epochs: each begins after the batch that it names, and its entry in the audit log, which the chain seals, says
// the same.
// Inspects what restored/begin.ts decides.
import type { Inspector } from '#/db/inspection.ts'
import * as queries from './epochs-queries.ts'

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

// Inspects connections, and the evidence that came by them: the bytes behind a receipt must say what the receipt says. Only the rail that wrote them can read them.
import { type Inspection, type Inspector, eachPage } from '#/db/inspection.ts'
import type { Method } from '#/rails/method.ts'
import * as queries from './queries.ts'
import { receiptName } from './replay.ts'

const receiptsMax = 500

/** `faultOf`: what is wrong with a receipt of the method according to its evidence, as a sentence without its subject. */
export function evidenceInspection(
  name: string,
  method: Method,
  faultOf: (kept: queries.KeptReceipt) => string | undefined,
): Inspection {
  return {
    name,
    async inspect({ sql, inspected, fault }) {
      for (const connection of await queries.selectConnectionsOf(sql, method)) {
        await eachPage<queries.EvidenceRow>(
          (after) => queries.selectReceipts(sql, connection, after, receiptsMax),
          (page) => {
            const receipts = page.filter(isKept)
            inspected('receipts', receipts.length)
            for (const receipt of receipts) {
              const what = faultOf(receipt)
              if (what !== undefined) fault(receiptName(receipt), what)
            }
          },
        )
      }
    },
  }
}

/** What was erased is inspected by its digests (audit/erasures.ts). */
function isKept(receipt: queries.EvidenceRow): receipt is queries.KeptReceipt {
  return receipt.evidence !== null
}

export const connectionInspections: readonly Inspection[] = [
  { name: 'connections', inspect: inspectConnections },
]

const pageRows = 500

/**
 * Each connection has the mode of its merchant, and each reconciliation pass is of a connection that exists. The inspection of payments
 * checks that the connection of each attempt fits.
 */
async function inspectConnections({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.ConnectionRow>(
    (after) => queries.selectConnections(sql, after, pageRows),
    (connections) => {
      inspected('connections', connections.length)
      for (const { id, mode, merchantId, merchantMode } of connections) {
        if (merchantId !== null && merchantMode !== mode)
          fault(`connection ${id}`, `is ${mode}, but its merchant is ${merchantMode ?? 'not there'}`)
      }
    },
  )
  await eachPage<queries.PassRow>(
    (after) => queries.selectPasses(sql, after, pageRows),
    (passes) => {
      inspected('passes', passes.length)
      for (const { connection, pass, isConnected } of passes)
        if (!isConnected) fault(`pass ${pass} through ${connection}`, 'is at a connection that is not there')
    },
  )
}

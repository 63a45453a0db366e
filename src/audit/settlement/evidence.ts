// Inspects evidence: the bytes behind a receipt must say what the receipt says. Only the rail that wrote them can read them.
import { eachPage, type Inspection } from '#/db/inspection.ts'
import type { Method } from '#/rails/method.ts'
import { selectConnectionsOf, selectReceipts, type KeptReceipt, type ReceiptRow } from './evidence-queries.ts'
import { receiptName } from './family.ts'

const receiptsMax = 500

/** `faultOf`: what is wrong with a receipt of the method according to its evidence, as a sentence without its subject. */
export function evidenceInspection(
  name: string,
  method: Method,
  faultOf: (kept: KeptReceipt) => string | undefined,
): Inspection {
  return {
    name,
    async inspect({ sql, inspected, fault }) {
      for (const connection of await selectConnectionsOf(sql, method)) {
        await eachPage<ReceiptRow>(
          (after) => selectReceipts(sql, connection, after, receiptsMax),
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
function isKept(receipt: ReceiptRow): receipt is KeptReceipt {
  return receipt.evidence !== null
}

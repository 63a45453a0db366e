// Inspects evidence: the bytes behind a receipt must say what the receipt says. Only the rail that wrote them can read them.
import type { Method } from '#/rails/words.ts'
import { eachPage, type Inspection } from '#/db/inspection.ts'
import { receiptName } from './family.ts'
import { selectConnectionsOf, selectKept, type KeptReceipt } from './evidence-queries.ts'

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
        await eachPage<KeptReceipt>(
          (after) => selectKept(sql, connection, after, receiptsMax),
          (receipts) => {
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

// Inspects erasures. Each erased text has a row with the digest of the text before, the audit log has the act, and the present
// text is what the erasure left.
// A text that somebody else erased has no such row: then the chain, a fingerprint or the cause of a transfer does not match.
// Inspects what erasure/erase.ts erases.
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import { eraseAction, erasureDigest, type ErasedPlace } from '#/erasure/redact.ts'
import * as queries from './erasures-queries.ts'

export const erasureInspection: Inspection = {
  name: 'erasures',
  async inspect(inspector) {
    await inspectActs(inspector)
    await inspectTexts(inspector)
  },
}

/** An erasure has at most five hundred texts. */
const actsMax = 20
const textsMax = 500

const counted: Readonly<Record<ErasedPlace, string>> = {
  'event.body': 'erased bodies',
  'receipt.evidence': 'erased evidence',
  'payment.request': 'erased requests',
  'refund.request': 'erased requests of refunds',
}

/** Each act has its entry in the audit log, which a batch seals, and is of exactly these texts. */
async function inspectActs({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.ErasureRow>(
    (after) => queries.selectErasures(sql, after, { action: eraseAction, limit: actsMax }),
    async (acts) => {
      inspected('erasures', acts.length)
      const texts = await queries.selectTexts(
        sql,
        acts.map(({ id }) => id),
      )
      const textsOf = Map.groupBy(texts, ({ erasureId }) => erasureId)
      for (const act of acts) {
        const name = `erasure ${act.id}`
        const digest = erasureDigest(act.id, textsOf.get(act.id) ?? [])
        if (!digest.equals(act.digest))
          fault(name, 'is not of the texts that are written down as erased by it')
        if (act.loggedDigest === null) fault(name, 'has no entry in the audit log')
        else if (act.loggedDigest !== act.digest.toString('hex') || act.loggedBy !== act.erasedBy)
          fault(name, 'is another one than its entry in the audit log says')
      }
    },
  )
}

async function inspectTexts({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.ErasedRow>(
    (after) => queries.selectErased(sql, after, textsMax),
    (rows) => {
      for (const { merchantId, place, key, afterDigest, hasErasure, presentDigest } of rows) {
        inspected(counted[place], 1)
        const name = `erased ${place} ${key} of merchant ${merchantId}`
        if (!hasErasure) fault(name, 'was erased by no erasure of its merchant')
        if (presentDigest === null) fault(name, 'is not there any more')
        else if (!presentDigest.equals(afterDigest)) fault(name, 'is not what its erasure left')
      }
    },
  )
}

// Native coin that came to our wallets, as the ledger books it.
import type { CoinFactSource, CoinFact } from '#/coins/fact.ts'
import { must } from '#/kernel/check.ts'
import { insertFills, selectDueFills, type DueFill } from './gas-queries.ts'

/** A check of the chain finds the fills of gas wallets. A fill is first recorded when it is booked. */
export function gasFills(found: ReadonlyMap<string, DueFill>): CoinFactSource {
  return {
    due: () => Promise.resolve([...found.keys()].map((id) => [id])),
    async load(tx, ids) {
      const fresh = await selectDueFills(
        tx,
        ids.map((id) => must(found.get(id), 'a fill that was found')),
      )
      const facts = new Map(fresh.map((each) => [each.fill.id, fillFact(each)]))
      const accepted = new Set<string>()
      return {
        facts: [...facts.values()],
        consume(id) {
          if (accepted.has(id)) return undefined
          accepted.add(id)
          return facts.get(id)
        },
        save: (tx, at) => insertFills(tx, fresh, at),
      }
    },
  }
}

function fillFact({
  fill,
  gwei,
  mode,
  connection,
}: Awaited<ReturnType<typeof selectDueFills>>[number]): CoinFact {
  return {
    what: 'GAS_BOUGHT',
    id: fill.id,
    mode,
    connection,
    chain: fill.chain,
    wallet: fill.wallet,
    minor: gwei,
    evidence: fill.evidence,
  }
}

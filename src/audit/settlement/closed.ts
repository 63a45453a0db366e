// Inspects closed sub-accounts: nothing is available in a wallet of theirs, because all that comes goes on to the parent.
// Inspects what wallets/parent-debt.ts and wallets/passed-on.ts decide.
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import * as queries from './closed-queries.ts'

export const closedInspection: Inspection = { name: 'closed sub-accounts', inspect: inspectClosed }

const accountsMax = 200

async function inspectClosed({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.SubAccountRow>(
    (after) => queries.selectSubAccounts(sql, after, accountsMax),
    (accounts) => {
      const closed = accounts.flatMap(({ merchantId, freeMinor }) =>
        freeMinor === null ? [] : [{ merchantId, freeMinor }],
      )
      inspected('closed sub-accounts', closed.length)
      for (const { merchantId, freeMinor } of closed)
        if (freeMinor !== 0n)
          fault(`merchant ${merchantId}`, `is closed, but ${freeMinor} is available in its wallets`)
    },
  )
}

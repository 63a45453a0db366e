// What batches hold, as their hashes cover it.
import type { Sql } from '#/db/client.ts'
import * as queries from './ledger-queries.ts'

/** What these batches hold, from the first to the last. */
export async function contentOf(sql: Sql, first: queries.BatchRow, last: queries.BatchRow, limit: bigint) {
  const numbers = { from: first.number, to: last.number }
  const [accounts, transfers, events, seals] = await Promise.all([
    queries.selectBatchAccounts(sql, { from: first.accountFrom, to: last.accountTo }, limit),
    queries.selectBatchTransfers(sql, { from: first.transferFrom, to: last.transferTo }, limit),
    queries.selectBatchEvents(sql, numbers, limit),
    queries.selectBatchSeals(sql, numbers, limit),
  ])
  return { accounts, transfers, events, seals }
}

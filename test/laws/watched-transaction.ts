// Replaces src/db/transaction.ts when network-guard.ts was loaded: the same, and the guard is notified of each transaction.
import { createTransactions as createOriginal, type Transactions } from '#/db/transaction.ts'
import { inTransaction } from './network-guard.ts'

export { usualSpanMs } from '#/db/transaction.ts'

export function createTransactions(...args: Parameters<typeof createOriginal>): Transactions {
  const transactions = createOriginal(...args)
  return {
    begin: (options, work) => transactions.begin(options, (tx) => inTransaction(() => work(tx))),
    end: (options) => transactions.end(options),
  }
}

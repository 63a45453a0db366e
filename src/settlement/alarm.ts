// Logs what settlement could not book as reported, because a person has to check it.
import type { Log } from '#/kernel/log.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { SettleVerdict } from './settle.ts'

/** Logs every receipt that was not booked as it says; `verdicts` are in the order of the receipts. */
export function logPutAside(log: Log, receipts: readonly Receipt[], verdicts: SettleVerdict): void {
  for (const [index, { connection, providerRef, outcome, amount }] of receipts.entries()) {
    const verdict = verdicts[index]
    const named = { connection, providerRef, outcome, minor: String(amount.minor), currency: amount.currency }
    if (verdict === 'suspended') log.error(named, 'money that fits no payment of ours is in suspense')
    if (verdict === 'differs')
      log.error(
        named,
        'a provider reports another amount than the books have, or a refund that we had recorded as failed',
      )
    if (verdict === 'unbookable')
      log.error(
        named,
        'its amount is not valid, or an account that it moves is in another currency; nothing was booked',
      )
    if (verdict === 'superseded')
      log.warn(
        named,
        'a refusal came from a worker that does not hold the refund any more; nothing was booked',
      )
    if (verdict === 'undecided')
      log.warn(named, 'a refund was reported with two ends; nothing was booked until the provider says which')
    if (verdict === 'noted')
      log.error(named, 'the report of a provider contradicts the books; nothing was booked')
  }
}

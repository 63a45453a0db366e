// What settlement can only put aside is said aloud: a person has to look.
import type { Receipt } from '#/rails/words.ts'
import type { Log } from '#/kernel/log.ts'
import type { SettleVerdict } from './settle.ts'

/** Logs every receipt that did not become what it says; `verdicts` are theirs, in the same order. */
export function logPutAside(log: Log, receipts: readonly Receipt[], verdicts: SettleVerdict): void {
  for (const [index, { connection, providerRef, outcome, amount }] of receipts.entries()) {
    const verdict = verdicts[index]
    const named = { connection, providerRef, outcome, minor: String(amount.minor), currency: amount.currency }
    if (verdict === 'suspended') log.error(named, 'money that is for no payment of ours lies in suspense')
    if (verdict === 'differs')
      log.error(
        named,
        'a provider tells of another amount than we knew, or of money that we thought was kept',
      )
    if (verdict === 'unbookable')
      log.error(
        named,
        'its amount is none, or an account that it moves is in another currency; nothing was booked',
      )
    if (verdict === 'superseded')
      log.warn(
        named,
        'a refusal came from a worker that does not have the refund any more; nothing was booked',
      )
    if (verdict === 'noted')
      log.error(named, 'what a provider says does not fit what we know; nothing was booked')
  }
}

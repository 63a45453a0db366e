// Inspects refunds by bank transfer: each pays the amount of its refund, to the account that the request names or that the
// money came from, and the state of the refund follows from its payout.
// Inspects what rails/sepa/refund.ts decides.
import type { KeptReceipt } from '#/audit/settlement/evidence-queries.ts'
import { inSnapshot, type Inspection } from '#/db/inspection.ts'
import * as queries from './sepa-refunds-queries.ts'

export const refundsInFiles: Inspection = {
  name: 'refunds by bank transfer',
  async inspect({ sql, inspected, fault }) {
    let after = ''
    for (;;) {
      const { payouts, signaled } = await inSnapshot(sql, async (tx) => {
        const rows = await queries.selectRefundPayouts(tx, after, pageRows)
        const behind = rows.filter((each) => standingFault(each) !== undefined)
        const references = behind.map(({ reference }) => reference)
        const connections = [...new Set(behind.map(({ connection }) => connection))]
        const waiting =
          behind.length === 0 ? undefined : await queries.selectSignaled(tx, connections, references)
        return { payouts: rows, signaled: waiting }
      })
      after = payouts.at(-1)?.reference ?? after
      inspected('payouts', payouts.length)
      for (const payout of payouts) {
        const standing = signaled?.has(payout.reference) === true ? undefined : standingFault(payout)
        for (const what of [...faultsOf(payout), ...(standing === undefined ? [] : [standing])])
          fault(`payout ${payout.reference}`, what)
      }
      if (payouts.length < pageRows) return
    }
  },
}

const pageRows = 500

function faultsOf(payout: queries.RefundPayoutRow): readonly string[] {
  const { id, reference, iban, beneficiary, destination, requestedIban, senderIban } = payout
  if (payout.status === null) return ['is of no refund']
  const faults: string[] = []
  if (reference !== id.replaceAll('-', '')) faults.push('is not named after its refund')
  if (!payout.isOfRefund) faults.push('pays another amount, or from another account, than its refund')
  if (destination?.['iban'] !== iban || destination['beneficiary'] !== beneficiary)
    faults.push('goes to another account than its refund')
  if (normal(requestedIban ?? senderIban ?? '') !== iban)
    faults.push('goes to an account that neither the request names nor the money came from')
  return faults
}

/**
 * What is wrong when the refund does not show what the bank reported of its payout. The refund may still be behind while a
 * signal waits in the inbox.
 */
function standingFault({ status, state, returnedMinor }: queries.RefundPayoutRow): string | undefined {
  if (status === null) return undefined
  const isBack = returnedMinor > 0n
  if (status === 'COMPLETED' && state !== 'DONE')
    return 'is of a refund that is COMPLETED, but the bank did not report that it left'
  if (state !== 'DONE') return undefined
  if (isBack) return status === 'FAILED' ? undefined : `came back, but its refund is ${status}`
  return status === 'COMPLETED' ? undefined : `left, but its refund is ${status}`
}

function normal(iban: string): string {
  return iban.replaceAll(/\s/g, '').toUpperCase()
}

const outcomes: Readonly<Record<string, KeptReceipt['outcome']>> = {
  DONE: 'refunded',
  REFUSED: 'refund_failed',
  RETURNED: 'refund_failed',
}

/** What is wrong with the receipt of a refund's end according to its evidence. A person's decision is its own evidence. */
export function faultOfRefundEvidence(
  { outcome, providerRef, minor }: KeptReceipt,
  { reference, amountMinor, told: end }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (/^(?:ended|rejected)\//.test(providerRef)) return undefined
  if (typeof end !== 'string' || outcomes[end] !== outcome) return 'ended otherwise by its evidence'
  const name = `${String(reference)}${end === 'RETURNED' ? '/returned' : ''}`
  if (name !== providerRef) return 'is not what its evidence tells of'
  return minor === 0n || String(amountMinor) === String(minor)
    ? undefined
    : `counts ${minor}, but its evidence says ${String(amountMinor)}`
}

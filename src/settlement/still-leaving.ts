// The gate for payouts that waited in a queue of our own: for the hot wallet, or for a file of payments. They passed it when they were queued.
// Since then an account may have been stopped, a limit lowered, a second person required, or a destination taken off the list.
import type { Tx } from '#/db/client.ts'
import type { RefundId, WithdrawalId } from '#/kernel/id.ts'
import type { GateVerdict } from '#/money-out/gate.ts'
import type { StillLeaving } from '#/rails/payout-rail.ts'
import type { Rails } from '#/rails/rail.ts'
import { selectRefundsById } from '#/refunds/queries.ts'
import { allowedOf, leavingOf, loadRules } from '#/refunds/rules.ts'
import { loadAllowedNow } from '#/withdrawals/accept.ts'
import { selectWithdrawalsById } from '#/withdrawals/queries.ts'

/** Asks the gate about queued withdrawals and refunds. One that the books do not have may not leave. */
export function stillLeaving(rails: Rails): StillLeaving {
  return async (tx, payouts) => {
    if (payouts.length === 0) return new Set()
    return new Set([...(await withdrawalsOf(tx, payouts)), ...(await refundsOf(tx, rails, payouts))])
  }
}

async function withdrawalsOf(tx: Tx, payouts: readonly string[]): Promise<readonly string[]> {
  const withdrawals = await selectWithdrawalsById(tx, payouts as readonly WithdrawalId[])
  if (withdrawals.length === 0) return []
  const allowed = await loadAllowedNow(tx, withdrawals)
  return withdrawals.filter((each) => mayGo(allowed(each), each)).map(({ id }) => id)
}

async function refundsOf(tx: Tx, rails: Rails, payouts: readonly string[]): Promise<readonly string[]> {
  const refunds = await selectRefundsById(tx, payouts as readonly RefundId[])
  const all = refunds.flatMap((refund) => {
    const leaving = leavingOf(refund)
    return leaving === undefined ? [] : [{ refund, leaving }]
  })
  if (all.length === 0) return []
  const rules = await loadRules(
    tx,
    rails,
    all.map(({ leaving }) => leaving),
    [],
  )
  return all
    .filter(({ refund, leaving }) => mayGo(allowedOf(rules, leaving), refund))
    .map(({ refund }) => refund.id)
}

/** As when it was to be sent: a limit that asks for a second person since then holds back what nobody has approved. */
function mayGo(verdict: GateVerdict, { decidedBy }: { readonly decidedBy?: unknown }): boolean {
  return verdict.ok && (!verdict.needsApproval || decidedBy !== undefined)
}

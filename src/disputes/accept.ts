// A merchant accepts a dispute. Nothing is stored before the call to the provider: accepting twice has the effect of accepting
// once, and the provider reports the end in any case.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError, messageOf, ProviderError } from '#/kernel/error.ts'
import type { DisputeId, MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs } from '#/kernel/time.ts'
import { moneyIsFrozen } from '#/merchants/freeze.ts'
import { isStoppedNow } from '#/money-out/gate.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { Dispute } from './dispute.ts'
import { listDisputes, selectDisputedAttempt } from './queries.ts'

export type AcceptDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly log: Log
  /** Settles what a provider answered. */
  readonly settle: (receipts: readonly Receipt[]) => Promise<unknown>
  /** Called after all our own checks and before the call to the provider: writes down who accepts. */
  readonly beforeAsking?: () => Promise<void>
}

/**
 * Accepts an OPEN chargeback and returns it in its new state, LOST. A dispute that is LOST already is returned as it is.
 * Errors:
 * - 404
 * - 403 `frozen`
 * - 409 `invalid_state`: it was won, or its provider refuses
 * - 422 `method_not_available`: a MED, which only the banks decide; money that came for no payment; or a provider where
 *   disputes cannot be accepted
 * - 503 `provider_unavailable`: the same call can be repeated
 */
export async function acceptDispute(
  deps: AcceptDeps,
  merchantId: MerchantId,
  id: DisputeId,
): Promise<Dispute> {
  const dispute = await find(deps, merchantId, id)
  if (dispute.kind === 'MED')
    throw new AppError('method_not_available', 'A MED is decided by the banks: it cannot be accepted here.')
  if (dispute.status !== 'OPEN') return ended(dispute)
  if (dispute.paymentId === undefined)
    throw new AppError(
      'method_not_available',
      'This dispute is about money that came for no payment: it can be accepted only at the provider.',
    )
  const { method, ...attempt } = must(
    await selectDisputedAttempt(deps.sql, dispute, dispute.paymentId),
    'a dispute has a receipt of its attempt',
  )
  const accept = deps.rails.get(method)?.disputes?.accept
  if (accept === undefined)
    throw new AppError('method_not_available', `A dispute of ${method} cannot be accepted here.`)
  // Refused while money is frozen, because accepting gives the money to the payer for good, and the merchant's key is enough for it.
  if (await isStoppedNow(deps.sql, { way: 'DISPUTE', merchantId, rail: method })) throw moneyIsFrozen()
  const { connection, providerRef } = dispute
  await deps.beforeAsking?.()
  await ask(deps, dispute, () => accept({ connection, providerRef, attempt }))
  const now = await find(deps, merchantId, id)
  // OPEN: the provider has accepted the request and is not done.
  return now.status === 'OPEN' ? now : ended(now)
}

async function ask(
  { log, settle }: AcceptDeps,
  { id, paymentId }: Dispute,
  accept: () => Promise<readonly Receipt[]>,
): Promise<void> {
  try {
    await settle(await accept())
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ dispute: id, outcome: error.outcome, error: messageOf(error) }, 'a dispute was not accepted')
    const extra = { disputeId: id, paymentId }
    if (error.outcome === 'refused') {
      const detail = 'The provider refuses: it may be too late, or the dispute was accepted before.'
      throw new AppError('invalid_state', detail, { cause: error, extra })
    }
    const detail = 'The provider does not answer. The same call is safe to repeat.'
    throw new AppError('provider_unavailable', detail, { cause: error, extra, retryAfterMs: 2 * secondMs })
  }
}

async function find({ sql }: AcceptDeps, merchantId: MerchantId, id: DisputeId): Promise<Dispute> {
  const [found] = await listDisputes(sql, merchantId, { id, limit: 1 })
  if (found === undefined) throw new AppError('not_found', 'There is no such dispute.')
  return found
}

function ended(dispute: Dispute): Dispute {
  if (dispute.status === 'LOST') return dispute
  throw new AppError('invalid_state', 'The dispute was won: there is nothing to accept.', {
    extra: { disputeStatus: dispute.status },
  })
}

// A merchant gives in to a dispute. Nothing is to be kept of that before the provider is asked: asking twice is giving in
// once, and how it ended is told by the provider in any case.
import type { Receipt } from '#/rails/words.ts'
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError, messageOf, ProviderError } from '#/kernel/error.ts'
import type { DisputeId, MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs } from '#/kernel/time.ts'
import { moneyIsFrozen } from '#/merchants/freeze.ts'
import { isFrozenNow } from '#/merchants/freeze-queries.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Dispute } from './dispute.ts'
import { listDisputes, selectDisputedAttempt } from './queries.ts'

export type AcceptDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly log: Log
  /** Settles what a provider said. */
  readonly settle: (receipts: readonly Receipt[]) => Promise<unknown>
}

/**
 * Gives in to an open chargeback and answers it as it is then, LOST; one that is lost already is answered as it is. 404; 403
 * `frozen`; 409 `invalid_state` when it was won or its provider refuses; 422 `method_not_available` for a MED, which banks decide
 * among themselves, for money that came for no payment, and where the provider takes no such word; 503 `provider_unavailable`:
 * the same call may be repeated.
 */
export async function acceptDispute(
  deps: AcceptDeps,
  merchantId: MerchantId,
  id: DisputeId,
): Promise<Dispute> {
  const dispute = await find(deps, merchantId, id)
  if (dispute.kind === 'MED')
    throw new AppError(
      'method_not_available',
      'A MED is decided by the banks: nobody can give in to it here.',
    )
  if (dispute.status !== 'OPEN') return ended(dispute)
  if (dispute.paymentId === undefined)
    throw new AppError(
      'method_not_available',
      'This dispute is about money that came for no payment: it is given in to at the provider.',
    )
  const { method, ...attempt } = must(
    await selectDisputedAttempt(deps.sql, dispute, dispute.paymentId),
    'a dispute is known by a receipt of its attempt',
  )
  const accept = deps.rails.get(method)?.disputes?.accept
  if (accept === undefined)
    throw new AppError('method_not_available', `A dispute of ${method} cannot be accepted here.`)
  // Giving in gives the payer the money for good, at the word of whoever has the merchant's key.
  if (await isFrozenNow(deps.sql, { merchantId, rail: method })) throw moneyIsFrozen()
  const { connection, providerRef } = dispute
  await ask(deps, dispute, () => accept({ connection, providerRef, attempt }))
  const now = await find(deps, merchantId, id)
  // Its provider has taken the word and is not done with it.
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
      const detail = 'The provider does not take this word: it may be too late, or given before.'
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
  throw new AppError('invalid_state', 'The dispute was won: there is nothing to give in to.', {
    extra: { disputeStatus: dispute.status },
  })
}

// The operator moves on to the parent what a CLOSED sub-account still has: money that came before what comes for a closed one went on by itself
// (decision 165). `verify` names such accounts.
import type { Sql } from '#/db/client.ts'
import { AppError, noSuch } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { OwnTransfer } from '#/wallets/own-transfer.ts'
import { passOnKeptKind, type KeptVerdict } from '#/wallets/pass-on-kept.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { Operator } from './deps.ts'
import { requireAlone } from './interest.ts'

export type PassedOnKept = {
  /** As the parent has them. */
  readonly transfers: readonly OwnTransfer[]
  /** Currencies in which it still has money, because its parent has no wallet. */
  readonly remaining: readonly Currency[]
}

/**
 * Moves all that is available in its wallets to its parent's default wallets. Errors: 403 for a member of it or its parent; 404 when the
 * merchant is no sub-account; 409 when it is not closed, has nothing, is frozen, owes something, or its parent has no wallet: then nothing
 * moves.
 */
export async function passOnKept(
  { sql, lane }: { readonly sql: Sql; readonly lane: LedgerLane<EventDraft> },
  operator: Operator,
  id: MerchantId,
  reason: string,
): Promise<PassedOnKept> {
  await requireAlone(sql, operator, [id])
  const beside = { beside: writing(operator, id, reason) }
  const verdict = await lane.submit(passOnKeptKind, { merchantId: id }, beside)
  if (verdict.kind === 'passed_on') return verdict
  throw refusalOf(verdict)
}

/** One entry for each transfer: `verify` asks who moved it. */
function writing({ by }: Operator, merchantId: MerchantId, reason: string) {
  return async (tx: Parameters<typeof writeAudit>[0], verdict: KeptVerdict): Promise<void> => {
    const transfers = verdict.kind === 'passed_on' ? verdict.transfers : []
    await writeAudit(
      tx,
      transfers.map(({ id, currency, fromWalletId, request: { amount } }) => ({
        ...by,
        action: 'sub-account.pass-on',
        subject: `transfer:${id}`,
        merchantId,
        reason,
        after: { amount, currency, fromWalletId },
      })),
    )
  }
}

function refusalOf(verdict: Exclude<KeptVerdict, { readonly kind: 'passed_on' }>): AppError {
  switch (verdict.kind) {
    case 'not_found':
      return noSuch('sub-account')
    case 'not_closed':
      return new AppError(
        'invalid_state',
        `It is ${verdict.state}: only what a CLOSED sub-account has goes on to its parent.`,
      )
    case 'nothing':
      return new AppError('invalid_state', 'It has no money that is available.')
    case 'frozen':
      return new AppError('invalid_state', 'Money of it, or of its parent, is frozen.')
    case 'no_wallet':
      return new AppError(
        'invalid_state',
        `Its parent has no wallet in ${verdict.currencies.join(', ')}: make one first.`,
      )
    case 'in_debt':
      return new AppError(
        'invalid_state',
        `It owes something in ${verdict.currencies.join(', ')} beside money that is available: the books are wrong, see ./vintem verify.`,
      )
  }
}

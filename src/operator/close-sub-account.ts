// The operator closes a sub-account that its parent cannot close, because whoever gave a grant has gone: only the sub-account ends its
// grants. The operator ends those, and nothing else: what is open beside them keeps it open for the operator too.
import type { Sql } from '#/db/client.ts'
import { AppError, noSuch } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import { selectStillOpen, selectAnySubAccount } from '#/merchants/sub-account-queries.ts'
import { whyOpen, type SubAccount } from '#/merchants/sub-account.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { revokeGrantKind } from '#/wallets/give-grant.ts'
import type { TransferGrantId } from '#/wallets/transfer-grant.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { Operator } from './deps.ts'
import { requireAlone } from './interest.ts'

/**
 * Revokes the grants in force and closes it. Errors: 404 when the merchant is no sub-account; 409 when it is closed, or when anything but
 * grants is open: then nothing is revoked.
 */
export async function closeSubAccount(
  { sql, lane }: { readonly sql: Sql; readonly lane: LedgerLane<EventDraft> },
  operator: Operator,
  id: MerchantId,
  reason: string,
): Promise<SubAccount> {
  const { by } = operator
  await requireAlone(sql, operator, [id])
  const account = await selectAnySubAccount(sql, id)
  if (account === undefined) throw noSuch('sub-account')
  if (account.state === 'CLOSED') throw new AppError('invalid_state', 'It is closed already.')
  for (;;) {
    const open = await sql.begin((tx) => selectStillOpen(tx, id))
    const refusal = whyOpen(open.filter(({ what }) => what !== 'transfer_grant'))
    if (refusal !== undefined) throw refusal
    const grants = open.flatMap(({ ids }) => ids)
    if (grants.length === 0) break
    for (const grant of grants as TransferGrantId[])
      await lane.submit(
        revokeGrantKind,
        { merchantId: id, mode: account.mode, id: grant, keyId: undefined },
        {
          beside: (tx) =>
            writeAudit(tx, [
              {
                ...by,
                action: 'transfer-grant.revoke',
                subject: `transfer_grant:${grant}`,
                merchantId: id,
                reason,
              },
            ]),
        },
      )
  }
  return changeSubAccount(sql, { id }, { state: 'CLOSED' }, { ...by, reason })
}

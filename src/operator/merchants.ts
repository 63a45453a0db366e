// Merchants, as the operator makes and changes them.
import type { Sql } from '#/db/client.ts'
import { AppError, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import {
  createMerchant,
  rotateWebhookSecret,
  type MerchantDeps,
  type OpenWallets,
} from '#/merchants/merchant.ts'
import { selectMerchant, type MerchantRow } from '#/merchants/queries.ts'
import type { SubAccount } from '#/merchants/sub-account.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import type { Approvals } from '#/money-out/limits.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { requireOwnKeys, type Operator, type OwnKeys } from './deps.ts'
import { requireDirectory, type DirectoryUse } from './directory.ts'
import { requireAlone } from './interest.ts'
import { chooseApprovals } from './limits.ts'

/** The longest name of a merchant. */
const merchantNameMax = 200

type NewMerchantDeps = MerchantDeps & OwnKeys & DirectoryUse & { readonly openWallets: OpenWallets }

/**
 * Creates a merchant with its wallets. Its webhook secret can be read again; it is returned to be shown. `id`: as `createMerchant` has it.
 */
export async function addMerchant(
  deps: NewMerchantDeps,
  { by }: Operator,
  request: {
    readonly mode: Mode
    readonly name: string
    readonly reason?: string
    readonly id?: MerchantId
    /** Who pays out of it. Without a choice the suggested amounts are in force. */
    readonly approvals?: Approvals
  },
): Promise<{ readonly merchant: MerchantRow; readonly webhookSecret: Buffer }> {
  const { mode, reason, id, approvals = [] } = request
  const name = request.name.trim()
  if (name === '' || name.length > merchantNameMax)
    throw new AppError('invalid_request', `A merchant's name has 1 to ${merchantNameMax} characters.`)
  requireOwnKeys(deps, mode)
  await requireDirectory(deps, mode)
  // Audited where its wallets are created: in the transaction that creates the merchant.
  const openWallets: OpenWallets = async (tx, merchantId, at) => {
    await deps.openWallets(tx, merchantId, at)
    const entry = { ...by, action: 'merchant.create', subject: `merchant:${merchantId}`, merchantId }
    await writeAudit(tx, [{ ...entry, after: { mode, name }, ...given({ reason }) }])
    await chooseApprovals(tx, { by }, merchantId, approvals)
  }
  return createMerchant({ ...deps, openWallets }, { mode, name, ...given({ id }) })
}

/** The merchant. 404 when there is none. */
export async function requireMerchant(sql: Sql, id: MerchantId): Promise<MerchantRow> {
  const merchant = await selectMerchant(sql, id)
  return existing(merchant, 'merchant')
}

/** A new webhook secret; the present one signs beside it for 24 hours. */
export async function rotateSecret(
  deps: Pick<MerchantDeps, 'sql' | 'sealKey'> & OwnKeys,
  { by }: Operator,
  merchantId: MerchantId,
): Promise<Buffer> {
  const { mode } = await requireMerchant(deps.sql, merchantId)
  requireOwnKeys(deps, mode)
  return deps.sql.begin(async (tx): Promise<Buffer> => {
    const secret = await rotateWebhookSecret({ ...deps, sql: tx }, merchantId)
    const subject = `merchant:${merchantId}`
    await writeAudit(tx, [{ ...by, action: 'merchant.rotate-webhook-secret', subject, merchantId }])
    return secret
  })
}

/** Lets a sub-account withdraw: PENDING or SUSPENDED becomes ACTIVE. 404 when the merchant is no sub-account, 409 when it is closed. */
export async function activateSubAccount(
  sql: Sql,
  operator: Operator,
  id: MerchantId,
  reason: string,
): Promise<SubAccount> {
  const { by } = operator
  await requireAlone(sql, operator, [id])
  return changeSubAccount(sql, { id }, { state: 'ACTIVE' }, { ...by, reason })
}

// Sub-accounts, which the operator activates and closes, and what the operator agrees with a merchant.
import type { MerchantId } from '#/kernel/id.ts'
import { closeSubAccount } from '../close-sub-account.ts'
import { activateSubAccount, requireMerchant } from '../merchants.ts'
import { act, approving, idOf, why } from './act.ts'

export const merchantId = idOf('merchant', undefined, { value: 'merchant-id' })
export const see = 'See ./vintem merchant list.'
const args = { id: merchantId, reason: why('Why; required, kept in the audit log') }

/** The merchant of a sub-account, with the account's state. */
export type SubAccountNow = Awaited<ReturnType<typeof requireMerchant>> & { readonly state: string }

export const activateAccount = act({
  commands: { 'merchant activate': { sayWhy: 'Say what was checked.' } },
  console: approving('POST /operator/merchants/{id}/activate', 'activateSubAccount'),
  summary: 'Lets a sub-account withdraw: until then it only receives',
  needs: 'keys',
  args,
  see,
  async carryOut({ sql }, operator, { id, reason }): Promise<SubAccountNow> {
    const { state } = await activateSubAccount(sql, operator, id as MerchantId, reason)
    return { ...(await requireMerchant(sql, id as MerchantId)), state }
  },
})

export const closeAccount = act({
  commands: { 'merchant close': { sayWhy: 'Say why its parent cannot.' } },
  console: approving('POST /operator/merchants/{id}/close', 'closeSubAccount'),
  summary: 'Closes a sub-account of which nothing is open but transfer grants, and revokes those',
  needs: 'books',
  args,
  see,
  async carryOut(deps, operator, { id, reason }): Promise<SubAccountNow> {
    const { state } = await closeSubAccount(deps, operator, id as MerchantId, reason)
    return { ...(await requireMerchant(deps.sql, id as MerchantId)), state }
  },
})

// A sub-account is a merchant with a parent: depth one, in the same cell and mode. Its states are a table.
import { recordOf, type Of } from '#/contract/record.ts'
import type { subAccount, subAccountStates } from '#/contract/sub-accounts.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { StateTable } from '#/kernel/state.ts'

export type SubAccountState = (typeof subAccountStates)[number]

export type SubAccountEvent = 'activated' | 'suspended' | 'resumed' | 'closed'

/**
 * - PENDING: receives shares, and can withdraw nothing.
 * - ACTIVE: the operator has let it withdraw.
 * - SUSPENDED: it makes no payments, and no new payment may name it. Earlier ones are credited, and stay; refunds and disputes still take
 *   back.
 * - CLOSED: for good. It had no money and no debt, and nothing of it was open.
 *
 * What each may start and receive is in account-state.ts.
 */
export const subAccountTransitions: StateTable<SubAccountState, SubAccountEvent> = {
  PENDING: { activated: 'ACTIVE', suspended: 'SUSPENDED', closed: 'CLOSED' },
  ACTIVE: { suspended: 'SUSPENDED', closed: 'CLOSED' },
  SUSPENDED: { activated: 'ACTIVE', resumed: 'PENDING', closed: 'CLOSED' },
  CLOSED: {},
}

/** Who decides about the state: the parent by its key, or the operator. */
export type SubAccountDecider = 'PARENT' | 'OPERATOR'

export type SubAccount = {
  readonly id: MerchantId
  readonly parentId: MerchantId
  readonly mode: Mode
  readonly name: string
  readonly state: SubAccountState
  readonly taxId: string | null
  /** The parent's own name of it. */
  readonly reference: string | null
  readonly suspendedBy: SubAccountDecider | null
  readonly version: number
  readonly createdAt: Date
  /** When the operator let it withdraw, the last time. */
  readonly activatedAt: Date | null
}

/** The sub-account as the API shows it to its parent. */
export function subAccountRecord(account: SubAccount): Of<typeof subAccount> {
  return recordOf<typeof subAccount>({
    id: account.id,
    mode: account.mode,
    name: account.name,
    state: account.state,
    taxId: account.taxId,
    reference: account.reference,
    suspendedBy: account.suspendedBy,
    createdAt: account.createdAt.toISOString(),
    activatedAt: account.activatedAt?.toISOString(),
    version: account.version,
  })
}

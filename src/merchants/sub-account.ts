// A sub-account is a merchant with a parent: depth one, in the same cell and mode. Its states are a table.
import { recordOf, type Of } from '#/contract/record.ts'
import type { subAccount, subAccountStates } from '#/contract/sub-accounts.ts'
import { AppError } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { StateTable } from '#/kernel/state.ts'

export type SubAccountState = (typeof subAccountStates)[number]

type SubAccountEvent = 'activated' | 'suspended' | 'resumed' | 'closed'

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

// What keeps a sub-account open: it is closed only when nothing of it is under way, nothing can start by itself, and it has no money and no
// debt. Otherwise the money would come to an account that nobody can use.

/**
 * - `payment`: a payer can still pay it, or its money is not captured yet.
 * - `payment_link`, `payout_schedule`, `transfer_grant`: one that can still start something.
 * - `withdrawal`, `refund`, `dispute`: one that has not ended.
 * - `balance`: money of a wallet, `debt`: to the operator or to the parent. The ids are wallets, and currencies.
 * - `parent_wallet`: the parent has no wallet in a currency (the id) in which money may still come.
 */
export type OpenThing =
  | 'payment'
  | 'payment_link'
  | 'withdrawal'
  | 'refund'
  | 'dispute'
  | 'payout_schedule'
  | 'transfer_grant'
  | 'balance'
  | 'debt'
  | 'parent_wallet'

/** How many there are, counted up to `countedMax`, and the first few of them. */
export type StillOpen = { readonly what: OpenThing; readonly count: number; readonly ids: readonly string[] }

/** The most that are counted of each, and the most that are named. */
export const countedMax = 1_000
export const namedMax = 5

const words: Readonly<Record<OpenThing, string>> = {
  payment: 'payments are open',
  payment_link: 'payment links are not archived',
  withdrawal: 'withdrawals have not ended',
  refund: 'refunds have not ended',
  dispute: 'disputes are open',
  payout_schedule: 'payout schedules have not ended',
  transfer_grant: 'transfer grants are in force',
  balance: 'wallets have money',
  debt: 'debts are not repaid',
  parent_wallet: 'currencies in which its parent has no wallet',
}

/** The refusal to close it, which names all that is still open. Undefined: nothing is. */
export function whyOpen(open: readonly StillOpen[]): AppError | undefined {
  if (open.length === 0) return undefined
  const named = open.map(
    ({ what, count }) => `${words[what]}: ${count === countedMax ? `at least ${count}` : count}`,
  )
  return new AppError('invalid_state', `It is closed when nothing of it is open. ${named.join('; ')}.`, {
    faults: open.map(({ what, count }) => ({
      pointer: '/state',
      code: `open_${what}`,
      message: `cannot be CLOSED: ${words[what]} (${count})`,
    })),
    extra: { open },
  })
}

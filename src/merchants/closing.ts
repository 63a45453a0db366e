// What keeps a sub-account open: it is closed only when nothing of it is under way, nothing can start by itself, and it has no money and no
// debt. Otherwise the money would come to an account that nobody can use.
import { AppError } from '#/kernel/error.ts'

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

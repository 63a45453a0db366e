// What each state lets a sub-account start, where money goes that comes for it, and what it may end: one table, and the functions
// over it. Every door asks here: a key of its own, a key that the parent made, the parent's header, the dashboard, the page of a
// payment link, schedules, and settlement. Decision 165.
import { AppError } from '#/kernel/error.ts'
import type { SubAccountState } from './sub-account.ts'

/**
 * What a sub-account may start, or what may be started for it:
 * - `payment`: a payment, also by the page of a payment link. `paymentOpening`: what a payer or its merchant does with a payment that
 *   exists: choosing a method, a capture.
 * - `paymentLink`, `schedule`, `grant`, `key`: one that will start something later. `scheduleChange`: of one that exists.
 * - `withdrawal`, `transferOut`: money leaves it, or its parent takes money by a grant.
 * - `refund`: money goes back to the payer. `refundElsewhere`: a refund to a destination that the caller names.
 * - `transferIn`, `share`: its parent gives it money, or a new payment of its parent's names it.
 * - `ownTransfer`: between its own wallets.
 * - `dispute`: evidence, or the acceptance of a dispute that a payer's bank opened.
 * - `payer`: what only a payer does, or the sandbox in place of one: money is sent for a payment that exists.
 * - `ending`: what ends something: a cancellation, a rejection, a revocation, an archiving, a deletion.
 * - `setting`: everything else that changes something.
 */
export const accountActs = [
  'payment',
  'paymentOpening',
  'paymentLink',
  'withdrawal',
  'schedule',
  'scheduleChange',
  'refund',
  'refundElsewhere',
  'transferIn',
  'transferOut',
  'ownTransfer',
  'grant',
  'share',
  'key',
  'dispute',
  'payer',
  'ending',
  'setting',
] as const
export type AccountAct = (typeof accountActs)[number]

/** Whose money it becomes: the sub-account's own, or that of its parent's default wallet of the currency. */
type Receiver = 'OWN' | 'PARENT'

type Rules = {
  readonly starts: Readonly<Record<AccountAct, boolean>>
  /** Money of payments that exist, late money, money out of suspense, and whatever comes back. */
  readonly receives: Receiver
  /** Whether keys of its own, and those that its parent made for it, are valid. */
  readonly hasKeys: boolean
}

const active: Readonly<Record<AccountAct, boolean>> = {
  payment: true,
  paymentOpening: true,
  paymentLink: true,
  withdrawal: true,
  schedule: true,
  scheduleChange: true,
  refund: true,
  refundElsewhere: true,
  transferIn: true,
  transferOut: true,
  ownTransfer: true,
  grant: true,
  share: true,
  key: true,
  dispute: true,
  payer: true,
  ending: true,
  setting: true,
}

/** Money leaves a sub-account only while the operator lets it. */
const notOut = { withdrawal: false, transferOut: false, refundElsewhere: false } as const

/** The table. `satisfies` makes a new state or a new act without an entry a compile error. */
export const accountRules = {
  PENDING: { starts: { ...active, ...notOut }, receives: 'OWN', hasKeys: true },
  ACTIVE: { starts: active, receives: 'OWN', hasKeys: true },
  // It starts nothing that brings or takes money. What was started before goes on: payments are credited, refunds give back.
  SUSPENDED: {
    starts: {
      ...active,
      ...notOut,
      payment: false,
      paymentLink: false,
      schedule: false,
      transferIn: false,
      grant: false,
      share: false,
    },
    receives: 'OWN',
    hasKeys: true,
  },
  // Nothing is open when it is closed. A dispute may still be opened by a payer's bank, and then somebody has to answer it.
  CLOSED: {
    starts: {
      payment: false,
      paymentOpening: false,
      paymentLink: false,
      withdrawal: false,
      schedule: false,
      scheduleChange: false,
      refund: false,
      refundElsewhere: false,
      transferIn: false,
      transferOut: false,
      ownTransfer: false,
      grant: false,
      share: false,
      key: false,
      dispute: true,
      payer: true,
      ending: true,
      setting: false,
    },
    receives: 'PARENT',
    hasKeys: false,
  },
} as const satisfies Readonly<Record<SubAccountState, Rules>>

/** Whether a sub-account in this state may start it. Undefined is the state of a merchant without a parent, which may everything. */
export function mayStart(state: SubAccountState | undefined, act: AccountAct): boolean {
  return state === undefined || accountRules[state].starts[act]
}

/** Whose wallet is credited with money that comes for a sub-account in this state. */
export function receiverIn(state: SubAccountState): Receiver {
  return accountRules[state].receives
}

/** The states in which it may not be started, for a query that refuses it. */
export function statesWithout(act: AccountAct): readonly SubAccountState[] {
  return statesWhere((rules) => !rules.starts[act])
}

/** The states in which keys of the sub-account's are not valid, for the query that looks keys up. */
export const statesWithoutKeys = statesWhere((rules) => !rules.hasKeys)

/** The states in which money that comes is the parent's, for the query that looks for them. */
export const statesOfParents = statesWhere((rules) => rules.receives === 'PARENT')

function statesWhere(isSo: (rules: Rules) => boolean): readonly SubAccountState[] {
  const states = Object.keys(accountRules) as SubAccountState[]
  return states.filter((state) => isSo(accountRules[state]))
}

// The refusal of what a sub-account may not start in its state, the same at every door.

/** Throws 409 when a sub-account in this state may not start it. A merchant without a parent has no state and is never refused. */
export function requireStart(state: SubAccountState | undefined, act: AccountAct): void {
  if (!mayStart(state, act)) throw notInState(state)
}

/** The refusal. */
export function notInState(state: SubAccountState | undefined): AppError {
  return new AppError('invalid_state', `The sub-account is ${state}.`, { extra: { state } })
}

// Every way by which money leaves a merchant or the operator, and what each rule does there. gate.ts decides by this table, and
// test/laws/ways-out.test.ts tries every cell from outside. A way that is not here has no gate: the test finds it and fails.
import type { AccountAct } from '#/merchants/account-state.ts'

/**
 * - `freeze`: money of this merchant, by this rail, or all money is frozen.
 * - `account`: the sub-account's state does not let this be started (merchants/account-state.ts, by the act of `actOf`), it owes its parent,
 *   or its parent's key asks while the parent is frozen.
 * - `restore`: a restore is being repaired, and nobody has confirmed yet what left.
 * - `limits`: the most for one and for a day, of the merchant and of its parent.
 * - `approval`: the amount above which a second person is needed, of the merchant and of its parent.
 * - `list`: the place is not on the merchant's list of destinations.
 * - `ours`: the place is one of ours.
 * - `asker`: the parent asks, by the header or by a key that it made, for a place that is neither listed nor the payer's.
 * - `decider`: who asked would decide, who takes gave the grant, or the parent would decide about its sub-account's money.
 * - `bounds`: the rail cannot carry the amount.
 */
export const rules = [
  'freeze',
  'account',
  'restore',
  'limits',
  'approval',
  'list',
  'ours',
  'asker',
  'decider',
  'bounds',
] as const
export type Rule = (typeof rules)[number]

/** What a rule does to a way. */
export type Cell = 'refused' | 'waits' | { readonly because: string }

const notNamed = { because: 'nobody names a place: it goes back to where it came from' }
const noFile = { because: 'its provider bounds it by what came' }
const stays = { because: 'it stays with its merchant' }
const inTheBooks = { because: 'it moves between two wallets here, by no rail' }
const ownPerson = { because: 'nobody has to decide about it after it was requested' }
const noMoney = { because: 'a grant moves nothing: each transfer that uses it is asked' }
const wentBefore = { because: 'the money left before: two people record whose it was' }
const operators = { because: 'it is the operator’s own, and it goes to the operator’s own address' }

const payout = {
  freeze: 'refused',
  account: 'refused',
  restore: 'refused',
  limits: 'refused',
  approval: 'waits',
  list: 'refused',
  ours: 'refused',
  asker: 'refused',
  decider: 'refused',
  bounds: 'refused',
} as const

/** The table. */
export const ways = {
  /** One withdrawal, by a key, by the parent's header or in the dashboard. */
  WITHDRAWAL: payout,
  /** Many as one, also of a CSV file. */
  BATCH: payout,
  /** By itself, to a listed destination. What the limits allow of it is paid, and the rest stays. */
  SCHEDULE: {
    ...payout,
    asker: { because: 'it goes to listed destinations alone, whoever made it' },
    bounds: { because: 'it pays what the rail can carry of what there is, and the rest stays' },
  },
  /** A refund that we send, to an address or account. */
  REFUND_SENT: { ...payout, list: 'waits' },
  /** A refund that its provider gives back to the payer. */
  REFUND_BACK: {
    freeze: 'refused',
    account: { because: 'it gives money back to a payer, who has no part in what the account may do' },
    restore: 'refused',
    limits: { because: 'it goes to who paid it, and is bounded by the payment' },
    approval: { because: 'it goes to who paid it' },
    list: notNamed,
    ours: notNamed,
    asker: notNamed,
    decider: ownPerson,
    bounds: noFile,
  },
  /** A dispute that its merchant accepts. */
  DISPUTE: {
    freeze: 'refused',
    account: { because: 'it gives money back to a payer, who has no part in what the account may do' },
    restore: 'refused',
    limits: { because: 'it goes to who paid it, and is bounded by the payment' },
    approval: { because: 'it goes to who paid it' },
    list: notNamed,
    ours: notNamed,
    asker: notNamed,
    decider: ownPerson,
    bounds: noFile,
  },
  /** The platform takes from its sub-account. */
  TAKEN: {
    freeze: 'refused',
    account: 'refused',
    restore: 'refused',
    limits: { because: 'the grant is its limit, and the platform’s limits count when it pays out' },
    approval: { because: 'the sub-account agreed by its grant' },
    list: inTheBooks,
    ours: inTheBooks,
    asker: 'refused',
    decider: 'refused',
    bounds: inTheBooks,
  },
  /** The platform gives to its sub-account. */
  GIVEN: {
    freeze: 'refused',
    account: 'refused',
    restore: 'refused',
    limits: { because: 'both limits count when the sub-account pays out' },
    approval: inTheBooks,
    list: inTheBooks,
    ours: inTheBooks,
    asker: { because: 'the platform gives what is its own' },
    decider: ownPerson,
    bounds: inTheBooks,
  },
  /** Between two wallets of one merchant. */
  MOVED: {
    freeze: stays,
    account: stays,
    restore: stays,
    limits: stays,
    approval: stays,
    list: stays,
    ours: stays,
    asker: stays,
    decider: stays,
    bounds: stays,
  },
  /** A sub-account agrees that its platform takes. */
  GRANT: {
    freeze: noMoney,
    account: 'refused',
    restore: noMoney,
    limits: noMoney,
    approval: noMoney,
    list: noMoney,
    ours: noMoney,
    asker: 'refused',
    decider: ownPerson,
    bounds: noMoney,
  },
  /** Money in suspense that the operator gave back at its provider. */
  SUSPENSE: {
    freeze: wentBefore,
    account: { because: 'it is no merchant’s' },
    restore: wentBefore,
    limits: { because: 'it is no merchant’s' },
    approval: 'waits',
    list: wentBefore,
    ours: wentBefore,
    asker: { because: 'only people of the operator ask' },
    decider: 'refused',
    bounds: wentBefore,
  },
  /** Money that left without a record, and that a merchant has to bear. */
  UNRECORDED: {
    freeze: wentBefore,
    account: wentBefore,
    restore: wentBefore,
    limits: wentBefore,
    approval: 'waits',
    list: wentBefore,
    ours: wentBefore,
    asker: { because: 'only people of the operator ask' },
    decider: 'refused',
    bounds: wentBefore,
  },
  /** What lies at an address of ours and is no payment, to the treasury. */
  RESCUE: {
    freeze: operators,
    account: operators,
    restore: operators,
    limits: operators,
    approval: operators,
    list: operators,
    ours: operators,
    asker: operators,
    decider: operators,
    bounds: operators,
  },
  /** From the treasury to the hot wallet, and coins for gas. */
  REFILL: {
    freeze: operators,
    account: operators,
    restore: operators,
    limits: operators,
    approval: operators,
    list: operators,
    ours: operators,
    asker: operators,
    decider: operators,
    bounds: operators,
  },
} as const satisfies Record<string, Readonly<Record<Rule, Cell>>>

export type Way = keyof typeof ways

/**
 * What each way is in the table of what a sub-account may start. A way is refused by the state of an account exactly where that table
 * refuses the act to an account that is not closed: a closed one has nothing that could leave, and http/account-acts.ts refuses its calls.
 * Undefined: no account starts it.
 */
export const actOf = {
  WITHDRAWAL: 'withdrawal',
  BATCH: 'withdrawal',
  SCHEDULE: 'withdrawal',
  REFUND_SENT: 'refundElsewhere',
  REFUND_BACK: 'refund',
  DISPUTE: 'dispute',
  TAKEN: 'transferOut',
  GIVEN: 'transferIn',
  MOVED: 'ownTransfer',
  GRANT: 'grant',
  SUSPENSE: undefined,
  UNRECORDED: undefined,
  RESCUE: undefined,
  REFILL: undefined,
} as const satisfies Readonly<Record<Way, AccountAct | undefined>>

/** Whether the rule is asked when money leaves by this way. */
export function isAsked(way: Way, rule: Rule): boolean {
  return typeof ways[way][rule] === 'string'
}

// What a transfer of the books means for its merchant.
import { given } from '#/kernel/given.ts'
import type { Money } from '#/kernel/money.ts'
import type { TransferRow } from './queries.ts'
import { tell, type AccountRole, type CauseOf, type EntryLine, type Related, type Step } from './step.ts'

type LedgerCause = CauseOf<'LEDGER'>
type Direction = { readonly from: AccountRole; readonly to: AccountRole }

/** Every kind of transfer of a payment, refund, dispute or withdrawal. A test compares the list with the recipes of the books. */
export const ledgerCauses = {
  PENDING: ({ to }) => (to === 'PENDING' ? 'ANNOUNCED' : 'NO_LONGER_ANNOUNCED'),
  PAYMENT: ({ to }) => (to === 'PENDING' ? 'CREDITED_TO_PENDING' : 'CREDITED'),
  FEE: () => 'FEE_TAKEN',
  RECEIVABLE_REPAID: () => 'DEBT_REPAID',
  REFUND_REPAID: () => 'DEBT_REPAID',
  WITHDRAWAL_REPAID: () => 'DEBT_REPAID',
  REPAID: () => 'DEBT_REPAID',
  PARENT_REPAID: () => 'PARENT_DEBT_REPAID',
  OWED: () => 'DEBT_MADE',
  RELEASE: () => 'RELEASED',
  REFUND: () => 'HELD_FOR_REFUND',
  REFUND_RETURNED: () => 'REFUND_MONEY_BACK',
  DISPUTE: () => 'HELD_FOR_DISPUTE',
  DISPUTE_FEE: () => 'DISPUTE_FEE_TAKEN',
  DISPUTE_WON: () => 'DISPUTED_MONEY_FREED',
  BACK: () => 'DISPUTED_MONEY_CAME_BACK',
  LEFT: ({ to }) => (to === 'FEES' ? 'FEE_TAKEN' : 'HELD_MONEY_LEFT'),
  WITHDRAWAL: ({ to }) => (to === 'HELD' ? 'HELD_FOR_WITHDRAWAL' : 'WITHDRAWAL_DEBITED'),
  WITHDRAWAL_FEE: ({ to }) => (to === 'HELD' ? 'FEE_HELD' : to === 'FEES' ? 'FEE_TAKEN' : 'FEE_BACK'),
  WITHDRAWAL_RETURNED: () => 'WITHDRAWAL_MONEY_BACK',
} as const satisfies Readonly<Record<string, (direction: Direction) => LedgerCause>>

/** The step of a transfer, with both of its entries. */
export function ledgerStep(row: TransferRow, related: Related): Step {
  const { kind, minor, currency, at } = row
  // What reached the parent is in a wallet of another merchant.
  const credit = kind === 'PARENT_REPAID' ? 'parent' : row.credit
  const [from, to] = [roleOf(row.debit), roleOf(credit)]
  const amount: Money = { minor, currency }
  const entries: readonly EntryLine[] = [
    { ...placeOf(row.debit), minor: row.debitSide === 'DEBIT' ? minor : -minor },
    { ...placeOf(credit), minor: row.creditSide === 'CREDIT' ? minor : -minor },
  ]
  return { at, ...tell('LEDGER', causeOf(kind, { from, to }), { amount, from, to, entries, ...related }) }
}

function causeOf(kind: string, direction: Direction): LedgerCause {
  return isKnown(kind) ? ledgerCauses[kind](direction) : 'MOVED'
}

function isKnown(kind: string): kind is keyof typeof ledgerCauses {
  return Object.hasOwn(ledgerCauses, kind)
}

function placeOf(name: string): Omit<EntryLine, 'minor'> {
  const walletId = /^wallet:([^:]+):/.exec(name)?.[1]
  return { account: roleOf(name), ...given({ walletId }) }
}

/** By the name that the chart of accounts gives it. */
function roleOf(name: string): AccountRole {
  const [first, , last] = name.split(':')
  if (first === 'receivable') return 'RECEIVABLE'
  if (first === 'fees') return 'FEES'
  if (first !== 'wallet') return 'OUTSIDE'
  return last === 'available' ? 'AVAILABLE' : last === 'pending' ? 'PENDING' : 'HELD'
}

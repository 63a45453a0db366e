// Recipes: which transfers each event makes, debit → credit. Nothing else in the product names two accounts together.
//
//   event                     debit → credit
//   seen, authorised          seen → pending
//   orphaned, voided          pending → seen
//   paid                      pending → seen (what was announced) · arrival → available · available → fees ·
//                             available → receivable (what repays a debt)
//   unmatched · found again   arrival → suspense · suspense → receivable, then available, or arrival
//   withdrawal accepted       available → held (amount) · available → held (fee)
//   done · refused · returned held → arrival, held → fees · held → available · arrival → available → receivable
//   refund asked · done       available → held · held → arrival
//   failed · failed after all held → available · arrival → available → receivable · done after all: as a dispute, taken
//   dispute opened            available, the currency's other wallets, then receivable → held
//   taken · won · lost        held → arrival · (arrival →) held → receivable, then available · held → arrival
//   own transfer              available → the other wallet's available
//   swept · refilled          treasury → deposit · hot → treasury (debit where coins came, credit where they left)
//   gas · gas bought          cost → gas · gas → equity
//   found at a place of ours  treasury or hot → suspense · suspense → receivable, then available
import type { Posting } from './apply.ts'
import type { AccountSpec } from './chart.ts'

/** What all postings of one event share. `ordinal` numbers the event within its subject. */
export type Occasion = { readonly subject: string; readonly ordinal: number; readonly cause: Buffer }

export type IncomingAccounts = {
  readonly seen: AccountSpec
  readonly pending: AccountSpec
  readonly available: AccountSpec
  readonly fees: AccountSpec
  readonly receivable: AccountSpec
}

/** Money is on its way to a wallet: mined or authorised, not final. */
export function sighted(occasion: Occasion, accounts: IncomingAccounts, minor: bigint): readonly Posting[] {
  return [posting(occasion, 'pending', 'PENDING', accounts.seen, accounts.pending, minor)]
}

/** Money that was on its way is not any more: orphaned or voided. Also the first step of its arrival. */
export function unsighted(occasion: Occasion, accounts: IncomingAccounts, minor: bigint): readonly Posting[] {
  return [posting(occasion, 'unpending', 'PENDING', accounts.pending, accounts.seen, minor)]
}

/**
 * Final money arrives: what was announced of it leaves pending; then the wallet gets the full amount, pays our fee, and
 * repays what the merchant owes, in this order, so that the statement shows each.
 */
export function paid(
  occasion: Occasion,
  accounts: IncomingAccounts & { readonly arrival: AccountSpec },
  amounts: { readonly announced: bigint; readonly arrived: bigint; readonly fee: bigint },
): readonly Posting[] {
  const { arrival, available, fees, receivable } = accounts
  return [
    ...unsighted(occasion, accounts, amounts.announced),
    posting(occasion, 'credit', 'PAYMENT', arrival, available, amounts.arrived),
    posting(occasion, 'fee', 'FEE', available, fees, amounts.fee),
    {
      ...posting(
        occasion,
        'repay',
        'RECEIVABLE_REPAID',
        available,
        receivable,
        amounts.arrived - amounts.fee,
      ),
      upTo: true,
    },
  ]
}

/** Money for nobody we know: it lies in suspense until a person says whose it is. */
export function suspended(
  occasion: Occasion,
  { arrival, suspense }: { readonly arrival: AccountSpec; readonly suspense: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'suspend', 'SUSPENSE', arrival, suspense, minor)]
}

/**
 * A person says whose money in suspense is: what the merchant owes is repaid, and the rest is the merchant's. A repayment
 * of its own row would name a payment, and there is none.
 */
export function unsuspended(
  occasion: Occasion,
  accounts: Pick<IncomingAccounts, 'available' | 'receivable'> & { readonly suspense: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  const { suspense, receivable, available } = accounts
  const pot = `${occasion.subject}/${occasion.ordinal}`
  return [
    { ...posting(occasion, 'repay', 'REPAID', suspense, receivable, minor), upTo: true, pot },
    { ...posting(occasion, 'credit', 'ADJUSTMENT', suspense, available, minor), pot },
  ]
}

/** Money in suspense is nobody's here: the operator gave it back at the provider. */
export function suspenseReturned(
  occasion: Occasion,
  { arrival, suspense }: { readonly arrival: AccountSpec; readonly suspense: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'return', 'SUSPENSE', suspense, arrival, minor)]
}

export type HeldAccounts = { readonly available: AccountSpec; readonly held: AccountSpec }

/** A refund is asked for: its amount is set aside. */
export function refundHeld(occasion: Occasion, { available, held }: HeldAccounts, minor: bigint) {
  return [posting(occasion, 'hold', 'REFUND', available, held, minor)]
}

/** What was set aside has left, by the provider. */
export function heldLeft(
  occasion: Occasion,
  { held, arrival }: { readonly held: AccountSpec; readonly arrival: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'leave', 'LEFT', held, arrival, minor)]
}

/** A refund failed: what was set aside for it is the merchant's again. */
export function refundReleased(occasion: Occasion, { available, held }: HeldAccounts, minor: bigint) {
  return [posting(occasion, 'release', 'REFUND_RETURNED', held, available, minor)]
}

/** A refund that was done came back. Like every credit it repays first; `payment` is whose occasion the repayment is. */
export function refundReturned(
  occasions: { readonly refund: Occasion; readonly payment: Occasion },
  accounts: Pick<IncomingAccounts, 'available' | 'receivable'> & { readonly arrival: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  const { arrival, available, receivable } = accounts
  return [
    posting(occasions.refund, 'return', 'REFUND_RETURNED', arrival, available, minor),
    { ...posting(occasions.payment, 'repay', 'RECEIVABLE_REPAID', available, receivable, minor), upTo: true },
  ]
}

/**
 * Money that the payer wants back is set aside: what lies in these wallets, in their order, and what is still missing as
 * the merchant's debt.
 */
export function disputeHeld(
  occasion: Occasion,
  accounts: {
    readonly sources: readonly AccountSpec[]
    readonly receivable: AccountSpec
    readonly held: AccountSpec
  },
  minor: bigint,
  kind: 'DISPUTE' | 'REFUND' = 'DISPUTE',
): readonly Posting[] {
  const { sources, receivable, held } = accounts
  const pot = `${occasion.subject}/${occasion.ordinal}`
  return [
    ...sources.map((source, index) => ({
      ...posting(occasion, index === 0 ? 'hold' : `hold-${index + 1}`, kind, source, held, minor),
      upTo: true as const,
      pot,
    })),
    { ...posting(occasion, 'owe', 'OWED', receivable, held, minor), pot },
  ]
}

type WithdrawalAmounts = { readonly amount: bigint; readonly fee: bigint }

/** A withdrawal is accepted: its amount and our fee are set aside, each a row of the statement. */
export function withdrawalHeld(
  occasion: Occasion,
  { available, held }: HeldAccounts,
  { amount, fee }: WithdrawalAmounts,
): readonly Posting[] {
  return [
    posting(occasion, 'hold', 'WITHDRAWAL', available, held, amount),
    posting(occasion, 'hold-fee', 'WITHDRAWAL_FEE', available, held, fee),
  ]
}

/** The recipient has it, and we have our fee. */
export function withdrawalDone(
  occasion: Occasion,
  accounts: { readonly held: AccountSpec; readonly source: AccountSpec; readonly fees: AccountSpec },
  { amount, fee }: WithdrawalAmounts,
): readonly Posting[] {
  const { held, source, fees } = accounts
  return [
    posting(occasion, 'leave', 'LEFT', held, source, amount),
    posting(occasion, 'fee', 'LEFT', held, fees, fee),
  ]
}

/** Nothing left: what was set aside is the merchant's again. */
export function withdrawalReleased(
  occasion: Occasion,
  { available, held }: HeldAccounts,
  { amount, fee }: WithdrawalAmounts,
): readonly Posting[] {
  return [
    posting(occasion, 'release', 'WITHDRAWAL_RETURNED', held, available, amount),
    posting(occasion, 'release-fee', 'WITHDRAWAL_FEE', held, available, fee),
  ]
}

/** What had reached the recipient came back: a credit like any other, which repays what is owed first. */
export function withdrawalReturned(
  occasion: Occasion,
  accounts: Pick<IncomingAccounts, 'available' | 'receivable'> & { readonly source: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  const { source, available, receivable } = accounts
  return [
    posting(occasion, 'return', 'WITHDRAWAL_RETURNED', source, available, minor),
    { ...posting(occasion, 'repay', 'WITHDRAWAL_REPAID', available, receivable, minor), upTo: true },
  ]
}

/** A dispute was won: what is owed is repaid, and the rest is the merchant's again. */
export function disputeWon(
  occasion: Occasion,
  accounts: HeldAccounts & { readonly receivable: AccountSpec; readonly arrival: AccountSpec },
  minor: bigint,
  { isTaken }: { readonly isTaken: boolean },
): readonly Posting[] {
  const { arrival, held, receivable, available } = accounts
  const pot = `${occasion.subject}/${occasion.ordinal}`
  return [
    posting(occasion, 'back', 'BACK', arrival, held, isTaken ? minor : 0n),
    { ...posting(occasion, 'repay', 'REPAID', held, receivable, minor), upTo: true, pot },
    { ...posting(occasion, 'release', 'DISPUTE_WON', held, available, minor), pot },
  ]
}

/** A merchant moves money between two own wallets. */
export function ownTransfer(
  occasion: Occasion,
  { from, to }: { readonly from: AccountSpec; readonly to: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'move', 'TRANSFER', from, to, minor)]
}

/** Our own coins went from one place of ours to another. */
export function coinsMoved(
  occasion: Occasion,
  { from, to }: { readonly from: AccountSpec; readonly to: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'coins', 'COINS', to, from, minor)]
}

/** A final transaction of ours cost gas, whether or not it did what it says. */
export function gasSpent(
  occasion: Occasion,
  { gas, cost }: { readonly gas: AccountSpec; readonly cost: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'gas', 'GAS', cost, gas, minor)]
}

/** Native coin came to a wallet of ours: the operator's own money. */
export function gasBought(
  occasion: Occasion,
  { gas, equity }: { readonly gas: AccountSpec; readonly equity: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'fill', 'GAS_BOUGHT', gas, equity, minor)]
}

function posting(
  { subject, ordinal, cause }: Occasion,
  step: string,
  kind: string,
  debit: AccountSpec,
  credit: AccountSpec,
  minor: bigint,
): Posting {
  return { subject, step: `${ordinal}.${step}`, kind, debit, credit, minor, cause }
}

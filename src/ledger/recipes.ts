// Recipes: the transfers of each event, debit → credit. No other code chooses the accounts of a transfer.
//
//   event                     debit → credit
//   seen, authorised          seen → pending
//   orphaned, voided          pending → seen
//   paid                      pending → seen (what was announced) · arrival → available · available → fees ·
//                             available → receivable (what repays a debt)
//   paid, with a delay        pending → seen · arrival → pending · pending → fees
//   released                  pending → available · available → receivable (what repays a debt)
//   unmatched · found again   arrival → suspense · suspense → receivable, then available, or arrival
//   withdrawal accepted       available → held (amount) · available → held (fee)
//   done · refused · returned held → arrival, held → fees · held → available → receivable · arrival → available →
//                             receivable
//   refused, then done        available, the currency's other wallets, then receivable → arrival, and → fees
//   refund requested · done   the payment's own unreleased pending, then available → held · held → arrival
//   failed · failed after all held → pending, then available → receivable · arrival → available → receivable · done after
//                             all: debited as for a dispute
//   dispute opened            the payment's own unreleased pending, available, the currency's other wallets, then
//                             receivable → held
//   taken · won · lost        held → arrival · (arrival →) held → receivable, then available · held → arrival
//   its fee                   debited as for a dispute → arrival
//   own transfer              available → the other wallet's available
//   swept · refilled          treasury → deposit · hot → treasury (debit where coins came, credit where they left)
//   gas · gas bought          cost → gas · gas → equity
//   found at a place of ours  treasury or hot → suspense · suspense → receivable, then available
//   shares of split payments  in share-recipes.ts; what left unrecorded: in unrecorded-recipes.ts
//
// No debt stays open while money is available: money that becomes available repays the debt first. Only `freed` and
// `freedAfterDebt` credit an available account, and both repay; `posting` refuses to credit one.
import type { Posting } from './apply.ts'
import type { AccountSpec } from './chart.ts'
import {
  freed,
  freedAfterDebt,
  unreleasedPart,
  posting,
  debited,
  type FreedAccounts,
  type HeldAccounts,
  type Occasion,
  type DebitSources,
  type Unreleased,
} from './recipe-parts.ts'

export type { FreedAccounts, HeldAccounts, Occasion, DebitSources }

export type IncomingAccounts = {
  readonly seen: AccountSpec
  readonly pending: AccountSpec
  readonly available: AccountSpec
  readonly fees: AccountSpec
  readonly receivable: AccountSpec
}

/** Money is on its way to a wallet: mined or authorised, not final. */
export function moneyAnnounced(
  occasion: Occasion,
  accounts: IncomingAccounts,
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'pending', 'PENDING', accounts.seen, accounts.pending, minor)]
}

/** Money is no longer on its way: orphaned or voided. Also the first step of its arrival. */
export function announcementEnded(
  occasion: Occasion,
  accounts: IncomingAccounts,
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'unpending', 'PENDING', accounts.pending, accounts.seen, minor)]
}

/**
 * Final money arrives. First the announced amount leaves pending. Then the wallet gets the full amount, pays our fee, and
 * repays the merchant's debt, in this order, so that the statement shows each of them.
 */
export function paid(
  occasion: Occasion,
  accounts: IncomingAccounts & { readonly arrival: AccountSpec },
  amounts: { readonly announced: bigint; readonly arrived: bigint; readonly fee: bigint },
): readonly Posting[] {
  const { arrival, available, fees, receivable } = accounts
  const { announced, arrived, fee } = amounts
  return [
    ...announcementEnded(occasion, accounts, announced),
    ...freed(
      { available, receivable },
      [{ occasion, step: 'credit', kind: 'PAYMENT', from: arrival, minor: arrived }],
      {
        fee: posting(occasion, 'fee', 'FEE', available, fees, fee),
        repay: { occasion, step: 'repay', kind: 'RECEIVABLE_REPAID' },
      },
    ),
  ]
}

/**
 * The same with a provider's settlement delay: the wallet gets the amount less our fee, and cannot withdraw it yet. A debt is
 * repaid at the release.
 */
export function paidUnreleased(
  occasion: Occasion,
  accounts: IncomingAccounts & { readonly arrival: AccountSpec },
  amounts: { readonly announced: bigint; readonly arrived: bigint; readonly fee: bigint },
): readonly Posting[] {
  const { arrival, pending, fees } = accounts
  return [
    ...announcementEnded(occasion, accounts, amounts.announced),
    posting(occasion, 'credit', 'PAYMENT', arrival, pending, amounts.arrived),
    posting(occasion, 'fee', 'FEE', pending, fees, amounts.fee),
  ]
}

/** The delay is over: what is left of the money repays the debt, and the rest can be withdrawn. */
export function released(
  occasion: Occasion,
  { pending, available, receivable }: Pick<IncomingAccounts, 'pending' | 'available' | 'receivable'>,
  minor: bigint,
): readonly Posting[] {
  return freed(
    { available, receivable },
    [{ occasion, step: 'release', kind: 'RELEASE', from: pending, minor }],
    {
      repay: { occasion, step: 'release-repay', kind: 'RECEIVABLE_REPAID' },
    },
  )
}

/** Money that fits no attempt: it stays in suspense until a person resolves it. */
export function suspended(
  occasion: Occasion,
  { arrival, suspense }: { readonly arrival: AccountSpec; readonly suspense: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'suspend', 'SUSPENSE', arrival, suspense, minor)]
}

/**
 * A person credits money in suspense to a merchant: it repays the debt, and the rest becomes available. The repayment has no
 * statement row of its own, because such a row names a payment and here there is none.
 */
export function unsuspended(
  occasion: Occasion,
  accounts: Pick<IncomingAccounts, 'available' | 'receivable'> & { readonly suspense: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return freedAfterDebt(accounts, {
    occasion,
    step: 'credit',
    kind: 'ADJUSTMENT',
    from: accounts.suspense,
    minor,
  })
}

/** Money in suspense leaves the books: the operator returned it at the provider. */
export function suspenseReturned(
  occasion: Occasion,
  { arrival, suspense }: { readonly arrival: AccountSpec; readonly suspense: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'return', 'SUSPENSE', suspense, arrival, minor)]
}

/** A refund is requested: its amount is held, first from unreleased money. */
export function refundHeld(
  occasion: Occasion,
  { available, held, unreleased }: HeldAccounts & { readonly unreleased?: Unreleased },
  minor: bigint,
): readonly Posting[] {
  const part = unreleasedPart(unreleased, minor)
  return [
    ...(unreleased === undefined
      ? []
      : [posting(occasion, 'hold-unreleased', 'REFUND', unreleased.pending, held, part)]),
    posting(occasion, 'hold', 'REFUND', available, held, minor - part),
  ]
}

/** Held money has left at the provider. */
export function heldLeft(
  occasion: Occasion,
  { held, arrival }: { readonly held: AccountSpec; readonly arrival: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'leave', 'LEFT', held, arrival, minor)]
}

/**
 * A refund failed: the held amount goes back to where it came from. The part that was released meanwhile becomes available and
 * repays the debt first. `unreleased` is at most the amount.
 */
export function refundReleased(
  occasion: Occasion,
  { available, receivable, held, unreleased }: FreedAccounts & { readonly unreleased?: Unreleased },
  minor: bigint,
): readonly Posting[] {
  const part = unreleasedPart(unreleased, minor)
  const credit = { occasion, step: 'release', kind: 'REFUND_RETURNED', from: held, minor: minor - part }
  return [
    ...(unreleased === undefined
      ? []
      : [posting(occasion, 'release-unreleased', 'REFUND_RETURNED', held, unreleased.pending, part)]),
    ...freed({ available, receivable }, [credit], {
      repay: { occasion, step: 'repay', kind: 'REFUND_REPAID' },
    }),
  ]
}

/** A completed refund was returned. Like every credit it repays the debt first, by the occasion `payment`. */
export function refundReturned(
  occasions: { readonly refund: Occasion; readonly payment: Occasion },
  accounts: Pick<IncomingAccounts, 'available' | 'receivable'> & { readonly arrival: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  const credit = {
    occasion: occasions.refund,
    step: 'return',
    kind: 'REFUND_RETURNED',
    from: accounts.arrival,
    minor,
  }
  return freed(accounts, [credit], {
    repay: { occasion: occasions.payment, step: 'repay', kind: 'RECEIVABLE_REPAID' },
  })
}

/**
 * Disputed money is held: first from the unreleased money of the payment, then from these wallets in their order. What is still
 * missing becomes the merchant's debt.
 */
export function disputeHeld(
  occasion: Occasion,
  { held, ...from }: DebitSources & { readonly held: AccountSpec },
  minor: bigint,
  kind: 'DISPUTE' | 'REFUND' = 'DISPUTE',
): readonly Posting[] {
  return debited(occasion, { ...from, to: held }, minor, { kind, step: 'hold', owe: 'owe' })
}

/** A provider's fee for a dispute. It is not returned, whether the dispute is won or lost. */
export function disputeCharged(
  occasion: Occasion,
  { arrival, ...from }: DebitSources & { readonly arrival: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  const names = { kind: 'DISPUTE_FEE', step: 'charge', owe: 'charge-owe' }
  return debited(occasion, { ...from, to: arrival }, minor, names)
}

type WithdrawalAmounts = { readonly amount: bigint; readonly fee: bigint }

/** A withdrawal is accepted: its amount and our fee are held, each a row of the statement. */
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

/** The withdrawal reached the recipient: its amount leaves, and we get our fee. */
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

/** The withdrawal failed: the held money becomes available again, and repays the debt first. */
export function withdrawalReleased(
  occasion: Occasion,
  { held, ...accounts }: FreedAccounts,
  { amount, fee }: WithdrawalAmounts,
): readonly Posting[] {
  const credits = [
    { occasion, step: 'release', kind: 'WITHDRAWAL_RETURNED', from: held, minor: amount },
    { occasion, step: 'release-fee', kind: 'WITHDRAWAL_FEE', from: held, minor: fee },
  ]
  return freed(accounts, credits, { repay: { occasion, step: 'repay', kind: 'WITHDRAWAL_REPAID' } })
}

/**
 * The withdrawal had failed and its money was released, but then the money reached the recipient after all. Amount and fee are
 * debited as for a dispute.
 */
export function withdrawalDoneAfterAll(
  occasion: Occasion,
  {
    source,
    fees,
    ...from
  }: Omit<DebitSources, 'unreleased'> & { readonly source: AccountSpec; readonly fees: AccountSpec },
  { amount, fee }: WithdrawalAmounts,
): readonly Posting[] {
  const ofAmount = { kind: 'WITHDRAWAL', step: 'take', owe: 'owe' }
  const ofFee = { kind: 'WITHDRAWAL_FEE', step: 'take-fee', owe: 'owe-fee' }
  return [
    ...debited(occasion, { ...from, to: source }, amount, ofAmount),
    ...debited(occasion, { ...from, to: fees }, fee, ofFee),
  ]
}

/** Money that had reached the recipient came back: like every credit it repays the debt first. */
export function withdrawalReturned(
  occasion: Occasion,
  accounts: Pick<IncomingAccounts, 'available' | 'receivable'> & { readonly source: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  const credit = { occasion, step: 'return', kind: 'WITHDRAWAL_RETURNED', from: accounts.source, minor }
  return freed(accounts, [credit], { repay: { occasion, step: 'repay', kind: 'WITHDRAWAL_REPAID' } })
}

/** A dispute was won: the held money repays the debt, and the rest becomes available. */
export function disputeWon(
  occasion: Occasion,
  accounts: HeldAccounts & { readonly receivable: AccountSpec; readonly arrival: AccountSpec },
  minor: bigint,
  { isTaken }: { readonly isTaken: boolean },
): readonly Posting[] {
  const { arrival, held } = accounts
  return [
    posting(occasion, 'back', 'BACK', arrival, held, isTaken ? minor : 0n),
    ...freedAfterDebt(accounts, { occasion, step: 'release', kind: 'DISPUTE_WON', from: held, minor }),
  ]
}

/** A merchant moves money between two of its wallets. It was available before, so there is no debt to repay. */
export function ownTransfer(
  occasion: Occasion,
  { from, to }: { readonly from: AccountSpec; readonly to: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'move', 'TRANSFER', from, to, minor)]
}

/** Our own coins moved from one of our places to another. */
export function coinsMoved(
  occasion: Occasion,
  { from, to }: { readonly from: AccountSpec; readonly to: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'coins', 'COINS', to, from, minor)]
}

/** A final transaction of ours cost gas, whether it succeeded or not. */
export function gasSpent(
  occasion: Occasion,
  { gas, cost }: { readonly gas: AccountSpec; readonly cost: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'gas', 'GAS', cost, gas, minor)]
}

/** A wallet of ours received native coin: the operator's own money. */
export function gasBought(
  occasion: Occasion,
  { gas, equity }: { readonly gas: AccountSpec; readonly equity: AccountSpec },
  minor: bigint,
): readonly Posting[] {
  return [posting(occasion, 'fill', 'GAS_BOUGHT', gas, equity, minor)]
}

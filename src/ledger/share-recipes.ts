// Recipes of shares: money of a split payment that goes to a sub-account, and back. Their subject is the split.
//
//   event                debit → credit
//   share given          of money that waits: platform pending → pending of the sub-account · the rest: platform available, then
//                        platform receivable → available of the sub-account
//   its delay is over    pending of the sub-account → its available
//   our fee of it        pending, or available, of the sub-account → the same of the platform (which pays us)
//   its debts repaid     available of the sub-account → its receivable · → platform available, with owed → owes
//   share taken back     pending of the sub-account → platform pending · then its available → platform available · what is
//                        missing: owes → owed
//   afterwards           platform available → platform receivable (what repays its debt)
//
// One event posts all that is given, then the fee, then what is repaid.
//
// And of transfers between a platform and its sub-account, whose subject is the transfer:
//   given                platform available → available of the sub-account, which repays its debts like a share
//   taken by a grant     available of the sub-account → platform available
//
// And of whatever else becomes available to a sub-account; the subject is that of the event:
//   its debt repaid      available of the sub-account → platform available, with owed → owes
//   afterwards           platform available → platform receivable (what repays its debt)
//
// No debt stays open while money is available: what becomes available to a sub-account repays its debts at once, and what comes to
// the platform repays the platform's. That a share is given never fails: what the platform has spent becomes its debt.
import type { Posting } from './apply.ts'
import type { AccountSpec } from './chart.ts'
import { posting, type Occasion } from './recipe-parts.ts'

export type PlatformAccounts = { readonly available: AccountSpec; readonly receivable: AccountSpec }

/** The platform's accounts for the shares of a payment. */
export type SharingAccounts = PlatformAccounts & { readonly pending: AccountSpec }

/** The accounts of one recipient. `sources`: all its wallets in the currency, the share's own first. */
export type RecipientAccounts = SharingAccounts & {
  readonly owes: AccountSpec
  readonly owed: AccountSpec
  readonly sources: readonly AccountSpec[]
}

/** One share of the split, with its number in it. */
export type SharePlace = { readonly occasion: Occasion; readonly ordinal: number }

/** An amount in two parts: money that waits for a settlement delay, and money that is available. */
export type Parts = { readonly pending: bigint; readonly available: bigint }

/** A share goes to its sub-account: what waits into its pending balance, the rest into its wallet. */
export function shareGiven(
  place: SharePlace,
  platform: SharingAccounts,
  { pending, available }: RecipientAccounts,
  minor: Parts,
): readonly Posting[] {
  const pot = potOf(place, 'give')
  return [
    move(place, 'share-pending', 'SHARE', platform.pending, pending, minor.pending),
    { ...move(place, 'share', 'SHARE', platform.available, available, minor.available), upTo: true, pot },
    { ...move(place, 'share-owe', 'OWED', platform.receivable, available, minor.available), pot },
  ]
}

/** The settlement delay of what one receipt brought is over, by the receipt's number. In the statement of the wallet this is the share. */
export function shareReleased(
  place: SharePlace,
  { pending, available }: RecipientAccounts,
  { receipt, minor }: { readonly receipt: number; readonly minor: bigint },
): readonly Posting[] {
  return [move(place, `release-${receipt}`, 'SHARE', pending, available, minor)]
}

/** The fee payer pays our fee to the platform, from its share. */
export function shareCharged(
  place: SharePlace,
  platform: SharingAccounts,
  { pending, available }: RecipientAccounts,
  minor: Parts,
): readonly Posting[] {
  return [
    move(place, 'fee-pending', 'SHARE_FEE', pending, platform.pending, minor.pending),
    move(place, 'fee', 'SHARE_FEE', available, platform.available, minor.available),
  ]
}

/** What repays the two debts of a sub-account. */
export type Repaid = { readonly toOperator: bigint; readonly toPlatform: bigint }

/** What became available of a share repays its sub-account's debts. */
export function shareRepays(
  place: SharePlace,
  platform: PlatformAccounts,
  { available, receivable, owes, owed }: RecipientAccounts,
  { toOperator, toPlatform }: Repaid,
): readonly Posting[] {
  return [
    move(place, 'repay', 'SHARE_REPAID', available, receivable, toOperator),
    move(place, 'repay-platform', 'SHARE_REPAID', available, platform.available, toPlatform),
    move(place, 'uncover', 'SHARE_COVERED', owed, owes, toPlatform),
  ]
}

/**
 * How a share is taken back: all of it from its wallet or nothing, or as much as all wallets of the sub-account have, and the platform
 * covers the rest. So no debt is made while the sub-account has money of the currency.
 */
export type Taking = 'whole' | 'from_all_wallets'

/** A share goes back to the platform. What of it waits is there: only the part of the wallets can be missing. */
export function shareTaken(
  place: SharePlace,
  platform: SharingAccounts,
  { pending, available, sources, owes, owed }: RecipientAccounts,
  minor: Parts,
  taking: Taking,
): readonly Posting[] {
  const waiting = move(place, 'back-pending', 'SHARE_RETURNED', pending, platform.pending, minor.pending)
  const back = (step: string, source: AccountSpec) =>
    move(place, step, 'SHARE_RETURNED', source, platform.available, minor.available)
  if (taking === 'whole') return [waiting, back('back', available)]
  const pot = potOf(place, 'back')
  return [
    waiting,
    ...sources.map((source, index) => ({
      ...back(index === 0 ? 'back' : `back-${index + 1}`, source),
      upTo: true as const,
      pot,
    })),
    { ...move(place, 'cover', 'SHARE_COVERED', owes, owed, minor.available), pot },
  ]
}

/** What came to the platform repays its debt, as far as there is one. */
export function platformRepaid(
  { subject, ordinal, cause }: Occasion,
  { available, receivable }: PlatformAccounts,
  minor: bigint,
  kind = 'SHARE_REPAID',
): readonly Posting[] {
  const content = { subject, cause, kind, debit: available, credit: receivable, minor }
  return [{ ...content, step: `${ordinal}.platform-repay`, upTo: true }]
}

/** The accounts to which a sub-account repays what it owes its parent. */
export type ParentAccounts = PlatformAccounts & Pick<RecipientAccounts, 'owes' | 'owed'>

/**
 * What became available to a sub-account repays what it owes its parent, and what reaches the parent repays the parent's debt.
 * `prefix`: of its steps, where the subject may have others of the same ordinal.
 */
export function parentRepaid(
  occasion: Occasion,
  { available, parent }: { readonly available: AccountSpec; readonly parent: ParentAccounts },
  minor: bigint,
  prefix = '',
): readonly Posting[] {
  const step = (name: string, kind: string, debit: AccountSpec, credit: AccountSpec) =>
    posting(occasion, `${prefix}${name}`, kind, debit, credit, minor)
  return [
    step('repay-parent', 'PARENT_REPAID', available, parent.available),
    step('uncover', 'SHARE_COVERED', parent.owed, parent.owes),
    { ...step('parent-repay', 'PLATFORM_REPAID', parent.available, parent.receivable), upTo: true },
  ]
}

/** A transfer between a platform and its sub-account. */
type Moved = { readonly occasion: Occasion; readonly platform: PlatformAccounts; readonly recipient: Family }
type Family = Omit<RecipientAccounts, 'sources' | 'pending'>

/**
 * The platform gives money to its sub-account. Like a share it repays the debts there; what returns to the platform repays the
 * platform's debt.
 */
export function givenToSubAccount(
  { occasion, platform, recipient }: Moved,
  { minor, toOperator, toPlatform }: Repaid & { readonly minor: bigint },
): readonly Posting[] {
  const { available, receivable, owes, owed } = recipient
  const step = (name: string, kind: string, debit: AccountSpec, credit: AccountSpec, of: bigint) =>
    posting(occasion, name, kind, debit, credit, of)
  return [
    step('move', 'SUB_TRANSFER', platform.available, available, minor),
    step('repay', 'TRANSFER_REPAID', available, receivable, toOperator),
    step('repay-platform', 'TRANSFER_REPAID', available, platform.available, toPlatform),
    step('uncover', 'SHARE_COVERED', owed, owes, toPlatform),
    ...platformRepaid(occasion, platform, toPlatform, 'TRANSFER_REPAID'),
  ]
}

/**
 * The platform takes money from its sub-account, by a grant. A sub-account that owes its platform something has no money to take, so
 * there is no debt to repay but the platform's.
 */
export function takenFromSubAccount(
  {
    occasion,
    platform,
    recipient,
  }: Omit<Moved, 'recipient'> & { readonly recipient: Pick<Family, 'available'> },
  minor: bigint,
): readonly Posting[] {
  return [
    posting(occasion, 'move', 'SUB_TRANSFER', recipient.available, platform.available, minor),
    ...platformRepaid(occasion, platform, minor, 'TRANSFER_REPAID'),
  ]
}

function move(
  { occasion: { subject, ordinal: number, cause }, ordinal }: SharePlace,
  step: string,
  kind: string,
  debit: AccountSpec,
  credit: AccountSpec,
  minor: bigint,
): Posting {
  return { subject, step: `${number}.${ordinal}.${step}`, kind, debit, credit, minor, cause }
}

function potOf({ occasion: { subject, ordinal: number }, ordinal }: SharePlace, step: string): string {
  return `${subject}/${number}/${ordinal}/${step}`
}

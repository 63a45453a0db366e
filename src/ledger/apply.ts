// All rules about money, as a pure function: what a group of postings does to balances, or why it is refused.
// Inspected by audit/ledger-entries.ts.
import { invariant } from '#/kernel/check.ts'
import { maxOf, minOf, type Currency } from '#/kernel/money.ts'
import type { AccountSpec } from './chart.ts'

/** One requested movement. It becomes a transfer when `apply` decides how much of it moves. */
export type Posting = {
  /** The payment, withdrawal, own transfer … to which it belongs. The pair (subject, step) counts once. */
  readonly subject: string
  readonly step: string
  /** Its name in the statement. */
  readonly kind: string
  readonly debit: AccountSpec
  readonly credit: AccountSpec
  /** Minor units, not negative. Zero makes no transfer. */
  readonly minor: bigint
  /** SHA-256 of the exact bytes that caused it. */
  readonly cause: Buffer
  /** Moves as much of `minor` as the floors allow. If that is nothing, there is no transfer. */
  readonly upTo?: true
  /** Postings with the same pot share the `minor` of the first of them. Each moves from what the earlier ones left. */
  readonly pot?: string
}

export type Transfer = Omit<Posting, 'upTo' | 'pot'>

export type Refusal =
  | { readonly reason: 'insufficient_funds'; readonly account: AccountSpec; readonly missing: bigint }
  | { readonly reason: 'conflict'; readonly subject: string; readonly step: string }
  /** The account was opened in another currency than the posting's; the currency of an account never changes. */
  | { readonly reason: 'other_currency'; readonly account: AccountSpec; readonly opened: Currency }

/** Balances in minor units by account key. */
export type Balances = ReadonlyMap<string, bigint>

export type Applied =
  | { readonly ok: true; readonly transfers: readonly Transfer[]; readonly after: Balances }
  | { readonly ok: false; readonly refusal: Refusal }

/** The state of the books before the group. */
export type Before = {
  /**
   * The balance of an account in minor units, on the side on which it grows. Zero for an account that was never used, or was
   * opened in another currency.
   */
  balance(account: AccountSpec): bigint
  /** The currency in which an account was opened; undefined for one that was never used. */
  opened(account: AccountSpec): Currency | undefined
  /** The transfer that this pair already made, if any. */
  earlier(subject: string, step: string): Transfer | undefined
}

/** The range of PostgreSQL's bigint. Only a mistake of ours makes a sum that exceeds it. */
const balanceMax = 2n ** 63n - 1n

/**
 * Decides a group of postings as one: all of them move, or none.
 * - A pair (subject, step) that was posted before with the same content moves nothing again; with other content it is a
 *   conflict.
 * - A repeated `upTo` posting may request more than the first one moved; then the amount that moved counts.
 * - Postings are applied in their order, and none takes more from a floored account than it holds.
 * - An account keeps the currency in which it was opened: a posting in another currency refuses the group.
 */
export function apply(before: Before, group: readonly Posting[]): Applied {
  const after = new Map<string, bigint>()
  const pots = new Map<string, bigint>()
  const opened = new Map<string, Currency>()
  const transfers: Transfer[] = []
  const balance = (account: AccountSpec) => after.get(account.key) ?? before.balance(account)

  for (const posting of group) {
    const { subject, step, pot, debit, credit } = posting
    checkShape(posting)
    for (const account of [debit, credit]) {
      const currency = before.opened(account) ?? opened.get(account.key)
      if (currency !== undefined && currency !== account.currency)
        return { ok: false, refusal: { reason: 'other_currency', account, opened: currency } }
    }
    const requested = pot === undefined ? posting.minor : (pots.get(pot) ?? posting.minor)
    const earlier = transfers.find((each) => isOfPair(each, posting)) ?? before.earlier(subject, step)
    if (earlier !== undefined && !repeats(posting, requested, earlier)) {
      return { ok: false, refusal: { reason: 'conflict', subject, step } }
    }
    const minor = earlier?.minor ?? (posting.upTo ? minOf(requested, room(posting, balance)) : requested)
    if (pot !== undefined) pots.set(pot, requested - minor)
    if (minor === 0n || earlier !== undefined) continue

    const short = shortOf(posting, minor, balance)
    if (short !== undefined) return { ok: false, refusal: short }
    after.set(debit.key, moved(balance(debit), debit.side === 'DEBIT' ? minor : -minor))
    after.set(credit.key, moved(balance(credit), credit.side === 'CREDIT' ? minor : -minor))
    opened.set(debit.key, debit.currency)
    opened.set(credit.key, credit.currency)
    transfers.push(asTransfer(posting, minor))
  }
  return { ok: true, transfers, after }
}

function checkShape({ debit, credit, minor }: Posting): void {
  invariant(minor >= 0n, 'a transfer never moves a negative amount')
  invariant(debit.key !== credit.key, `a transfer from ${debit.key} to itself`)
  invariant(debit.currency === credit.currency, `a transfer from ${debit.currency} to ${credit.currency}`)
  invariant(debit.mode === credit.mode, `a transfer from ${debit.mode} to ${credit.mode}`)
}

/** How much may move until one of the two accounts reaches its floor. A debit lowers a CREDIT account, a credit a DEBIT one. */
function room({ debit, credit }: Posting, balance: (account: AccountSpec) => bigint): bigint {
  let most = balanceMax
  if (debit.floored && debit.side === 'CREDIT') most = minOf(most, balance(debit))
  if (credit.floored && credit.side === 'DEBIT') most = minOf(most, balance(credit))
  return maxOf(most, 0n)
}

function shortOf(
  { debit, credit }: Posting,
  minor: bigint,
  balance: (account: AccountSpec) => bigint,
): Refusal | undefined {
  for (const account of [debit, credit]) {
    const lowered = account === debit ? account.side === 'CREDIT' : account.side === 'DEBIT'
    if (!lowered || !account.floored) continue
    const missing = minor - balance(account)
    if (missing > 0n) return { reason: 'insufficient_funds', account, missing }
  }
  return undefined
}

function moved(balance: bigint, change: bigint): bigint {
  const sum = balance + change
  invariant(sum <= balanceMax && sum >= -balanceMax, 'a balance left the range of the books')
  return sum
}

function asTransfer(posting: Posting, minor: bigint): Transfer {
  const { subject, step, kind, debit, credit, cause } = posting
  return { subject, step, kind, debit, credit, minor, cause }
}

function isOfPair(transfer: Transfer, { subject, step }: Posting): boolean {
  return transfer.subject === subject && transfer.step === step
}

/** Whether the posting has the content of the earlier transfer of its pair. The cause is part of the content. */
function repeats(
  { kind, debit, credit, cause, upTo }: Posting,
  requested: bigint,
  earlier: Transfer,
): boolean {
  return (
    earlier.kind === kind &&
    earlier.debit.key === debit.key &&
    earlier.credit.key === credit.key &&
    earlier.cause.equals(cause) &&
    (upTo ? earlier.minor <= requested : earlier.minor === requested)
  )
}

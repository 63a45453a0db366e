// The journal in memory, for look-ups: which payload a nonce is bound to, which nonce a reference is bound to, and what was spent
// in the last 24 hours. Rebuilt from the journal at every start.
import { invariant } from '#/kernel/check.ts'
import { hourMs } from '#/kernel/time.ts'
import { readCall } from './calls.ts'
import type { Address } from './shape.ts'
import { feePerGasOf, feesKeyOf, isCancel, payloadOf, type Transaction } from './transaction.ts'

/** One line of the journal: a transaction that was, or may have been, signed. */
export type Entry = {
  /** Milliseconds since 1970. Never less than in the line before. */
  readonly at: number
  readonly tx: Transaction
}

/** A nonce that is in use. */
type Bound = {
  readonly payload: string
  readonly reference: string
  /** The operator allowed a cancellation and it was signed: the payload itself is never signed again. */
  isCanceled: boolean
  /** The most that a version of it can cost in fees, in wei. */
  feeMax: bigint
  /** The fees of each version that was signed; those of cancellations are tagged. */
  readonly versions: string[]
}

/** What left within the last 24 hours, with its sum. */
type Window = {
  readonly items: { readonly at: number; readonly amount: bigint }[]
  start: number
  sum: bigint
}

/** One key on one chain. */
type Account = { readonly nonces: Map<bigint, Bound>; readonly windows: Map<string, Window>; highest: bigint }

export type SignedHistory = {
  /** The time that counts for the caps. It never goes back, even when the machine's clock does. */
  advanceTo(now: number): number
  bound(tx: Transaction): Readonly<Bound> | undefined
  /** The nonce that a reference is bound to. */
  reference(reference: string): Slot | undefined
  /** What left in the 24 hours before `at`, including the instant exactly a day before. `at` comes from `advanceTo`. */
  spent(slot: Pick<Slot, 'key' | 'chainId'>, what: Spending, at: number): bigint
  /** The highest nonce that was signed. */
  highest(slot: Pick<Slot, 'key' | 'chainId'>): bigint | undefined
  /** Adds what goes into the journal. Throws when it contradicts earlier entries. */
  record(entry: Entry): void
}

export type Slot = { readonly key: Address; readonly chainId: bigint; readonly nonce: bigint }

/** What a cap counts: a token by its address, the native coin, or fees at their maximum. */
export type Spending = Address | 'native' | 'fees'

export const capWindowMs = 24 * hourMs

export function createHistory(): SignedHistory {
  const accounts = new Map<string, Account>()
  const references = new Map<string, Slot>()
  let lastAt = 0
  return {
    advanceTo: (now) => (lastAt = Math.max(now, lastAt)),
    bound: (tx) => accounts.get(nameOf(tx))?.nonces.get(tx.nonce),
    reference: (reference) => references.get(reference),
    spent: (slot, what, at) => sumOf(accounts.get(nameOf(slot))?.windows.get(what), at),
    highest: (slot) => accounts.get(nameOf(slot))?.highest,
    record(entry) {
      const { at, tx } = entry
      invariant(at >= lastAt, 'the journal does not go back in time')
      lastAt = at
      const account = accounts.get(nameOf(tx)) ?? { nonces: new Map(), windows: new Map(), highest: tx.nonce }
      accounts.set(nameOf(tx), account)
      if (tx.nonce > account.highest) account.highest = tx.nonce
      bind(account, entry)
      const { key, chainId, nonce, reference } = tx
      if (!references.has(reference)) references.set(reference, { key, chainId, nonce })
    },
  }
}

/** What a transaction spends from the key besides fees, or undefined when nothing. */
export function spendingOf({
  to,
  value,
  data,
}: Transaction): { readonly what: Address | 'native'; readonly amount: bigint } | undefined {
  const call = readCall(data)
  if (call?.call === 'transfer') return { what: to, amount: call.amount }
  return value > 0n ? { what: 'native', amount: value } : undefined
}

/** Gas times price: the maximum cost of a transaction. */
export function worstFeeOf(tx: Transaction): bigint {
  return tx.gas * feePerGasOf(tx)
}

/** The name of a version in `versions`: a cancellation is another transaction, even at the same fees. */
export function versionOf(tx: Transaction, bound?: Readonly<Bound>): string {
  return bound !== undefined && bound.payload !== payloadOf(tx) ? `cancel/${feesKeyOf(tx)}` : feesKeyOf(tx)
}

function bind(account: Account, { at, tx }: Entry): void {
  const fee = worstFeeOf(tx)
  const bound = account.nonces.get(tx.nonce)
  if (bound === undefined) {
    const { reference } = tx
    const fresh = {
      payload: payloadOf(tx),
      reference,
      isCanceled: false,
      feeMax: fee,
      versions: [versionOf(tx)],
    }
    account.nonces.set(tx.nonce, fresh)
    const spending = spendingOf(tx)
    if (spending !== undefined) add(account, spending.what, at, spending.amount)
    add(account, 'fees', at, fee)
    return
  }
  if (bound.payload !== payloadOf(tx)) {
    invariant(isCancel(tx), 'a nonce has one payload')
    bound.isCanceled = true
  }
  bound.versions.push(versionOf(tx, bound))
  if (fee <= bound.feeMax) return
  // Only one of them is mined, so only the most expensive counts.
  add(account, 'fees', at, fee - bound.feeMax)
  bound.feeMax = fee
}

function add(account: Account, what: Spending, at: number, amount: bigint): void {
  if (amount === 0n) return
  const window = account.windows.get(what) ?? { items: [], start: 0, sum: 0n }
  account.windows.set(what, window)
  window.items.push({ at, amount })
  window.sum += amount
}

function sumOf(window: Window | undefined, at: number): bigint {
  if (window === undefined) return 0n
  for (;;) {
    const first = window.items[window.start]
    if (first === undefined || first.at >= at - capWindowMs) break
    window.sum -= first.amount
    window.start += 1
  }
  if (window.start > 1_000 && window.start * 2 > window.items.length) {
    window.items.splice(0, window.start)
    window.start = 0
  }
  return window.sum
}

function nameOf({ key, chainId }: Pick<Slot, 'key' | 'chainId'>): string {
  return `${key}/${chainId}`
}

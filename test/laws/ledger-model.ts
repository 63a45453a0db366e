// A ledger of a hundred lines that shares no code with the product's ledger: one signed number for each account, debits positive. It
// checks the rules after every step, not before.
import type { Posting } from '#/ledger/apply.ts'
import type { AccountSpec } from '#/ledger/chart.ts'

export type Moved = { readonly from: string; readonly to: string; readonly minor: bigint }

type Booked = { readonly content: string; readonly minor: bigint }

export type Model = {
  /** Whether the group was booked, and what it moved. */
  post(group: readonly Posting[]): { readonly ok: boolean; readonly moved: readonly Moved[] }
  /** The balance, positive on the side on which the account grows. */
  balance(account: AccountSpec): bigint
  /** Debits less credits over all accounts; zero in every currency, always. */
  sums(): ReadonlyMap<string, bigint>
  readonly transfers: number
}

export function createModel(): Model {
  let debits = new Map<string, bigint>()
  let booked = new Map<string, Booked>()
  /** The currency of every account that was ever used: it keeps the first. */
  let currencies = new Map<string, string>()

  function tryGroup(group: readonly Posting[]) {
    const now = new Map(debits)
    const done = new Map(booked)
    const left = new Map<string, bigint>()
    const moved: Moved[] = []
    const owned = new Map(currencies)
    for (const posting of group) {
      for (const { key, currency } of [posting.debit, posting.credit])
        if ((owned.get(key) ?? currency) !== currency) return undefined
      const pair = `${posting.subject} ${posting.step}`
      const content = [
        posting.kind,
        posting.debit.key,
        posting.credit.key,
        posting.cause.toString('hex'),
      ].join(' ')
      const wanted = posting.pot === undefined ? posting.minor : (left.get(posting.pot) ?? posting.minor)
      const before = done.get(pair)
      let minor = wanted
      if (before !== undefined) {
        if (before.content !== content || before.minor > wanted) return undefined
        if (!posting.upTo && before.minor !== wanted) return undefined
        minor = before.minor
      } else if (posting.upTo) {
        minor = most(now, posting, wanted)
      }
      if (posting.pot !== undefined) left.set(posting.pot, wanted - minor)
      if (before !== undefined || minor === 0n) continue
      move(now, posting, minor)
      if (isBelowFloor(now, posting.debit) || isBelowFloor(now, posting.credit)) return undefined
      done.set(pair, { content, minor })
      moved.push({ from: posting.debit.key, to: posting.credit.key, minor })
      for (const { key, currency } of [posting.debit, posting.credit]) owned.set(key, currency)
    }
    return { now, done, moved, owned }
  }

  return {
    post(group) {
      const result = tryGroup(group)
      if (result === undefined) return { ok: false, moved: [] }
      debits = result.now
      booked = result.done
      currencies = result.owned
      return { ok: true, moved: result.moved }
    },
    balance: (account) => (currencies.get(account.key) === account.currency ? grown(debits, account) : 0n),
    sums() {
      const sums = new Map<string, bigint>()
      for (const [key, debit] of debits) {
        const currency = currencies.get(key) ?? ''
        sums.set(currency, (sums.get(currency) ?? 0n) + debit)
      }
      return sums
    },
    get transfers() {
      return booked.size
    },
  }
}

function grown(debits: ReadonlyMap<string, bigint>, { key, side }: AccountSpec): bigint {
  const debit = debits.get(key) ?? 0n
  return side === 'DEBIT' ? debit : -debit
}

function move(debits: Map<string, bigint>, { debit, credit }: Posting, minor: bigint): void {
  debits.set(debit.key, (debits.get(debit.key) ?? 0n) + minor)
  debits.set(credit.key, (debits.get(credit.key) ?? 0n) - minor)
}

function isBelowFloor(debits: ReadonlyMap<string, bigint>, account: AccountSpec): boolean {
  return account.floored && grown(debits, account) < 0n
}

/** The largest amount that breaks no floor, found by halving. */
function most(debits: ReadonlyMap<string, bigint>, posting: Posting, wanted: bigint): bigint {
  const fits = (minor: bigint) => {
    const after = new Map(debits)
    move(after, posting, minor)
    return !isBelowFloor(after, posting.debit) && !isBelowFloor(after, posting.credit)
  }
  let [low, high] = [0n, wanted + 1n]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

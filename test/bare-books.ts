// The books as a test's own rows (bare-rows.ts).
import type { AccountSpec } from '#/ledger/chart.ts'
import { bareId, type BareRows } from './bare-rows.ts'

/** One transfer, alone in its batch. */
export type BareMove = {
  readonly account: AccountSpec
  /** Signed: the change of the account's balance. */
  readonly minor: number
  /** Whose balance changes by the opposite. Absent: an account that no row names. */
  readonly other?: AccountSpec
  readonly at?: string
  readonly kind?: string
  readonly subject?: string
  readonly step?: string
}

/** The rows of these transfers, which are numbered from 1 in the order of time, and of the accounts that they move. */
export function bareBooks(moves: readonly BareMove[]) {
  const accounts = new Map<string, { readonly id: number; readonly spec: AccountSpec; minor: number }>()
  const entry: Readonly<Record<string, number>>[] = []
  const idOf = (spec: AccountSpec | undefined, number: number, minor: number): number => {
    if (spec === undefined) return 0
    const account = accounts.get(spec.key) ?? { id: accounts.size + 1, spec, minor: 0 }
    accounts.set(spec.key, account)
    account.minor += minor
    entry.push({ account_id: account.id, transfer: number, minor, balance: account.minor })
    return account.id
  }
  const at = '2027-01-01T00:00:00.000Z'
  const transfer = moves.map(({ account, other, minor, kind = 'PAYMENT', subject, step = '1.1' }, nth) => {
    const number = nth + 1
    const [credit, debit] = [idOf(account, number, minor), idOf(other, number, -minor)]
    return { number, batch: number, debit, credit, subject: subject ?? bareId(1000 + number), step, kind }
  })
  return {
    account: [...accounts.values()].map(({ id, spec: { name, mode } }) => ({ id, name, mode })),
    balance: [...accounts.values()].map(({ id, minor }) => ({ account_id: id, minor })),
    batch: moves.map((move, nth) => ({ number: nth + 1, transfer_from: nth, at: move.at ?? at })),
    transfer,
    entry,
    head: [{ transfer: moves.length, at: moves.at(-1)?.at ?? at }],
    tally: [],
    turn: [{}],
  } satisfies BareRows
}

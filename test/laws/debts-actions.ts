// What merchants, payers and providers do in the law of debts.
import type { PayoutNews } from '#/withdrawals/send.ts'
import { fc } from '../chance.ts'

/** `nth` chooses the object of the action; index 0 is the newest. */
export type Action =
  | { readonly do: 'pay'; readonly waits: boolean }
  /** `empty`: the merchant withdraws nearly all that it has. */
  | { readonly do: 'release' | 'resolve' | 'open wallet' | 'empty' }
  /** A payment of the platform, of which the merchant gets a share; and the platform refunds one. */
  | { readonly do: 'share'; readonly waits: boolean }
  | { readonly do: 'take back'; readonly nth: number; readonly minor: number }
  | { readonly do: 'refund' | 'withdraw' | 'move' | 'dispute'; readonly nth: number; readonly minor: number }
  | { readonly do: 'end refund'; readonly nth: number; readonly well: boolean }
  | {
      readonly do: 'payout'
      readonly nth: number
      readonly news: PayoutNews['state'] | 'canceled' | 'sending'
    }
  | {
      readonly do: 'end dispute'
      readonly nth: number
      readonly as: 'dispute_taken' | 'dispute_won' | 'dispute_lost'
      readonly round: number
    }

const nth = fc.nat(3)
const minor = fc.integer({ min: 1, max: 1_000 })
export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pay' as const), waits: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('share' as const), waits: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('take back' as const), nth, minor }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('release' as const, 'resolve' as const, 'open wallet' as const, 'empty' as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('refund' as const, 'withdraw' as const, 'move' as const, 'dispute' as const),
      nth,
      minor,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end refund' as const), nth, well: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('payout' as const),
      nth,
      news: fc.constantFrom('canceled', 'sending', 'done', 'refused', 'refused', 'returned' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end dispute' as const),
      nth,
      as: fc.constantFrom('dispute_taken' as const, 'dispute_won' as const, 'dispute_lost' as const),
      round: fc.constantFrom(1, 1, 2),
    }),
  },
)

/** The merchant withdraws what it has, the platform takes a share back and covers it, and then money becomes available again. */
export const repaying: Readonly<
  Record<string, { readonly first?: readonly Action[]; readonly after: readonly Action[] }>
> = {
  'a payment of its own': { after: [{ do: 'pay', waits: false }] },
  'a release': { after: [{ do: 'pay', waits: true }, { do: 'release' }] },
  'money out of suspense': { after: [{ do: 'resolve' }] },
  'a refund that failed': {
    first: [
      { do: 'pay', waits: false },
      { do: 'refund', nth: 0, minor: 200 },
    ],
    after: [{ do: 'end refund', nth: 1, well: false }],
  },
  'a dispute that was won': {
    first: [
      { do: 'pay', waits: false },
      { do: 'dispute', nth: 1, minor: 300 },
    ],
    after: [{ do: 'end dispute', nth: 0, as: 'dispute_won', round: 1 }],
  },
  'a withdrawal that was canceled': { after: [{ do: 'payout', nth: 0, news: 'canceled' }] },
  'a withdrawal that was refused': {
    first: [
      { do: 'withdraw', nth: 0, minor: 300 },
      { do: 'payout', nth: 0, news: 'sending' },
    ],
    after: [{ do: 'payout', nth: 1, news: 'refused' }],
  },
  'a withdrawal that was returned': {
    first: [
      { do: 'withdraw', nth: 0, minor: 300 },
      { do: 'payout', nth: 0, news: 'done' },
    ],
    after: [{ do: 'payout', nth: 1, news: 'returned' }],
  },
}

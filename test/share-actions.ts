// What can happen to split payments, as the laws of shares draw it.
import type { Method } from '#/rails/method.ts'
import type { Outcome } from '#/rails/receipt.ts'
import { fc } from './chance.ts'

export type Action =
  | {
      readonly do: 'open'
      readonly terms: readonly (readonly ['percent' | 'amount', number])[]
      readonly payer: number
    }
  | {
      readonly do: 'pay'
      readonly nth: number
      readonly by: Method
      readonly minor: number
      readonly waits: boolean
    }
  /** Money on its way: an authorisation of a card, or a payment that is not final. */
  | { readonly do: 'announce'; readonly nth: number; readonly by: Method; readonly minor: number }
  | {
      readonly do: 'end announced'
      readonly nth: number
      readonly as: 'come' | 'gone'
      readonly minor: number
    }
  | { readonly do: 'give' | 'take' | 'grant'; readonly nth: number; readonly minor: number }
  | { readonly do: 'refund'; readonly nth: number; readonly minor: number; readonly covers: boolean }
  | { readonly do: 'end refund'; readonly nth: number; readonly well: boolean }
  | { readonly do: 'dispute'; readonly nth: number; readonly minor: number; readonly fee: number }
  | { readonly do: 'end dispute'; readonly nth: number; readonly as: Outcome; readonly round: number }
  | { readonly do: 'release' }
  | { readonly do: 'withdraw' | 'suspend' | 'close'; readonly nth: number }

const nth = fc.nat(2)
const minor = fc.integer({ min: 1, max: 1_200 })
const terms = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constant('percent' as const), fc.constantFrom(33.33, 12.3456, 1, 45)),
      fc.tuple(fc.constant('amount' as const), fc.integer({ min: 1, max: 400 })),
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((all) => all.map(([kind, value]): readonly ['percent' | 'amount', number] => [kind, value]))
const one = <Name extends Action['do']>(name: Name) => fc.constant(name)
export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: one('open'), terms, payer: fc.integer({ min: -1, max: 1 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: one('pay'),
      nth,
      by: fc.constantFrom<Method>('PIX', 'CREDIT_CARD', 'CREDIT_CARD'),
      minor: fc.oneof(minor, fc.constant(1_000)),
      waits: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: one('announce'),
      nth,
      by: fc.constantFrom<Method>('PIX', 'CREDIT_CARD'),
      minor: fc.oneof(minor, fc.constant(1_000)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: one('end announced'),
      nth,
      as: fc.constantFrom('come' as const, 'come' as const, 'gone' as const),
      minor,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('give' as const, 'take' as const, 'grant' as const),
      nth: fc.nat(1),
      minor,
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: one('refund'), nth, minor, covers: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: one('end refund'), nth, well: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: one('dispute'), nth, minor, fee: fc.constantFrom(0, 0, 50) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: one('end dispute'),
      nth,
      as: fc.constantFrom<Outcome>('dispute_taken', 'dispute_won', 'dispute_won', 'dispute_lost'),
      round: fc.constantFrom(1, 1, 2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: one('release') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('withdraw' as const, 'suspend' as const, 'close' as const),
      nth: fc.nat(1),
    }),
  },
)

/** A sub-account withdraws its share before the payer wants it back. */
export const covering: Action[] = [
  { do: 'pay', nth: 0, by: 'CREDIT_CARD', minor: 1_000, waits: false },
  { do: 'withdraw', nth: 0 },
  { do: 'dispute', nth: 0, minor: 1_000, fee: 50 },
]

/** An authorisation that is captured in part, one that is voided, and money that was seen and is gone. */
export const capturing: Action[] = [
  { do: 'announce', nth: 0, by: 'CREDIT_CARD', minor: 1_000 },
  { do: 'end announced', nth: 0, as: 'come', minor: 400 },
  { do: 'announce', nth: 0, by: 'CREDIT_CARD', minor: 500 },
  { do: 'end announced', nth: 0, as: 'gone', minor: 1 },
  { do: 'announce', nth: 0, by: 'PIX', minor: 1_000 },
  { do: 'end announced', nth: 0, as: 'gone', minor: 1 },
  { do: 'grant', nth: 0, minor: 100 },
  { do: 'take', nth: 0, minor: 60 },
  { do: 'give', nth: 0, minor: 20 },
]

/** Money that waits comes in parts, goes back in part by refund and dispute, and is released. */
export const waiting: Action[] = [
  { do: 'pay', nth: 0, by: 'CREDIT_CARD', minor: 400, waits: true },
  { do: 'pay', nth: 0, by: 'CREDIT_CARD', minor: 600, waits: true },
  { do: 'refund', nth: 0, minor: 300, covers: false },
  { do: 'dispute', nth: 0, minor: 100, fee: 50 },
  {
    do: 'open',
    terms: [
      ['percent', 45],
      ['amount', 400],
    ],
    payer: 1,
  },
  { do: 'pay', nth: 0, by: 'CREDIT_CARD', minor: 1_000, waits: true },
  { do: 'release' },
  { do: 'end refund', nth: 0, well: false },
  { do: 'open', terms: [['percent', 45]], payer: 0 },
  { do: 'pay', nth: 0, by: 'CREDIT_CARD', minor: 333, waits: true },
  { do: 'refund', nth: 0, minor: 100, covers: false },
  { do: 'pay', nth: 0, by: 'CREDIT_CARD', minor: 667, waits: true },
]

/** A share whose fee was paid is disputed whole; the next money of the payment gives it a share again. Found by the law. */
export const disputingFee: Action[] = [
  {
    do: 'open',
    terms: [
      ['amount', 334],
      ['percent', 45],
    ],
    payer: 1,
  },
  { do: 'pay', nth: 0, by: 'CREDIT_CARD', minor: 325, waits: true },
  { do: 'dispute', nth: 0, minor: 1_010, fee: 0 },
  { do: 'pay', nth: 0, by: 'CREDIT_CARD', minor: 1_000, waits: true },
  { do: 'dispute', nth: 0, minor: 165, fee: 0 },
]

/** A payment that was paid twice: the first money is disputed, and the dispute is won. The fee payer bears the fee of the first alone. */
export const paidTwice: Action[] = [
  { do: 'open', terms: [['percent', 45]], payer: 0 },
  { do: 'pay', nth: 0, by: 'CREDIT_CARD', minor: 1_000, waits: false },
  { do: 'dispute', nth: 0, minor: 1_000, fee: 0 },
  { do: 'pay', nth: 0, by: 'CREDIT_CARD', minor: 1_000, waits: false },
  { do: 'end dispute', nth: 0, as: 'dispute_won', round: 1 },
]

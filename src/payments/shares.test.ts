// The share function: never more than the base in sum, never less when more came, whole at the end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { fc } from '../../test/chance.ts'
import { partly } from '../../test/partly.ts'
import { ratePpmOf } from './plan-split.ts'
import { type Share, baseOf, feesOfShare, fits, shareOf, type ShareTerms } from './shares.ts'

const percent = (ppm: bigint): ShareTerms => ({ amountMinor: null, ratePpm: ppm })
const fixed = (minor: bigint): ShareTerms => ({ amountMinor: minor, ratePpm: null })

test('100.00 in three of 33.33 %: the platform keeps the cent that is left', () => {
  const payment = { amountMinor: 10_000n }
  const shares = [1, 2, 3].map(() => shareOf(percent(333_300n), payment, 10_000n))
  assert.deepEqual(shares, [3_333n, 3_333n, 3_333n])
})

test('a percentage rounds down, a fixed amount is pro rata until all is paid', () => {
  const payment = { amountMinor: 1_000n }
  assert.equal(shareOf(percent(333_333n), payment, 100n), 33n)
  assert.equal(shareOf(fixed(300n), payment, 500n), 150n)
  assert.equal(shareOf(fixed(300n), payment, 999n), 299n)
  assert.equal(shareOf(fixed(300n), payment, 1_000n), 300n)
})

test('surplus, duplicates and money that waits are not in the base', () => {
  const sums = { amountMinor: 100n, receivedMinor: 250n, refundedMinor: 0n, disputedMinor: 0n }
  assert.equal(baseOf(sums, { duplicateMinor: 100n, waitingMinor: 0n }), 100n)
  assert.equal(baseOf({ ...sums, refundedMinor: 120n }, { duplicateMinor: 100n, waitingMinor: 0n }), 30n)
  assert.equal(baseOf(sums, { duplicateMinor: 0n, waitingMinor: 240n }), 10n)
  assert.equal(baseOf({ ...sums, disputedMinor: 400n }, { duplicateMinor: 0n, waitingMinor: 0n }), 0n)
})

test('a fee payer bears the fees of shared money, with what earlier parts left until the amount had come, and none of a duplicate', () => {
  const subAccountId = newId<'merchant'>()
  const split = { shares: [partly<Share>({ subAccountId, feeMinor: 3n })], feePayer: subAccountId }
  const after = (receivedMinor: bigint, isDuplicate = false) =>
    feesOfShare({ amountMinor: 100n, receivedMinor, feeMinor: 50n }, split, { isDuplicate, feeMinor: 20n })
  assert.equal(after(99n), 70n)
  assert.equal(after(100n), 23n)
  assert.equal(after(99n, true), 3n)
})

test('without a fee payer nothing of our fees is paid by a share', () => {
  const split = { shares: [], feePayer: null }
  const payment = { amountMinor: 100n, receivedMinor: 100n, feeMinor: 50n }
  assert.equal(feesOfShare(payment, split, { isDuplicate: true, feeMinor: 20n }), 0n)
  assert.equal(feesOfShare(payment, split, { isDuplicate: false, feeMinor: 20n }), 20n)
})

test('percentages and fixed amounts fit until they are the whole amount together', () => {
  const payment = { amountMinor: 100n }
  for (const [all, is] of [
    [[], true],
    [[percent(1_000_000n)], true],
    [[percent(1_000_001n)], false],
    [[fixed(100n)], true],
    [[fixed(101n)], false],
    [[percent(600_000n), fixed(40n)], true],
    [[percent(600_001n), fixed(40n)], false],
  ] as const)
    assert.equal(fits(all, payment), is)
})

test('percentages have at most four decimals', () => {
  assert.deepEqual(['33.33', '0.0001', '100', '12.3456'].map(ratePpmOf), [333_300n, 1n, 1_000_000n, 123_456n])
  assert.deepEqual(
    ['0.00001', '33.33333', '0', '100.0001', '-1', '', 'x'].map(ratePpmOf),
    Array(7).fill(undefined),
  )
})

const terms = fc.oneof(
  fc.bigInt({ min: 1n, max: 1_000_000n }).map(percent),
  fc.bigInt({ min: 1n, max: 100_000n }).map(fixed),
)

test('for every split that fits: shares of every base are at most the base, and grow with it', () => {
  let fitting = 0
  fc.assert(
    fc.property(
      fc.array(terms, { minLength: 1, maxLength: 20 }),
      fc.bigInt({ min: 1n, max: 1_000_000n }),
      fc.bigInt({ min: 0n, max: 1_000_000n }),
      fc.bigInt({ min: 0n, max: 1_000_000n }),
      (all, amountMinor, one, other) => {
        const payment = { amountMinor }
        if (!fits(all, payment)) return
        fitting += 1
        const [less, more] = [one % (amountMinor + 1n), other % (amountMinor + 1n)].sort((a, b) =>
          a < b ? -1 : 1,
        )
        const of = (base = 0n) => all.map((each) => shareOf(each, payment, base))
        const sum = of(more).reduce((total, each) => total + each, 0n)
        assert.ok(sum <= (more ?? 0n))
        for (const [index, share] of of(less).entries())
          assert.ok(share >= 0n && share <= (of(more)[index] ?? 0n))
      },
    ),
    { numRuns: 2_000 },
  )
  assert.ok(fitting > 100, String(fitting))
})

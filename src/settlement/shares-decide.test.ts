// What a split payment's recipient gets and gives back, by the row "split" of the books' recipes: its share of all received so far, less what was
// booked before. The sub-account has 40 % of a payment of 10.00.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMs } from '#/kernel/time.ts'
import type { Outcome } from '#/rails/receipt.ts'
import { at, receiptOf, refundOf, splitOf, tell, type Start } from '../../test/settlement-view.ts'

const brl = (minor: bigint) => ({ amount: { minor, currency: 'BRL' as const } })
const sums = { receivedMinor: 0n, refundedMinor: 0n, seenMinor: 0n, unreleasedMinor: 0n, feeMinor: 0n }
/** Nobody has paid it yet. */
const unpaid = (more: Start = {}): Start => ({
  payment: { status: 'WAITING_PAYMENT', ...sums },
  hasMoney: false,
  withheldMinor: null,
  split: splitOf(),
  ...more,
})
const paid = receiptOf('paid')
const again = receiptOf('paid', { providerRef: 'e2', pendingRef: 'p2' })
const disputed = (outcome: Outcome, minor: bigint, paidRef = 'e1') =>
  receiptOf(outcome, { dispute: { paidRef, kind: 'MED' }, ...brl(minor) })

/** What moved that is of shares, of our fee or of a hold; and the split after each report, where it was written. */
function told(...asked: Parameters<typeof tell>) {
  const { posted, rulings, news, payment } = tell(...asked)
  const splits = rulings.map(({ change }) => {
    const { shares, duplicateMinor, waitingMinor } = change?.split?.split ?? {}
    const [share] = shares ?? []
    return share && [share.bookedMinor, share.unreleasedMinor, share.feeMinor, duplicateMinor, waitingMinor]
  })
  const moved = posted.filter((each) => /SHARE|FEE|hold/.test(each) && !/owe|cover/.test(each))
  return {
    moved,
    splits,
    shareNews: news.filter((each) => each.startsWith('share.')),
    payment,
    posted,
    rulings,
  }
}

test('each piece of money gives the share of it, before our fee and before debts are repaid', () => {
  const whole = told(unpaid({ feeMinor: 30n }), [paid])
  assert.deepEqual(whole.posted, [
    '4.credit PAYMENT provider>available 1000',
    '1.1.share SHARE available>available 400',
    '1.1.share-owe OWED receivable>available 400',
    '4.fee FEE available>fees 30',
    '4.repay RECEIVABLE_REPAID available>receivable 970',
  ])
  const pieces = [
    { ...paid, ...brl(400n) },
    { ...again, ...brl(600n) },
  ]
  const two = told(unpaid(), pieces)
  assert.deepEqual(two.moved, [
    '1.1.share SHARE available>available 160',
    '2.1.share SHARE available>available 240',
  ])
  assert.deepEqual(two.shareNews, ['share.credited', 'share.credited'])
})

test('with a settlement delay shares wait too, unless our fee uses the piece up', () => {
  const waits = (feeMinor: bigint) => {
    const { moved, splits, payment, rulings } = told(unpaid({ delayMs: 5, feeMinor }), [paid])
    return [moved, splits[0]?.[1], payment.unreleasedMinor, rulings[0]?.change?.release?.shareMinors]
  }
  const share = '1.1.share-pending SHARE pending>pending 400'
  assert.deepEqual(waits(30n), [[share, '4.fee FEE pending>fees 30'], 400n, 570n, [400n]])
  assert.deepEqual(waits(999n), [[share, '4.fee FEE pending>fees 600'], 400n, 0n, [400n]])
  const atOnce = ['1.1.share SHARE available>available 400', '4.fee FEE available>fees 600']
  assert.deepEqual(waits(1_000n), [atOnce, 0n, 0n, undefined])
})

test('our fee is at most what the shares leave, with what the fee payer can bear of it', () => {
  const fees = (feeMinor: bigint, ratePpm: bigint, isPayer: boolean) => {
    const { split } = splitOf({ share: { ratePpm } })
    const [share] = split.shares
    const feePayer = isPayer ? (share?.subAccountId ?? null) : null
    const { moved } = told(
      unpaid({ feeMinor, split: splitOf({ share: { ...share }, split: { feePayer } }) }),
      [paid],
    )
    return moved.filter((each) => each.includes('FEE'))
  }
  assert.deepEqual(fees(30n, 1_000_000n, false), [])
  assert.deepEqual(fees(700n, 400_000n, false), ['4.fee FEE available>fees 600'])
  assert.deepEqual(fees(30n, 400_000n, true), [
    '1.1.fee SHARE_FEE available>available 30',
    '4.fee FEE available>fees 30',
  ])
  assert.deepEqual(fees(500n, 400_000n, true), [
    '1.1.fee SHARE_FEE available>available 400',
    '4.fee FEE available>fees 500',
  ])
})

test('money that came when the payment was PAID is not shared, and takes nothing back when it goes', () => {
  const reports = [disputed('dispute_opened', 1_000n, 'e2'), disputed('dispute_won', 1_000n, 'e2')]
  const { moved, splits } = told(unpaid(), [paid, again, ...reports])
  assert.deepEqual(moved, ['1.1.share SHARE available>available 400', '1.hold DISPUTE available>held 1000'])
  assert.deepEqual(splits, [
    [400n, 0n, 0n, 0n, 0n],
    [400n, 0n, 0n, 1_000n, 0n],
    [400n, 0n, 0n, 0n, 0n],
    [400n, 0n, 0n, 1_000n, 0n],
  ])
})

test('a dispute takes back the share of its amount before the platform is debited, and gives it again when it is won', () => {
  const [opened, won] = [disputed('dispute_opened', 600n), disputed('dispute_won', 600n)]
  const free = told(unpaid(), [paid, opened, won])
  assert.deepEqual(free.moved.slice(1), [
    '2.1.back SHARE_RETURNED available>available 240',
    '1.hold DISPUTE available>held 600',
    '2.platform-repay SHARE_REPAID available>receivable 240',
    '4.1.share SHARE available>available 240',
  ])
  assert.deepEqual(free.splits, [
    [400n, 0n, 0n, 0n, 0n],
    [160n, 0n, 0n, 0n, 0n],
    [400n, 0n, 0n, 0n, 0n],
  ])
  assert.deepEqual(free.shareNews, ['share.credited', 'share.returned', 'share.credited'])
  const waiting = told(unpaid({ delayMs: 5 }), [paid, opened, won])
  assert.deepEqual(waiting.moved.slice(1), [
    '2.1.back-pending SHARE_RETURNED pending>pending 240',
    '1.hold-unreleased DISPUTE pending>held 600',
    '4.1.share SHARE available>available 240',
  ])
  assert.equal(waiting.payment.unreleasedMinor, 240n)
  const cent = told(unpaid(), [paid, disputed('dispute_opened', 1n)])
  assert.deepEqual(cent.splits[1], [399n, 0n, 0n, 0n, 0n])
})

const refund = refundOf()
const failed = receiptOf('refund_failed', {}, refund.id)
const done = receiptOf('refunded', {}, refund.id)
/** 4.00 of it are being refunded, so the share is 2.40. `shareMinor`: what of the share is still to be released. */
const refunding = (shareMinor: bigint, change: Partial<typeof refund> = {}): Start => ({
  refunds: [{ ...refund, ...change }],
  split: splitOf({
    share: { bookedMinor: 240n },
    withheld: { unsharedMinor: 0n, shareMinors: [shareMinor] },
  }),
})

test('a refund that fails gives the share again: what is still to be released waits, the rest is available', () => {
  const back = (start: Start) => {
    const { moved, payment } = told(start, [failed])
    return [...moved, payment.unreleasedMinor]
  }
  assert.deepEqual(back(refunding(0n)), ['1.1.share SHARE available>available 160', 400n])
  assert.deepEqual(back(refunding(1n)), [
    '1.1.share-pending SHARE pending>pending 1',
    '1.1.share SHARE available>available 159',
    399n,
  ])
  assert.deepEqual(back(refunding(100n)), [
    '1.1.share-pending SHARE pending>pending 100',
    '1.1.share SHARE available>available 60',
    300n,
  ])
  // It had taken nothing of what waits.
  assert.deepEqual(back(refunding(100n, { unreleasedMinor: 0n })), [
    '1.1.share SHARE available>available 160',
    300n,
  ])
})

test('a refund that failed and is done after all takes the share back, and one that is done as asked changes no share', () => {
  const later = { inquiry: { at: addMs(at, 1) } }
  const { moved, splits } = told(refunding(100n), [failed, done], later)
  assert.deepEqual(moved.slice(2), [
    '2.1.back-pending SHARE_RETURNED pending>pending 100',
    '2.1.back SHARE_RETURNED available>available 60',
    '3.hold-unreleased REFUND pending>held 400',
    '2.platform-repay SHARE_REPAID available>receivable 60',
  ])
  assert.deepEqual(splits, [
    [400n, 100n, 0n, 0n, 0n],
    [240n, 0n, 0n, 0n, 0n],
  ])
  assert.deepEqual(told(refunding(0n), [done]).splits, [undefined])
})

test('money that waits and is not shared yet comes back as such, and is shared at its release', () => {
  const start: Start = {
    refunds: [{ ...refund, unreleasedMinor: 400n }],
    withheldMinor: 700n,
    split: splitOf({ split: { waitingMinor: 600n }, withheld: { unsharedMinor: 1_000n, shareMinors: [0n] } }),
  }
  const { moved, splits } = told(start, [failed])
  assert.deepEqual([moved, splits], [[], [[0n, 0n, 0n, 0n, 1_000n]]])
})

// What one event changes of the shares of a split payment of 10.00, by the rules of shares: what each share gets, keeps for the platform, gives
// back, releases, and pays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId, MerchantId, WalletId } from '#/kernel/id.ts'
import type { Posting } from '#/ledger/apply.ts'
import * as chart from '#/ledger/chart.ts'
import { bareId } from '../../test/bare-rows.ts'
import { partly } from '../../test/partly.ts'
import { splitOf } from '../../test/settlement-view.ts'
import {
  bookShares,
  changedSplit,
  recipientsOf,
  splitAccounts,
  unreleasedShares,
  type Booking,
  type SplitView,
} from './book-shares.ts'
import type { Payment } from './payment.ts'
import { pieceName, type Share } from './shares.ts'

const platform = {
  available: chart.walletAvailable('SANDBOX', 'own', 'BRL'),
  pending: chart.walletPending('SANDBOX', 'own', 'BRL'),
  receivable: chart.receivable('SANDBOX', 'own', 'BRL'),
}

/** The step without the numbers of the event and of the share, and the amount; also of nothing. */
const stepsOf = (postings: readonly Posting[]) =>
  postings.map(({ step, minor }) => `${step.replace(/^(?:\d+\.)+/, '')} ${minor}`)

type Asked = {
  /** What of the payment is kept now. */
  readonly minor?: bigint
  readonly view?: Parameters<typeof splitOf>[0]
  readonly booking?: Partial<Booking>
  readonly isPayer?: boolean
  /** What the sub-account owes us, and its platform. */
  readonly debts?: { readonly receivable?: bigint; readonly owes?: bigint }
}

/** Of a share of 40 %. */
function book({ minor = 1_000n, view: start = {}, booking, isPayer = false, debts = {} }: Asked) {
  const found = splitOf(start)
  const [before] = found.split.shares
  const feePayer = isPayer ? (before?.subAccountId ?? null) : null
  const view: SplitView = { ...found, split: { ...found.split, feePayer } }
  const payment = partly<Payment>({
    mode: 'SANDBOX',
    amountMinor: 1_000n,
    receivedMinor: minor,
    refundedMinor: 0n,
    disputedMinor: 0n,
  })
  const balance = ({ name }: chart.AccountSpec) =>
    name.startsWith('receivable') ? (debts.receivable ?? 0n) : (debts.owes ?? 0n)
  const booked = bookShares({ books: { balance } }, payment, view, {
    platform,
    cause: Buffer.alloc(0),
    taking: 'whole',
    ...booking,
  })
  const share = must(booked.view.split.shares[0], 'a share')
  return {
    ...booked,
    sums: [share.bookedMinor, share.unreleasedMinor, share.keptMinor, share.feeMinor],
    isSame: share === before,
    moved: stepsOf(booked.moved),
    fees: stepsOf(booked.fees).filter((each) => !each.endsWith(' 0')),
    repaid: stepsOf(booked.repaid).filter((each) => !each.endsWith(' 0')),
    repay: stepsOf(booked.repay),
    news: booked.events.map(({ type }) => type as string),
    version: booked.view.split.version,
  }
}

const having = (bookedMinor: bigint, more: Partial<Share> = {}) => ({ share: { bookedMinor, ...more } })

test('a share gets the difference to what it has, from one cent on', () => {
  const gives = (minor: bigint) => ['share-pending 0', `share ${minor}`, `share-owe ${minor}`]
  const whole = book({})
  assert.deepEqual([whole.moved, whole.sums], [gives(400n), [400n, 0n, 0n, 0n]])
  assert.deepEqual([whole.news, whole.version, whole.repay], [['share.credited'], 2, []])
  assert.deepEqual(
    [whole.given, whole.payer],
    [
      { pending: 0n, available: 400n },
      { pending: 0n, available: 0n },
    ],
  )
  const cent = book({ minor: 3n })
  assert.deepEqual([cent.moved, cent.sums, cent.news], [gives(1n), [1n, 0n, 0n, 0n], ['share.credited']])
  const more = book({ view: having(399n) })
  assert.deepEqual([more.moved, more.sums], [gives(1n), [400n, 0n, 0n, 0n]])
})

test('a share that does not change moves nothing and tells nothing', () => {
  const { moved, fees, repaid, repay, news, isSame, version, unreleasedMinor, releasedMinor } = book({
    view: having(400n),
    isPayer: true,
  })
  assert.deepEqual([moved, fees, repaid, repay, news], [[], [], [], [], []])
  assert.deepEqual([isSame, version, unreleasedMinor, releasedMinor], [true, 2, 0n, 0n])
})

test('a share gives back what waits first, then what is available, which repays the platform’s debt', () => {
  const cent = book({ minor: 998n, view: having(400n) })
  assert.deepEqual(
    [cent.moved, cent.sums],
    [
      ['back-pending 0', 'back 1'],
      [399n, 0n, 0n, 0n],
    ],
  )
  assert.deepEqual([cent.news, cent.repay], [['share.returned'], ['platform-repay 1']])
  const both = book({ minor: 500n, view: having(400n, { unreleasedMinor: 150n }) })
  assert.deepEqual(
    [both.moved, both.sums],
    [
      ['back-pending 150', 'back 50'],
      [200n, 0n, 0n, 0n],
    ],
  )
  assert.deepEqual([both.unreleasedMinor, both.repay], [150n, ['platform-repay 50']])
  const waiting = book({ minor: 998n, view: having(400n, { unreleasedMinor: 150n }) })
  assert.deepEqual([waiting.moved, waiting.sums[1]], [['back-pending 1', 'back 0'], 149n])
})

test('the platform keeps what comes for a closed sub-account, and gives it back before the share does', () => {
  const closed = (bookedMinor: bigint, minor: bigint, keptMinor = 0n) =>
    book({ minor, view: having(bookedMinor, { isClosed: true, keptMinor }) })
  const cent = closed(0n, 3n)
  assert.deepEqual([cent.moved, cent.sums, cent.news], [[], [0n, 0n, 1n, 0n], []])
  assert.deepEqual(closed(300n, 1_000n).sums, [300n, 0n, 100n, 0n])
  const waits = book({
    view: having(0n, { isClosed: true }),
    booking: { waits: { minor: 1_000n, returns: false } },
  })
  assert.deepEqual([waits.given, waits.sums], [{ pending: 0n, available: 0n }, [0n, 0n, 400n, 0n]])
  const some = closed(300n, 998n, 100n)
  assert.deepEqual([some.moved, some.sums], [[], [300n, 0n, 99n, 0n]])
  const all = closed(300n, 700n, 100n)
  assert.deepEqual(
    [all.moved, all.sums],
    [
      ['back-pending 0', 'back 20'],
      [280n, 0n, 0n, 0n],
    ],
  )
})

/** Two shares of 3 cents of a payment, of which this much waits. */
const sharesOfThree = (minor: bigint, returns = false) => {
  const { split } = splitOf({ share: { ratePpm: 300_000n } })
  const [share] = split.shares
  const second = { ...must(share, 'a share'), ordinal: 2, subAccountId: bareId(2) as MerchantId }
  const shares = [must(share, 'a share'), second]
  const wallets = new Map(shares.map(({ subAccountId, walletId }) => [subAccountId, [walletId]]))
  const withheld = { unsharedMinor: 0n, shareMinors: [0n, 0n] }
  const view = { split: { shares }, wallets, withheld }
  return book({ minor: 10n, view, booking: { waits: { minor, returns } } })
}

test('what waits goes into the pending balances in proportion, and cents that are left to the first', () => {
  assert.deepEqual(sharesOfThree(0n).shareMinors, [0n, 0n])
  assert.deepEqual(sharesOfThree(4n).shareMinors, [2n, 2n])
  assert.deepEqual(sharesOfThree(5n).shareMinors, [3n, 2n])
  assert.deepEqual(sharesOfThree(6n).shareMinors, [3n, 3n])
  const { shareMinors, view, given, unreleasedMinor } = sharesOfThree(7n)
  assert.deepEqual(
    [shareMinors, view.withheld.shareMinors],
    [
      [3n, 3n],
      [3n, 3n],
    ],
  )
  assert.deepEqual([given, unreleasedMinor], [{ pending: 6n, available: 0n }, -6n])
})

test('what waited before waits again at most as far as it is still to be released', () => {
  const back = (withheld: bigint, unreleasedMinor = 0n) => {
    const { given, view } = book({
      view: {
        ...having(unreleasedMinor, { unreleasedMinor }),
        withheld: { unsharedMinor: 0n, shareMinors: [withheld] },
      },
      booking: { waits: { minor: 1_000n, returns: true } },
    })
    return [given.pending, given.available, view.withheld.shareMinors[0]]
  }
  assert.deepEqual(back(100n), [100n, 300n, 100n])
  assert.deepEqual(back(100n, 30n), [70n, 300n, 100n])
  assert.deepEqual(back(10n, 30n), [0n, 370n, 10n])
  assert.deepEqual(back(900n), [400n, 0n, 900n])
})

test('a release gives what one receipt brought, as far as it still waits', () => {
  const release = (minor: bigint, unreleasedMinor: bigint, debts: Asked['debts'] = {}) =>
    book({
      view: {
        ...having(400n, { unreleasedMinor }),
        withheld: { unsharedMinor: 0n, shareMinors: [200n] },
      },
      booking: { released: { receipt: 7, minors: [minor] } },
      debts,
    })
  const cent = release(1n, 100n)
  assert.deepEqual(
    [cent.moved, cent.sums, cent.news],
    [['release-7 1'], [400n, 99n, 0n, 0n], ['share.credited']],
  )
  assert.deepEqual([cent.releasedMinor, cent.view.withheld.shareMinors], [1n, [199n]])
  const less = release(150n, 100n, { receivable: 30n, owes: 50n })
  assert.deepEqual([less.moved, less.releasedMinor], [['release-7 100'], 100n])
  assert.deepEqual(less.repaid, ['repay 30', 'repay-platform 50', 'uncover 50'])
})

test('the fee payer’s share pays what it has not paid of our fee, first from what waits', () => {
  const fees = (feeMinor: bigint | undefined, paid = 0n, waits = 0n, isPayer = true) =>
    book({
      isPayer,
      view: having(0n, { feeMinor: paid }),
      booking: {
        ...given({ feeMinor }),
        waits: { minor: waits, returns: false },
      },
    })
  const one = fees(30n)
  assert.deepEqual([one.fees, one.sums, one.repay], [['fee 30'], [400n, 0n, 0n, 30n], ['platform-repay 30']])
  assert.deepEqual(one.payer, { pending: 0n, available: 400n })
  assert.deepEqual(fees(30n, 10n).fees, ['fee 20'])
  assert.deepEqual(fees(30n, 31n).fees, [])
  assert.deepEqual(fees(500n).fees, ['fee 400'])
  assert.deepEqual(fees(undefined).fees, [])
  assert.deepEqual(fees(30n, 0n, 0n, false).fees, [])
  const waiting = fees(130n, 0n, 100n)
  assert.deepEqual(
    [waiting.fees, waiting.shareMinors, waiting.sums],
    [['fee-pending 100', 'fee 30'], [0n], [400n, 0n, 0n, 130n]],
  )
})

test('what becomes available repays the debts to us first, then those to the platform', () => {
  const repaid = (debts: Asked['debts'], booking: Partial<Booking> = {}) =>
    book({ debts: debts ?? {}, booking, isPayer: true }).repaid
  assert.deepEqual(repaid({ receivable: 100n, owes: 50n }), ['repay 100', 'repay-platform 50', 'uncover 50'])
  assert.deepEqual(repaid({ receivable: 390n, owes: 50n }), ['repay 390', 'repay-platform 10', 'uncover 10'])
  assert.deepEqual(repaid({ receivable: 500n, owes: 50n }), ['repay 400'])
  assert.deepEqual(repaid({ receivable: 500n }, { feeMinor: 30n }), ['repay 370'])
  assert.deepEqual(repaid({ receivable: 500n }, { waits: { minor: 300n, returns: false } }), ['repay 100'])
})

test('a duplicate is no part of what is shared, and neither is money that waits for its release', () => {
  const [connection, paidRef] = ['bank' as ConnectionId, 'E1']
  const view = splitOf({
    split: { duplicateMinor: 5n, waitingMinor: 10n },
    duplicates: new Set([pieceName(connection, paidRef)]),
  })
  const sums = (change: Parameters<typeof changedSplit>[1]) => {
    const { split } = changedSplit(view, change)
    return [split.duplicateMinor, split.waitingMinor]
  }
  const piece = { connection, paidRef }
  assert.deepEqual(sums({}), [5n, 10n])
  assert.deepEqual(sums({ piece }), [5n, 10n])
  assert.deepEqual(sums({ piece, keptMinor: 7n }), [12n, 10n])
  assert.deepEqual(sums({ piece: { ...piece, paidRef: 'E2' }, keptMinor: 7n }), [5n, 10n])
  assert.deepEqual(sums({ keptMinor: 7n, waitingMinor: -3n }), [5n, 7n])
  assert.deepEqual(sums({ waitingMinor: -30n }), [5n, 0n])
})

test('the accounts of a split are those of its recipients, with all their wallets in the currency, the share’s own first', () => {
  const found = splitOf(having(0n, { unreleasedMinor: 7n }))
  const [share] = found.split.shares
  const { subAccountId = '', walletId = '' } = share ?? {}
  const another = bareId(1) as WalletId
  const view: SplitView = { ...found, wallets: new Map([[subAccountId, [another, walletId as WalletId]]]) }
  const names = splitAccounts(view, 'SANDBOX').map(({ name }) => name)
  const available = [walletId, another].map((id) => `wallet:${id}:available`)
  assert.deepEqual(
    names.filter((name) => name.endsWith(':available')),
    [available[0], ...available],
  )
  assert.ok(names.includes(`wallet:${walletId}:pending`))
  assert.deepEqual(splitAccounts(undefined, 'SANDBOX'), [])
  assert.deepEqual([...recipientsOf(new Map([[view.split.paymentId, view]]))], [subAccountId])
  assert.deepEqual([unreleasedShares(view), unreleasedShares(undefined)], [7n, 0n])
})

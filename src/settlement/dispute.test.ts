// What reports of a dispute do in every order, and what becomes of refunds that wait for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type RefundId } from '#/kernel/id.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import type { Refund } from '#/refunds/refund.ts'
import { disputeOf, receiptOf, refundOf, tell, type Start } from '../../test/settlement-view.ts'

const brl = (minor: bigint) => ({ amount: { minor, currency: 'BRL' as const } })
const ends = ['dispute_opened', 'dispute_taken', 'dispute_lost', 'dispute_won'] as const
const said = (outcome: Outcome, more: Partial<Receipt> = {}) => receiptOf(outcome, more)

/** What the first report of a dispute posts. */
const opening = [
  '1.hold-unreleased DISPUTE pending>held 300',
  '1.hold DISPUTE available>held 700',
  '1.owe OWED receivable>held 700',
  '1.charge DISPUTE_FEE available>provider 15',
  '1.charge-owe OWED receivable>provider 15',
]

const text = ({ verdicts, disputes }: ReturnType<typeof tell>) => {
  const [dispute] = disputes
  return `${verdicts.at(-1)} ${dispute?.status}${dispute?.isTaken === true ? '*' : ''} ${dispute?.round}.${dispute?.version}`
}
const walk = (from: readonly Outcome[], occurrence: number) =>
  ends.map((outcome) => {
    const first = from.map((each) => receiptOf(each, { occurrence: 2 }))
    return text(tell({}, [...first, receiptOf(outcome, { occurrence })]))
  })

test('a report counts when it comes after the present state in its round, or begins a new round', () => {
  // By the state before, in round 2: what opened, taken, lost and won do, told of round 1, 2 and 3. A star: the money is taken.
  const before = {
    dispute_opened: [
      ['booked OPEN 2.1', 'noted OPEN 2.1', 'noted OPEN 2.1', 'noted OPEN 2.1'],
      ['repeated OPEN 2.1', 'booked OPEN* 2.2', 'booked LOST* 2.2', 'booked WON 2.2'],
      ['booked OPEN 2.1', 'booked OPEN* 3.2', 'booked LOST* 3.2', 'booked WON 3.2'],
    ],
    dispute_taken: [
      ['booked OPEN* 2.2', 'noted OPEN* 2.2', 'noted OPEN* 2.2', 'noted OPEN* 2.2'],
      ['booked OPEN* 2.2', 'repeated OPEN* 2.2', 'booked LOST* 2.3', 'booked WON 2.3'],
      ['booked OPEN* 2.2', 'booked OPEN* 3.3', 'booked LOST* 3.3', 'booked WON 3.3'],
    ],
    dispute_lost: [
      ['booked LOST* 2.2', 'noted LOST* 2.2', 'noted LOST* 2.2', 'noted LOST* 2.2'],
      ['booked LOST* 2.2', 'noted LOST* 2.2', 'repeated LOST* 2.2', 'booked WON 2.3'],
      ['booked LOST* 2.2', 'booked OPEN* 3.3', 'booked LOST* 3.3', 'booked WON 3.3'],
    ],
    dispute_won: [
      ['booked WON 2.2', 'noted WON 2.2', 'noted WON 2.2', 'noted WON 2.2'],
      ['booked WON 2.2', 'noted WON 2.2', 'noted WON 2.2', 'repeated WON 2.2'],
      ['booked WON 2.2', 'booked OPEN* 3.3', 'booked LOST* 3.3', 'booked WON 3.3'],
    ],
  } as const
  for (const from of ends)
    assert.deepEqual(
      [1, 2, 3].map((round) => walk([from], round)),
      before[from],
      from,
    )
})

test('money that is taken again after it was won is held and leaves again', () => {
  const again = { occurrence: 2 }
  const told = tell({}, [
    said('dispute_opened'),
    said('dispute_won'),
    said('dispute_taken', again),
    said('dispute_lost', again),
  ])
  assert.deepEqual(told.posted, [
    ...opening,
    '2.repay REPAID held>receivable 1000',
    '2.release DISPUTE_WON held>available 1000',
    '3.hold DISPUTE available>held 1000',
    '3.owe OWED receivable>held 1000',
    '3.leave LEFT held>provider 1000',
  ])
  assert.deepEqual(told.news, ['dispute.opened', 'dispute.won', 'dispute.opened', 'dispute.lost'])
  assert.equal(told.payment.disputedMinor, 1_000n)
})

test('each end moves the held money once, and what was taken or lost before is not held and does not leave again', () => {
  const moves = (from: Outcome, outcome: Outcome, occurrence: number) => {
    const told = tell({}, [said(from), said(outcome, { occurrence })])
    const first = tell({}, [said(from)]).posted.length
    return [told.posted.slice(first), told.rulings.at(-1)?.change?.receipt?.bookedMinor]
  }
  const leaves = '2.leave LEFT held>provider 1000'
  assert.deepEqual(moves('dispute_opened', 'dispute_taken', 1), [[leaves], 1_000n])
  assert.deepEqual(moves('dispute_opened', 'dispute_lost', 1), [[leaves], 1_000n])
  assert.deepEqual(moves('dispute_taken', 'dispute_lost', 1), [[], 1_000n])
  assert.deepEqual(moves('dispute_lost', 'dispute_taken', 2), [[], 1_000n])
  assert.deepEqual(moves('dispute_lost', 'dispute_lost', 2), [[], 1_000n])
  assert.deepEqual(moves('dispute_lost', 'dispute_taken', 1), [[], 0n])
  assert.deepEqual(moves('dispute_lost', 'dispute_opened', 2), [[], 0n])
  const { dispute: _none, ...nameless } = said('dispute_opened')
  const [ruling] = tell({}, [nameless]).rulings
  assert.deepEqual([ruling?.verdict, ruling?.change?.receipt?.bookedMinor], ['noted', 0n])
})

test('a report of the same name that is about other money is noted, and moves nothing', () => {
  const credited = newId<'unmatched'>()
  const { paymentId: _none, ...unpaid } = disputeOf({ unmatchedId: credited })
  for (const [start, existing, verdict] of [
    [{}, disputeOf(), 'booked'],
    [{}, disputeOf({ paymentId: newId<'payment'>() }), 'noted'],
    [{}, unpaid, 'noted'],
    [{ isMisfit: true, credited }, unpaid, 'booked'],
    [{ isMisfit: true, credited }, { ...unpaid, unmatchedId: newId<'unmatched'>() }, 'noted'],
    [{ isMisfit: true, credited }, disputeOf(), 'noted'],
  ] as const) {
    const told = tell({ ...start, disputes: [existing] }, [said('dispute_lost')])
    assert.deepEqual([told.verdicts, told.posted.length > 0], [[verdict], verdict === 'booked'])
  }
})

test('a dispute of money that never came debits the wallet, and nothing that waits', () => {
  const { posted } = tell({ hasMoney: false }, [said('dispute_opened')])
  assert.deepEqual(posted.slice(0, 2), [
    '1.hold DISPUTE available>held 1000',
    '1.owe OWED receivable>held 1000',
  ])
})

test('what a sub-account has again repays its platform, whether the money was a payment or came out of suspense', () => {
  const credited = newId<'unmatched'>()
  for (const start of [{}, { isMisfit: true, credited }]) {
    const { posted } = tell({ ...start, owesMinor: 250n }, [said('dispute_won')])
    assert.deepEqual(
      posted.slice(-3).map((each) => each.replace(/^\d+\./, '')),
      [
        'repay-parent PARENT_REPAID available>available 250',
        'uncover SHARE_COVERED owed>owes 250',
        'parent-repay PLATFORM_REPAID available>receivable 250',
      ],
    )
  }
})

test('a fee that grows is charged by what it grew, one that shrinks is not given back', () => {
  const withFee = (fee: bigint) => ({ dispute: { paidRef: 'e1', kind: 'MED' as const, fee } })
  const told = tell({}, [
    said('dispute_opened'),
    said('dispute_taken', withFee(20n)),
    said('dispute_won', withFee(3n)),
  ])
  assert.deepEqual(told.posted, [
    ...opening,
    '2.charge DISPUTE_FEE available>provider 5',
    '2.charge-owe OWED receivable>provider 5',
    '2.leave LEFT held>provider 1000',
    '3.back BACK provider>held 1000',
    '3.repay REPAID held>receivable 1000',
    '3.release DISPUTE_WON held>available 1000',
  ])
  assert.equal(told.disputes[0]?.feeMinor, 20n)
  const cent = tell({}, [said('dispute_opened'), said('dispute_taken', withFee(16n))])
  assert.equal(cent.posted[5], '2.charge DISPUTE_FEE available>provider 1')
  const none = tell({}, [said('dispute_opened', { dispute: { paidRef: 'e1', kind: 'MED' } })])
  assert.deepEqual([none.posted, none.disputes[0]?.feeMinor], [opening.slice(0, 3), 0n])
})

test('another amount than the first is noted while nothing changes, and an alarm when it ends the dispute', () => {
  const told = tell({}, [
    said('dispute_opened'),
    said('dispute_opened', { occurrence: 2, ...brl(999n) }),
    said('dispute_won', brl(999n)),
  ])
  assert.deepEqual(told.verdicts, ['booked', 'noted', 'differs'])
  assert.equal(told.posted.at(-1), '2.release DISPUTE_WON held>available 1000')
  assert.equal(told.payment.disputedMinor, 0n)
})

test('a dispute of money that was credited out of suspense debits that merchant, as for a payment', () => {
  const credited = newId<'unmatched'>()
  const taken = said('dispute_taken')
  const told = tell({ isMisfit: true, credited }, [said('dispute_opened'), taken, taken, said('dispute_won')])
  assert.deepEqual(told.verdicts, ['booked', 'booked', 'repeated', 'booked'])
  assert.deepEqual(told.posted, [
    ...opening,
    '2.leave LEFT held>provider 1000',
    '3.back BACK provider>held 1000',
    '3.repay REPAID held>receivable 1000',
    '3.release DISPUTE_WON held>available 1000',
  ])
  assert.deepEqual(
    told.disputes.map(({ unmatchedId, paymentId }) => [unmatchedId, paymentId]),
    [[credited, undefined]],
  )
})

const [opened, won, lost] = [said('dispute_opened'), said('dispute_won'), said('dispute_lost')]
const second = { providerRef: 'd2', ...brl(500n) }
/** What became of refunds, in the order in which they are given. */
const waiting = (
  refunds: readonly Refund[],
  reports: readonly Receipt[],
  start: Start = {},
  unsent?: RefundId[],
) => {
  const ids = unsent ?? refunds.map(({ id }) => id)
  const told = tell({ refunds, unsent: ids, money: { refundedMinor: 1_100n }, ...start }, reports)
  return told.refunds.map(
    ({ status, isHeldBack, version, failure }) =>
      `${status}${isHeldBack ? ' held' : ''} ${version}${failure === undefined ? '' : ` ${failure.code}`}`,
  )
}

test('refunds of disputed money that were not sent wait for all its disputes, and go on while enough of it is left', () => {
  const refund = refundOf()
  assert.deepEqual(waiting([refund], [opened]), ['PENDING held 2'])
  assert.deepEqual(waiting([refund], [opened, said('dispute_opened', second)]), ['PENDING held 2'])
  assert.deepEqual(waiting([refund], [opened, won]), ['PENDING 3'])
  assert.deepEqual(waiting([refund], [opened, lost]), ['FAILED 3 disputed'])
  const partly = (minor: bigint) => [said('dispute_opened', brl(minor)), said('dispute_lost', brl(minor))]
  assert.deepEqual(waiting([refund], partly(600n)), ['PENDING 3'])
  assert.deepEqual(waiting([refund], partly(601n)), ['FAILED 3 disputed'])
  assert.deepEqual(waiting([refund], [opened, said('dispute_opened', second), won]), ['PENDING held 2'])
  assert.deepEqual(
    waiting([refund], [opened, said('dispute_opened', second), won, said('dispute_lost', second)]),
    ['PENDING 3'],
  )
  assert.deepEqual(waiting([refund], [opened], {}, []), ['PENDING 1'], 'it was sent')
  const failed = receiptOf('refund_failed', {}, refund.id)
  assert.deepEqual(waiting([refund], [failed, opened]), ['FAILED 2'], 'it had failed before')
  const otherMoney = { dispute: { paidRef: 'e2', kind: 'MED' as const } }
  assert.deepEqual(waiting([refund], [said('dispute_opened', otherMoney)]), ['PENDING 1'])
  assert.deepEqual(
    waiting([refund], [opened, said('dispute_opened', { providerRef: 'd2', ...otherMoney }), won]),
    ['PENDING 3'],
    'a dispute of other money that is open',
  )
})

test('a dispute that opens again holds refunds back again; what was requested while it was OPEN is of other money', () => {
  const refund = refundOf()
  const after = (status: 'OPEN' | 'WON', occurrence: number) =>
    waiting([refund], [said('dispute_taken', { occurrence })], { disputes: [disputeOf({ status })] })
  assert.deepEqual(after('WON', 2), ['PENDING held 2'])
  assert.deepEqual(after('WON', 1), ['PENDING 1'], 'a late report of the round that was won')
  assert.deepEqual(after('OPEN', 1), ['PENDING 1'])
  assert.deepEqual(after('OPEN', 2), ['PENDING 1'])
  const again = said('dispute_opened', { occurrence: 2 })
  assert.deepEqual(waiting([refund], [again], { disputes: [disputeOf({ status: 'WON' })] }), ['PENDING 1'])
})

test('of money that came in the same batch refunds go on too, while enough of it is left', () => {
  const other = { dispute: { paidRef: 'e2', kind: 'MED' as const }, ...brl(600n) }
  const reports = [
    receiptOf('paid', { providerRef: 'e2' }),
    said('dispute_opened', other),
    said('dispute_lost', other),
  ]
  assert.deepEqual(waiting([refundOf({ paidRef: 'e2' })], reports), ['PENDING 3'])
  assert.deepEqual(waiting([refundOf({ paidRef: 'e2', amountMinor: 401n })], reports), ['FAILED 3 disputed'])
})

test('only disputes of the same payment and money count for its refunds, and money that never came gives none', () => {
  const refund = refundOf({ isHeldBack: true })
  const others = { providerRef: 'd2', paymentId: newId<'payment'>() }
  const disputes = (change: object) => ({ disputes: [disputeOf(), disputeOf({ ...others, ...change })] })
  assert.deepEqual(waiting([refund], [won], disputes({})), ['PENDING 2'])
  assert.deepEqual(waiting([refund], [won], disputes({ status: 'LOST' })), ['PENDING 2'])
  const small = refundOf({ isHeldBack: true, amountMinor: 1n })
  const none = { ...disputes({}), pieceMinor: null }
  assert.deepEqual(waiting([small], [won], none), ['FAILED 2 disputed'])
})

test('the oldest refund goes on first, of one moment that with the smaller id, and what others hold or have returned counts', () => {
  const [first, next] = [refundOf(), refundOf({ amountMinor: 700n })].toSorted((a, b) =>
    a.id < b.id ? -1 : 1,
  )
  assert.ok(first && next)
  const [big, small] = [
    { ...first, amountMinor: 700n },
    { ...next, amountMinor: 400n },
  ]
  const both = [opened, won]
  assert.deepEqual(waiting([big, small], both), ['PENDING 3', 'FAILED 3 disputed'])
  assert.deepEqual(waiting([small, big], both), ['FAILED 3 disputed', 'PENDING 3'])
  const older = { ...small, createdAt: new Date(small.createdAt.getTime() - 1) }
  assert.deepEqual(waiting([big, older], both), ['FAILED 3 disputed', 'PENDING 3'])
  assert.deepEqual(waiting([older, big], both), ['PENDING 3', 'FAILED 3 disputed'])
  const exact = { ...small, amountMinor: 300n }
  assert.deepEqual(waiting([big, exact], both), ['PENDING 3', 'PENDING 3'])
  for (const [status, after] of [
    ['COMPLETED', 'FAILED 3 disputed'],
    ['PENDING', 'FAILED 3 disputed'],
    ['FAILED', 'PENDING 3'],
  ] as const)
    assert.deepEqual(waiting([{ ...big, status }, small], both, {}, [small.id]), [`${status} 1`, after])
  const asked = refundOf({ isHeldBack: false })
  const told = tell({ refunds: [asked], unsent: [asked.id] }, [lost])
  assert.equal(told.payment.refundedMinor, 0n, 'opened and lost by one report: it has failed')
})

test('a refund that goes on holds what waits first, and then what is available', () => {
  const held = refundOf({ isHeldBack: true })
  const start = {
    refunds: [held],
    unsent: [held.id],
    disputes: [disputeOf({ feeMinor: 15n })],
    money: { unreleasedMinor: 1n },
  }
  assert.deepEqual(tell(start, [won], { hasMinor: 399n }).posted.slice(-2), [
    '2.hold-unreleased REFUND pending>held 1',
    '2.hold REFUND available>held 399',
  ])
  const refunds = [held, refundOf({ isHeldBack: true })]
  const two = { ...start, refunds, unsent: refunds.map(({ id }) => id) }
  assert.deepEqual(tell(two, [won], { hasMinor: 799n }).news, ['dispute.won'])
  assert.deepEqual(tell(two, [won], { hasMinor: 798n }).news, ['dispute.won', 'refund.failed'])
})

test('a refund whose money is spent when the dispute ends fails, and what it held goes back to where it came from', () => {
  const refund = refundOf()
  const start = { refunds: [refund], unsent: [refund.id] }
  const told = tell(start, [opened, won], { hasMinor: 399n })
  assert.deepEqual(told.news, ['dispute.opened', 'dispute.won', 'refund.failed'])
  assert.deepEqual([told.refunds[0]?.failure?.code, told.payment.refundedMinor], ['insufficient_funds', 0n])
  assert.deepEqual(told.posted.slice(0, 4), [
    '2.release-unreleased REFUND_RETURNED held>pending 100',
    '2.release REFUND_RETURNED held>available 300',
    '2.repay REFUND_REPAID available>receivable 300',
    '1.hold-unreleased DISPUTE pending>held 400',
  ])
  for (const [withheldMinor, back] of [
    [350n, 50n],
    [301n, 1n],
    [300n, 0n],
    [1_000n, 100n],
  ] as const)
    assert.ok(
      tell({ ...start, withheldMinor }, [opened]).posted.includes(
        `2.release REFUND_RETURNED held>available ${400n - back}`,
      ),
    )
  const released = { ...start, withheldMinor: null, money: { unreleasedMinor: 0n } }
  const told0 = tell(released, [opened]).posted
  assert.ok(told0.includes('2.release REFUND_RETURNED held>available 400'))
})

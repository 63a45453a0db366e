// What settlement decides on reports of money and of refunds that come one after the other in one batch.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { at, orderOf, receiptOf, refundOf, tell, type Start } from '../../test/settlement-view.ts'

const brl = (minor: bigint) => ({ amount: { minor, currency: 'BRL' as const } })
/** A payment of 10.00 that nobody has paid yet. */
const unpaid: Start = {
  payment: { status: 'WAITING_PAYMENT', receivedMinor: 0n, refundedMinor: 0n, seenMinor: 0n },
  hasMoney: false,
}

test('money on its way is pending until it is gone, and announced again after its end it is nothing', () => {
  const [seen, gone] = [receiptOf('seen'), receiptOf('orphaned', { pendingRef: 'p1' })]
  const again = [seen, gone].map((receipt) => ({ ...receipt, occurrence: 2 }))
  const { posted, payment, rulings } = tell(unpaid, [seen, gone, ...again])
  assert.deepEqual(posted, ['4.pending PENDING seen>pending 1000', '5.unpending PENDING pending>seen 1000'])
  assert.deepEqual([payment.seenMinor, payment.version, payment.receipts], [0n, 7, 7])
  assert.deepEqual(
    rulings.map(({ change }) => change?.receipt?.bookedMinor),
    [1_000n, 1_000n, 0n, 0n],
  )
})

test('authorisations that together cover a payment approve it; it ends when the rest does not cover it any more', () => {
  const first = receiptOf('authorised', { pendingRef: 'a', ...brl(400n) })
  const rest = receiptOf('authorised', { pendingRef: 'b', providerRef: 'e2', ...brl(600n) })
  const little = receiptOf('authorised', { pendingRef: 'b', providerRef: 'e2', ...brl(599n) })
  const more = receiptOf('authorised', { pendingRef: 'c', providerRef: 'e3', ...brl(400n) })
  const ends = { ...first, outcome: 'voided' as const }
  const told = (receipts: readonly Receipt[], orders?: Start['orders']) => {
    const { news, payment } = tell({ ...unpaid, ...(orders && { orders }) }, receipts)
    return [payment.status, ...news]
  }
  assert.deepEqual(told([first, little]), ['WAITING_PAYMENT'])
  assert.deepEqual(told([first, rest]), ['APPROVED', 'payment.approved'])
  assert.deepEqual(told([first, rest, more, ends]), ['APPROVED', 'payment.approved'])
  assert.deepEqual(told([first, ends]), ['WAITING_PAYMENT'])
  const ended = [first, rest, ends]
  assert.deepEqual(told(ended), ['EXPIRED', 'payment.approved', 'payment.expired'])
  for (const [kind, isRequested, status] of [
    ['VOID', true, 'CANCELED'],
    ['VOID', false, 'EXPIRED'],
    ['CAPTURE', true, 'EXPIRED'],
  ] as const)
    assert.deepEqual(told(ended, orderOf({ kind, isRequested }))[0], status)
})

test('an authorisation that nobody waits for is voided, and all others are when the payment is paid', () => {
  const authorised = receiptOf('authorised', { pendingRef: 'a' })
  const unwanted = (start: Start, receipts: readonly Receipt[]) =>
    tell(start, receipts).rulings.map(({ change }) => change?.unwanted && Object.keys(change.unwanted).length)
  assert.deepEqual(unwanted({}, [authorised]), [3], 'that one')
  assert.deepEqual(unwanted({}, [{ ...authorised, ...brl(1n) }]), [3], 'however little')
  const ended = { ...authorised, outcome: 'voided' as const }
  assert.deepEqual(unwanted({}, [ended, authorised]), [undefined, undefined], 'its end came before it')
  assert.deepEqual(unwanted(unpaid, [authorised]), [undefined])
  const other = receiptOf('paid', { providerRef: 'e2', pendingRef: 'p2' })
  assert.deepEqual(unwanted(unpaid, [authorised, other]), [undefined, 2], 'all')
  assert.deepEqual(unwanted(unpaid, [{ ...authorised, ...brl(1n) }, other]), [undefined, 2], 'however little')
  assert.deepEqual(unwanted(unpaid, [authorised, { ...other, pendingRef: 'a' }]), [undefined, undefined])
  assert.deepEqual(unwanted(unpaid, [authorised, { ...other, ...brl(999n) }]), [undefined, undefined])
})

test('final money ends what announced it, pays our fee, and waits for its delay unless the fee uses it up', () => {
  const delayed: Start = { ...unpaid, delayMs: 5, feeMinor: 30n }
  const [seen, paid] = [receiptOf('seen'), receiptOf('paid')]
  const twice = receiptOf('paid', { providerRef: 'e2', pendingRef: 'p2' })
  const { posted, news, payment, rulings } = tell(delayed, [seen, paid, twice])
  assert.deepEqual(posted, [
    '4.pending PENDING seen>pending 1000',
    '5.unpending PENDING pending>seen 1000',
    '5.credit PAYMENT provider>pending 1000',
    '5.fee FEE pending>fees 30',
    '6.credit PAYMENT provider>pending 1000',
  ])
  assert.deepEqual(news, ['payment.completed', 'payment.received_after_close'])
  assert.deepEqual([payment.unreleasedMinor, payment.exceptions], [1_970n, ['DUPLICATE']])
  assert.deepEqual(
    rulings.map(({ change }) => [
      change?.receipt?.isDuplicate,
      change?.release?.minor,
      change?.release?.ordinal,
    ]),
    [
      [undefined, undefined, undefined],
      [false, 970n, 5],
      [true, 1_000n, 6],
    ],
  )
  const kinds = (start: Start) => {
    const told = tell(start, [paid])
    return [told.posted[0], told.rulings[0]?.change?.release?.minor]
  }
  assert.deepEqual(kinds({ ...delayed, feeMinor: 999n }), ['4.credit PAYMENT provider>pending 1000', 1n])
  assert.deepEqual(kinds({ ...delayed, feeMinor: 1_000n }), [
    '4.credit PAYMENT provider>available 1000',
    undefined,
  ])
  assert.deepEqual(kinds({ ...delayed, delayMs: 1 }), ['4.credit PAYMENT provider>pending 1000', 970n])
  assert.deepEqual(kinds({ ...delayed, delayMs: 0 }), ['4.credit PAYMENT provider>available 1000', undefined])
  const { delayMs: _none, ...undelayed } = delayed
  assert.deepEqual(kinds(undelayed), ['4.credit PAYMENT provider>available 1000', undefined])
})

test('what failed at the payer stays as the last error of a payment that waits, and of no other', () => {
  const failure = { code: 'refused', message: 'no' }
  const declined = receiptOf('declined', { failure })
  for (const [status, code] of [
    ['PENDING', 'refused'],
    ['WAITING_PAYMENT', 'refused'],
    ['APPROVED', undefined],
    ['PAID', undefined],
  ] as const) {
    const { payment, rulings } = tell({ payment: { status } }, [declined])
    assert.deepEqual([payment.lastError?.code, rulings[0]?.change?.receipt?.bookedMinor], [code, 0n], status)
  }
  const silent = tell({ payment: { status: 'PENDING' } }, [receiptOf('declined')])
  assert.equal(silent.payment.lastError, undefined)
})

test('a refund ends once, whatever else names it, and a report of another amount or payment is only noted', () => {
  const refund = refundOf()
  const done = receiptOf('refunded', {}, refund.id)
  const failed = receiptOf('refund_failed', {}, refund.id)
  const start = { refunds: [refund] }
  const of = (receipts: readonly Receipt[], from: Start = start) => {
    const { verdicts, news, posted, refunds, payment, rulings } = tell(from, receipts)
    const [first] = refunds
    const booked = rulings.map(({ change }) => change?.receipt?.bookedMinor)
    const { refundedMinor, unreleasedMinor } = payment
    return {
      verdicts,
      news,
      posted,
      booked,
      is: [first?.status, first?.version, refundedMinor, unreleasedMinor],
    }
  }
  assert.deepEqual(of([done, { ...done, providerRef: 'r2' }]), {
    verdicts: ['booked', 'noted'],
    news: ['refund.completed'],
    posted: ['2.leave LEFT held>provider 400'],
    booked: [400n, 0n],
    is: ['COMPLETED', 2, 400n, 300n],
  })
  assert.deepEqual(of([failed, { ...failed, providerRef: 'r2' }]), {
    verdicts: ['booked', 'noted'],
    news: ['refund.failed'],
    posted: [
      '2.release-unreleased REFUND_RETURNED held>pending 100',
      '2.release REFUND_RETURNED held>available 300',
      '2.repay REFUND_REPAID available>receivable 300',
    ],
    booked: [400n, 0n],
    is: ['FAILED', 2, 0n, 400n],
  })
  for (const odd of [
    { ...done, ...brl(399n) },
    receiptOf('refunded', {}, newId<'refund'>()),
    receiptOf('refunded'),
  ])
    assert.deepEqual(of([odd]).verdicts, ['noted'])
  const others = { refunds: [{ ...refund, paymentId: newId<'payment'>() }] }
  assert.deepEqual(of([done], others).verdicts, ['noted'])
})

test('a provider that revokes its reports moves the money each time, and a refund of more than came is an alarm', () => {
  const refund = refundOf()
  const [done, failed] = [receiptOf('refunded', {}, refund.id), receiptOf('refund_failed', {}, refund.id)]
  const later = { inquiry: { at: new Date(at.getTime() + 1) } }
  const told = tell({ refunds: [refund] }, [failed, done, failed], later)
  assert.deepEqual(told.posted.slice(3), [
    '3.hold-unreleased REFUND pending>held 400',
    '3.leave LEFT held>provider 400',
    '4.return REFUND_RETURNED provider>available 400',
    '6.repay RECEIVABLE_REPAID available>receivable 400',
  ])
  assert.deepEqual(told.news, ['refund.failed', 'refund.completed', 'refund.failed'])
  assert.deepEqual([told.payment.refundedMinor, told.payment.unreleasedMinor], [0n, 0n])
  assert.deepEqual(
    tell({ refunds: [refund] }, [failed, done]).verdicts,
    ['booked', 'undecided'],
    'nobody asked',
  )
  const gone = { refunds: [refundOf({ id: refund.id, status: 'FAILED' })] }
  for (const [refundedMinor, verdict] of [
    [600n, 'booked'],
    [601n, 'differs'],
  ] as const)
    assert.deepEqual(tell({ ...gone, money: { refundedMinor } }, [done]).verdicts, [verdict])
})

test('a refund that fails returns to what waits as much of it as is still to be released, with what came in the same batch', () => {
  const paid = receiptOf('paid', { providerRef: 'e2', ...brl(200n) })
  const refund = refundOf()
  const failed = receiptOf('refund_failed', {}, refund.id)
  const back = (start: Start) =>
    tell({ delayMs: 5, refunds: [refund], ...start }, [paid, failed]).posted.slice(-3)
  assert.deepEqual(back({ withheldMinor: 300n }), [
    '4.credit PAYMENT provider>pending 200',
    '2.release REFUND_RETURNED held>available 400',
    '2.repay REFUND_REPAID available>receivable 400',
  ])
  assert.deepEqual(
    back({ withheldMinor: null, money: { unreleasedMinor: 0n } }),
    back({ withheldMinor: 300n }),
  )
  assert.deepEqual(back({ withheldMinor: 350n }), [
    '2.release-unreleased REFUND_RETURNED held>pending 50',
    '2.release REFUND_RETURNED held>available 350',
    '2.repay REFUND_REPAID available>receivable 350',
  ])
})

test('a refund that is held back for a dispute has nothing set aside: done it is debited, failed it releases nothing', () => {
  const refund = refundOf({ isHeldBack: true })
  const start = { refunds: [refund] }
  const done = tell(start, [receiptOf('refunded', {}, refund.id)])
  assert.deepEqual(done.posted, [
    '2.hold-unreleased REFUND pending>held 300',
    '2.hold REFUND available>held 100',
    '2.owe OWED receivable>held 100',
    '2.leave LEFT held>provider 400',
  ])
  assert.deepEqual([done.payment.unreleasedMinor, done.refunds[0]?.isHeldBack], [0n, false])
  const failed = tell(start, [receiptOf('refund_failed', {}, refund.id)])
  assert.deepEqual([failed.posted, failed.payment.refundedMinor], [[], 0n])
  assert.equal(failed.rulings[0]?.change?.receipt?.bookedMinor, 0n)
})

test('money that fits no attempt is suspended once, and leaves when its provider has lost all of it', () => {
  const paid = receiptOf('paid')
  const lost = receiptOf('dispute_lost')
  const { verdicts, posted, rulings } = tell({ isMisfit: true }, [
    paid,
    paid,
    { ...lost, ...brl(999n) },
    receiptOf('dispute_opened'),
    { ...lost, occurrence: 2 },
    { ...lost, occurrence: 3 },
  ])
  assert.deepEqual(verdicts, ['suspended', 'repeated', 'noted', 'noted', 'booked', 'noted'])
  assert.deepEqual(posted, [
    '1.suspend SUSPENSE provider>suspense 1000',
    '2.return SUSPENSE suspense>provider 1000',
  ])
  assert.deepEqual(
    rulings.flatMap(({ change }) => change?.resolved ?? []).map(({ resolution, note }) => [resolution, note]),
    [['RETURNED', 'The provider took it back: d1']],
  )
  const odd = [{ ...paid, ...brl(0n) }, receiptOf('seen'), { ...paid, providerRef: 'e9', ...brl(1n) }]
  assert.deepEqual(tell({ isMisfit: true }, odd).verdicts, ['noted', 'noted', 'suspended'])
})

// The effect of final money on a payment, one rule in each row: written from the rules, not from the code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment, PaymentException, PaymentStatus } from '#/payments/payment.ts'
import type { EventType } from '#/webhooks/event.ts'
import { judged } from './credit.ts'

const expiresAt = new Date('2026-11-21T13:00:00.000Z')
const inTime = new Date('2026-11-21T12:59:59.999Z')
const at = new Date('2026-11-21T14:00:00.000Z')

type Row = {
  readonly rule: string
  readonly status: PaymentStatus
  /** The payment is of 1000: received before, refunded before, and arriving now. */
  readonly before?: bigint
  readonly refunded?: bigint
  readonly had?: readonly PaymentException[]
  readonly arrives: bigint
  readonly happened?: Date
  /** It is what the merchant captured of this authorised amount. */
  readonly authorised?: bigint
  readonly becomes: PaymentStatus
  readonly exceptions: readonly PaymentException[]
  readonly event: EventType | undefined
}

const rows: readonly Row[] = [
  {
    rule: 'the exact amount',
    status: 'WAITING_PAYMENT',
    arrives: 1_000n,
    becomes: 'PAID',
    exceptions: [],
    event: 'payment.completed',
  },
  {
    rule: 'the exact amount before the payer could pay',
    status: 'PENDING',
    arrives: 1_000n,
    becomes: 'PAID',
    exceptions: [],
    event: 'payment.completed',
  },
  {
    rule: 'the exact amount, captured',
    status: 'APPROVED',
    arrives: 1_000n,
    becomes: 'PAID',
    exceptions: [],
    event: 'payment.completed',
  },
  {
    rule: 'less',
    status: 'WAITING_PAYMENT',
    arrives: 999n,
    becomes: 'WAITING_PAYMENT',
    exceptions: ['UNDERPAID'],
    event: 'payment.underpaid',
  },
  {
    rule: 'less again',
    status: 'WAITING_PAYMENT',
    before: 1n,
    had: ['UNDERPAID'],
    arrives: 998n,
    becomes: 'WAITING_PAYMENT',
    exceptions: ['UNDERPAID'],
    event: 'payment.underpaid',
  },
  {
    rule: 'the rest',
    status: 'WAITING_PAYMENT',
    before: 400n,
    had: ['UNDERPAID'],
    arrives: 600n,
    becomes: 'PAID',
    exceptions: [],
    event: 'payment.completed',
  },
  ...(['PENDING', 'APPROVED'] as const).map((status): Row => ({
    rule: 'less',
    status,
    arrives: 999n,
    becomes: status,
    exceptions: ['UNDERPAID'],
    event: 'payment.underpaid',
  })),
  {
    rule: 'less than was authorised, because the merchant captured less, long after the end',
    status: 'APPROVED',
    authorised: 1_000n,
    arrives: 600n,
    happened: at,
    becomes: 'PAID',
    exceptions: [],
    event: 'payment.completed',
  },
  {
    rule: 'more',
    status: 'WAITING_PAYMENT',
    arrives: 1_001n,
    becomes: 'PAID',
    exceptions: ['OVERPAID'],
    event: 'payment.completed',
  },
  {
    rule: 'more than the rest',
    status: 'WAITING_PAYMENT',
    before: 400n,
    had: ['UNDERPAID'],
    arrives: 601n,
    becomes: 'PAID',
    exceptions: ['OVERPAID'],
    event: 'payment.completed',
  },
  {
    rule: 'a second time',
    status: 'PAID',
    before: 1_000n,
    arrives: 1_000n,
    becomes: 'PAID',
    exceptions: ['DUPLICATE'],
    event: 'payment.received_after_close',
  },
  {
    rule: 'a third time',
    status: 'PAID',
    before: 2_000n,
    had: ['DUPLICATE'],
    arrives: 1n,
    becomes: 'PAID',
    exceptions: ['DUPLICATE'],
    event: 'payment.received_after_close',
  },
  {
    rule: 'a second time, late: paid is paid',
    status: 'PAID',
    before: 1_000n,
    arrives: 1n,
    happened: at,
    becomes: 'PAID',
    exceptions: ['DUPLICATE'],
    event: 'payment.received_after_close',
  },
  {
    rule: 'again after too much',
    status: 'PAID',
    before: 1_200n,
    had: ['OVERPAID'],
    arrives: 5n,
    becomes: 'PAID',
    exceptions: ['OVERPAID', 'DUPLICATE'],
    event: 'payment.received_after_close',
  },
  {
    rule: 'the exact amount, late, while still waiting',
    status: 'WAITING_PAYMENT',
    arrives: 1_000n,
    happened: at,
    becomes: 'PAID',
    exceptions: ['LATE'],
    event: 'payment.completed',
  },
  {
    rule: 'late is from the very instant of the end on',
    status: 'WAITING_PAYMENT',
    arrives: 1_000n,
    happened: expiresAt,
    becomes: 'PAID',
    exceptions: ['LATE'],
    event: 'payment.completed',
  },
  {
    rule: 'the full amount after EXPIRED',
    status: 'EXPIRED',
    arrives: 1_000n,
    happened: at,
    becomes: 'PAID',
    exceptions: ['LATE'],
    event: 'payment.completed',
  },
  {
    rule: 'sent in time, seen after EXPIRED',
    status: 'EXPIRED',
    arrives: 1_000n,
    becomes: 'PAID',
    exceptions: [],
    event: 'payment.completed',
  },
  {
    rule: 'the full amount after FAILED',
    status: 'FAILED',
    arrives: 1_000n,
    happened: at,
    becomes: 'PAID',
    exceptions: ['LATE'],
    event: 'payment.completed',
  },
  {
    rule: 'less after EXPIRED',
    status: 'EXPIRED',
    arrives: 10n,
    happened: at,
    becomes: 'EXPIRED',
    exceptions: ['UNDERPAID', 'LATE'],
    event: 'payment.received_after_close',
  },
  {
    rule: 'less after FAILED, sent in time',
    status: 'FAILED',
    arrives: 10n,
    becomes: 'FAILED',
    exceptions: ['UNDERPAID'],
    event: 'payment.received_after_close',
  },
  {
    rule: 'the rest after EXPIRED',
    status: 'EXPIRED',
    before: 10n,
    had: ['UNDERPAID', 'LATE'],
    arrives: 990n,
    happened: at,
    becomes: 'PAID',
    exceptions: ['LATE'],
    event: 'payment.completed',
  },
  {
    rule: 'more after EXPIRED',
    status: 'EXPIRED',
    arrives: 1_500n,
    happened: at,
    becomes: 'PAID',
    exceptions: ['OVERPAID', 'LATE'],
    event: 'payment.completed',
  },
  {
    rule: 'the full amount after CANCELED',
    status: 'CANCELED',
    arrives: 1_000n,
    becomes: 'CANCELED',
    exceptions: [],
    event: 'payment.received_after_close',
  },
  {
    rule: 'any amount after CANCELED, late',
    status: 'CANCELED',
    arrives: 1n,
    happened: at,
    becomes: 'CANCELED',
    exceptions: ['LATE'],
    event: 'payment.received_after_close',
  },
  {
    rule: 'what was refunded counts as not received',
    status: 'WAITING_PAYMENT',
    before: 600n,
    refunded: 300n,
    had: ['UNDERPAID'],
    arrives: 600n,
    becomes: 'WAITING_PAYMENT',
    exceptions: ['UNDERPAID'],
    event: 'payment.underpaid',
  },
  {
    rule: 'the rest after a refund',
    status: 'WAITING_PAYMENT',
    before: 600n,
    refunded: 300n,
    had: ['UNDERPAID'],
    arrives: 700n,
    becomes: 'PAID',
    exceptions: [],
    event: 'payment.completed',
  },
  ...(['PENDING', 'WAITING_PAYMENT', 'APPROVED', 'PAID', 'EXPIRED', 'FAILED', 'CANCELED'] as const).map(
    (status): Row => ({
      rule: 'less than a minor unit',
      status,
      arrives: 0n,
      happened: at,
      becomes: status,
      exceptions: [],
      event: undefined,
    }),
  ),
]

for (const row of rows) {
  test(`${row.rule}, on ${row.status}: ${row.becomes}${row.exceptions.map((each) => ` ${each}`).join('')}`, () => {
    const payment = {
      status: row.status,
      amountMinor: 1_000n,
      receivedMinor: row.before ?? 0n,
      refundedMinor: row.refunded ?? 0n,
      feeMinor: 5n,
      exceptions: row.had ?? [],
      expiresAt,
    } as Partial<Payment> as Payment
    const { authorised } = row
    const receipt = {
      happenedAt: row.happened ?? inTime,
      txHash: '0xfeed',
      providerRef: '0xfeed:3',
      ...(authorised === undefined ? {} : { authorised: { minor: authorised, currency: 'BRL' as const } }),
    }
    const { payment: after, event } = judged(payment, { arrived: row.arrives, fee: 3n, receipt, at })
    assert.equal(after.status, row.becomes)
    assert.deepEqual([...after.exceptions].sort(), [...row.exceptions].sort())
    assert.equal(event, row.event)
    assert.equal(after.receivedMinor, (row.before ?? 0n) + row.arrives)
    assert.equal(after.feeMinor, row.arrives === 0n ? 5n : 8n)
    const isCompleted = row.event === 'payment.completed'
    assert.equal(after.paidAt, isCompleted ? at : undefined)
    assert.equal(after.completingTx, isCompleted ? '0xfeed' : undefined)
    assert.equal(after.completingRef, isCompleted ? '0xfeed:3' : undefined)
  })
}

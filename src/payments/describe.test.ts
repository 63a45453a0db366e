// What rails add to the records of payments: which payments they are asked about, and what of the attempts and refunds is shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RailFields, shownMax } from '#/contract/payment-rail-fields.ts'
import type { Sql } from '#/db/client.ts'
import type { RefundId } from '#/kernel/id.ts'
import type { Method } from '#/rails/method.ts'
import type { Rail, Rails } from '#/rails/rail.ts'
import { ours } from '../../test/bare-attempts.ts'
import { attemptOf, attemptRows, paymentOf } from '../../test/bare-payments.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { testRail } from '../../test/contract/rail.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { describePayments, type Descriptions } from './describe.ts'
import type { Payment } from './payment.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

type Row = Readonly<Record<string, unknown>>

const payment = (number: number, change: Partial<Payment> = {}): Payment =>
  partly<Payment>({
    merchantId: ours,
    id: paymentOf(number),
    request: { amount: 100 },
    methods: ['PIX'],
    method: 'PIX',
    refundedMinor: 0n,
    ...change,
  })

/** PIX shows the attempts that it is given, and CRYPTO the names of the payments that its tables are asked for. */
const railsWith = (asked: string[] = []): Rails => {
  const rail = (method: Method, record: NonNullable<Rail['record']>): [Method, Rail] => [
    method,
    { ...testRail(), method, record },
  ]
  return new Map([
    rail('PIX', { from: 'ATTEMPTS', show: (attempts, view) => ({ attempts, view }) as RailFields }),
    rail('CRYPTO', {
      from: 'TABLES',
      async describe(_sql, refs) {
        asked.push(...refs.map(({ paymentId }) => paymentId))
        return new Map(
          refs.map((ref) => [ref.paymentId, { completing: ref.completing ?? 'none' } as RailFields]),
        )
      },
      deposits: async () => ({ data: [] }),
      findByTx: async () => [],
    }),
  ])
}

type Start = {
  readonly attempts?: readonly Row[]
  readonly receipts?: readonly Row[]
  readonly refunds?: readonly Row[]
}

/** What is said of the payment after these changes of the batch. */
function describe(
  of: Payment,
  { attempts = [], receipts = [], refunds = [] }: Start = {},
  change: (described: Descriptions) => void = () => {},
) {
  const ref = { merchant_id: ours, payment_id: of.id }
  const tables = {
    attempt: attemptRows(
      0,
      attempts.map((row) => ({ method: 'PIX', ...row })),
    ),
    receipt: receipts.map((row, index) => ({
      ...ref,
      attempt_id: attemptOf(0, 1),
      outcome: 'paid',
      ordinal: index + 1,
      ...row,
    })),
    refund: refunds.map((row, index) => ({ ...ref, id: bareId(50 + index), status: 'PENDING', ...row })),
  }
  return onRows(sql, tables, async (tx) => {
    const described = await describePayments(tx, railsWith(), [of], 'brief')
    change(described)
    return described.of(of)
  })
}

const artifacts = { code: 'A' }
const first = { id: attemptOf(0, 1), paymentId: paymentOf(0), method: 'PIX' }

test('a rail’s tables are asked about the payments that may show its method, and about none without them', async () => {
  const askedOf = async (...payments: readonly Payment[]) => {
    const asked: string[] = []
    const tables = { attempt: [], receipt: [], refund: [] }
    await onRows(sql, tables, (tx) => describePayments(tx, railsWith(asked), payments, 'brief'))
    return asked
  }
  const checkout = { request: { amount: 100, checkout: 'shop' } }
  const crypto = { method: 'CRYPTO', methods: ['CRYPTO'] } as const
  assert.deepEqual(await askedOf(payment(1), payment(2, crypto)), [paymentOf(2)])
  assert.deepEqual(await askedOf(payment(3, { ...checkout, methods: ['PIX', 'CRYPTO'] })), [paymentOf(3)])
  assert.deepEqual(await askedOf(payment(4, { ...checkout, ...crypto, methods: ['PIX'] })), [])
  const none: Rails = new Map(
    [...railsWith()].map(([method, rail]) => [
      method,
      rail.record?.from === 'TABLES'
        ? { ...rail, record: { ...rail.record, describe: () => assert.fail('it is asked about none') } }
        : rail,
    ]),
  )
  await onRows(sql, { attempt: [], receipt: [], refund: [] }, (tx) =>
    describePayments(tx, none, [payment(1)], 'brief'),
  )
})

test('a payment shows the fields of its own method, with the money that completed it', async () => {
  const crypto = payment(0, { method: 'CRYPTO', methods: ['CRYPTO'], completingTx: '0x1' })
  assert.deepEqual(await describe(crypto), { completing: '0x1' })
  assert.deepEqual(await describe({ ...crypto, completingRef: '0x1:0' }), { completing: '0x1:0' })
  const both = { request: { amount: 100, checkout: 'shop' }, methods: ['PIX', 'CRYPTO'] } as const
  assert.deepEqual(await describe(payment(0, { ...both, method: 'CRYPTO' })), { completing: 'none' })
  assert.deepEqual(await describe(payment(0, { ...both, method: 'PIX' })), { attempts: [], view: 'brief' })
})

test('an attempt is shown with its artifacts, the names of its money and the means of its latest receipt', async () => {
  const start = {
    attempts: [{ artifacts }, { method: 'CREDIT_CARD' }],
    receipts: [
      { provider_ref: 'E1', means: { name: 'old' } },
      { provider_ref: 'E2', outcome: 'authorised', means: { name: 'new' } },
      { provider_ref: 'E3' },
      { provider_ref: 'X1', attempt_id: attemptOf(0, 2) },
    ],
  }
  const shown = { ...first, means: { name: 'new' }, paidRefs: ['E1', 'E3'] }
  assert.deepEqual(await describe(payment(0), start), { attempts: [{ ...shown, artifacts }], view: 'brief' })
  // The payer of a checkout finds the artifacts on its page only.
  const checkout = payment(0, { request: { amount: 100, checkout: 'shop' } })
  assert.deepEqual(await describe(checkout, start), { attempts: [shown], view: 'brief' })
})

test('what comes in the same batch is shown of its attempt', async () => {
  const start = { attempts: [{}, {}], receipts: [{ provider_ref: 'E1' }] }
  const [one, two] = [{ id: attemptOf(0, 1) }, { id: attemptOf(0, 2) }]
  const fields = await describe(payment(0), start, (described) => {
    described.addPaid(paymentOf(0), one, 'E2')
    described.addMeans(paymentOf(0), two, { name: 'new' })
    described.addPaid(paymentOf(9), one, 'E3')
  })
  const attempts = [
    { ...first, paidRefs: ['E1', 'E2'] },
    { ...first, ...two, paidRefs: [], means: { name: 'new' } },
  ]
  assert.deepEqual(fields, { attempts, view: 'brief' })
})

test('of many names of money the newest are shown, and the one that completed the sum', async () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `E${index + 1}`)
  const shownOf = async (count: number, completingRef?: string) => {
    const of = payment(0, completingRef === undefined ? {} : { completingRef })
    const receipts = names(count).map((provider_ref) => ({ provider_ref }))
    const { attempts } = (await describe(of, { attempts: [{}], receipts })) as {
      attempts: readonly { readonly paidRefs: readonly string[] }[]
    }
    return attempts.flatMap(({ paidRefs }) => paidRefs)
  }
  const newest = names(shownMax + 2).slice(2)
  assert.deepEqual(await shownOf(shownMax), names(shownMax))
  assert.deepEqual(await shownOf(shownMax + 2), newest)
  assert.deepEqual(await shownOf(shownMax + 2, 'E5'), newest)
  assert.deepEqual(await shownOf(shownMax + 2, 'E1'), ['E1', ...newest.slice(1)])
  assert.deepEqual(await shownOf(shownMax + 2, 'unknown'), newest)
})

test('refunds whose end is not known are summed, with those of the batch', async () => {
  const some = payment(0, { refundedMinor: 1n })
  const refunds = [{ amount_minor: 30 }, { amount_minor: 12 }, { amount_minor: 5, status: 'COMPLETED' }]
  const pendingOf = async (of: Payment, change?: (described: Descriptions) => void) =>
    (await describe(of, { refunds }, change))['amountRefundPending']
  assert.equal(await pendingOf(some), 42)
  assert.equal(await pendingOf(payment(0)), undefined)
  const id = bareId(50) as RefundId
  const one = { id, paymentId: some.id, minor: 30n }
  assert.equal(await pendingOf(some, (described) => described.setRefund({ ...one, isPending: false })), 12)
  const fresh = { id: bareId(60) as RefundId, paymentId: some.id, minor: 1n, isPending: true }
  assert.equal(await pendingOf(payment(0), (described) => described.setRefund(fresh)), 1)
  const other = { ...fresh, paymentId: paymentOf(9) }
  assert.equal(await pendingOf(payment(0), (described) => described.setRefund(other)), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectPaidRefs } from '#/payments/attempt-queries.ts'
import { describePayments } from '#/payments/describe.ts'
import { listRails } from '#/rails/all.ts'
import type { ShownAttempt } from '#/rails/attempt.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import { selectPieces } from '#/refunds/queries.ts'
import { cent, openLine, randomHash } from '../../test/line.ts'
import { openForTests } from '../../test/open-for-tests.ts'

const line = openForTests(openLine)

type Notified = {
  readonly type: string
  readonly status: string
  readonly onchainTxHash?: string
  readonly amountReceived: number
  readonly depositCount: number
  readonly deposits: readonly { readonly txHash: string; readonly amount: string; readonly at: string }[]
}

/** The payment's events, with the batch of each. */
async function notifiedOf(id: string): Promise<readonly (Notified & { readonly batch: bigint })[]> {
  const rows = await line.sql<{ type: string; batch: bigint; body: string }[]>`
    select type, batch, body from event where resource_id = ${id} order by sequence`
  return rows.map(({ type, batch, body }) => ({
    ...(JSON.parse(body) as { data: Notified }).data,
    type,
    batch,
  }))
}

test('hundreds of transfers in one tx make few events with few deposits, and all money is credited', async () => {
  const count = 300
  const payment = await line.create({ amount: 1_500 })
  const to = await line.addressOf(payment)
  const txHash = randomHash()
  await line.mine(Array.from({ length: count }, (_, ordinal) => ({ to, units: 10n * cent, txHash, ordinal })))
  await line.settleAll()
  await line.finalize()
  await line.settleAll()

  const paid = await line.payment(payment.id)
  assert.deepEqual(
    { status: paid.status, received: paid.receivedMinor, exceptions: paid.exceptions },
    { status: 'PAID', received: 3_000n, exceptions: ['DUPLICATE'] },
  )
  const notified = await notifiedOf(payment.id)
  for (const events of Map.groupBy(notified, ({ batch }) => batch).values())
    assert.ok(events.length <= 2, 'a batch has an event of one state, and of one credit after it')
  assert.equal(notified.filter(({ type }) => type === 'payment.completed').length, 1)
  assert.equal(notified.at(-1)?.amountReceived, 3_000)
  for (const event of notified) {
    assert.equal(event.depositCount, count)
    assert.equal(event.deposits.length, 10)
  }
  const completed = notified.find(({ type }) => type === 'payment.completed')
  assert.equal(completed?.onchainTxHash, txHash)
  assert.deepEqual((await line.verify()).faults, [])
})

test('the deposit that completed the sum is always shown, and otherwise the newest ones', async () => {
  const payment = await line.create({ amount: 1_000 })
  const to = await line.addressOf(payment)
  const pay = async (values: readonly bigint[]) => {
    const txHash = randomHash()
    await line.mine(values.map((cents, ordinal) => ({ to, units: cents * cent, txHash, ordinal })))
    await line.settleAll()
    await line.finalize()
    await line.settleAll()
  }
  // In one tx: the second of the three completes the sum, and is the only one of its value.
  await pay([1n, 999n, 2n])
  for (let n = 0; n < 3; n += 1) await pay([3n, 4n, 5n, 6n])
  const [last] = (await notifiedOf(payment.id)).slice(-1)
  assert.equal(last?.type, 'payment.received_after_close')
  assert.equal(last.depositCount, 15)
  assert.deepEqual(
    last.deposits.map(({ amount }) => BigInt(amount) / cent),
    [999n, 6n, 3n, 4n, 5n, 6n, 3n, 4n, 5n, 6n],
  )
})

test('a batch has an event for the change of state, and at most one for money after it; none for money before', async () => {
  const payment = await line.create({ amount: 1_000 })
  const to = await line.addressOf(payment)
  await line.mine([400n, 600n, 1n].map((cents) => ({ to, units: cents * cent })))
  await line.finalize()
  await line.settleAll()
  const notified = await notifiedOf(payment.id)
  assert.deepEqual(
    notified.map(({ type, status, amountReceived }) => [type, status, amountReceived]),
    [
      ['payment.completed', 'PAID', 1_001],
      ['payment.received_after_close', 'PAID', 1_001],
    ],
  )
})

test('of very many receipts only the first and the last are read, and ten names of money are shown', async () => {
  const payment = await line.create({ amount: 1 })
  const to = await line.addressOf(payment)
  await line.mine([{ to, units: cent }])
  await line.finalize()
  await line.settleAll()
  await line.owner`
    insert into receipt (connection, provider_ref, outcome, occurrence, merchant_id, payment_id, attempt_id, ordinal,
                         booked_minor, currency, evidence, happened_at, recorded_at)
    select connection, 'made up ' || number, outcome, occurrence, merchant_id, payment_id, attempt_id, number, 0, currency,
           evidence, happened_at, recorded_at
      from receipt, generate_series(3, 5000) as number where payment_id = ${payment.id} and outcome = 'paid'`
  const ref = { merchantId: payment.merchantId, paymentId: payment.id }
  const pieces = await line.sql.begin((tx) => selectPieces(tx, [ref]))
  const names = await selectPaidRefs(line.sql, [ref])
  for (const refs of [pieces.map(({ paidRef }) => paidRef), names.map(({ providerRef }) => providerRef)]) {
    assert.ok(refs.length <= 2_000)
    assert.ok(refs.includes('made up 3') && refs.includes('made up 5000'))
  }
  const rail = createCryptoRail(() => [line.chain])
  const show = (attempts: readonly ShownAttempt[]) => ({
    endToEndIds: attempts.flatMap((each) => each.paidRefs),
  })
  const paid = await line.payment(payment.id)
  const described = await describePayments(
    line.sql,
    listRails([{ ...rail, record: { from: 'ATTEMPTS', show } }]),
    [paid],
    'brief',
  )
  const newest = Array.from({ length: 9 }, (_, n) => `made up ${4_992 + n}`)
  assert.deepEqual(described.of(paid), { endToEndIds: [paid.completingRef, ...newest] })
  await line.owner`alter table receipt disable trigger user`
  await line.owner`delete from receipt where provider_ref like 'made up %'`
  await line.owner`alter table receipt enable trigger user`
})

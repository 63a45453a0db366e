import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cent, openLine, randomHash, type Line } from '../../test/line.ts'

let line: Line
before(async () => {
  line = await openLine()
})
after(() => line[Symbol.asyncDispose]())

type Told = {
  readonly type: string
  readonly status: string
  readonly onchainTxHash?: string
  readonly amountReceived: number
  readonly depositCount: number
  readonly deposits: readonly { readonly txHash: string; readonly amount: string; readonly at: string }[]
}

/** What the merchant was told of the payment, with the batch of each event. */
async function toldOf(id: string): Promise<readonly (Told & { readonly batch: bigint })[]> {
  const rows = await line.sql<{ type: string; batch: bigint; body: string }[]>`
    select type, batch, body from event where resource_id = ${id} order by sequence`
  return rows.map(({ type, batch, body }) => ({
    ...(JSON.parse(body) as { data: Told }).data,
    type,
    batch,
  }))
}

test('hundreds of transfers in one transaction are few events of few deposits, and nothing of the money is lost', async () => {
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
  const told = await toldOf(payment.id)
  assert.equal(new Set(told.map(({ batch }) => batch)).size, told.length, 'a batch tells of a payment once')
  assert.equal(told.filter(({ type }) => type === 'payment.completed').length, 1)
  assert.equal(told.at(-1)?.amountReceived, 3_000)
  for (const event of told) {
    assert.equal(event.depositCount, count)
    assert.equal(event.deposits.length, 10)
  }
  const completed = told.find(({ type }) => type === 'payment.completed')
  assert.equal(completed?.onchainTxHash, txHash)
  assert.deepEqual((await line.verify()).faults, [])
})

test('the deposit that completed the sum is always shown, exactly that one, and otherwise the newest', async () => {
  const payment = await line.create({ amount: 1_000 })
  const to = await line.addressOf(payment)
  const pay = async (values: readonly bigint[]) => {
    const txHash = randomHash()
    await line.mine(values.map((cents, ordinal) => ({ to, units: cents * cent, txHash, ordinal })))
    await line.settleAll()
    await line.finalize()
    await line.settleAll()
  }
  // In one transaction: the second of the three completes the sum, and is the only one of its value.
  await pay([1n, 999n, 2n])
  for (let n = 0; n < 3; n += 1) await pay([3n, 4n, 5n, 6n])
  const [last] = (await toldOf(payment.id)).slice(-1)
  assert.equal(last?.type, 'payment.received_after_close')
  assert.equal(last.depositCount, 15)
  assert.deepEqual(
    last.deposits.map(({ amount }) => BigInt(amount) / cent),
    [999n, 6n, 3n, 4n, 5n, 6n, 3n, 4n, 5n, 6n],
  )
})

test('a change of the state in a batch is what is told, whatever else the batch heard before or after', async () => {
  const payment = await line.create({ amount: 1_000 })
  const to = await line.addressOf(payment)
  await line.mine([400n, 600n, 1n].map((cents) => ({ to, units: cents * cent })))
  await line.finalize()
  await line.settleAll()
  const told = await toldOf(payment.id)
  assert.deepEqual(
    told.map(({ type, status, amountReceived }) => [type, status, amountReceived]),
    [['payment.completed', 'PAID', 1_001]],
  )
})

// Settlement under everything that can happen to reports of a payment: they come twice, in any order, late, or are lost and sent again.
// The test makes histories of a chain block by block and delivers the watcher's signals at random. In the end the books must show what
// is on the chain, whatever was delivered.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import { silentLog } from '#/kernel/log.ts'
import { hourMs } from '#/kernel/time.ts'
import { createLedgerLane, type LedgerLane } from '#/ledger/post.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import type { Payment } from '#/payments/payment.ts'
import { listRails } from '#/rails/all.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import type { Signal } from '#/rails/receipt.ts'
import { settleKind } from '#/settlement/settle.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { assertPaymentExplained } from '../explained.ts'
import { auditKey, cell, cent, openLine, randomHash, type Deposit, type Line } from '../line.ts'

let line: Line
const others: LedgerLane<EventDraft>[] = []

/** 0.2 %. No fixed part: with one, the total fee would depend on how the money was split. */
const ratePpm = 2_000n

before(async () => {
  line = await openLine()
  await writeFeeRule(line.sql, {
    merchantId: line.merchant.id,
    method: 'CRYPTO',
    currency: 'USDT',
    fixedMinor: 0n,
    ratePpm,
  })
  // A payment is charged by the fee rule in force at its creation, so the rule must be older than the payments.
  await line.clock.advance(hourMs)
  for (const itemsMax of [5, 500]) {
    const openSql = () => connect(line.appUrl, { max: 1 })
    others.push(
      await createLedgerLane<EventDraft>({
        openSql,
        cell,
        auditKey,
        announce,
        clock: line.clock.running,
        log: silentLog,
        itemsMax,
      }),
    )
  }
})

after(async () => {
  await Promise.all(others.map((lane) => lane.close()))
  await line[Symbol.asyncDispose]()
})

/** One transfer: to which payment, and how many base units. */
type Paid = { readonly payment: number; readonly units: bigint }

/** What happens next on the chain. Indices wrap around. */
type Step =
  | { readonly kind: 'pay'; readonly deposits: readonly Paid[] }
  | { readonly kind: 'mine'; readonly count: number }
  | { readonly kind: 'leave' }
  | { readonly kind: 'return' }
  | { readonly kind: 'finalize' }

const units = fc.oneof(
  { arbitrary: fc.bigInt({ min: 1n, max: 1_500n }).map((cents) => cents * cent), weight: 5 },
  { arbitrary: fc.bigInt({ min: 1n, max: 3n * cent }), weight: 3 },
  { arbitrary: fc.constant(1_000n * cent), weight: 2 },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      deposits: fc.array(fc.record({ payment: fc.nat(2), units }), { minLength: 1, maxLength: 3 }),
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ kind: fc.constant('mine' as const), count: fc.nat(3) }), weight: 6 },
  { arbitrary: fc.constant({ kind: 'leave' as const }), weight: 3 },
  { arbitrary: fc.constant({ kind: 'return' as const }), weight: 2 },
  { arbitrary: fc.constant({ kind: 'finalize' as const }), weight: 2 },
)

/** What each payment has on the chain at the end. */
type Truth = { readonly final: readonly bigint[]; readonly onTheWay: readonly bigint[] }

/** Plays the steps. A transaction whose block left is mined again in another, or its block comes back. */
async function play(steps: readonly Step[], addresses: readonly Address[]): Promise<Truth> {
  type Tx = Required<Pick<Deposit, 'to' | 'units' | 'txHash'>>
  type Block = { readonly hash: Address; readonly txs: readonly Tx[] }
  let waiting: Tx[] = []
  const tip: Block[] = []
  const gone: Block[] = []
  const final: Tx[] = []
  for (const each of steps) {
    if (each.kind === 'pay') {
      waiting.push(
        ...each.deposits.map(({ payment, units: value }) => ({
          to: addresses[payment] ?? assert.fail(),
          units: value,
          txHash: randomHash(),
        })),
      )
    } else if (each.kind === 'mine') {
      const txs = waiting.slice(0, each.count)
      waiting = waiting.slice(each.count)
      tip.push({ hash: await line.mine(txs), txs })
    } else if (each.kind === 'leave') {
      const block = tip.pop()
      if (block === undefined) continue
      await line.unmine()
      waiting = [...block.txs, ...waiting]
      gone.push(block)
    } else if (each.kind === 'return') {
      const block = gone.pop()
      // Only if none of its transactions is in another block by now.
      if (block === undefined || !block.txs.every((tx) => waiting.includes(tx))) continue
      await line.mine(block.txs, { hash: block.hash })
      waiting = waiting.filter((tx) => !block.txs.includes(tx))
      tip.push(block)
    } else {
      await line.finalize()
      for (const block of tip.splice(0)) final.push(...block.txs)
      gone.length = 0
    }
  }
  const sumsOf = (txs: readonly Tx[], sum: (values: readonly bigint[]) => bigint) =>
    addresses.map((address) => sum(txs.filter(({ to }) => to === address).map((tx) => tx.units)))
  // Final money counts in whole cents of the total; money on its way in whole cents of each transfer.
  return {
    final: sumsOf(final, (values) => values.reduce((a, b) => a + b, 0n)),
    onTheWay: sumsOf(
      tip.flatMap(({ txs }) => txs),
      (values) => values.reduce((a, b) => a + b / cent, 0n),
    ),
  }
}

/** Delivers every signal at least once: in an order of its own, some twice, over several lanes at the same time. */
async function deliver(
  signals: readonly Signal[],
  orders: readonly number[],
  twice: readonly number[],
): Promise<void> {
  const rail = createCryptoRail(() => [line.chain])
  const kinds = settleKind(listRails([rail]))
  const all = [
    ...signals,
    ...twice.flatMap((index) =>
      signals.length === 0 ? [] : [signals[index % signals.length] ?? assert.fail()],
    ),
  ]
  const shuffled = all
    .map((signal, index) => ({ signal, place: orders[index % orders.length] ?? 0, index }))
    .toSorted((a, b) => (a.place === b.place ? a.index - b.index : a.place - b.place))
  const lanes = [line.lane, ...others]
  await Promise.all(
    shuffled.map(async ({ signal }, index) => {
      const lane = lanes[index % lanes.length] ?? line.lane
      const verdict = await lane.submit(kinds, { receipts: await rail.read(signal) })
      assert.ok(verdict.every((each) => each !== 'unknown_payment'))
    }),
  )
}

const orders = fc.array(fc.nat(10_000), { minLength: 40, maxLength: 200 })
const repeats = fc.array(fc.nat(1_000), { maxLength: 30 })
const amount = 1_000n

async function balancesOf(): Promise<{ available: bigint; pending: bigint; fees: bigint; coins: bigint }> {
  const rows = await line.sql<
    { name: string; minor: bigint }[]
  >`select name, minor from account join balance on account_id = id`
  const sum = (pattern: RegExp) =>
    rows.filter(({ name }) => pattern.test(name)).reduce((total, { minor }) => total + minor, 0n)
  return {
    available: sum(/:available$/),
    pending: sum(/:pending$/),
    fees: sum(/^fees:/),
    coins: sum(/^coins:/),
  }
}

/** What the books must hold in the end, added up by hand over all runs. */
const expected = { received: 0n, fees: 0n, pending: 0n }

async function assertPayments(payments: readonly Payment[], truth: Truth): Promise<void> {
  for (const [index, { id }] of payments.entries()) {
    const payment = await line.payment(id)
    const received = (truth.final[index] ?? 0n) / cent
    const fee = (received * ratePpm) / 1_000_000n
    assert.equal(payment.receivedMinor, received)
    assert.equal(payment.seenMinor, truth.onTheWay[index])
    assert.equal(payment.feeMinor, fee)
    assert.equal(payment.status, received >= amount ? 'PAID' : 'WAITING_PAYMENT')
    assert.equal(payment.exceptions.includes('UNDERPAID'), received > 0n && received < amount)
    if (received > amount)
      assert.ok(payment.exceptions.includes('OVERPAID') || payment.exceptions.includes('DUPLICATE'))
    expected.received += received
    expected.fees += fee
    expected.pending += truth.onTheWay[index] ?? 0n
  }
  const { available, pending, fees, coins } = await balancesOf()
  assert.deepEqual(
    { available, pending, fees, coins },
    {
      available: expected.received - expected.fees,
      pending: expected.pending,
      fees: expected.fees,
      coins: expected.received,
    },
  )
}

test('in whatever order signals come, and however often, the balances agree with the chain', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 5, maxLength: 40 }),
    orders,
    repeats,
    async (steps, order, twice) => {
      const payments = await Promise.all([0, 1, 2].map(() => line.create({ amount: Number(amount) })))
      const addresses = await Promise.all(payments.map((payment) => line.addressOf(payment)))
      const truth = await play(steps, addresses)
      await deliver(line.drainSignals(), order, twice)
      await assertPayments(payments, truth)
      // The next run begins with nothing on its way: what is pending becomes final.
      const last = await play([{ kind: 'finalize' }], [])
      assert.deepEqual(last, { final: [], onTheWay: [] })
      await line.settleAll()
      for (const { id } of payments) assert.equal((await line.payment(id)).seenMinor, 0n)
      for (const payment of payments.slice(0, 1)) await assertPaymentExplained(line.sql, payment)
      const now = await balancesOf()
      assert.equal(now.pending, 0n)
      Object.assign(expected, { received: now.coins, fees: now.fees, pending: 0n })
    },
  )
  await fc.assert(property, { numRuns: count({ quick: 5, soak: 2_000 }), endOnFailure: true })
  assert.deepEqual((await line.verify()).faults, [])
})

test('signals that are lost on the way, and sent again much later, change nothing in the end', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 5, maxLength: 30 }),
    orders,
    fc.array(fc.boolean(), { minLength: 50, maxLength: 50 }),
    async (steps, order, isLost) => {
      const payments = await Promise.all([0, 1, 2].map(() => line.create({ amount: Number(amount) })))
      const addresses = await Promise.all(payments.map((payment) => line.addressOf(payment)))
      const truth = await play([...steps, { kind: 'mine', count: 100 }, { kind: 'finalize' }], addresses)
      const signals = line.drainSignals()
      const lost = signals.filter((_, index) => isLost[index % isLost.length])
      await deliver(
        signals.filter((signal) => !lost.includes(signal)),
        order,
        [],
      )
      for (const { id } of payments) assert.ok((await line.payment(id)).seenMinor >= 0n)
      await deliver(lost, order.toReversed(), [])
      await assertPayments(payments, truth)
    },
  )
  const now = await balancesOf()
  Object.assign(expected, { received: now.coins, fees: now.fees, pending: 0n })
  await fc.assert(property, { numRuns: count({ quick: 2, soak: 1_000 }), endOnFailure: true })
  assert.deepEqual((await line.verify()).faults, [])
})

test('a payment that ends while it is being paid keeps its money: canceled stays canceled, expired can still be paid', async () => {
  const ends = fc.constantFrom('expired' as const, 'canceled' as const)
  const property = fc.asyncProperty(
    fc.array(units, { minLength: 1, maxLength: 5 }),
    fc.array(units, { maxLength: 3 }),
    ends,
    orders,
    async (sent, more, end, order) => {
      const payment = await line.create({ amount: Number(amount) })
      const to = await line.addressOf(payment)
      const pay = async (values: readonly bigint[]) => {
        await line.mine(values.map((value) => ({ to, units: value })))
        await line.finalize()
        await deliver(line.drainSignals(), order, [0, 1])
      }
      await pay(sent)
      const before = await line.payment(payment.id)
      const verdict = await line.close(before, end, ...(end === 'expired' ? [{ early: true } as const] : []))
      await pay(more)
      const after = await line.payment(payment.id)
      const total = [...sent, ...more].reduce((a, b) => a + b, 0n) / cent
      assert.equal(after.receivedMinor, total)
      assert.equal(verdict.kind, before.status === 'PAID' ? 'refused' : 'closed')
      if (before.status === 'PAID') assert.equal(after.status, 'PAID')
      else if (end === 'canceled') assert.equal(after.status, 'CANCELED')
      else assert.equal(after.status, total >= amount ? 'PAID' : 'EXPIRED')
    },
  )
  await fc.assert(property, { numRuns: count({ quick: 4, soak: 1_000 }), endOnFailure: true })
  assert.deepEqual((await line.verify()).faults, [])
})

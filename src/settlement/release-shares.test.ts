// Shares of money that waits for a settlement delay: they stand in each party's own pending balance, go back first, and are released.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { hourMs } from '#/kernel/time.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import { bookedOf, by, holdings, withdrawAll } from '../../test/split-world.ts'
import { openUnreleasedWorld, type UnreleasedWorld } from '../../test/unreleased-world.ts'

let dashboard: UnreleasedWorld

before(async () => {
  dashboard = await openUnreleasedWorld()
})
beforeEach(() => dashboard.renew())
after(async () => {
  await using world = dashboard.world
  assert.deepEqual((await world.line.verify()).faults, [])
})

test('what waits stands in each party’s own pending balance, and goes into its wallet at the release', async () => {
  const before = await dashboard.own()
  const opened = await dashboard.open()
  await dashboard.pay(opened)
  assert.deepEqual(await dashboard.pending(), [4_000n, 2_000n])
  assert.deepEqual(await dashboard.available(), [0n, 0n])
  assert.deepEqual(await dashboard.since(before), [4_000n, 0n])
  assert.deepEqual(await bookedOf(dashboard.world.line, opened.payment), [4_000n, 2_000n])
  assert.equal(await dashboard.world.release(), 1)
  assert.deepEqual(await dashboard.pending(), [0n, 0n])
  assert.deepEqual(await dashboard.available(), [4_000n, 2_000n])
  assert.deepEqual(await dashboard.since(before), [0n, 4_000n])
})

test('money in parts is released in parts; what came without a delay is available at once', async () => {
  const opened = await dashboard.open()
  await dashboard.pay(opened, 1_001n)
  assert.deepEqual(await dashboard.pending(), [400n, 200n])
  await dashboard.pay(opened, 2_000n, 0)
  await dashboard.holds([400n, 200n], [800n, 400n])
  await dashboard.pay(opened, 6_999n)
  assert.deepEqual(await dashboard.pending(), [3_200n, 1_600n])
  await dashboard.releaseOnly(opened, 2)
  assert.deepEqual(await dashboard.pending(), [400n, 200n])
  await dashboard.releaseOnly(opened, 1)
  await dashboard.holds([0n, 0n], [4_000n, 2_000n])
})

test('two receipts that one answer of the provider proves release each their own shares', async () => {
  const opened = await dashboard.open()
  dashboard.world.delayMs = hourMs
  const evidence = Buffer.from(`both of ${opened.payment.id}`)
  for (const minor of [4_000n, 6_000n])
    await dashboard.world.settle(dashboard.world.receipt(opened.tab, 'paid', minor, { evidence }))
  assert.equal(await dashboard.world.release(), 2)
  assert.deepEqual(await dashboard.available(), [4_000n, 2_000n])
  assert.deepEqual((await dashboard.world.line.verify(['settlement', 'splits'])).faults, [])
})

test('a duplicate and a surplus that wait are the platform’s alone, also when they are released or refunded first', async () => {
  const opened = await dashboard.open()
  await dashboard.pay(opened, 10_500n)
  await dashboard.pay(opened)
  assert.deepEqual(await dashboard.pending(), [4_000n, 2_000n])
  const before = await dashboard.own()
  // The duplicate goes back first.
  assert.equal((await dashboard.world.refund(opened.payment, 10_000)).kind, 'created')
  assert.deepEqual(await dashboard.pending(), [4_000n, 2_000n])
  assert.deepEqual(await dashboard.since(before), [-10_000n, 0n])
  await dashboard.releaseOnly(opened, 2)
  assert.deepEqual(await dashboard.pending(), [4_000n, 2_000n])
  await dashboard.releaseOnly(opened, 1)
  await dashboard.holds([0n, 0n], [4_000n, 2_000n])
  assert.deepEqual(await dashboard.since(before), [-14_500n, 4_500n])
})

test('a refund takes first what waits, and a failed one gives it back to where it came from', async () => {
  const opened = await dashboard.open()
  await dashboard.pay(opened, 4_000n, 0)
  await dashboard.pay(opened, 6_000n)
  const first = await dashboard.world.refund(opened.payment, 5_000)
  assert.ok(first.kind === 'created', first.kind)
  await dashboard.holds([400n, 200n], [1_600n, 800n])
  await dashboard.world.settle(
    dashboard.world.refundReceipt(opened.tab, first.refund.id, 'refund_failed', 5_000n),
  )
  await dashboard.holds([2_400n, 1_200n], [1_600n, 800n])
  // Released meanwhile, it comes back as available.
  const second = await dashboard.world.refund(opened.payment, 6_000)
  assert.ok(second.kind === 'created', second.kind)
  await dashboard.world.release()
  await dashboard.holds([0n, 0n], [1_600n, 800n])
  await dashboard.world.settle(
    dashboard.world.refundReceipt(opened.tab, second.refund.id, 'refund_failed', 6_000n),
  )
  await dashboard.holds([0n, 0n], [4_000n, 2_000n])
})

test('what comes back after its own release is available, and nothing of it waits for ever', async () => {
  const opened = await dashboard.open()
  await dashboard.pay(opened, 3_000n)
  await dashboard.pay(opened, 7_000n)
  const before = await dashboard.own()
  const refunds = [
    await dashboard.world.refund(opened.payment, 3_000),
    await dashboard.world.refund(opened.payment, 3_000),
  ]
  await dashboard.releaseOnly(opened, 2)
  assert.deepEqual(await dashboard.available(), [1_600n, 800n])
  for (const refund of refunds) {
    assert.ok(refund.kind === 'created', refund.kind)
    const { id } = refund.refund
    await dashboard.world.settle(dashboard.world.refundReceipt(opened.tab, id, 'refund_failed', 3_000n))
  }
  // What the first brought still waits, and no more than that.
  await dashboard.holds([1_200n, 600n], [2_800n, 1_400n])
  await dashboard.releaseOnly(opened, 1)
  assert.deepEqual(await dashboard.available(), [4_000n, 2_000n])
  assert.deepEqual(await dashboard.since(before), [-4_000n, 4_000n])
})

test('a share whose money was released is available when it comes back, although a duplicate still waits', async () => {
  const opened = await dashboard.open()
  await dashboard.pay(opened)
  await dashboard.pay(opened)
  const duplicate = await dashboard.world.refund(opened.payment, 10_000)
  const other = await dashboard.world.refund(opened.payment, 10_000)
  assert.ok(duplicate.kind === 'created' && other.kind === 'created')
  await dashboard.releaseOnly(opened, 1)
  await dashboard.world.settle(
    dashboard.world.refundReceipt(opened.tab, other.refund.id, 'refund_failed', 10_000n),
  )
  await dashboard.holds([0n, 0n], [4_000n, 2_000n])
  await dashboard.releaseOnly(opened, 2)
  assert.deepEqual(await dashboard.pending(), [0n, 0n])
})

test('a dispute takes first what waits; won, it is available to those who gave; its fee is the platform’s', async () => {
  const opened = await dashboard.open()
  const receipt = await dashboard.pay(opened)
  const before = await dashboard.own()
  const report = dashboard.disputeOf(opened, receipt, 5_000n)
  await report('dispute_opened', 700n)
  assert.deepEqual(await dashboard.pending(), [2_000n, 1_000n])
  assert.deepEqual(await dashboard.available(), [0n, 0n])
  assert.deepEqual(await dashboard.since(before), [-2_700n, 0n])
  await report('dispute_won')
  await dashboard.holds([2_000n, 1_000n], [2_000n, 1_000n])
  await dashboard.world.release()
  await dashboard.holds([0n, 0n], [4_000n, 2_000n])
  assert.deepEqual(await dashboard.since(before), [-4_000n, 3_300n])
})

test('a dispute before the release leaves nothing to release, and no debt', async () => {
  const opened = await dashboard.open()
  const receipt = await dashboard.pay(opened)
  await dashboard.disputeOf(opened, receipt, 10_000n)('dispute_opened')
  await dashboard.world.release()
  await dashboard.holds([0n, 0n], [0n, 0n])
  for (const id of dashboard.subs) assert.equal((await holdings(dashboard.world.line, id)).owesParent, 0n)
})

test('a suspended sub-account gets its share of what waits and of its release, and cannot be closed before', async () => {
  const opened = await dashboard.open()
  await changeSubAccount(dashboard.world.line.sql, { id: dashboard.subs[0] }, { state: 'SUSPENDED' }, by)
  await dashboard.pay(opened)
  assert.deepEqual(await dashboard.pending(), [4_000n, 2_000n])
  await assert.rejects(
    changeSubAccount(dashboard.world.line.sql, { id: dashboard.subs[0] }, { state: 'CLOSED' }, by),
  )
  await dashboard.world.release()
  assert.deepEqual(await dashboard.available(), [4_000n, 2_000n])
})

test('of a capture in part the shares of the part wait', async () => {
  const opened = await dashboard.open()
  const held = { providerRef: 'auth_waits', pendingRef: 'auth_waits' }
  const authorised = dashboard.world.receipt(opened.tab, 'authorised', 10_000n, held)
  await dashboard.world.settle(authorised)
  assert.deepEqual(await dashboard.pending(), [0n, 0n])
  const { amount } = authorised
  await dashboard.world.settle({
    ...authorised,
    outcome: 'paid',
    authorised: amount,
    amount: { ...amount, minor: 5_000n },
  })
  assert.deepEqual(await dashboard.pending(), [2_000n, 1_000n])
  await dashboard.world.release()
  assert.deepEqual(await dashboard.available(), [2_000n, 1_000n])
})

test('the fee payer pays our fee from what waits, and our fee is not returned on a refund', async () => {
  await dashboard.withFee(150n, async () => {
    const before = await dashboard.own()
    const fees = async () => (await dashboard.world.books())['fees BRL'] ?? 0n
    const earned = await fees()
    const opened = await dashboard.open({ feePayer: dashboard.subs[0] })
    await dashboard.pay(opened)
    assert.deepEqual(await dashboard.pending(), [3_850n, 2_000n])
    assert.deepEqual(await dashboard.since(before), [4_000n, 0n])
    // The first lacks the fee that it paid: it is refused, or the platform pays it.
    const refused = await dashboard.world.refund(opened.payment, 10_000)
    assert.ok(refused.kind === 'shortfall' && refused.subAccountId === dashboard.subs[0], refused.kind)
    assert.equal(refused.missingMinor, 150n)
    const covered = await dashboard.world.refund(opened.payment, 10_000, 'rest', { coverShortfall: true })
    assert.equal(covered.kind, 'created')
    assert.deepEqual(await dashboard.pending(), [0n, 0n])
    assert.deepEqual(await dashboard.since(before), [0n, -150n])
    assert.equal((await holdings(dashboard.world.line, dashboard.subs[0])).owesParent, 150n)
    assert.equal((await fees()) - earned, 150n)
    assert.equal((await dashboard.world.line.payment(opened.payment.id)).feeMinor, 150n)
    const { shares } = await dashboard.splitOf(opened)
    assert.deepEqual(
      shares.map(({ feeMinor }) => feeMinor),
      [150n, 0n],
    )
    await dashboard.world.release()
  })
})

/** The kinds of the transfers since then, in their order, with the number of each share. */
async function kindsSince(number: bigint): Promise<readonly string[]> {
  const rows = await dashboard.world.line.sql<{ kind: string; share: string }[]>`
    select kind, coalesce(substring(step from '^\\d+\\.(\\d+)\\.'), '') as share
      from transfer where number > ${number} order by number`
  return rows.map(({ kind, share }) => `${kind} ${share}`.trim())
}
const last = async () =>
  must(
    (await dashboard.world.line.sql<{ number: bigint }[]>`select max(number) as number from transfer`)[0],
    'one',
  ).number

/** The first sub-account owes the platform, and the platform owes the operator. */
async function indebt(): Promise<void> {
  const { tabs } = await dashboard.world.open('BRL', 1_000_000, ['PIX'])
  await dashboard.world.settle(
    dashboard.world.receipt(must(tabs.get('PIX'), 'there is PIX'), 'paid', 1_000_000n),
  )
  const covered = await dashboard.open()
  await dashboard.pay(covered, 10_000n, 0)
  await withdrawAll(dashboard.world.line, dashboard.subs[0])
  assert.equal(
    (await dashboard.world.refund(covered.payment, 5_000, 'rest', { coverShortfall: true })).kind,
    'created',
  )
  const charged = await dashboard.open({ splits: [{ subAccountId: dashboard.subs[1], amount: 1 }] })
  const receipt = await dashboard.pay(charged, 10_000n, 0)
  await dashboard.disputeOf(
    charged,
    receipt,
    1n,
  )('dispute_opened', (await dashboard.own()).available + 20_000n)
}

for (const delayMs of [0, hourMs])
  test(`the order of the transfers of ${delayMs === 0 ? 'direct' : 'unreleased'} money, with a debtor first and a fee payer second`, async () => {
    await indebt()
    await dashboard.withFee(150n, async () => {
      const opened = await dashboard.open({ feePayer: dashboard.subs[1] })
      const before = await last()
      await dashboard.pay(opened, 10_000n, delayMs)
      const gotten = ['PAYMENT', 'SHARE 1', 'SHARE 2', 'SHARE_FEE 2', 'FEE']
      const debts = ['SHARE_REPAID 1', 'SHARE_COVERED 1', 'RECEIVABLE_REPAID']
      assert.deepEqual(await kindsSince(before), delayMs === 0 ? [...gotten, ...debts] : gotten)
      const released = await last()
      assert.equal(await dashboard.world.release(), delayMs === 0 ? 0 : 1)
      assert.deepEqual(
        await kindsSince(released),
        // What the first repaid to the platform is a repayment of its own.
        delayMs === 0 ? [] : ['RELEASE', 'SHARE 1', 'SHARE 2', ...debts, 'SHARE_REPAID'],
      )
      assert.equal((await holdings(dashboard.world.line, dashboard.subs[0])).owesParent, 0n)
    })
  })

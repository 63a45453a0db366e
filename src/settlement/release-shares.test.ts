// Shares of money that waits for a settlement delay: they stand in each party's own pending balance, go back first, and are released.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { hourMs } from '#/kernel/time.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import { bookedOf, by, holdings, withdrawAll } from '../../test/split-desk.ts'
import { openUnreleasedDesk, type UnreleasedDesk } from '../../test/unreleased-desk.ts'

let desk: UnreleasedDesk

before(async () => {
  desk = await openUnreleasedDesk()
})
beforeEach(() => desk.renew())
after(async () => {
  await using world = desk.world
  assert.deepEqual((await world.line.verify()).faults, [])
})

test('what waits stands in each party’s own pending balance, and goes into its wallet at the release', async () => {
  const before = await desk.own()
  const opened = await desk.open()
  await desk.pay(opened)
  assert.deepEqual(await desk.pending(), [4_000n, 2_000n])
  assert.deepEqual(await desk.available(), [0n, 0n])
  assert.deepEqual(await desk.since(before), [4_000n, 0n])
  assert.deepEqual(await bookedOf(desk.world.line, opened.payment), [4_000n, 2_000n])
  assert.equal(await desk.world.release(), 1)
  assert.deepEqual(await desk.pending(), [0n, 0n])
  assert.deepEqual(await desk.available(), [4_000n, 2_000n])
  assert.deepEqual(await desk.since(before), [0n, 4_000n])
})

test('money in parts is released in parts; what came without a delay is available at once', async () => {
  const opened = await desk.open()
  await desk.pay(opened, 1_001n)
  assert.deepEqual(await desk.pending(), [400n, 200n])
  await desk.pay(opened, 2_000n, 0)
  await desk.holds([400n, 200n], [800n, 400n])
  await desk.pay(opened, 6_999n)
  assert.deepEqual(await desk.pending(), [3_200n, 1_600n])
  await desk.releaseOnly(opened, 2)
  assert.deepEqual(await desk.pending(), [400n, 200n])
  await desk.releaseOnly(opened, 1)
  await desk.holds([0n, 0n], [4_000n, 2_000n])
})

test('two receipts that one answer of the provider proves release each their own shares', async () => {
  const opened = await desk.open()
  desk.world.delayMs = hourMs
  const evidence = Buffer.from(`both of ${opened.payment.id}`)
  for (const minor of [4_000n, 6_000n])
    await desk.world.settle(desk.world.receipt(opened.tab, 'paid', minor, { evidence }))
  assert.equal(await desk.world.release(), 2)
  assert.deepEqual(await desk.available(), [4_000n, 2_000n])
  assert.deepEqual((await desk.world.line.verify(['settlement', 'splits'])).faults, [])
})

test('a duplicate and a surplus that wait are the platform’s alone, also when they are released or refunded first', async () => {
  const opened = await desk.open()
  await desk.pay(opened, 10_500n)
  await desk.pay(opened)
  assert.deepEqual(await desk.pending(), [4_000n, 2_000n])
  const before = await desk.own()
  // The duplicate goes back first.
  assert.equal((await desk.world.refund(opened.payment, 10_000)).kind, 'created')
  assert.deepEqual(await desk.pending(), [4_000n, 2_000n])
  assert.deepEqual(await desk.since(before), [-10_000n, 0n])
  await desk.releaseOnly(opened, 2)
  assert.deepEqual(await desk.pending(), [4_000n, 2_000n])
  await desk.releaseOnly(opened, 1)
  await desk.holds([0n, 0n], [4_000n, 2_000n])
  assert.deepEqual(await desk.since(before), [-14_500n, 4_500n])
})

test('a refund takes first what waits, and a failed one gives it back to where it came from', async () => {
  const opened = await desk.open()
  await desk.pay(opened, 4_000n, 0)
  await desk.pay(opened, 6_000n)
  const first = await desk.world.refund(opened.payment, 5_000)
  assert.ok(first.kind === 'created', first.kind)
  await desk.holds([400n, 200n], [1_600n, 800n])
  await desk.world.settle(desk.world.refundReceipt(opened.tab, first.refund.id, 'refund_failed', 5_000n))
  await desk.holds([2_400n, 1_200n], [1_600n, 800n])
  // Released meanwhile, it comes back as available.
  const second = await desk.world.refund(opened.payment, 6_000)
  assert.ok(second.kind === 'created', second.kind)
  await desk.world.release()
  await desk.holds([0n, 0n], [1_600n, 800n])
  await desk.world.settle(desk.world.refundReceipt(opened.tab, second.refund.id, 'refund_failed', 6_000n))
  await desk.holds([0n, 0n], [4_000n, 2_000n])
})

test('what comes back after its own release is available, and nothing of it waits for ever', async () => {
  const opened = await desk.open()
  await desk.pay(opened, 3_000n)
  await desk.pay(opened, 7_000n)
  const before = await desk.own()
  const refunds = [
    await desk.world.refund(opened.payment, 3_000),
    await desk.world.refund(opened.payment, 3_000),
  ]
  await desk.releaseOnly(opened, 2)
  assert.deepEqual(await desk.available(), [1_600n, 800n])
  for (const refund of refunds) {
    assert.ok(refund.kind === 'created', refund.kind)
    const { id } = refund.refund
    await desk.world.settle(desk.world.refundReceipt(opened.tab, id, 'refund_failed', 3_000n))
  }
  // What the first brought still waits, and no more than that.
  await desk.holds([1_200n, 600n], [2_800n, 1_400n])
  await desk.releaseOnly(opened, 1)
  assert.deepEqual(await desk.available(), [4_000n, 2_000n])
  assert.deepEqual(await desk.since(before), [-4_000n, 4_000n])
})

test('a share whose money was released is available when it comes back, although a duplicate still waits', async () => {
  const opened = await desk.open()
  await desk.pay(opened)
  await desk.pay(opened)
  const duplicate = await desk.world.refund(opened.payment, 10_000)
  const other = await desk.world.refund(opened.payment, 10_000)
  assert.ok(duplicate.kind === 'created' && other.kind === 'created')
  await desk.releaseOnly(opened, 1)
  await desk.world.settle(desk.world.refundReceipt(opened.tab, other.refund.id, 'refund_failed', 10_000n))
  await desk.holds([0n, 0n], [4_000n, 2_000n])
  await desk.releaseOnly(opened, 2)
  assert.deepEqual(await desk.pending(), [0n, 0n])
})

test('a dispute takes first what waits; won, it is available to those who gave; its fee is the platform’s', async () => {
  const opened = await desk.open()
  const receipt = await desk.pay(opened)
  const before = await desk.own()
  const report = desk.disputeOf(opened, receipt, 5_000n)
  await report('dispute_opened', 700n)
  assert.deepEqual(await desk.pending(), [2_000n, 1_000n])
  assert.deepEqual(await desk.available(), [0n, 0n])
  assert.deepEqual(await desk.since(before), [-2_700n, 0n])
  await report('dispute_won')
  await desk.holds([2_000n, 1_000n], [2_000n, 1_000n])
  await desk.world.release()
  await desk.holds([0n, 0n], [4_000n, 2_000n])
  assert.deepEqual(await desk.since(before), [-4_000n, 3_300n])
})

test('a dispute before the release leaves nothing to release, and no debt', async () => {
  const opened = await desk.open()
  const receipt = await desk.pay(opened)
  await desk.disputeOf(opened, receipt, 10_000n)('dispute_opened')
  await desk.world.release()
  await desk.holds([0n, 0n], [0n, 0n])
  for (const id of desk.subs) assert.equal((await holdings(desk.world.line, id)).owesParent, 0n)
})

test('a suspended sub-account gets its share of what waits and of its release, and cannot be closed before', async () => {
  const opened = await desk.open()
  await changeSubAccount(desk.world.line.sql, { id: desk.subs[0] }, { state: 'SUSPENDED' }, by)
  await desk.pay(opened)
  assert.deepEqual(await desk.pending(), [4_000n, 2_000n])
  await assert.rejects(changeSubAccount(desk.world.line.sql, { id: desk.subs[0] }, { state: 'CLOSED' }, by))
  await desk.world.release()
  assert.deepEqual(await desk.available(), [4_000n, 2_000n])
})

test('of a capture in part the shares of the part wait', async () => {
  const opened = await desk.open()
  const held = { providerRef: 'auth_waits', pendingRef: 'auth_waits' }
  const authorised = desk.world.receipt(opened.tab, 'authorised', 10_000n, held)
  await desk.world.settle(authorised)
  assert.deepEqual(await desk.pending(), [0n, 0n])
  const { amount } = authorised
  await desk.world.settle({
    ...authorised,
    outcome: 'paid',
    authorised: amount,
    amount: { ...amount, minor: 5_000n },
  })
  assert.deepEqual(await desk.pending(), [2_000n, 1_000n])
  await desk.world.release()
  assert.deepEqual(await desk.available(), [2_000n, 1_000n])
})

test('the fee payer pays our fee from what waits, and our fee is not returned on a refund', async () => {
  await desk.withFee(150n, async () => {
    const before = await desk.own()
    const fees = async () => (await desk.world.books())['fees BRL'] ?? 0n
    const earned = await fees()
    const opened = await desk.open({ feePayer: desk.subs[0] })
    await desk.pay(opened)
    assert.deepEqual(await desk.pending(), [3_850n, 2_000n])
    assert.deepEqual(await desk.since(before), [4_000n, 0n])
    // The first lacks the fee that it paid: it is refused, or the platform pays it.
    const refused = await desk.world.refund(opened.payment, 10_000)
    assert.ok(refused.kind === 'shortfall' && refused.subAccountId === desk.subs[0], refused.kind)
    assert.equal(refused.missingMinor, 150n)
    const covered = await desk.world.refund(opened.payment, 10_000, 'rest', { coverShortfall: true })
    assert.equal(covered.kind, 'created')
    assert.deepEqual(await desk.pending(), [0n, 0n])
    assert.deepEqual(await desk.since(before), [0n, -150n])
    assert.equal((await holdings(desk.world.line, desk.subs[0])).owesParent, 150n)
    assert.equal((await fees()) - earned, 150n)
    assert.equal((await desk.world.line.payment(opened.payment.id)).feeMinor, 150n)
    const { shares } = await desk.splitOf(opened)
    assert.deepEqual(
      shares.map(({ feeMinor }) => feeMinor),
      [150n, 0n],
    )
    await desk.world.release()
  })
})

/** The kinds of the transfers since then, in their order, with the number of each share. */
async function kindsSince(number: bigint): Promise<readonly string[]> {
  const rows = await desk.world.line.sql<{ kind: string; share: string }[]>`
    select kind, coalesce(substring(step from '^\\d+\\.(\\d+)\\.'), '') as share
      from transfer where number > ${number} order by number`
  return rows.map(({ kind, share }) => `${kind} ${share}`.trim())
}
const last = async () =>
  must(
    (await desk.world.line.sql<{ number: bigint }[]>`select max(number) as number from transfer`)[0],
    'one',
  ).number

/** The first sub-account owes the platform, and the platform owes the operator. */
async function indebt(): Promise<void> {
  const { tabs } = await desk.world.open('BRL', 1_000_000, ['PIX'])
  await desk.world.settle(desk.world.receipt(must(tabs.get('PIX'), 'there is PIX'), 'paid', 1_000_000n))
  const covered = await desk.open()
  await desk.pay(covered, 10_000n, 0)
  await withdrawAll(desk.world.line, desk.subs[0])
  assert.equal(
    (await desk.world.refund(covered.payment, 5_000, 'rest', { coverShortfall: true })).kind,
    'created',
  )
  const charged = await desk.open({ splits: [{ subAccountId: desk.subs[1], amount: 1 }] })
  const receipt = await desk.pay(charged, 10_000n, 0)
  await desk.disputeOf(charged, receipt, 1n)('dispute_opened', (await desk.own()).available + 20_000n)
}

for (const delayMs of [0, hourMs])
  test(`the order of the transfers of ${delayMs === 0 ? 'direct' : 'unreleased'} money, with a debtor first and a fee payer second`, async () => {
    await indebt()
    await desk.withFee(150n, async () => {
      const opened = await desk.open({ feePayer: desk.subs[1] })
      const before = await last()
      await desk.pay(opened, 10_000n, delayMs)
      const gotten = ['PAYMENT', 'SHARE 1', 'SHARE 2', 'SHARE_FEE 2', 'FEE']
      const debts = ['SHARE_REPAID 1', 'SHARE_COVERED 1', 'RECEIVABLE_REPAID']
      assert.deepEqual(await kindsSince(before), delayMs === 0 ? [...gotten, ...debts] : gotten)
      const released = await last()
      assert.equal(await desk.world.release(), delayMs === 0 ? 0 : 1)
      assert.deepEqual(
        await kindsSince(released),
        // What the first repaid to the platform is a repayment of its own.
        delayMs === 0 ? [] : ['RELEASE', 'SHARE 1', 'SHARE 2', ...debts, 'SHARE_REPAID'],
      )
      assert.equal((await holdings(desk.world.line, desk.subs[0])).owesParent, 0n)
    })
  })

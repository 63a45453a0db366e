// Money that waited for a settlement delay when shares of such money began to be booked (migration 71): it is shared at its release.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { PaymentRequest } from '#/payments/payment.ts'
import { bookedOf } from '../../test/split-world.ts'
import { openUnreleasedWorld, type Opened, type UnreleasedWorld } from '../../test/unreleased-world.ts'

let dashboard: UnreleasedWorld

before(async () => {
  dashboard = await openUnreleasedWorld()
})
beforeEach(() => dashboard.renew())
after(async () => {
  await using world = dashboard.world
  assert.deepEqual((await world.line.verify()).faults, [])
})

/** Money as it was booked before shares of unreleased money were: all of it in the platform's pending balance. */
async function payAsBefore(opened: Opened, minor: bigint): Promise<void> {
  const { owner } = dashboard.world.line
  const { id } = opened.payment
  const [kept] = await owner<{ request: string }[]>`select request::text from payment where id = ${id}`
  const write = (request: string) =>
    owner.begin(async (tx) => {
      await tx`alter table payment disable trigger user`
      await tx`update payment set request = ${request}::text::json where id = ${id}`
      await tx`alter table payment enable trigger user`
    })
  const {
    splits: _splits,
    feePayer: _payer,
    ...unsplit
  } = JSON.parse(must(kept, 'it is there').request) as PaymentRequest
  await write(JSON.stringify(unsplit))
  await dashboard.pay(opened, minor)
  await write(must(kept, 'it is there').request)
  await owner`
    update release set share_minors = null
     where payment_id = ${id} and ordinal = (select max(ordinal) from release where payment_id = ${id})`
  await owner`update payment_split set waiting_minor = waiting_minor + ${minor} where payment_id = ${id}`
}

test('money that waited over the upgrade is shared at its release, whole', async () => {
  const opened = await dashboard.open()
  await payAsBefore(opened, 10_000n)
  assert.deepEqual((await dashboard.world.line.verify(['settlement', 'splits'])).faults, [])
  await dashboard.holds([0n, 0n], [0n, 0n])
  const { waitingMinor } = await dashboard.splitOf(opened)
  assert.equal(waitingMinor, 10_000n)
  await dashboard.world.release()
  await dashboard.holds([0n, 0n], [4_000n, 2_000n])
  assert.equal((await dashboard.splitOf(opened)).waitingMinor, 0n)
})

test('money that waited over the upgrade, with money after it, a refund, a failed one and a dispute', async () => {
  const opened = await dashboard.open()
  await payAsBefore(opened, 3_000n)
  await payAsBefore(opened, 3_000n)
  await dashboard.pay(opened, 4_000n)
  await dashboard.holds([1_600n, 800n], [0n, 0n])
  await dashboard.releaseOnly(opened, 1)
  await dashboard.holds([1_600n, 800n], [1_200n, 600n])
  // What is not shared yet goes back first.
  const refund = await dashboard.world.refund(opened.payment, 2_000)
  assert.ok(refund.kind === 'created', refund.kind)
  assert.deepEqual(await bookedOf(dashboard.world.line, opened.payment), [2_800n, 1_400n])
  await dashboard.world.settle(
    dashboard.world.refundReceipt(opened.tab, refund.refund.id, 'refund_failed', 2_000n),
  )
  assert.deepEqual(await bookedOf(dashboard.world.line, opened.payment), [2_800n, 1_400n])
  assert.equal((await dashboard.splitOf(opened)).waitingMinor, 3_000n)
  await dashboard.world.release()
  await dashboard.holds([0n, 0n], [4_000n, 2_000n])
})

test('money that waited over the upgrade and is disputed takes no share that it never gave', async () => {
  const opened = await dashboard.open()
  await dashboard.pay(opened, 4_000n, 0)
  await payAsBefore(opened, 6_000n)
  const [receipt] = await dashboard.world.line.sql<{ providerRef: string }[]>`
    select provider_ref as "providerRef" from receipt where payment_id = ${opened.payment.id} and outcome = 'paid'
     order by ordinal desc limit 1`
  const paid = { ...dashboard.world.receipt(opened.tab, 'paid', 6_000n), ...must(receipt, 'it came') }
  const report = dashboard.disputeOf(opened, paid, 6_000n)
  await report('dispute_opened')
  assert.deepEqual(await dashboard.available(), [1_600n, 800n])
  await report('dispute_won')
  assert.deepEqual(await dashboard.available(), [4_000n, 2_000n])
  await dashboard.world.release()
  await dashboard.holds([0n, 0n], [4_000n, 2_000n])
})

test('a process of an older release cannot end a release whose shares it does not know', async () => {
  const opened = await dashboard.open()
  await dashboard.pay(opened, 10_000n)
  const { owner } = dashboard.world.line
  await assert.rejects(
    owner`update release set released_at = now(), released_minor = 0 where payment_id = ${opened.payment.id}`,
    /release_shares/,
  )
  await dashboard.world.release()
  assert.deepEqual(await dashboard.pending(), [0n, 0n])
})

// Money that waited for a settlement delay when shares of such money began to be booked (migration 71): it is shared at its release.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { PaymentRequest } from '#/payments/payment.ts'
import { bookedOf } from '../../test/split-desk.ts'
import { openUnreleasedDesk, type Opened, type UnreleasedDesk } from '../../test/unreleased-desk.ts'

let desk: UnreleasedDesk

before(async () => {
  desk = await openUnreleasedDesk()
})
beforeEach(() => desk.renew())
after(async () => {
  await using world = desk.world
  assert.deepEqual((await world.line.verify()).faults, [])
})

/** Money as it was booked before shares of unreleased money were: all of it in the platform's pending balance. */
async function payAsBefore(opened: Opened, minor: bigint): Promise<void> {
  const { owner } = desk.world.line
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
  await desk.pay(opened, minor)
  await write(must(kept, 'it is there').request)
  await owner`
    update release set share_minors = null
     where payment_id = ${id} and ordinal = (select max(ordinal) from release where payment_id = ${id})`
  await owner`update payment_split set waiting_minor = waiting_minor + ${minor} where payment_id = ${id}`
}

test('money that waited over the upgrade is shared at its release, whole', async () => {
  const opened = await desk.open()
  await payAsBefore(opened, 10_000n)
  assert.deepEqual((await desk.world.line.verify(['settlement', 'splits'])).faults, [])
  await desk.holds([0n, 0n], [0n, 0n])
  const { waitingMinor } = await desk.splitOf(opened)
  assert.equal(waitingMinor, 10_000n)
  await desk.world.release()
  await desk.holds([0n, 0n], [4_000n, 2_000n])
  assert.equal((await desk.splitOf(opened)).waitingMinor, 0n)
})

test('money that waited over the upgrade, with money after it, a refund, a failed one and a dispute', async () => {
  const opened = await desk.open()
  await payAsBefore(opened, 3_000n)
  await payAsBefore(opened, 3_000n)
  await desk.pay(opened, 4_000n)
  await desk.holds([1_600n, 800n], [0n, 0n])
  await desk.releaseOnly(opened, 1)
  await desk.holds([1_600n, 800n], [1_200n, 600n])
  // What is not shared yet goes back first.
  const refund = await desk.world.refund(opened.payment, 2_000)
  assert.ok(refund.kind === 'created', refund.kind)
  assert.deepEqual(await bookedOf(desk.world.line, opened.payment), [2_800n, 1_400n])
  await desk.world.settle(desk.world.refundReceipt(opened.tab, refund.refund.id, 'refund_failed', 2_000n))
  assert.deepEqual(await bookedOf(desk.world.line, opened.payment), [2_800n, 1_400n])
  assert.equal((await desk.splitOf(opened)).waitingMinor, 3_000n)
  await desk.world.release()
  await desk.holds([0n, 0n], [4_000n, 2_000n])
})

test('money that waited over the upgrade and is disputed takes no share that it never gave', async () => {
  const opened = await desk.open()
  await desk.pay(opened, 4_000n, 0)
  await payAsBefore(opened, 6_000n)
  const [receipt] = await desk.world.line.sql<{ providerRef: string }[]>`
    select provider_ref as "providerRef" from receipt where payment_id = ${opened.payment.id} and outcome = 'paid'
     order by ordinal desc limit 1`
  const paid = { ...desk.world.receipt(opened.tab, 'paid', 6_000n), ...must(receipt, 'it came') }
  const report = desk.disputeOf(opened, paid, 6_000n)
  await report('dispute_opened')
  assert.deepEqual(await desk.available(), [1_600n, 800n])
  await report('dispute_won')
  assert.deepEqual(await desk.available(), [4_000n, 2_000n])
  await desk.world.release()
  await desk.holds([0n, 0n], [4_000n, 2_000n])
})

test('a process of an older release cannot end a release whose shares it does not know', async () => {
  const opened = await desk.open()
  await desk.pay(opened, 10_000n)
  const { owner } = desk.world.line
  await assert.rejects(
    owner`update release set released_at = now(), released_minor = 0 where payment_id = ${opened.payment.id}`,
    /release_shares/,
  )
  await desk.world.release()
  assert.deepEqual(await desk.pending(), [0n, 0n])
})

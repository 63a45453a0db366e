// Shares of money that waits for a settlement delay: they stand in each party's own pending balance, go back first, and are released.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { bookedOf, by, holdings, newSubAccount, walletOf, withdrawAll } from '../../test/split-desk.ts'
import { openTabsWorld, type TabsWorld } from '../../test/tabs-world.ts'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import type { Payment, PaymentRequest } from '#/payments/payment.ts'
import { selectSplits } from '#/payments/split-queries.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/words.ts'

let world: TabsWorld
let subs: readonly [MerchantId, MerchantId]

before(async () => {
  world = await openTabsWorld()
})
beforeEach(async () => {
  world.delayMs = hourMs
  subs = [await newSubAccount(world.line), await newSubAccount(world.line)]
})
after(async () => {
  await using _ = world
  assert.deepEqual((await world.line.verify()).faults, [])
})

type Opened = { readonly payment: Payment; readonly tab: OpenedAttempt }

/** A payment of 100.00: 40 % for the first sub-account, 20.00 for the second. */
async function open(more: Partial<PaymentRequest> = {}): Promise<Opened> {
  const splits = [
    { subAccountId: subs[0], percent: '40' },
    { subAccountId: subs[1], amount: 2_000 },
  ]
  const { payment, tabs } = await world.open('BRL', 10_000, ['PIX', 'CREDIT_CARD'], { splits, ...more })
  return { payment, tab: must(tabs.get('CREDIT_CARD'), 'there are cards') }
}

async function pay({ tab }: Opened, minor = 10_000n, delayMs: number = hourMs): Promise<Receipt> {
  world.delayMs = delayMs
  const receipt = world.receipt(tab, 'paid', minor)
  await world.settle(receipt)
  return receipt
}

async function pendingOf(merchantId: MerchantId): Promise<bigint> {
  const name = `wallet:${await walletOf(world.line, merchantId)}:pending`
  const [row] = await world.line.sql<{ minor: bigint }[]>`
    select minor from account join balance on account_id = id where name = ${name}`
  return row?.minor ?? 0n
}

const allOf = async <Each>(of: (id: MerchantId) => Promise<Each>) => [await of(subs[0]), await of(subs[1])]
const pending = () => allOf(pendingOf)
const available = () => allOf(async (id) => (await holdings(world.line, id)).has)
const own = async () => ({
  pending: await pendingOf(world.line.merchant.id),
  available: (await holdings(world.line, world.line.merchant.id)).has,
})

/** What the platform's two balances changed by since then. */
async function since(before: Awaited<ReturnType<typeof own>>): Promise<readonly bigint[]> {
  const now = await own()
  return [now.pending - before.pending, now.available - before.available]
}

/** Releases what one receipt brought. */
async function releaseOnly({ payment }: Opened, nth: number): Promise<void> {
  await world.line.owner`
    update release set release_at = clock_timestamp() + interval '1 hour' where released_at is null`
  await world.line.owner`
    update release set release_at = clock_timestamp() - interval '1 hour'
     where (payment_id, ordinal) in (select payment_id, ordinal from release where payment_id = ${payment.id}
                                      order by ordinal offset ${nth - 1} limit 1)`
  const verdict = await world.line.lane.submit(world.kinds.release, {
    merchantId: payment.merchantId,
    paymentId: payment.id,
    ordinal: await ordinalOf(payment, nth),
  })
  assert.equal(verdict.kind, 'released')
}

async function ordinalOf({ id }: Payment, nth: number): Promise<number> {
  const [row] = await world.line.sql<{ ordinal: number }[]>`
    select ordinal from release where payment_id = ${id} order by ordinal offset ${nth - 1} limit 1`
  return must(row, 'it waits').ordinal
}

function disputeOf({ tab }: Opened, receipt: Receipt, minor: bigint) {
  const ref = `dp_${newId()}`
  return (outcome: 'dispute_opened' | 'dispute_won' | 'dispute_lost', fee?: bigint) =>
    world.settle(
      world.receipt(tab, outcome, minor, {
        providerRef: ref,
        dispute: { paidRef: receipt.providerRef, kind: 'CHARGEBACK', ...(fee === undefined ? {} : { fee }) },
      }),
    )
}

async function withFee<Result>(fixedMinor: bigint, work: () => Promise<Result>): Promise<Result> {
  const { id: merchantId } = world.line.merchant
  const rule = { merchantId, method: 'CREDIT_CARD', currency: 'BRL', ratePpm: 0n } as const
  await writeFeeRule(world.line.sql, { ...rule, fixedMinor })
  try {
    return await work()
  } finally {
    await writeFeeRule(world.line.sql, { ...rule, fixedMinor: 0n })
  }
}

test('what waits stands in each party’s own pending balance, and goes into its wallet at the release', async () => {
  const before = await own()
  const opened = await open()
  await pay(opened)
  assert.deepEqual(await pending(), [4_000n, 2_000n])
  assert.deepEqual(await available(), [0n, 0n])
  assert.deepEqual(await since(before), [4_000n, 0n])
  assert.deepEqual(await bookedOf(world.line, opened.payment), [4_000n, 2_000n])
  assert.equal(await world.release(), 1)
  assert.deepEqual(await pending(), [0n, 0n])
  assert.deepEqual(await available(), [4_000n, 2_000n])
  assert.deepEqual(await since(before), [0n, 4_000n])
})

test('money in parts is released in parts; what came without a delay is available at once', async () => {
  const opened = await open()
  await pay(opened, 1_001n)
  assert.deepEqual(await pending(), [400n, 200n])
  await pay(opened, 2_000n, 0)
  assert.deepEqual(
    [await pending(), await available()],
    [
      [400n, 200n],
      [800n, 400n],
    ],
  )
  await pay(opened, 6_999n)
  assert.deepEqual(await pending(), [3_200n, 1_600n])
  await releaseOnly(opened, 2)
  assert.deepEqual(await pending(), [400n, 200n])
  await releaseOnly(opened, 1)
  assert.deepEqual(
    [await pending(), await available()],
    [
      [0n, 0n],
      [4_000n, 2_000n],
    ],
  )
})

test('a duplicate and a surplus that wait are the platform’s alone, also when they are released or refunded first', async () => {
  const opened = await open()
  await pay(opened, 10_500n)
  await pay(opened)
  assert.deepEqual(await pending(), [4_000n, 2_000n])
  const before = await own()
  // The duplicate goes back first.
  assert.equal((await world.refund(opened.payment, 10_000)).kind, 'created')
  assert.deepEqual(await pending(), [4_000n, 2_000n])
  assert.deepEqual(await since(before), [-10_000n, 0n])
  await releaseOnly(opened, 2)
  assert.deepEqual(await pending(), [4_000n, 2_000n])
  await releaseOnly(opened, 1)
  assert.deepEqual(
    [await pending(), await available()],
    [
      [0n, 0n],
      [4_000n, 2_000n],
    ],
  )
  assert.deepEqual(await since(before), [-14_500n, 4_500n])
})

test('a refund takes first what waits, and a failed one gives it back to where it came from', async () => {
  const opened = await open()
  await pay(opened, 4_000n, 0)
  await pay(opened, 6_000n)
  const first = await world.refund(opened.payment, 5_000)
  assert.ok(first.kind === 'created', first.kind)
  assert.deepEqual(
    [await pending(), await available()],
    [
      [400n, 200n],
      [1_600n, 800n],
    ],
  )
  await world.settle(world.refundReceipt(opened.tab, first.refund.id, 'refund_failed', 5_000n))
  assert.deepEqual(
    [await pending(), await available()],
    [
      [2_400n, 1_200n],
      [1_600n, 800n],
    ],
  )
  // Released meanwhile, it comes back as available.
  const second = await world.refund(opened.payment, 6_000)
  assert.ok(second.kind === 'created', second.kind)
  await world.release()
  assert.deepEqual(
    [await pending(), await available()],
    [
      [0n, 0n],
      [1_600n, 800n],
    ],
  )
  await world.settle(world.refundReceipt(opened.tab, second.refund.id, 'refund_failed', 6_000n))
  assert.deepEqual(
    [await pending(), await available()],
    [
      [0n, 0n],
      [4_000n, 2_000n],
    ],
  )
})

test('a dispute takes first what waits; won, it is available to those who gave; its fee is the platform’s', async () => {
  const opened = await open()
  const receipt = await pay(opened)
  const before = await own()
  const report = disputeOf(opened, receipt, 5_000n)
  await report('dispute_opened', 700n)
  assert.deepEqual(await pending(), [2_000n, 1_000n])
  assert.deepEqual(await available(), [0n, 0n])
  assert.deepEqual(await since(before), [-2_700n, 0n])
  await report('dispute_won')
  assert.deepEqual(
    [await pending(), await available()],
    [
      [2_000n, 1_000n],
      [2_000n, 1_000n],
    ],
  )
  await world.release()
  assert.deepEqual(
    [await pending(), await available()],
    [
      [0n, 0n],
      [4_000n, 2_000n],
    ],
  )
  assert.deepEqual(await since(before), [-4_000n, 3_300n])
})

test('a dispute before the release leaves nothing to release, and no debt', async () => {
  const opened = await open()
  const receipt = await pay(opened)
  await disputeOf(opened, receipt, 10_000n)('dispute_opened')
  await world.release()
  assert.deepEqual(
    [await pending(), await available()],
    [
      [0n, 0n],
      [0n, 0n],
    ],
  )
  for (const id of subs) assert.equal((await holdings(world.line, id)).owesParent, 0n)
})

test('a suspended sub-account gets its share of what waits and of its release, and cannot be closed before', async () => {
  const opened = await open()
  await changeSubAccount(world.line.sql, { id: subs[0] }, { state: 'SUSPENDED' }, by)
  await pay(opened)
  assert.deepEqual(await pending(), [4_000n, 2_000n])
  await assert.rejects(changeSubAccount(world.line.sql, { id: subs[0] }, { state: 'CLOSED' }, by))
  await world.release()
  assert.deepEqual(await available(), [4_000n, 2_000n])
})

test('of a capture in part the shares of the part wait', async () => {
  const opened = await open()
  const held = { providerRef: 'auth_waits', pendingRef: 'auth_waits' }
  const authorised = world.receipt(opened.tab, 'authorised', 10_000n, held)
  await world.settle(authorised)
  assert.deepEqual(await pending(), [0n, 0n])
  const { amount } = authorised
  await world.settle({
    ...authorised,
    outcome: 'paid',
    authorised: amount,
    amount: { ...amount, minor: 5_000n },
  })
  assert.deepEqual(await pending(), [2_000n, 1_000n])
  await world.release()
  assert.deepEqual(await available(), [2_000n, 1_000n])
})

test('the fee payer pays our fee from what waits, and our fee is not returned on a refund', async () => {
  await withFee(150n, async () => {
    const before = await own()
    const fees = async () => (await world.books())['fees BRL'] ?? 0n
    const earned = await fees()
    const opened = await open({ feePayer: subs[0] })
    await pay(opened)
    assert.deepEqual(await pending(), [3_850n, 2_000n])
    assert.deepEqual(await since(before), [4_000n, 0n])
    // The first lacks the fee that it paid: it is refused, or the platform pays it.
    const refused = await world.refund(opened.payment, 10_000)
    assert.ok(refused.kind === 'shortfall' && refused.subAccountId === subs[0], refused.kind)
    assert.equal(refused.missingMinor, 150n)
    const covered = await world.refund(opened.payment, 10_000, 'rest', { coverShortfall: true })
    assert.equal(covered.kind, 'created')
    assert.deepEqual(await pending(), [0n, 0n])
    assert.deepEqual(await since(before), [0n, -150n])
    assert.equal((await holdings(world.line, subs[0])).owesParent, 150n)
    assert.equal((await fees()) - earned, 150n)
    assert.equal((await world.line.payment(opened.payment.id)).feeMinor, 150n)
    const [split] = await selectSplits(world.line.sql, [
      { merchantId: opened.payment.merchantId, paymentId: opened.payment.id },
    ])
    assert.deepEqual(
      split?.shares.map(({ feeMinor }) => feeMinor),
      [150n, 0n],
    )
    await world.release()
  })
})

/** The kinds of the transfers since then, in their order, with the number of each share. */
async function kindsSince(number: bigint): Promise<readonly string[]> {
  const rows = await world.line.sql<{ kind: string; share: string }[]>`
    select kind, coalesce(substring(step from '^\\d+\\.(\\d+)\\.'), '') as share
      from transfer where number > ${number} order by number`
  return rows.map(({ kind, share }) => `${kind} ${share}`.trim())
}
const last = async () =>
  must((await world.line.sql<{ number: bigint }[]>`select max(number) as number from transfer`)[0], 'one')
    .number

/** The first sub-account owes the platform, and the platform owes the operator. */
async function indebt(): Promise<void> {
  const { tabs } = await world.open('BRL', 1_000_000, ['PIX'])
  await world.settle(world.receipt(must(tabs.get('PIX'), 'there is PIX'), 'paid', 1_000_000n))
  const covered = await open()
  await pay(covered, 10_000n, 0)
  await withdrawAll(world.line, subs[0])
  assert.equal((await world.refund(covered.payment, 5_000, 'rest', { coverShortfall: true })).kind, 'created')
  const charged = await open({ splits: [{ subAccountId: subs[1], amount: 1 }] })
  const receipt = await pay(charged, 10_000n, 0)
  await disputeOf(charged, receipt, 1n)('dispute_opened', (await own()).available + 20_000n)
}

for (const delayMs of [0, hourMs])
  test(`the order of the transfers of ${delayMs === 0 ? 'direct' : 'unreleased'} money, with a debtor first and a fee payer second`, async () => {
    await indebt()
    await withFee(150n, async () => {
      const opened = await open({ feePayer: subs[1] })
      const before = await last()
      await pay(opened, 10_000n, delayMs)
      const gotten = ['PAYMENT', 'SHARE 1', 'SHARE 2', 'SHARE_FEE 2', 'FEE']
      const debts = ['SHARE_REPAID 1', 'SHARE_COVERED 1', 'RECEIVABLE_REPAID']
      assert.deepEqual(await kindsSince(before), delayMs === 0 ? [...gotten, ...debts] : gotten)
      const released = await last()
      assert.equal(await world.release(), delayMs === 0 ? 0 : 1)
      assert.deepEqual(
        await kindsSince(released),
        // What the first repaid to the platform is a repayment of its own.
        delayMs === 0 ? [] : ['RELEASE', 'SHARE 1', 'SHARE 2', ...debts, 'SHARE_REPAID'],
      )
      assert.equal((await holdings(world.line, subs[0])).owesParent, 0n)
    })
  })

/** Money as it was booked before shares of unreleased money were: all of it in the platform's pending balance. */
async function payAsBefore(opened: Opened, minor: bigint): Promise<void> {
  const { owner } = world.line
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
  await pay(opened, minor)
  await write(must(kept, 'it is there').request)
  await owner`
    update release set share_minors = null
     where payment_id = ${id} and ordinal = (select max(ordinal) from release where payment_id = ${id})`
  await owner`update payment_split set waiting_minor = waiting_minor + ${minor} where payment_id = ${id}`
}

test('money that waited over the upgrade is shared at its release, whole', async () => {
  const opened = await open()
  await payAsBefore(opened, 10_000n)
  assert.deepEqual((await world.line.verify(['settlement', 'splits'])).faults, [])
  assert.deepEqual(
    [await pending(), await available()],
    [
      [0n, 0n],
      [0n, 0n],
    ],
  )
  const { waitingMinor } = await splitOf(opened)
  assert.equal(waitingMinor, 10_000n)
  await world.release()
  assert.deepEqual(
    [await pending(), await available()],
    [
      [0n, 0n],
      [4_000n, 2_000n],
    ],
  )
  assert.equal((await splitOf(opened)).waitingMinor, 0n)
})

test('money that waited over the upgrade, with money after it, a refund, a failed one and a dispute', async () => {
  const opened = await open()
  await payAsBefore(opened, 3_000n)
  await payAsBefore(opened, 3_000n)
  await pay(opened, 4_000n)
  assert.deepEqual(
    [await pending(), await available()],
    [
      [1_600n, 800n],
      [0n, 0n],
    ],
  )
  await releaseOnly(opened, 1)
  assert.deepEqual(
    [await pending(), await available()],
    [
      [1_600n, 800n],
      [1_200n, 600n],
    ],
  )
  // What is not shared yet goes back first.
  const refund = await world.refund(opened.payment, 2_000)
  assert.ok(refund.kind === 'created', refund.kind)
  assert.deepEqual(await bookedOf(world.line, opened.payment), [2_800n, 1_400n])
  await world.settle(world.refundReceipt(opened.tab, refund.refund.id, 'refund_failed', 2_000n))
  assert.deepEqual(await bookedOf(world.line, opened.payment), [2_800n, 1_400n])
  assert.equal((await splitOf(opened)).waitingMinor, 3_000n)
  await world.release()
  assert.deepEqual(
    [await pending(), await available()],
    [
      [0n, 0n],
      [4_000n, 2_000n],
    ],
  )
})

test('money that waited over the upgrade and is disputed takes no share that it never gave', async () => {
  const opened = await open()
  await pay(opened, 4_000n, 0)
  await payAsBefore(opened, 6_000n)
  const [receipt] = await world.line.sql<{ providerRef: string }[]>`
    select provider_ref as "providerRef" from receipt where payment_id = ${opened.payment.id} and outcome = 'paid'
     order by ordinal desc limit 1`
  const paid = { ...world.receipt(opened.tab, 'paid', 6_000n), ...must(receipt, 'it came') }
  const report = disputeOf(opened, paid, 6_000n)
  await report('dispute_opened')
  assert.deepEqual(await available(), [1_600n, 800n])
  await report('dispute_won')
  assert.deepEqual(await available(), [4_000n, 2_000n])
  await world.release()
  assert.deepEqual(
    [await pending(), await available()],
    [
      [0n, 0n],
      [4_000n, 2_000n],
    ],
  )
})

async function splitOf({ payment: { merchantId, id } }: Opened) {
  const [split] = await selectSplits(world.line.sql, [{ merchantId, paymentId: id }])
  return must(split, 'it is split')
}

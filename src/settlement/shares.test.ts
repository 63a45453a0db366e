// Shares of split payments in the books: with each arrival, back with refunds and disputes, and debts that the next share repays.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId, type MerchantId, type WalletId, type WithdrawalId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import { selectAccountsOut } from '#/merchants/sub-account-queries.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import type { PaymentRequest } from '#/payments/payment.ts'
import { createWalletKind } from '#/wallets/create.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { ownTransferKind } from '#/wallets/transfer.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { testPayoutRails } from '../../test/payout-rail.ts'
import {
  bookedOf,
  by,
  giveGrant,
  holdings,
  keptOf,
  moveInFamily,
  newOwnKey,
  newSubAccount,
  walletOf,
  withdrawAll,
} from '../../test/split-world.ts'
import { openTabsWorld, type TabsWorld } from '../../test/tabs-world.ts'

let world: TabsWorld
let subs: readonly [MerchantId, MerchantId, MerchantId]

before(async () => {
  world = await openTabsWorld()
})
beforeEach(async () => {
  world.delayMs = 0
  subs = [await newSubAccount(world.line), await newSubAccount(world.line), await newSubAccount(world.line)]
})
after(async () => {
  await using _ = world
  assert.deepEqual((await world.line.verify()).faults, [])
})

const thirds = () => subs.map((subAccountId) => ({ subAccountId, percent: '33.33' }))
const open = (more: Partial<PaymentRequest> = {}, amount = 10_000) =>
  world.open('BRL', amount, ['PIX', 'CREDIT_CARD'], { splits: thirds(), ...more })

async function paid(more: Partial<PaymentRequest> = {}, method: 'PIX' | 'CREDIT_CARD' = 'PIX') {
  const { payment, tabs } = await open(more)
  const tab = must(tabs.get(method), 'it is open')
  const receipt = world.receipt(tab, 'paid', 10_000n)
  await world.settle(receipt)
  return { payment, tab, receipt }
}

const has = async () => {
  const all = await Promise.all(subs.map((id) => holdings(world.line, id)))
  return all.map((each) => each.has)
}
const platform = async () => (await holdings(world.line, world.line.merchant.id)).has

async function openWallet(merchantId: MerchantId): Promise<WalletId> {
  const request = { currency: 'BRL', label: 'another', walletType: 'SPENDABLE' } as const
  const id = newId<'wallet'>()
  const item = { merchantId, mode: 'SANDBOX', id, request } as const
  assert.equal((await world.line.lane.submit(createWalletKind(), item)).kind, 'created')
  return id
}

async function moveOwn(merchantId: MerchantId, toWalletId: WalletId, amount: number): Promise<void> {
  const request = { fromWalletId: await walletOf(world.line, merchantId), toWalletId, amount }
  const item = { merchantId, mode: 'SANDBOX', id: newId<'own-transfer'>(), request } as const
  assert.equal((await world.line.lane.submit(ownTransferKind, item)).kind, 'created')
}

/** The merchant cancels the only withdrawal that it has. */
async function cancelWithdrawal(merchantId: MerchantId): Promise<void> {
  const [row] = await world.line.sql<{ id: WithdrawalId }[]>`
    select id from withdrawal where merchant_id = ${merchantId}`
  const item = { merchantId, id: must(row, 'it has one').id, event: 'canceled' } as const
  assert.equal((await world.line.lane.submit(decisionKind(testPayoutRails()), item)).kind, 'decided')
}

function disputeOf({ tab, receipt }: Awaited<ReturnType<typeof paid>>, minor: bigint) {
  const ref = `dp_${newId()}`
  return (outcome: 'dispute_opened' | 'dispute_taken' | 'dispute_won' | 'dispute_lost', fee?: bigint) =>
    world.settle(
      world.receipt(tab, outcome, minor, {
        providerRef: ref,
        dispute: { paidRef: receipt.providerRef, kind: 'CHARGEBACK', ...given({ fee }) },
      }),
    )
}

test('100.00 split in three of 33.33 %: the cents add up', async () => {
  const before = await platform()
  const { payment } = await paid()
  assert.deepEqual(await has(), [3_333n, 3_333n, 3_333n])
  assert.equal((await platform()) - before, 1n)
  assert.deepEqual(await bookedOf(world.line, payment), [3_333n, 3_333n, 3_333n])
})

test('shares of money in parts are the shares of the whole; surplus and duplicates stay with the platform', async () => {
  const { payment, tabs } = await open()
  const tab = must(tabs.get('PIX'), 'there is PIX')
  for (const minor of [1n, 2n, 97n, 3_333n]) await world.settle(world.receipt(tab, 'paid', minor))
  assert.deepEqual(await bookedOf(world.line, payment), [1_144n, 1_144n, 1_144n])
  await world.settle(world.receipt(tab, 'paid', 7_000n))
  assert.deepEqual(await has(), [3_333n, 3_333n, 3_333n])
  await world.settle(world.receipt(tab, 'paid', 10_000n))
  assert.deepEqual(await has(), [3_333n, 3_333n, 3_333n])
})

test('the fee payer pays our fee from its share, and pays it once', async () => {
  const { id } = world.line.merchant
  const rule = { merchantId: id, method: 'PIX', currency: 'BRL', ratePpm: 10_000n } as const
  await writeFeeRule(world.line.sql, { ...rule, fixedMinor: 50n })
  const before = await platform()
  await paid({ feePayer: subs[1] })
  assert.deepEqual(await has(), [3_333n, 3_333n - 150n, 3_333n])
  assert.equal((await platform()) - before, 1n)
  await writeFeeRule(world.line.sql, { ...rule, fixedMinor: 0n, ratePpm: 0n })
})

test('a part that is too small for the fee leaves the rest of it to the next part', async () => {
  const { id } = world.line.merchant
  const rule = { merchantId: id, method: 'PIX', currency: 'BRL', ratePpm: 0n } as const
  await writeFeeRule(world.line.sql, { ...rule, fixedMinor: 50n })
  const splits = [{ subAccountId: subs[0], percent: '90' }]
  const { payment, tabs } = await open({ splits })
  const tab = must(tabs.get('PIX'), 'there is PIX')
  const before = await platform()
  await world.settle(world.receipt(tab, 'paid', 100n))
  assert.equal((await world.line.payment(payment.id)).feeMinor, 10n)
  assert.equal((await platform()) - before, 0n)
  await world.settle(world.receipt(tab, 'paid', 9_900n))
  assert.equal((await world.line.payment(payment.id)).feeMinor, 50n)
  assert.equal((await platform()) - before, 950n)
  await writeFeeRule(world.line.sql, { ...rule, fixedMinor: 0n })
})

test('with a settlement delay each share goes into its own wallet at the release', async () => {
  world.delayMs = hourMs
  const { payment, tabs } = await open()
  await world.settle(world.receipt(must(tabs.get('CREDIT_CARD'), 'there are cards'), 'paid', 10_000n))
  assert.deepEqual(await has(), [0n, 0n, 0n])
  assert.equal(await world.release(), 1)
  assert.deepEqual(await has(), [3_333n, 3_333n, 3_333n])
  assert.deepEqual(await bookedOf(world.line, payment), [3_333n, 3_333n, 3_333n])
})

test('a refund takes from each by the same function, and a failed one gives it back', async () => {
  const { payment, tab } = await paid()
  const before = await platform()
  const verdict = await world.refund(payment, 5_000)
  assert.ok(verdict.kind === 'created', verdict.kind)
  assert.deepEqual(await has(), [1_666n, 1_666n, 1_666n])
  // Each gives 16.67, a cent more in sum than goes back: the platform kept that cent of the whole.
  assert.equal((await platform()) - before, 1n)
  await world.settle(world.refundReceipt(tab, verdict.refund.id, 'refund_failed', 5_000n))
  assert.deepEqual(await has(), [3_333n, 3_333n, 3_333n])
  assert.equal(await platform(), before)
})

test('what a sub-account lacks is refused, or paid by the platform and owed to it, and repaid by its next share', async () => {
  const { payment } = await paid()
  await withdrawAll(world.line, subs[1])
  const refused = await world.refund(payment, 10_000)
  assert.ok(refused.kind === 'shortfall' && refused.subAccountId === subs[1], refused.kind)
  assert.deepEqual(await bookedOf(world.line, payment), [3_333n, 3_333n, 3_333n])
  await paid({ splits: [{ subAccountId: subs[0], amount: 1 }] })
  const covered = await world.refund(payment, 10_000, 'rest', { coverShortfall: true })
  assert.equal(covered.kind, 'created')
  assert.equal((await holdings(world.line, subs[1])).owesParent, 3_333n)
  assert.deepEqual(
    [...(await selectAccountsOut(world.line.sql, [subs[1]]))],
    [{ id: subs[1], state: 'ACTIVE', isIndebted: true }],
  )
  const before = await platform()
  await paid()
  assert.deepEqual(await has(), [3_334n, 0n, 3_333n])
  assert.equal((await holdings(world.line, subs[1])).owesParent, 0n)
  assert.equal((await platform()) - before, 1n + 3_333n)
})

test('a dispute takes what there is, the platform guarantees the rest, and a won one returns to who gave', async () => {
  const made = await paid({}, 'CREDIT_CARD')
  await paid({ splits: [{ subAccountId: subs[0], amount: 1 }] })
  await withdrawAll(world.line, subs[2])
  const before = [await platform(), ...(await has())]
  const report = disputeOf(made, 10_000n)
  await report('dispute_opened', 700n)
  assert.deepEqual((await has()).slice(1), [0n, 0n])
  assert.equal((await holdings(world.line, subs[2])).owesParent, 3_333n)
  // The fee is the platform's.
  assert.equal((before[0] ?? 0n) - (await platform()), 10_000n - 2n * 3_333n + 700n)
  await report('dispute_won')
  assert.equal((await holdings(world.line, subs[2])).owesParent, 0n)
  assert.deepEqual([(await platform()) + 700n, ...(await has())], before)
})

test('a suspended sub-account gets its share, and gives it back', async () => {
  const { payment, tabs } = await open()
  const tab = must(tabs.get('PIX'), 'there is PIX')
  await changeSubAccount(
    world.line.sql,
    { id: subs[0], parentId: world.line.merchant.id },
    { state: 'SUSPENDED' },
    by,
  )
  await assert.rejects(open(), { code: 'split_refused' })
  await world.settle(world.receipt(tab, 'paid', 10_000n))
  assert.deepEqual(await has(), [3_333n, 3_333n, 3_333n])
  assert.equal((await world.refund(payment)).kind, 'created')
  assert.deepEqual(await has(), [0n, 0n, 0n])
})

test('a sub-account with a covered shortfall is not closed before it has repaid and is empty', async () => {
  const [, sub] = subs
  const { payment } = await paid()
  const close = () => changeSubAccount(world.line.sql, { id: sub }, { state: 'CLOSED' }, by)
  const empty = async () => {
    await changeSubAccount(world.line.sql, { id: sub }, { state: 'ACTIVE' }, by)
    const { has: minor } = await holdings(world.line, sub)
    await giveGrant(world.line, { id: sub, keyId: await newOwnKey(world.line, sub) }, Number(minor))
    assert.equal((await moveInFamily(world.line, 'take', sub, Number(minor))).kind, 'created')
  }
  await assert.rejects(close(), { code: 'invalid_state' }, 'it has money')
  await empty()
  assert.equal((await world.refund(payment, 10_000, 'rest', { coverShortfall: true })).kind, 'created')
  const { has: money, owesParent } = await holdings(world.line, sub)
  assert.deepEqual([money, owesParent], [0n, 3_333n])
  await assert.rejects(close(), { code: 'invalid_state' }, 'it has no money, and owes its parent')
  await paid({ splits: [{ subAccountId: sub, amount: 4_000 }] })
  const { has: rest, owesParent: left } = await holdings(world.line, sub)
  assert.deepEqual([rest, left], [667n, 0n])
  await assert.rejects(close(), { code: 'invalid_state' }, 'it owes nothing, and has money')
  await empty()
  assert.equal((await close()).state, 'CLOSED')
})

test('what a covered refund lacks in one wallet is taken from the others before the platform pays', async () => {
  const [sub] = subs
  const splits = [{ subAccountId: sub, percent: '30' }]
  const { payment } = await paid({ splits })
  const other = await openWallet(sub)
  await moveOwn(sub, other, 2_999)
  await paid({ splits: [{ subAccountId: subs[1], amount: 1 }] })
  assert.equal((await world.refund(payment, 10_000, 'rest')).kind, 'shortfall')
  const covered = await world.refund(payment, 10_000, 'rest', { coverShortfall: true })
  assert.equal(covered.kind, 'created')
  const { has: money, owesParent } = await holdings(world.line, sub)
  assert.deepEqual([money, owesParent], [0n, 0n])
})

test('a suspended sub-account repays its platform too', async () => {
  const [, sub] = subs
  const { payment } = await paid()
  await withdrawAll(world.line, sub)
  await paid({ splits: [{ subAccountId: subs[0], amount: 1 }] })
  assert.equal((await world.refund(payment, 10_000, 'rest', { coverShortfall: true })).kind, 'created')
  await changeSubAccount(world.line.sql, { id: sub }, { state: 'SUSPENDED' }, by)
  const before = await platform()
  await cancelWithdrawal(sub)
  const { has: money, owesParent } = await holdings(world.line, sub)
  assert.deepEqual([money, owesParent], [0n, 0n])
  assert.equal((await platform()) - before, 3_333n)
})

test('a share that comes after closing stays with the platform, and goes back from there', async () => {
  const [first, closed] = subs
  const splits = [first, closed].map((subAccountId) => ({ subAccountId, percent: '25' }))
  const { payment, tabs } = await open({ splits, feePayer: closed })
  const tab = must(tabs.get('CREDIT_CARD'), 'there are cards')
  await changeSubAccount(world.line.sql, { id: closed }, { state: 'CLOSED' }, by)
  const before = await platform()
  const receipt = world.receipt(tab, 'paid', 10_000n)
  await world.settle(receipt)
  assert.deepEqual(await has(), [2_500n, 0n, 0n])
  assert.equal((await platform()) - before, 7_500n)
  const kept = async () => (await keptOf(world.line, payment))[1]
  assert.equal(await kept(), 2_500n)
  const dispute = disputeOf({ payment, tab, receipt }, 4_000n)
  await dispute('dispute_opened')
  assert.equal(await kept(), 1_500n)
  assert.deepEqual(await has(), [1_500n, 0n, 0n])
  await dispute('dispute_won')
  assert.equal(await kept(), 2_500n)
  const { has: money, owes, owesParent } = await holdings(world.line, closed)
  assert.deepEqual([money, owes, owesParent], [0n, 0n, 0n])
  assert.equal((await platform()) - before, 7_500n)
})

test('a piece that our fee uses up does not wait for a settlement delay, so nothing of it is held back for ever', async () => {
  const rule = {
    merchantId: world.line.merchant.id,
    method: 'CREDIT_CARD',
    currency: 'BRL',
    ratePpm: 0n,
  } as const
  await writeFeeRule(world.line.sql, { ...rule, fixedMinor: 50n })
  world.delayMs = hourMs
  const splits = subs.map((subAccountId) => ({ subAccountId, percent: '30' }))
  const { payment, tabs } = await open({ splits })
  const tab = must(tabs.get('CREDIT_CARD'), 'there are cards')
  await world.settle(world.receipt(tab, 'paid', 30n))
  await world.settle(world.receipt(tab, 'paid', 9_970n))
  assert.equal(await world.release(), 1)
  assert.deepEqual(await bookedOf(world.line, payment), [3_000n, 3_000n, 3_000n])
  assert.equal((await world.line.payment(payment.id)).feeMinor, 50n)
  await writeFeeRule(world.line.sql, { ...rule, fixedMinor: 0n })
})

test('money seen or authorised is pending at the platform alone; shares follow what is captured of it', async () => {
  const pending = async (merchantId: MerchantId) => {
    const name = `wallet:${await walletOf(world.line, merchantId)}:pending`
    const [row] = await world.line.sql<{ minor: bigint }[]>`
      select minor from account join balance on account_id = id where name = ${name}`
    return row?.minor ?? 0n
  }
  const { id } = world.line.merchant
  const before = await pending(id)
  const { payment, tabs } = await open()
  const tab = must(tabs.get('CREDIT_CARD'), 'there are cards')
  const [gone, held] = ['auth_gone', 'auth_held'].map((ref) =>
    world.receipt(tab, 'authorised', 10_000n, { providerRef: ref, pendingRef: ref }),
  )
  for (const receipt of [gone, held]) await world.settle(must(receipt, 'two'))
  const coins = world.receipt(tab, 'seen', 500n, { providerRef: 'seen', pendingRef: 'seen' })
  await world.settle(coins)
  assert.equal((await pending(id)) - before, 20_500n)
  assert.deepEqual(await has(), [0n, 0n, 0n])
  await world.settle({ ...must(gone, 'two'), outcome: 'voided' })
  await world.settle({ ...coins, outcome: 'orphaned' })
  assert.deepEqual(await has(), [0n, 0n, 0n])
  // Captured in part: PAID, and the shares are those of the part.
  const captured = { ...must(held, 'two'), outcome: 'paid', authorised: must(held, 'two').amount } as const
  await world.settle({ ...captured, amount: { ...captured.amount, minor: 4_000n } })
  assert.equal((await world.line.payment(payment.id)).status, 'PAID')
  assert.deepEqual(await has(), [1_333n, 1_333n, 1_333n])
  assert.equal(await pending(id), before)
  for (const sub of subs) assert.equal(await pending(sub), 0n)
})

test('a payment in USD that could receive USD and USDT is not split; by CRYPTO alone it is shared in USDT, and gives it back', async () => {
  const splits = [{ subAccountId: subs[0], percent: '33.33' }]
  await assert.rejects(world.open('USD', 1_000, ['CRYPTO'], { splits }), (error: unknown) => {
    const { code, faults = [] } = error as {
      code?: string
      faults?: readonly { code: string; pointer: string }[]
    }
    assert.deepEqual(
      [code, faults.map((each) => [each.pointer, each.code])],
      ['split_refused', [['/splits', 'mixed_currencies']]],
    )
    return true
  })
  const { payment } = await world.open('USD', 1_000, ['CRYPTO'], { splits, paymentMethods: ['CRYPTO'] })
  await world.payOnChain(payment, 1_000n)
  assert.deepEqual(await bookedOf(world.line, payment), [333n])
  const inUsdt = async () => {
    const [wallet] = await world.line.sql.begin((tx) =>
      selectDefaultWallets(tx, [{ merchantId: subs[0], currency: 'USDT' }]),
    )
    const name = `wallet:${must(wallet, 'every merchant has one').id}:available`
    const [row] = await world.line.sql<{ minor: bigint }[]>`
      select minor from account join balance on account_id = id where name = ${name}`
    return row?.minor ?? 0n
  }
  assert.equal(await inUsdt(), 333n)
  const back = await world.refund(payment, 500, 'coins')
  assert.equal(back.kind, 'created')
  assert.deepEqual([await inUsdt(), ...(await bookedOf(world.line, payment))], [166n, 166n])
})

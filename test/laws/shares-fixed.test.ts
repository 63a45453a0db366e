// What a short run of the laws of shares may not meet: a sub-account that is suspended, one that has spent its share of a refund, and one
// that closed before the money came.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import { closeIfEmpty, withoutClosed } from '../closed-shares.ts'
import { openForTests } from '../open-for-tests.ts'
import { bookedOf, by, holdings, keptOf, newSubAccount, withdrawAll } from '../split-world.ts'
import { openTabsWorld } from '../tabs-world.ts'

const world = openForTests(openTabsWorld)

/** A payment of 10.00 by card, so much of which is the share of the sub-account. */
async function open(subAccountId: MerchantId, percent: string) {
  const splits = [{ subAccountId, percent }]
  const { payment, tabs } = await world.open('BRL', 1_000, ['CREDIT_CARD'], { splits })
  const tab = must(tabs.get('CREDIT_CARD'), 'a tab')
  return {
    payment,
    async pay() {
      const receipt = world.receipt(tab, 'paid', 1_000n)
      await world.settle(receipt)
      return receipt.providerRef
    },
    refund: (amount: number, coverShortfall = false) =>
      world.refund(payment, amount, 'rest', coverShortfall ? { coverShortfall } : {}),
    async dispute(paidRef: string, minor: bigint) {
      const dispute = { paidRef, kind: 'CHARGEBACK' as const }
      const more = { providerRef: `dp_of_${paidRef}`, dispute }
      await world.settle(world.receipt(tab, 'dispute_opened', minor, more))
    },
    shares: async () => [await bookedOf(world.line, payment), await keptOf(world.line, payment)],
  }
}

const state = (id: MerchantId, wanted: 'ACTIVE' | 'SUSPENDED') =>
  changeSubAccount(world.line.sql, { id }, { state: wanted }, by)

async function newActive(): Promise<MerchantId> {
  const id = await newSubAccount(world.line)
  await state(id, 'ACTIVE')
  return id
}

async function verified(): Promise<void> {
  const { faults } = await world.line.verify()
  // Disputes of these cards have no evidence of a bank's.
  assert.deepEqual(
    faults.filter(({ inspection }) => !inspection.startsWith('receipts of')),
    [],
  )
}

test('a suspended sub-account gets its share and gives back of it, and no new payment names it', async () => {
  const id = await newActive()
  const sale = await open(id, '33.33')
  await state(id, 'SUSPENDED')
  const ref = await sale.pay()
  assert.equal((await sale.refund(300)).kind, 'created')
  await sale.dispute(ref, 200n)
  assert.deepEqual(await sale.shares(), [[166n], [0n]])
  assert.deepEqual(await holdings(world.line, id), { has: 166n, owes: 0n, owesParent: 0n })
  await assert.rejects(open(id, '10'), { code: 'split_refused' })
  await verified()
})

test('a refund of a share that was spent is refused, or covered by the platform, and the next credit repays that', async () => {
  const id = await newActive()
  const sale = await open(id, '33.33')
  await sale.pay()
  await withdrawAll(world.line, id)
  assert.notEqual((await sale.refund(1_000)).kind, 'created')
  assert.deepEqual(await sale.shares(), [[333n], [0n]])
  assert.equal((await sale.refund(1_000, true)).kind, 'created')
  assert.deepEqual(await sale.shares(), [[0n], [0n]])
  assert.deepEqual(await holdings(world.line, id), { has: 0n, owes: 0n, owesParent: 333n })
  await (await open(id, '45')).pay()
  assert.deepEqual(await holdings(world.line, id), { has: 117n, owes: 0n, owesParent: 0n })
  await verified()
})

test('the platform keeps, and gives back, the share of a sub-account that closed; one with money stays open', async () => {
  const id = await newActive()
  const sale = await open(id, '33.33')
  assert.ok(await closeIfEmpty(world.line, id))
  await sale.pay()
  assert.deepEqual(await sale.shares(), [[0n], [333n]])
  assert.equal((await sale.refund(500)).kind, 'created')
  assert.deepEqual(await sale.shares(), [[0n], [166n]])
  assert.deepEqual(await withoutClosed(world.line, [sale]), [])
  const rich = await newActive()
  await (await open(rich, '10')).pay()
  assert.ok(!(await closeIfEmpty(world.line, rich)))
  await verified()
})

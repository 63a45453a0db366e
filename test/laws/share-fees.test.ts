// Which fee a share bears: that of the money that the share comes from, once. Not that of a duplicate or of money beyond the payment's
// amount, and none when the share is given again after a dispute or a refund.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { MerchantId, RefundId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import * as chart from '#/ledger/chart.ts'
import { runnable } from '#/ledger/kind.ts'
import { shareCharged } from '#/ledger/share-recipes.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import { selectSplits } from '#/payments/split-queries.ts'
import type { Method } from '#/rails/method.ts'
import { bookedOf, by, holdings, newSubAccount, walletOf } from '../split-world.ts'
import { openTabsWorld, type TabsWorld } from '../tabs-world.ts'

let world: TabsWorld

before(async () => {
  world = await openTabsWorld()
  const { sql, merchant } = world.line
  // 2 % and 0.50.
  const terms = { merchantId: merchant.id, currency: 'BRL', fixedMinor: 50n, ratePpm: 20_000n } as const
  for (const method of ['PIX', 'CREDIT_CARD']) await writeFeeRule(sql, { ...terms, method })
})
after(() => world[Symbol.asyncDispose]())

/** A payment of 100.00 with one share, whose sub-account pays our fee. */
async function open(percent: string, method: Method = 'PIX') {
  const id = await newSubAccount(world.line)
  await changeSubAccount(world.line.sql, { id }, { state: 'ACTIVE' }, by)
  const { payment, tabs } = await world.open('BRL', 10_000, [method], {
    splits: [{ subAccountId: id, percent }],
    feePayer: id,
  })
  const tab = must(tabs.get(method), 'a tab')
  return {
    id,
    payment,
    async pay(minor = 10_000n) {
      const receipt = world.receipt(tab, 'paid', minor)
      await world.settle(receipt)
      return receipt.providerRef
    },
    async dispute(paidRef: string, minor: bigint) {
      const dispute = { paidRef, kind: method === 'PIX' ? 'MED' : 'CHARGEBACK' } as const
      const say = (outcome: 'dispute_opened' | 'dispute_won') =>
        world.settle(world.receipt(tab, outcome, minor, { providerRef: `dp_${paidRef}`, dispute }))
      await say('dispute_opened')
      return { win: () => say('dispute_won') }
    },
    failed: (id: RefundId, minor: bigint) =>
      world.settle(world.refundReceipt(tab, id, 'refund_failed', minor)),
    async failedRefund(minor: number) {
      const verdict = await world.refund(payment, minor)
      assert.ok(verdict.kind === 'created', verdict.kind)
      await this.failed(verdict.refund.id, BigInt(minor))
    },
    has: async () => (await holdings(world.line, id)).has,
    fee: () => feeOf(id),
  }
}

/** What the sub-account's share says that it paid of our fee. */
async function feeOf(id: MerchantId): Promise<bigint> {
  const [row] = await world.line.sql<{ fee: bigint }[]>`
    select fee_minor as fee from payment_share where sub_account_id = ${id}`
  return must(row, 'it has a share').fee
}

async function verified(): Promise<void> {
  const { faults } = await world.line.verify()
  assert.deepEqual(
    // Disputes of these pieces have no evidence of a bank's.
    faults.filter(({ inspection }) => !inspection.startsWith('receipts of')),
    [],
  )
}

test('a dispute that is won takes nothing from the fee payer, also when the payment was paid twice', async () => {
  const sale = await open('50')
  const first = await sale.pay()
  await sale.pay()
  assert.equal(await sale.has(), 4_750n)
  const dispute = await sale.dispute(first, 10_000n)
  await dispute.win()
  assert.deepEqual([await sale.has(), await sale.fee()], [4_750n, 250n])
  assert.deepEqual(await bookedOf(world.line, sale.payment), [5_000n])
  await verified()
})

test('the fee of a duplicate that comes while a share is disputed is the platform’s', async () => {
  const sale = await open('50')
  const dispute = await sale.dispute(await sale.pay(), 10_000n)
  await sale.pay()
  await dispute.win()
  assert.deepEqual([await sale.has(), await sale.fee()], [4_750n, 250n])
  await verified()
})

test('a refund that fails gives the share back without a further fee', async () => {
  const sale = await open('50')
  await sale.pay()
  await sale.pay()
  // The duplicate goes back first; what follows is of the money that is shared.
  assert.equal((await world.refund(sale.payment, 10_000)).kind, 'created')
  assert.equal(await sale.has(), 4_750n)
  await sale.failedRefund(3_000)
  assert.deepEqual([await sale.has(), await sale.fee()], [4_750n, 250n])
  await verified()
})

test('money of a canceled payment beyond its amount is not shared, and neither is its fee', async () => {
  const sale = await open('50')
  assert.equal((await world.line.close(sale.payment, 'canceled')).kind, 'closed')
  const [first, second] = [await sale.pay(), await sale.pay()]
  assert.deepEqual([await sale.has(), await sale.fee()], [4_750n, 250n])
  const [one, other] = [await sale.dispute(first, 10_000n), await sale.dispute(second, 10_000n)]
  await other.win()
  assert.deepEqual([await sale.has(), await sale.fee()], [4_750n, 250n])
  await one.win()
  assert.deepEqual([await sale.has(), await sale.fee()], [4_750n, 250n])
  await verified()
})

test('a fee that a first part could not pay is paid by the next part, and not by a part that is given again', async () => {
  const sale = await open('3')
  await sale.pay(100n)
  assert.deepEqual([await sale.has(), await sale.fee()], [0n, 3n])
  const verdict = await world.refund(sale.payment, 100, 'rest', { coverShortfall: true })
  assert.ok(verdict.kind === 'created', verdict.kind)
  assert.equal((await holdings(world.line, sale.id)).owesParent, 3n)
  await sale.failed(verdict.refund.id, 100n)
  assert.deepEqual(await holdings(world.line, sale.id), { has: 0n, owes: 0n, owesParent: 0n })
  await sale.pay(9_900n)
  assert.deepEqual([await sale.has(), await sale.fee()], [50n, 250n])
  await verified()
})

test('money that waits for its settlement delay: a share that is given again waits without a further fee', async () => {
  world.delayMs = hourMs
  const sale = await open('50', 'CREDIT_CARD')
  const first = await sale.pay()
  await sale.pay()
  const dispute = await sale.dispute(first, 10_000n)
  await dispute.win()
  await world.release()
  assert.deepEqual([await sale.has(), await sale.fee()], [4_750n, 250n])
  await verified()
})

/** Charges the share a second time, with transfers as settlement writes them and sums that agree with them. */
async function chargeAgain({ payment, id }: Awaited<ReturnType<typeof open>>, minor: bigint): Promise<void> {
  const { lane, sql, owner } = world.line
  const ref = { merchantId: payment.merchantId, paymentId: payment.id }
  const split = must((await selectSplits(sql, [ref]))[0], 'it is split')
  const [platform, recipient] = await Promise.all(
    [payment.merchantId, id].map(async (merchantId) =>
      chart.walletAvailable(payment.mode, await walletOf(world.line, merchantId), 'BRL'),
    ),
  )
  const accounts = [must(platform, 'one'), must(recipient, 'one')] as const
  const kind = runnable<object, object, object, undefined, never>({
    name: 'charge again',
    async load({ books }) {
      await books.load(accounts)
      return {}
    },
    decide(_view, _item, { books }) {
      const occasion = { subject: split.id, ordinal: split.version, cause: Buffer.alloc(32, 7) }
      const [available, of] = accounts
      const parts = { pending: 0n, available: minor }
      const place = { occasion, ordinal: 1 }
      const accountsOf = (each: chart.AccountSpec) => ({ available: each, pending: each, receivable: each })
      const theirs = { ...accountsOf(of), owes: of, owed: of, sources: [of] }
      assert.ok(books.post(shareCharged(place, accountsOf(available), theirs, parts)).ok)
      return { verdict: undefined, change: {} }
    },
    write: async () => {},
  })
  await lane.submit(kind, {})
  await owner`update payment_share set fee_minor = fee_minor + ${minor} where sub_account_id = ${id}`
  await owner`update payment_split set version = version + 1 where id = ${split.id}`
}

test('verify says that a share paid a fee which is not its own, although all sums agree', async () => {
  const sale = await open('50')
  await sale.pay()
  await sale.pay()
  await chargeAgain(sale, 200n)
  assert.deepEqual([await sale.has(), await sale.fee()], [4_550n, 450n])
  const said = async () =>
    (await world.line.verify(['settlement', 'splits'])).faults.map(({ row, what }) => [row, what])
  assert.deepEqual(await said(), [
    [
      `split of payment ${sale.payment.id}`,
      'share 1 paid 450 of our fee, but the terms and the receipts make it 250',
    ],
  ])
})

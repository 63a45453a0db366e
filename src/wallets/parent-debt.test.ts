// What becomes available to a sub-account repays its platform: once, in its own currency, whoever else is paid at the same time; both
// see it, and the audit finds what somebody changes of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceOf } from '#/explain/sentences.ts'
import type { Id } from '#/kernel/id.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { resolveKind } from '#/settlement/resolve.ts'
import { openCardWorld } from '../../test/card-world.ts'
import { assertPaymentExplained } from '../../test/explained.ts'
import { joinFamily } from '../../test/laws/debts-family.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { statementPage } from './statement.ts'

let names = 0
const world = openForTests(openCardWorld)
const family = openForTests(() => joinFamily(world, 'ana@example.com'))

/** The sub-account gives a share back that a dispute takes, and the platform covers what it lacks: all of it, as it has nothing. */
async function cover(minor: number): Promise<void> {
  const { attempt } = await family.share()
  const ref = `pi_${(names += 1)}`
  await world.settle(world.receipt(attempt, 'paid', ref))
  await empty()
  const dispute = { paidRef: ref, kind: 'CHARGEBACK' as const }
  const amount = { minor: BigInt(2 * minor), currency: 'EUR' as const }
  await world.settle(world.receipt(attempt, 'dispute_opened', `dp_${names}`, { dispute, amount }))
}

/** A dispute of a payment of its own takes what the sub-account has. Then it owes nothing and has nothing. */
async function empty(): Promise<void> {
  const [{ available, owed }] = await family.standings()
  assert.equal(owed, 0n)
  if (available === 0n) return
  const { attempt, ref } = await payment(1_000)
  const amount = { minor: available + 1_000n, currency: 'EUR' as const }
  const dispute = { paidRef: ref, kind: 'CHARGEBACK' as const }
  await world.settle(world.receipt(attempt, 'dispute_opened', `dp_own_${ref}`, { dispute, amount }))
  const [after] = await family.standings()
  assert.deepEqual([after.available, after.owed], [0n, 0n])
}

async function payment(minor: number) {
  const { payment: made, attempt } = await world.create({ amount: minor })
  const ref = `pi_${(names += 1)}`
  const receipt = world.receipt(attempt, 'paid', ref)
  await world.settle(receipt)
  return { made, attempt, ref, receipt }
}

const sub = async () => (await family.standings())[0]
const platform = async () => (await family.standings())[1].available
const faults = async () => (await world.line.verify()).faults.map(({ what }) => what)

test('many payments at once repay the debt once, and the rest is the sub-account’s', async () => {
  await cover(300)
  assert.equal((await sub()).owes, 300n)
  const before = await platform()
  const receipts: Receipt[] = []
  for (let n = 0; n < 8; n += 1) {
    const { attempt } = await world.create({ amount: 100 })
    receipts.push(world.receipt(attempt, 'paid', `pi_${(names += 1)}`))
  }
  // Each is reported twice, and all of it at the same time.
  await Promise.all([...receipts, ...receipts].map((receipt) => world.settle(receipt)))
  assert.deepEqual(await sub(), { available: 500n, owed: 0n, owes: 0n })
  assert.equal((await platform()) - before, 300n)
  assert.deepEqual(await faults(), [])
})

test('money in another currency repays nothing', async () => {
  await cover(200)
  const { attempt } = await world.create()
  const ref = `pi_${(names += 1)}`
  // It fits no attempt of its currency, and a person credits it to the sub-account.
  await world.settle(world.receipt(attempt, 'paid', ref, { amount: { minor: 400n, currency: 'BRL' } }))
  const { sql, lane, merchant } = world.line
  const [lying] = await sql<{ id: Id<'unmatched'> }[]>`select id from unmatched where provider_ref = ${ref}`
  assert.ok(lying)
  const credited = await lane.submit(resolveKind(world.rails), { id: lying.id, merchantId: merchant.id })
  assert.equal(credited.kind, 'resolved')
  const before = await platform()
  assert.equal((await sub()).owes, 200n)
  await payment(150)
  assert.deepEqual(await sub(), { available: 0n, owed: 0n, owes: 50n })
  assert.equal((await platform()) - before, 150n)
})

test('a debt that is made in the batch that brings money is repaid by that money', async () => {
  await payment(50)
  assert.equal((await sub()).owes, 0n)
  const shared = await family.share()
  const ref = `pi_${(names += 1)}`
  await world.settle(world.receipt(shared.attempt, 'paid', ref))
  await empty()
  const own = await world.create({ amount: 700 })
  const dispute = { paidRef: ref, kind: 'CHARGEBACK' as const }
  const before = await platform()
  // One item: the dispute first, then the payment.
  await world.settle(
    world.receipt(shared.attempt, 'dispute_opened', `dp_${ref}`, { dispute }),
    world.receipt(own.attempt, 'paid', `pi_${(names += 1)}`),
  )
  assert.deepEqual(await sub(), { available: 200n, owed: 0n, owes: 0n })
  // It lacked nothing in the end: the platform gave its own half alone.
  assert.equal((await platform()) - before, -500n)
  assert.deepEqual(await faults(), [])
})

test('what the sub-account owes the operator comes before what it owes its platform', async () => {
  const own = await payment(300)
  await cover(100)
  const dispute = { paidRef: own.ref, kind: 'CHARGEBACK' as const }
  await world.settle(world.receipt(own.attempt, 'dispute_opened', `dp_${own.ref}`, { dispute }))
  assert.deepEqual(await sub(), { available: 0n, owed: 300n, owes: 100n })
  await payment(340)
  assert.deepEqual(await sub(), { available: 0n, owed: 0n, owes: 60n })
  await payment(60)
  assert.deepEqual(await sub(), { available: 0n, owed: 0n, owes: 0n })
})

test('a won dispute of money that was credited out of suspense repays the platform', async () => {
  const { attempt } = await world.create()
  const ref = `pi_${(names += 1)}`
  const amount = { minor: 77n, currency: 'EUR' as const }
  await world.settle(world.receipt(attempt, 'paid', ref, { amount }))
  const { sql, lane, merchant } = world.line
  const [lying] = await sql<{ id: Id<'unmatched'> }[]>`select id from unmatched where provider_ref = ${ref}`
  assert.ok(lying)
  await lane.submit(resolveKind(world.rails), { id: lying.id, merchantId: merchant.id })
  const dispute = { paidRef: ref, kind: 'CHARGEBACK' as const }
  const report = (outcome: 'dispute_opened' | 'dispute_won') =>
    world.settle(world.receipt(attempt, outcome, `dp_${ref}`, { dispute, amount }))
  await report('dispute_opened')
  await cover(100)
  assert.equal((await sub()).owes, 100n)
  const before = await platform()
  await report('dispute_won')
  assert.deepEqual(await sub(), { available: 0n, owed: 0n, owes: 23n })
  assert.equal((await platform()) - before, 77n)
  await payment(23)
  assert.deepEqual(await faults(), [])
})

test('both statements name it without a link, and the explanation says it without the platform’s wallet', async () => {
  await cover(100)
  const { made } = await payment(250)
  const { sql, merchant } = world.line
  const rowOf = async (id: typeof merchant.id) => {
    const page = await statementPage(sql, { id, mode: 'SANDBOX' }, { kind: 'RECEIVABLE_REPAID', limit: 1 })
    assert.ok(typeof page === 'object')
    const [row] = page.data
    assert.ok(row)
    return row
  }
  const [theirs, ours] = [await rowOf(merchant.id), await rowOf(family.platform)]
  assert.deepEqual([theirs.amount, ours.amount], [-100n, 100n])
  for (const row of [theirs, ours]) {
    assert.equal(row.description, 'Repaid what was owed')
    assert.deepEqual(
      [row.paymentId, row.refundId, row.withdrawalId, row.transferId, row.disputeId],
      [undefined, undefined, undefined, undefined, undefined],
    )
  }
  const steps = await assertPaymentExplained(sql, made)
  const repaid = steps.flatMap((step) => (step.cause === 'PARENT_DEBT_REPAID' ? [step] : []))
  assert.equal(repaid.length, 1)
  for (const step of repaid) {
    assert.equal(sentenceOf('en', step), '€1.00 repaid what you owed your platform.')
    assert.deepEqual(
      step.facts.entries.map(({ account, walletId, minor }) => [account, walletId, minor]),
      [
        ['AVAILABLE', theirs.walletId, -100n],
        ['OUTSIDE', undefined, 100n],
      ],
    )
  }
})

test('the audit finds a repayment to a stranger, of another amount, and one without the debt', async () => {
  assert.deepEqual(await faults(), [])
  const { owner } = world.line
  const found = async (change: string, undo: string) => {
    const run = (text: string) =>
      owner.unsafe(`
        begin; alter table transfer disable trigger user; alter table balance disable trigger user; ${text};
        alter table transfer enable trigger user; alter table balance enable trigger user; commit`)
    await run(change)
    const { faults: all } = await world.line.verify(['settlement', 'debts'])
    await run(undo)
    return all.map(({ what }) => what).join('\n')
  }
  const last = (kind: string) => `number = (select max(number) from transfer where kind = '${kind}')`
  const [row] = await owner<{ credit: bigint; stranger: bigint }[]>`
    select transfer.credit, (select id from account where name like 'provider:%:EUR' limit 1) as stranger
      from transfer where kind = 'PARENT_REPAID' order by number desc limit 1`
  assert.ok(row)
  assert.match(
    await found(
      `update transfer set credit = ${row.stranger} where ${last('PARENT_REPAID')}`,
      `update transfer set credit = ${row.credit} where ${last('PARENT_REPAID')}`,
    ),
    /to a wallet that is not its parent's/,
  )
  assert.match(
    await found(
      `update transfer set minor = minor + 151 where ${last('PARENT_REPAID')}`,
      `update transfer set minor = minor - 151 where ${last('PARENT_REPAID')}`,
    ),
    /of 251 instead of 250/,
  )
  assert.match(
    await found(
      `update transfer set minor = minor - 1 where ${last('SHARE_COVERED')}`,
      `update transfer set minor = minor + 1 where ${last('SHARE_COVERED')}`,
    ),
    /of 99 instead of 100/,
  )
  assert.match(
    await found(
      `update balance set minor = 7 where account_id = (select id from account where name like 'owes:%:EUR')`,
      `update balance set minor = 0 where account_id = (select id from account where name like 'owes:%:EUR')`,
    ),
    /is 7, but .* was owed and .* repaid[\s\S]*is 7, but 150 is available beside it/,
  )
  assert.deepEqual(await faults(), [])
})

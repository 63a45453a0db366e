// Our fees on a payment that comes in pieces, by several methods, and while the operator changes the rule.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { Currency } from '#/kernel/money.ts'
import { hourMs } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import type { Method } from '#/rails/method.ts'
import { openTabsWorld, type TabsWorld } from '../../test/tabs-world.ts'

let world: TabsWorld
before(async () => {
  world = await openTabsWorld()
})
after(async () => {
  await using _ = world
  assert.deepEqual((await world.line.verify()).faults, [])
})

const rule = (method: Method, currency: Currency, fixedMinor: bigint, ratePpm = 0n) =>
  writeFeeRule(world.line.sql, { merchantId: world.line.merchant.id, method, currency, fixedMinor, ratePpm })

async function paidInPieces(
  pieces: readonly (readonly [Method, bigint])[],
  between: () => Promise<unknown> = async () => {},
): Promise<bigint> {
  const { payment, tabs } = await world.open('BRL', 1_000, ['PIX', 'CREDIT_CARD'])
  for (const [method, minor] of pieces) {
    await world.settle(world.receipt(must(tabs.get(method), 'it is open'), 'paid', minor))
    await between()
  }
  const fees = (await world.books())['fees BRL'] ?? 0n
  const { feeMinor, money } = await world.line.payment(payment.id)
  const kept = money.flatMap(({ methods }) => methods.map((each) => each.feeMinor))
  assert.equal(
    feeMinor,
    kept.reduce((sum, each) => sum + each, 0n),
  )
  assert.ok(fees >= feeMinor)
  return feeMinor
}

test('the fixed fee is charged once and in full, however many pieces come', async () => {
  await rule('PIX', 'BRL', 50n)
  assert.equal(await paidInPieces([['PIX', 1_000n]]), 50n)
  assert.equal(
    await paidInPieces([
      ['PIX', 1n],
      ['PIX', 999n],
    ]),
    50n,
  )
  assert.equal(
    await paidInPieces([
      ['PIX', 20n],
      ['PIX', 20n],
      ['PIX', 960n],
    ]),
    50n,
  )
  // The fee is not more than what came.
  assert.equal(
    await paidInPieces([
      ['PIX', 20n],
      ['PIX', 20n],
    ]),
    40n,
  )
})

test('a second method has its own fixed fee', async () => {
  await rule('CREDIT_CARD', 'BRL', 30n, 10_000n)
  assert.equal(
    await paidInPieces([
      ['PIX', 400n],
      ['CREDIT_CARD', 600n],
    ]),
    50n + 30n + 6n,
  )
  assert.equal(
    await paidInPieces([
      ['PIX', 1n],
      ['CREDIT_CARD', 999n],
      ['PIX', 500n],
    ]),
    50n + 30n + 9n,
  )
})

test('a piece that the fee uses up does not wait for a release, the others do', async () => {
  world.delayMs = hourMs
  assert.equal(
    await paidInPieces([
      ['CREDIT_CARD', 20n],
      ['CREDIT_CARD', 980n],
    ]),
    30n + 10n,
  )
  world.delayMs = 0
  assert.equal(await world.release(), 1)
})

test('a payment pays by the rule that was in force when it was created', async () => {
  await rule('PIX', 'BRL', 50n)
  const change = () => rule('PIX', 'BRL', 999n)
  assert.equal(
    await paidInPieces(
      [
        ['PIX', 10n],
        ['PIX', 990n],
      ],
      change,
    ),
    50n,
  )
  await rule('PIX', 'BRL', 50n)
  const twice = async () => {
    await rule('PIX', 'BRL', 0n, 500_000n)
    await rule('PIX', 'BRL', 7n)
  }
  assert.equal(
    await paidInPieces(
      [
        ['PIX', 10n],
        ['PIX', 490n],
        ['PIX', 500n],
      ],
      twice,
    ),
    50n,
  )
  assert.equal(await paidInPieces([['PIX', 1_000n]]), 7n)
})

test('a payment from before the first rule pays no fee', async () => {
  const { payment, tabs } = await world.open('BRL', 1_000, ['PARTNER_PAY'])
  await rule('PARTNER_PAY', 'BRL', 50n)
  await world.settle(world.receipt(must(tabs.get('PARTNER_PAY'), 'it is open'), 'paid', 1_000n))
  assert.equal((await world.line.payment(payment.id)).feeMinor, 0n)
  const next = await world.open('BRL', 1_000, ['PARTNER_PAY'])
  await world.settle(world.receipt(must(next.tabs.get('PARTNER_PAY'), 'it is open'), 'paid', 1_000n))
  assert.equal((await world.line.payment(next.payment.id)).feeMinor, 50n)
})

test('the history of rules is stored without a gap, and cannot be changed', async () => {
  const { sql, merchant } = world.line
  const merchantId = merchant.id
  const rows = await sql<{ from: Date; to: Date }[]>`
    select valid_from as from, valid_to as to from fee_rule_past
     where merchant_id = ${merchantId} and method = 'PIX' order by valid_from`
  const [now] = await sql<{ from: Date }[]>`
    select valid_from as from from fee_rule where merchant_id = ${merchantId} and method = 'PIX'`
  for (const [index, { to }] of rows.entries()) {
    // A rule that was replaced within its millisecond was never in force.
    const next = rows[index + 1]?.from ?? now?.from
    assert.equal(to.getTime(), next?.getTime())
  }
  assert.ok(rows.length >= 4)
  const before = rows.length
  await rule('PIX', 'BRL', 7n)
  const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
    select count(*)::int as count from fee_rule_past where merchant_id = ${merchantId} and method = 'PIX'`
  assert.equal(count, before, 'the same rule again changes nothing')
  await assert.rejects(sql`delete from fee_rule_past`, /permission denied/)
  await assert.rejects(world.line.owner`update fee_rule_past set fixed_minor = 0`, /append-only/)
})

test('rules that follow each other within a millisecond leave no gap', async () => {
  const { sql, owner } = world.line
  await rule('CREDIT_CARD', 'BRL', 80n)
  // The last rule is from the future, as it is after the database's clock was set back.
  await owner`update fee_rule set valid_from = date_trunc('milliseconds', clock_timestamp()) + '1 second'
               where method = 'CREDIT_CARD'`
  await rule('CREDIT_CARD', 'BRL', 81n)
  await rule('CREDIT_CARD', 'BRL', 82n)
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  await rule('CREDIT_CARD', 'BRL', 83n)
  const [past] = await sql<{ fixed: bigint; to: Date }[]>`
    select fixed_minor as fixed, valid_to as to from fee_rule_past where method = 'CREDIT_CARD' order by valid_from desc limit 1`
  const [now] = await sql<
    { from: Date }[]
  >`select valid_from as from from fee_rule where method = 'CREDIT_CARD'`
  assert.deepEqual(past, { fixed: 82n, to: now?.from })
})

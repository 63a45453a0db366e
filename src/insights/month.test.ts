// A month by method: each movement of a wallet's statement has the method of what it is about, so the methods add up to the statement.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { Outcome } from '#/rails/receipt.ts'
import { openCardWorld } from '../../test/card-world.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { monthReport, type MonthReport } from './month.ts'

const world = openForTests(openCardWorld)

/** The present month. */
async function report(most?: bigint): Promise<MonthReport> {
  const { sql, merchant } = world.line
  const [row] = await sql<{ month: string }[]>`select to_char(now() at time zone 'UTC', 'YYYY-MM') as month`
  const { month } = must(row, 'the database has a clock')
  return must(await monthReport(sql, merchant, { month, zone: 'UTC' }, most), 'a month')
}

test('payments, fees, refunds and disputes by card are under its method, and each kind adds up to the wallet’s', async () => {
  const { sql, merchant } = world.line
  await sql`
    insert into fee_rule (merchant_id, method, currency, fixed_minor, rate_ppm, valid_from)
    values (${merchant.id}, 'CREDIT_CARD', 'EUR', 30, 20000, now() - interval '1 day')`
  const pay = async (ref: string) => {
    const { payment, attempt } = await world.create()
    await world.settle(world.receipt(attempt, 'paid', ref))
    return { payment, attempt, ref }
  }
  await pay('pi_kept')
  const refunded = await pay('pi_refunded')
  await world.refund(refunded.payment, 300)
  for (const [ref, outcomes] of [
    ['pi_lost', ['dispute_opened', 'dispute_taken', 'dispute_lost']],
    ['pi_won', ['dispute_opened', 'dispute_won']],
  ] as const) {
    const { attempt } = await pay(ref)
    for (const outcome of outcomes as readonly Outcome[])
      await world.settle(
        world.receipt(attempt, outcome, `dp_${ref}`, {
          dispute: { paidRef: ref, kind: 'CHARGEBACK' },
          amount: { minor: 1_000n, currency: 'EUR' },
        }),
      )
  }

  const { wallets } = await report()
  const kinds = new Set<string>()
  for (const { openingBalance, closingBalance, byKind, byMethod } of wallets) {
    const methods = must(byMethod, 'it is not too much')
    for (const { kind, count, inflow, outflow } of byKind) {
      const same = methods.filter((each) => each.kind === kind)
      assert.deepEqual(
        same.map(({ method }) => method),
        ['CREDIT_CARD'],
        kind,
      )
      const sums = (['count', 'inflow', 'outflow'] as const).map((name) =>
        same.reduce((sum, each) => sum + each[name], 0n),
      )
      assert.deepEqual(sums, [count, inflow, outflow], kind)
      kinds.add(kind)
    }
    const change = methods.reduce((sum, { inflow, outflow }) => sum + inflow - outflow, 0n)
    assert.equal(openingBalance + change, closingBalance)
    assert.equal(methods.length, byKind.length)
  }
  for (const kind of ['PAYMENT', 'FEE', 'REFUND', 'DISPUTE', 'DISPUTE_WON']) assert.ok(kinds.has(kind), kind)
})

test('a month with more movements than are looked up is shown wallet by wallet alone', async () => {
  const { wallets } = await report(3n)
  assert.ok(wallets.some(({ byKind }) => byKind.length > 0))
  assert.ok(wallets.every((wallet) => !('byMethod' in wallet)))
})

// The overview of a merchant: what its spans hold, how old they are, and what waits for a person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import { createChooser, type PayerChoice } from '#/payments/choose-method.ts'
import type { Payment } from '#/payments/payment.ts'
import { balanceHistory } from '#/wallets/reports.ts'
import { openChooseWorld } from '../../test/choose-world.ts'
import { figuresKept, recounted } from '../../test/insight-recount.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { countRound } from './count.ts'
import { countedMost, overviewOf, type OverviewSpan } from './overview.ts'

const world = openForTests(openChooseWorld)
const chooser = makeForTests(() => createChooser(world))

const overview = (span: OverviewSpan) => overviewOf(world.line.sql, world.line.merchant, span)

async function countAll(): Promise<void> {
  const { sql, merchant } = world.line
  while (await countRound({ sql }));
  assert.deepEqual(await figuresKept(sql, merchant.id), await recounted(sql, merchant.id))
}

async function checkout(amount: number): Promise<Payment> {
  const request = { amount, currency: 'BRL', checkout: 'default' }
  return (await world.creator.create(world.line.merchant, newId(), request)).payment
}

const choose = async (payment: Payment, method: PayerChoice['method']) =>
  chooser.choose(await world.line.payment(payment.id), { method })

test('an attempt that was left for another method ended unpaid, and spans are set against the span before', async () => {
  const { clock } = world.line
  await countAll()
  const earlier = await checkout(700)
  await choose(earlier, 'PIX')
  await clock.advance(hourMs / 2)
  await world.pay(earlier, 'PIX')
  await clock.advance(24 * hourMs)
  const payment = await checkout(1_000)
  await choose(payment, 'CREDIT_CARD')
  await choose(payment, 'PIX')
  await clock.advance(60_000)
  await world.pay(payment, 'PIX')
  await countAll()
  const [paid] = await world.line.sql<{ ms: number }[]>`
    select extract(epoch from paid_at - created_at)::float8 * 1000 as ms from payment where id = ${payment.id}`
  const { ms } = must(paid, 'it is paid')

  const today = await overview('today')
  assert.deepEqual(today.present.paid, [{ method: 'PIX', currency: 'BRL', count: 1n, minor: 1_000n }])
  assert.deepEqual(today.before.paid, [{ method: 'PIX', currency: 'BRL', count: 1n, minor: 700n }])
  assert.deepEqual(today.present.created, [{ currency: 'BRL', count: 1n }])
  assert.deepEqual(today.present.success, [
    { method: 'CREDIT_CARD', ended: 1n, paid: 0n, rate: 0 },
    { method: 'PIX', ended: 1n, paid: 1n, rate: 1 },
  ])
  const [time] = today.present.timeToPaid
  assert.ok(time !== undefined && Math.abs(time.medianMs - ms) <= ms * today.medianError + 1)
  const week = await overview('7d')
  assert.deepEqual(
    week.present.paid.map(({ count, minor }) => [count, minor]),
    [[2n, 1_700n]],
  )
  assert.deepEqual(week.before.paid, [])
  assert.equal(week.days.filter(({ figure }) => figure === 'PAID').length, 2)
  const last = week.balanceHistory?.data.findLast(({ currency }) => currency === 'BRL')
  assert.equal(Number(last?.closingBalance), 1_700)
  const owner = { id: world.line.merchant.id, mode: world.line.merchant.mode }
  const whole = await balanceHistory(world.line.sql, owner, {
    interval: 'DAY',
    zone: 'UTC',
    from: new Date(week.present.from),
  })
  assert.ok(typeof whole !== 'string')
  const brief = whole.data.map((day) => {
    const { inflow: _, outflow: _out, ...rest } = day as typeof day & { inflow: bigint; outflow: bigint }
    return rest
  })
  assert.deepEqual(week.balanceHistory?.data, brief)
  assert.ok(week.wallets.some((wallet) => Number(wallet.balance) === 1_700))
})

test('it says up to which instant everything is counted', async () => {
  const { sql, clock } = world.line
  await countAll()
  const whole = await overview('30d')
  assert.ok(whole.lagMs === 0 && whole.createdFrom === undefined)
  const payment = await checkout(900)
  await clock.advance(5_000)
  const behind = await overview('30d')
  assert.ok(behind.lagMs >= 5_000 && behind.asOf <= must(payment.createdAt, 'an instant'))
  await countRound({ sql })
  assert.equal((await overview('30d')).lagMs, 0)
  await choose(payment, 'PIX')
  await clock.advance(7_000)
  assert.ok((await overview('30d')).lagMs >= 7_000)
  await countAll()
  assert.equal((await overview('30d')).lagMs, 0)
})

test('a merchant that nobody has counted for says so', async () => {
  const { sql } = world.line
  const fresh = newId<'merchant'>()
  const empty = await overviewOf(sql, { id: fresh, mode: 'SANDBOX' }, '90d')
  assert.ok(empty.createdFrom !== undefined)
  assert.deepEqual([empty.present.paid, empty.days, empty.wallets], [[], [], []])
})

test('what waits for a person is counted up to a limit, with the first few', async () => {
  const { owner, merchant, clock } = world.line
  const payment = await checkout(500)
  const now = clock.now()
  const soon = new Date(now.getTime() + 24 * hourMs)
  const late = new Date(now.getTime() + 30 * 24 * hourMs)
  const past = new Date(now.getTime() - 365 * 24 * hourMs)
  await owner`update payment set exceptions = '{UNDERPAID}', received_minor = 200 where id = ${payment.id}`
  const insertEndpoint = (status: string, reason: string | null) => owner`
    insert into webhook_endpoint (merchant_id, id, url, event_types_since, status, disabled_reason, disabled_at, secret, created_at)
    values (${merchant.id}, ${newId()}, 'https://example.com', ${now}, ${status}, ${reason},
            ${status === 'DISABLED' ? now : null}, '', ${now})
    returning id`
  await insertEndpoint('ENABLED', null)
  await insertEndpoint('DISABLED', 'REQUESTED')
  await insertEndpoint('DISABLED', 'GONE')
  const [failing] = await insertEndpoint('ENABLED', null)
  await owner`
    insert into webhook_endpoint_failing (merchant_id, endpoint_id, since, attempts, is_gone)
    values (${merchant.id}, ${String(failing?.['id'])}, ${now}, 1, false)`
  const insertWithdrawal = (status: string) => owner`
    insert into withdrawal (merchant_id, id, type, status, amount_minor, fee_minor, currency, wallet_id, connection, reference,
                            destination, request, fingerprint, requested_by, created_at)
    values (${merchant.id}, ${newId()}, 'PIX', ${status}, 100, 0, 'BRL', ${newId()}, 'c', ${newId()}, '{}', '{}', '', ${newId()}, ${now})`
  await insertWithdrawal('PENDING')
  for (let nth = 0; nth <= countedMost; nth += 1) await insertWithdrawal('PENDING_APPROVAL')
  for (const [status, due, evidence] of [
    ['OPEN', null, undefined],
    ['OPEN', past, undefined],
    ['OPEN', late, 'REFUSED'],
    ['OPEN', soon, 'DRAFT'],
    ['OPEN', soon, 'SENT'],
    ['LOST', soon, undefined],
  ] as const) {
    const id = newId()
    await owner`
      insert into dispute (merchant_id, id, payment_id, connection, provider_ref, paid_ref, wallet_id, kind, status, amount_minor,
                           currency, evidence_due_at, created_at)
      values (${merchant.id}, ${id}, ${payment.id}, 'c', ${newId()}, 'x', ${newId()}, 'CHARGEBACK', ${status}, 100, 'EUR', ${due}, ${now})`
    const submitted = evidence === 'DRAFT' ? null : now
    if (evidence !== undefined)
      await owner`
        insert into dispute_evidence (merchant_id, dispute_id, status, changed_at, changed_by, submission_id, submitted_at, submitted_by,
                                      sent_at, failure)
        values (${merchant.id}, ${id}, ${evidence}, ${now}, ${newId()}, ${submitted && newId()}, ${submitted}, ${submitted && newId()},
                ${evidence === 'SENT' ? now : null}, ${evidence === 'REFUSED' ? 'late' : null})`
  }
  const own = `t1-${newId()}`
  for (const [connection, merchantId] of [
    [own, merchant.id],
    [`t1-${newId()}`, null],
  ] as const) {
    await owner`
      insert into connection (id, mode, method, provider, settings, created_at, merchant_id)
      values (${connection}, 'SANDBOX', 'PIX', 'bacen', '{}', ${now}, ${merchantId})`
    await owner`
      insert into unmatched (id, mode, connection, provider_ref, outcome, occurrence, reason, amount_minor, currency, evidence, happened_at,
                             recorded_at)
      values (${newId()}, 'SANDBOX', ${connection}, 'x', 'paid', 1, 'unknown_attempt', 300, 'BRL', '', ${now}, ${now})`
  }

  const { attention } = await overview('today')
  assert.deepEqual(
    attention.underpaid.first.map(({ id, receivedMinor }) => [id, receivedMinor]),
    [[payment.id, 200n]],
  )
  assert.deepEqual(attention.endpoints.first.map(({ state }) => state).toSorted(), ['DISABLED', 'FAILING'])
  assert.deepEqual(
    [attention.withdrawals.count, attention.withdrawals.isMore, attention.withdrawals.first.length],
    [countedMost, true, 5],
  )
  assert.deepEqual(
    attention.disputes.first.map(({ evidenceDueAt }) => evidenceDueAt),
    [soon, late, undefined, undefined],
  )
  assert.equal(attention.disputes.count, 4)
  assert.deepEqual(
    attention.suspended.first.map(({ connection, amountMinor }) => [connection, amountMinor]),
    [[own, 300n]],
  )
  assert.deepEqual([attention.refunds.count, attention.refunds.isMore], [0, false])
})

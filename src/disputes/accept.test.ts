// Disputes of cards: the provider's fee, what is shown of them, other amounts, and accepting.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type DisputeId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { statementPage } from '#/wallets/statement.ts'
import { openCardWorld, type CardBalances, type CardWorld } from '../../test/card-world.ts'
import { cell } from '../../test/line.ts'
import { operatorOf } from '../../test/operator.ts'
import { acceptDispute } from './accept.ts'
import { disputeRecord } from './dispute.ts'
import { listDisputes } from './queries.ts'

let world: CardWorld
before(async () => {
  world = await openCardWorld()
})
after(async () => {
  await using _ = world
  assert.deepEqual((await world.line.verify()).faults, [])
})
beforeEach(() => {
  world.provider.requests.length = 0
  world.provider.accept = 'is away'
})

const evidenceDueAt = new Date('2026-12-01T00:00:00.000Z')
let names = 0

async function paid() {
  const { payment, attempt } = await world.create()
  const ref = `pi_${(names += 1)}`
  await world.settle(world.receipt(attempt, 'paid', ref))
  return { payment, attempt, ref }
}

type DisputeOutcome = 'dispute_opened' | 'dispute_taken' | 'dispute_won' | 'dispute_lost'
function says(
  attempt: Attempt,
  ref: string,
  outcome: DisputeOutcome,
  more: { fee?: bigint; minor?: bigint; kind?: 'MED' } = {},
) {
  const { fee, minor = 400n, kind = 'CHARGEBACK' } = more
  const dispute: NonNullable<Receipt['dispute']> = {
    paidRef: ref,
    kind,
    reason: 'fraudulent',
    evidenceDueAt,
    ...given({ fee }),
  }
  return world.receipt(attempt, outcome, `dp_${ref}`, { dispute, amount: { ...attempt.amount, minor } })
}

async function disputeOf(paymentId: string) {
  const [found] = await listDisputes(world.line.sql, world.line.merchant.id, { paymentId, limit: 1 })
  return found ?? assert.fail('there is a dispute')
}

async function since(start: CardBalances): Promise<Partial<Record<keyof CardBalances, bigint>>> {
  const now = await world.balances()
  const names = Object.keys(now) as (keyof CardBalances)[]
  const changes = names.map((name) => [name, now[name] - start[name]] as const)
  return Object.fromEntries(changes.filter(([, change]) => change !== 0n))
}

const accept = (id: DisputeId, merchantId = world.line.merchant.id) => {
  const settle = (receipts: readonly Receipt[]) => world.settle(...receipts)
  return acceptDispute({ sql: world.line.sql, rails: world.rails, log, settle }, merchantId, id)
}
/** What the log says of refusals: the dispute, and what the provider's answer means. */
const logged: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
const code = (expected: AppError['code']) => (error: unknown) =>
  error instanceof AppError && error.code === expected

test('the provider’s fee is debited once, with the first report of it, and is not returned when the dispute is won', async () => {
  const { payment, attempt, ref } = await paid()
  const start = await world.balances()
  await world.settle(says(attempt, ref, 'dispute_opened'))
  assert.deepEqual(await since(start), { available: -400n, held: 400n })
  assert.equal((await disputeOf(payment.id)).feeMinor, 0n)
  await world.settle(says(attempt, ref, 'dispute_taken', { fee: 150n }))
  assert.deepEqual(await since(start), { available: -550n, provider: -550n })
  await world.settle(says(attempt, ref, 'dispute_won', { fee: 150n }))
  assert.deepEqual(await since(start), { available: -150n, provider: -150n })
  const dispute = await disputeOf(payment.id)
  assert.deepEqual([dispute.status, dispute.feeMinor], ['WON', 150n])
  const record = disputeRecord(dispute)
  assert.deepEqual([record['fee'], record['evidenceDueAt']], [150, evidenceDueAt.toISOString()])
  const page = await statementPage(world.line.sql, world.line.merchant, { kind: 'FEE', limit: 1 })
  assert.ok(typeof page === 'object')
  assert.deepEqual([page.data[0]?.amount, page.data[0]?.disputeId], [-150n, dispute.id])
  assert.deepEqual(await world.eventsOf(dispute.id), ['dispute.opened', 'dispute.won'])
})

test('a fee above all balances becomes a debt', async () => {
  const { attempt, ref } = await paid()
  const start = await world.balances()
  await world.settle(says(attempt, ref, 'dispute_opened', { minor: start.available, fee: 20n }))
  assert.deepEqual(await since(start), {
    available: -start.available,
    held: start.available,
    owed: 20n,
    provider: -20n,
  })
  await world.settle(says(attempt, ref, 'dispute_won', { minor: start.available, fee: 20n }))
  assert.deepEqual(await since(start), { available: -20n, provider: -20n })
})

test('a later report with another amount is booked with the first amount, and is an alarm', async () => {
  const { payment, attempt, ref } = await paid()
  const start = await world.balances()
  await world.settle(says(attempt, ref, 'dispute_opened'))
  assert.deepEqual(await world.settle(says(attempt, ref, 'dispute_taken', { minor: 500n })), ['differs'])
  assert.deepEqual(await since(start), { available: -400n, provider: -400n })
  const again = { ...says(attempt, ref, 'dispute_opened', { minor: 300n }), occurrence: 2 }
  assert.deepEqual(await world.settle(again), ['noted'])
  assert.deepEqual(await world.settle(says(attempt, ref, 'dispute_lost', { minor: 500n })), ['differs'])
  const { status, amountMinor } = await disputeOf(payment.id)
  assert.deepEqual([status, amountMinor], ['LOST', 400n])
})

test('accepting makes it LOST within the request, once; a repeated call returns the same', async () => {
  const { payment, attempt, ref } = await paid()
  await world.settle(says(attempt, ref, 'dispute_opened'))
  const { id } = await disputeOf(payment.id)
  world.provider.accept = () => [
    says(attempt, ref, 'dispute_opened'),
    says(attempt, ref, 'dispute_taken', { fee: 150n }),
    says(attempt, ref, 'dispute_lost', { fee: 150n }),
  ]
  const lost = await Promise.all([accept(id), accept(id)])
  assert.deepEqual(
    lost.map(({ status }) => status),
    ['LOST', 'LOST'],
  )
  assert.equal((await accept(id)).feeMinor, 150n)
  assert.ok(world.provider.requests.length <= 2)
  assert.deepEqual(await world.eventsOf(id), ['dispute.opened', 'dispute.lost'])
})

test('while money is frozen a dispute cannot be accepted, and the provider is not asked', async () => {
  const operator = operatorOf(world.line.appUrl, silentLog, cell)
  const { payment, attempt, ref } = await paid()
  await world.settle(says(attempt, ref, 'dispute_opened'))
  const { id } = await disputeOf(payment.id)
  await operator.freeze('rail', 'CREDIT_CARD')
  await assert.rejects(accept(id), code('frozen'))
  assert.deepEqual(world.provider.requests, [])
  await operator.unfreeze('rail', 'CREDIT_CARD')
  await assert.rejects(accept(id), code('provider_unavailable'))
})

test('a provider that is away, or refuses, leaves it OPEN', async () => {
  const { payment, attempt, ref } = await paid()
  await world.settle(says(attempt, ref, 'dispute_opened'))
  const { id } = await disputeOf(payment.id)
  logged.length = 0
  await assert.rejects(accept(id), { code: 'provider_unavailable', retryAfterMs: 2_000 })
  world.provider.accept = 'refuses'
  await assert.rejects(accept(id), {
    code: 'invalid_state',
    message: 'The provider refuses: it may be too late, or the dispute was accepted before.',
  })
  assert.equal((await disputeOf(payment.id)).status, 'OPEN')
  assert.deepEqual(
    logged
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      .map(({ dispute, outcome }) => [dispute, outcome]),
    [
      [id, 'unavailable'],
      [id, 'refused'],
    ],
  )
  world.provider.accept = () => [says(attempt, ref, 'dispute_won')]
  await assert.rejects(accept(id), code('invalid_state'))
  assert.equal((await disputeOf(payment.id)).status, 'WON')
  world.provider.requests.length = 0
  await assert.rejects(accept(id), code('invalid_state'))
  assert.deepEqual(world.provider.requests, [])
})

test('a MED, an unknown dispute or another merchant’s cannot be accepted', async () => {
  const { payment, attempt, ref } = await paid()
  await world.settle(says(attempt, ref, 'dispute_opened', { kind: 'MED' }))
  const { id } = await disputeOf(payment.id)
  await assert.rejects(accept(id), code('method_not_available'))
  await assert.rejects(accept(newId()), code('not_found'))
  await assert.rejects(accept(id, newId()), code('not_found'))
})

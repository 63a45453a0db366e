// Authorisations: their effect on a payment, and that money with another amount than requested goes to suspense.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hourMs } from '#/kernel/time.ts'
import type { Attempt } from '#/rails/attempt.ts'
import { openCardWorld, type CardBalances, type CardWorld } from '../../test/card-world.ts'
import { eventually } from '../../test/eventually.ts'

let world: CardWorld
before(async () => {
  world = await openCardWorld()
})
after(async () => {
  await using _ = world
  assert.deepEqual((await world.line.verify()).faults, [])
})

const means = { brand: 'visa', last4: '4242', threeDSecure: 'AUTHENTICATED' }
let names = 0
const nextRef = () => `pi_${(names += 1)}`

const authorised = (attempt: Attempt, ref: string, more = {}) =>
  world.receipt(attempt, 'authorised', ref, { pendingRef: ref, means, ...more })
const voided = (attempt: Attempt, ref: string) => world.receipt(attempt, 'voided', ref, { pendingRef: ref })
const captured = (attempt: Attempt, ref: string, minor: bigint) =>
  world.receipt(attempt, 'paid', ref, {
    pendingRef: ref,
    means,
    authorised: attempt.amount,
    amount: { ...attempt.amount, minor },
  })

async function since(start: CardBalances): Promise<Partial<Record<keyof CardBalances, bigint>>> {
  const now = await world.balances()
  const names = Object.keys(now) as (keyof CardBalances)[]
  const changes = names.map((name) => [name, now[name] - start[name]] as const)
  return Object.fromEntries(changes.filter(([, change]) => change !== 0n))
}

async function approved(amount = 1_000) {
  const { payment, attempt } = await world.create({ amount, captureMode: 'MANUAL' })
  const ref = nextRef()
  assert.deepEqual(await world.settle(authorised(attempt, ref)), ['booked'])
  return { payment, attempt, ref }
}

test('an authorisation approves the payment: its amount is pending, and one event shows the means of payment', async () => {
  const start = await world.balances()
  const { payment, attempt, ref } = await approved()
  assert.deepEqual(await world.settle(authorised(attempt, ref)), ['repeated'])
  const now = await world.payment(payment.id)
  assert.deepEqual([now.status, now.seenMinor, now.receivedMinor], ['APPROVED', 1_000n, 0n])
  assert.ok(now.approvedAt)
  assert.deepEqual(await since(start), { pending: 1_000n })
  assert.deepEqual(await world.eventsOf(payment.id), ['payment.approved'])
  assert.deepEqual((await world.shown(payment.id))['card'], means)
  const [event] = await world.line.sql<{ body: string }[]>`
    select body from event where resource_id = ${payment.id}`
  assert.deepEqual((JSON.parse(event?.body ?? '') as { data: { card: unknown } }).data.card, means)
})

for (const { part, minor } of [
  { part: 'all', minor: 1_000n },
  { part: 'a part', minor: 1n },
]) {
  test(`capturing ${part} of it makes the payment PAID with the captured amount and no exception`, async () => {
    const { payment, attempt, ref } = await approved()
    const start = await world.balances()
    await world.settle(captured(attempt, ref, minor))
    const now = await world.payment(payment.id)
    assert.deepEqual(
      [now.status, now.receivedMinor, now.seenMinor, [...now.exceptions]],
      ['PAID', minor, 0n, []],
    )
    assert.deepEqual(await since(start), { pending: -1_000n, available: minor, provider: minor })
    assert.deepEqual(await world.eventsOf(payment.id), ['payment.approved', 'payment.completed'])
  })
}

test('a capture long after the expiry is not late, and one whose authorisation was never reported pays too', async () => {
  const { payment, attempt, ref } = await approved()
  const later = new Date(Date.parse('2027-01-01'))
  await world.settle({ ...captured(attempt, ref, 900n), happenedAt: later })
  assert.deepEqual([...(await world.payment(payment.id)).exceptions], [])
  const other = await world.create({ captureMode: 'MANUAL' })
  const unreported = nextRef()
  await world.settle(captured(other.attempt, unreported, 10n))
  assert.deepEqual(await world.settle(authorised(other.attempt, unreported)), ['booked'])
  const now = await world.payment(other.payment.id)
  assert.deepEqual([now.status, now.receivedMinor, now.seenMinor], ['PAID', 10n, 0n])
})

test('an authorisation that lapses ends the payment: nothing is pending, and money that still comes may be late', async () => {
  const start = await world.balances()
  const { payment, attempt, ref } = await approved()
  await world.settle(voided(attempt, ref))
  const now = await world.payment(payment.id)
  assert.deepEqual([now.status, now.seenMinor], ['EXPIRED', 0n])
  assert.deepEqual(await since(start), {})
  assert.deepEqual(await world.eventsOf(payment.id), ['payment.approved', 'payment.expired'])
  await world.settle(world.receipt(attempt, 'paid', nextRef()))
  assert.equal((await world.payment(payment.id)).status, 'PAID')
})

test('an authorisation whose end is reported first leaves the payment waiting', async () => {
  const { payment, attempt } = await world.create({ captureMode: 'MANUAL' })
  const ref = nextRef()
  await world.settle(voided(attempt, ref), authorised(attempt, ref))
  const now = await world.payment(payment.id)
  assert.deepEqual([now.status, now.seenMinor], ['WAITING_PAYMENT', 0n])
  assert.deepEqual(await world.eventsOf(payment.id), [])
})

/** By the database's clock an order can become due a moment later than now. */
const sendDue = () =>
  eventually('an order is due', async () => {
    const sent = await world.capturer.sendDue()
    return sent > 0 && sent
  })

test('an authorisation of a payment that is over, or a second one, is voided and changes no state', async () => {
  const ordersOf = async (attempt: Attempt) => {
    const rows = await world.line.sql<{ kind: string; isAsked: boolean }[]>`
      select kind, is_asked as "isAsked" from authorisation_order where attempt_id = ${attempt.id}`
    return rows.map(({ kind, isAsked }) => [kind, isAsked])
  }
  const over = await world.create()
  await world.close(over.payment, 'canceled')
  const ref = nextRef()
  assert.deepEqual(await world.settle(authorised(over.attempt, ref)), ['booked'])
  const canceled = await world.payment(over.payment.id)
  assert.deepEqual([canceled.status, canceled.seenMinor], ['CANCELED', 1_000n])
  assert.deepEqual(await ordersOf(over.attempt), [['VOID', false]])
  const start = await world.balances()
  world.provider.void = () => [voided(over.attempt, ref)]
  assert.equal(await sendDue(), 1)
  assert.equal(await world.capturer.sendDue(), 0)
  assert.deepEqual(await since(start), { pending: -1_000n })
  assert.equal((await world.payment(over.payment.id)).status, 'CANCELED')

  const twice = await approved()
  await world.settle(world.receipt(twice.attempt, 'paid', nextRef()))
  assert.equal((await world.payment(twice.payment.id)).status, 'PAID')
  assert.deepEqual(await ordersOf(twice.attempt), [['VOID', false]])
  world.provider.void = () => [voided(twice.attempt, twice.ref)]
  assert.equal(await sendDue(), 1)
  const now = await world.payment(twice.payment.id)
  assert.deepEqual([now.status, now.seenMinor, now.receivedMinor], ['PAID', 0n, 1_000n])
})

const wrong = [
  { what: 'more than was requested', amount: { minor: 1_001n, currency: 'EUR' }, reason: 'wrong_amount' },
  { what: 'less than was requested', amount: { minor: 999n, currency: 'EUR' }, reason: 'wrong_amount' },
  { what: 'another currency', amount: { minor: 1_000n, currency: 'BRL' }, reason: 'wrong_currency' },
] as const

for (const { what, amount, reason } of wrong) {
  test(`${what}: a payment and a capture go to suspense with a reason, an authorisation is only noted`, async () => {
    const start = await world.balances()
    const { payment, attempt } = await world.create()
    const [ref, other] = [nextRef(), nextRef()]
    const paid = world.receipt(attempt, 'paid', ref, { amount })
    assert.deepEqual(await world.settle(paid), ['suspended'])
    assert.deepEqual(await world.settle(paid), ['repeated'])
    assert.deepEqual(await world.settle(authorised(attempt, other, { amount })), ['noted'])
    const part = { ...captured(attempt, other, 5n), authorised: amount, amount: { ...amount, minor: 5n } }
    assert.deepEqual(await world.settle(part), ['suspended'])
    assert.deepEqual(await world.settle(voided(attempt, other)), ['booked'])
    assert.deepEqual(await since(start), {
      provider: amount.minor + 5n,
      suspense: amount.minor + 5n,
    })
    const now = await world.payment(payment.id)
    assert.deepEqual([now.status, now.receivedMinor, now.seenMinor], ['WAITING_PAYMENT', 0n, 0n])
    assert.deepEqual(await world.eventsOf(payment.id), [])
    const rows = await world.line.sql<{ reason: string }[]>`
      select reason from unmatched where provider_ref in (${ref}, ${other})`
    assert.deepEqual(new Set(rows.map((row) => row.reason)), new Set([reason]))
  })
}

test('a capture of more than was authorised waits in suspense for a person', async () => {
  const { attempt, ref } = await approved()
  assert.deepEqual(await world.settle(captured(attempt, ref, 1_001n)), ['suspended'])
  await world.settle(voided(attempt, ref))
})

test('a dispute about money in suspense debits no merchant', async () => {
  const { payment, attempt } = await world.create()
  const ref = nextRef()
  await world.settle(world.receipt(attempt, 'paid', ref, { amount: { minor: 7n, currency: 'EUR' } }))
  const start = await world.balances()
  const dispute = { paidRef: ref, kind: 'CHARGEBACK' } as const
  const opened = world.receipt(attempt, 'dispute_opened', `dp_${ref}`, {
    dispute,
    amount: { minor: 7n, currency: 'EUR' },
  })
  assert.deepEqual(await world.settle(opened, { ...opened, outcome: 'dispute_taken' }), ['noted', 'noted'])
  assert.deepEqual(await since(start), {})
  assert.equal((await world.payment(payment.id)).disputedMinor, 0n)
})

test('a decline shows the reason, and the payer can try again', async () => {
  const { payment, attempt } = await world.create()
  const failure = { code: 'insufficient_funds', message: 'Not enough.' }
  await world.settle(world.receipt(attempt, 'declined', 'ch_1', { failure }))
  const now = await world.payment(payment.id)
  assert.deepEqual([now.status, now.lastError], ['WAITING_PAYMENT', { ...failure, method: 'CREDIT_CARD' }])
  await world.settle(world.receipt(attempt, 'paid', nextRef(), { means }))
  assert.equal((await world.payment(payment.id)).status, 'PAID')
  assert.deepEqual((await world.shown(payment.id))['card'], means)
  await world.line.clock.advance(hourMs)
})

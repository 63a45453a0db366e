// Passes find what no callback reported, once, whichever side was away.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ProviderError } from '#/kernel/error.ts'
import { sleep } from '#/kernel/time.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { openPixWorld, type PixWorld } from '../../test/pix-world.ts'
import { startPixBank, type PixBank } from '../../test/rails/pix/bank.ts'
import { reconcileDue, runPasses } from './reconcile.ts'

let bank: PixBank
let world: PixWorld

before(async () => {
  bank = await startPixBank()
  world = await openPixWorld(await bank.customer())
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

const payments = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await world.create()).payment))

async function pay(payment: Payment, more = {}): Promise<string> {
  const [pix] = await bank.pay(await world.txidOf(payment), { webhook: 'lose', ...more })
  return pix?.endToEndId ?? assert.fail('it was paid')
}

const typesOf = async (id: string) => (await world.eventsOf(id)).map(({ type }) => type)
const untilSoon = async (isSo: () => Promise<boolean>) => {
  for (let tries = 0; !(await isSo()); tries++) {
    assert.ok(tries < 200, 'it comes')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('one pass finds all charges whose webhooks were lost, and the next one finds nothing', async () => {
  const paid = await payments(5)
  const [unpaid] = await payments(1)
  for (const payment of paid) await pay(payment)
  assert.ok((await world.reconcile()) >= 5)
  for (const { id } of paid) {
    assert.equal((await world.payment(id)).status, 'PAID')
    assert.deepEqual(await typesOf(id), ['payment.completed'])
  }
  assert.equal(await world.reconcile(), 0)
  assert.equal((await world.payment(unpaid?.id ?? assert.fail())).status, 'WAITING_PAYMENT')
})

test('several concurrent passes and callbacks credit nothing twice', async () => {
  const paid = await payments(6)
  const names = await Promise.all(paid.map((payment) => pay(payment)))
  const other = passBeside()
  await Promise.all([
    world.reconcile(),
    other(),
    ...names.map((endToEndId) => world.callback({ pix: [{ endToEndId }] })),
    world.reconcile(),
  ])
  await world.reconcile()
  for (const { id } of paid) {
    const { receivedMinor, receipts } = await world.payment(id)
    assert.deepEqual([receivedMinor, receipts], [1_000n, 1])
    assert.deepEqual(await typesOf(id), ['payment.completed'])
  }
})

/** A pass of another worker, concurrent with the first one. */
function passBeside(): () => Promise<void> {
  const rail = world.core.rails.get('PIX')
  return async () => {
    const to = world.clock.now()
    const span = { from: new Date(to.getTime() - 60_000), to }
    for await (const receipts of rail?.list?.(world.connection, span) ?? []) await world.settle(receipts)
  }
}

test('a pass that the bank does not answer is repeated for the same span, and then finds everything', async () => {
  const [payment] = await payments(1)
  assert.ok(payment)
  await pay(payment)
  await bank.kill()
  assert.equal(await world.reconcile(), 0)
  assert.equal(await world.reconcile(), 0)
  assert.equal((await world.payment(payment.id)).status, 'WAITING_PAYMENT')
  // The bank has lost our tokens.
  await bank.start()
  assert.ok((await world.reconcile()) > 0)
  assert.equal((await world.payment(payment.id)).status, 'PAID')
  assert.deepEqual(await typesOf(payment.id), ['payment.completed'])
})

test('after we were away for hours the recent pass begins where the last one ended', async () => {
  const { sql } = world.core
  const [payment] = await payments(1)
  assert.ok(payment)
  const at = (hours: number) => new Date(world.clock.now().getTime() - hours * 3_600_000)
  await pay(payment, { happenedAt: at(2).toISOString(), force: true })
  // The longer passes are due much later.
  await sql`update reconciliation set through = ${at(3)}, due_at = ${at(3)} where look = 'recent'`
  const others = await sql<{ look: string }[]>`
    update reconciliation set due_at = ${at(-24)} where look <> 'recent' returning look`
  assert.ok(others.length > 0)
  const { core, settle } = world
  assert.equal(await reconcileDue({ ...core, settle, periodMs: 60_000 }), 1)
  assert.equal((await world.payment(payment.id)).status, 'PAID')
})

test('money of more than one page is found', async () => {
  const [payment] = await payments(1)
  assert.ok(payment)
  await pay(payment, { times: 120, amount: '0.03' })
  assert.ok((await world.reconcile()) >= 120)
  const { receivedMinor, receipts } = await world.payment(payment.id)
  assert.deepEqual([receivedMinor, receipts], [360n, 120])
})

test('a pass whose worker is gone is claimed again within seconds', async () => {
  const { core, clock, settle } = world
  const { sql } = core
  const [payment] = await payments(1)
  assert.ok(payment)
  await pay(payment)
  await sql`update reconciliation set due_at = ${clock.now()} where look = 'recent'`
  // The worker gets no answer any more, like one whose database went away in the middle.
  const gone = Promise.withResolvers<never>()
  const queried = Promise.withResolvers<void>()
  const lost = reconcileDue({
    ...core,
    settle: () => {
      queried.resolve()
      return gone.promise
    },
    periodMs: 2_000,
  })
  await queried.promise
  assert.equal(await reconcileDue({ ...core, settle, periodMs: 2_000 }), 0)
  await clock.advance(30_000)
  assert.equal(await reconcileDue({ ...core, settle, periodMs: 2_000 }), 1)
  assert.equal((await world.payment(payment.id)).status, 'PAID')
  gone.reject(new ProviderError('unknown', 'it is gone'))
  await lost
})

test('a pass whose renewal arrives late is due at the right time', async (t) => {
  const { core, clock, connection } = world
  const { sql } = core
  // The renewal waits before it reaches the database, as behind a busy pool.
  const arrives = Promise.withResolvers<void>()
  const late = new Proxy(sql, {
    apply(target, _, [texts, ...values]: [TemplateStringsArray | string, ...never[]]) {
      if (typeof texts === 'string') return Reflect.apply(target, undefined, [texts, ...values]) as unknown
      if (!texts.join('?').includes('due_at < ?')) return target(texts, ...values)
      return arrives.promise.then(() => target(texts, ...values))
    },
  })
  t.mock.timers.enable({ apis: ['setInterval'] })
  const ended = runPasses(
    { ...core, sql: late },
    {
      connections: [connection],
      passes: [{ name: 'late', everyMs: 2_000, backMs: 0 }],
      settle: () => {
        t.mock.timers.tick(5_000)
        setTimeout(arrives.resolve, 50)
        return Promise.resolve(0)
      },
    },
  )
  await ended
  await arrives.promise
  await sleep(50)
  const [row] = await sql<{ dueAt: Date }[]>`
    select due_at as "dueAt" from reconciliation where look = 'late'`
  const ahead = Number(row?.dueAt) - clock.now().getTime()
  assert.ok(ahead <= 2_000, `it is due in ${ahead} ms`)
})

test('a receipt that cannot be booked is logged, and the others are credited', async () => {
  const [one, bad, other] = await payments(3)
  assert.ok(one && bad && other)
  for (const payment of [one, bad, other]) await pay(payment)
  const { core, clock } = world
  const settle = async (receipts: readonly Receipt[]) => {
    const txid = await world.txidOf(bad)
    if (receipts.some(({ attempt }) => attempt?.id.replaceAll('-', '') === txid))
      throw new Error('it cannot be booked')
    return world.settle(receipts)
  }
  await core.sql`update reconciliation set due_at = ${clock.now()}`
  await reconcileDue({ ...core, settle, periodMs: 60_000 })
  const statuses = await Promise.all(
    [one, bad, other].map(async ({ id }) => (await world.payment(id)).status),
  )
  assert.deepEqual(statuses, ['PAID', 'WAITING_PAYMENT', 'PAID'])
  assert.ok(world.logged.some(({ msg, level }) => level === 50 && msg === 'a receipt cannot be booked'))
  await world.reconcile()
  assert.equal((await world.payment(bad.id)).status, 'PAID')
})

test('ends of refunds and disputes that no webhook reported are found too', async () => {
  const [payment] = await payments(1)
  assert.ok(payment)
  const endToEndId = await pay(payment)
  await world.reconcile()
  await bank.control('POST', '/refunds', { mode: 'pending' })
  await bank.control('POST', '/webhooks', { lose: true })
  const verdict = await world.refund(payment, { amount: 300 })
  assert.ok(verdict.kind === 'created')
  await world.sendRefunds()
  assert.equal((await world.refundOf(verdict.refund.id)).status, 'PENDING')
  const id = verdict.refund.id.replaceAll('-', '')
  await bank.control('POST', `/refunds/${endToEndId}/${id}`, { status: 'DEVOLVIDO' })
  await bank.control('POST', '/med', { endToEndId, amount: '1.00' })
  await untilSoon(async () => (await world.reconcile()) > 0)
  assert.equal((await world.refundOf(verdict.refund.id)).status, 'COMPLETED')
  const { refundedMinor, disputedMinor, status } = await world.payment(payment.id)
  assert.deepEqual([refundedMinor, disputedMinor, status], [300n, 100n, 'PAID'])
  assert.deepEqual(
    (await world.eventsOf()).slice(-4).map(({ type }) => type),
    ['refund.created', 'refund.completed', 'dispute.opened', 'dispute.lost'],
  )
  await bank.control('POST', '/refunds', { mode: 'done' })
  await bank.control('POST', '/webhooks', { lose: false })
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await world.verify()).faults, [])
})

// Two workers and one refund, where one worker is stalled for longer than its lease; and a bank that revokes its answers.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { minuteMs } from '#/kernel/time.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Json } from '../../simulators/kit/harness.ts'
import { eventually } from '../../test/eventually.ts'
import { openPixWorld, type PixWorld } from '../../test/pix-world.ts'
import { startPixBank, type PixBank } from '../../test/rails/pix/bank.ts'
import type { Refund } from './refund.ts'
import { sendDueRefunds, type RefundSenderDeps } from './send.ts'

let bank: PixBank
let world: PixWorld

before(async () => {
  bank = await startPixBank()
  world = await openPixWorld(await bank.customer())
})
after(async () => {
  await using _bank = bank
  await using _world = world
  assert.deepEqual((await world.verify()).faults, [])
})

async function refundOf(minor: number) {
  const { payment } = await world.create()
  const pix = await bank.pay(await world.txidOf(payment), { webhook: 'lose' })
  await world.callback({ pix })
  const verdict = await world.refund(payment, { amount: minor })
  assert.ok(verdict.kind === 'created')
  return { payment, refund: verdict.refund }
}

/** Stalls a worker at one place until `goOn` is called. */
function stall() {
  const [reached, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  return {
    reached: reached.promise,
    goOn: goesOn.resolve,
    async here() {
      reached.resolve()
      await goesOn.promise
    },
  }
}

/** One round of a worker in another process. */
function round(more: Partial<RefundSenderDeps>): Promise<number> {
  const { sql, rails, lane, settleKind } = world.core
  return sendDueRefunds({
    sql,
    rails,
    log: must(world.core.log, 'a log'),
    settle: (receipts, inquiry) => lane.submit(settleKind, { receipts, ...given({ inquiry }) }),
    ...more,
  })
}

/** Sends with a fast clock until the refund is as expected. */
function workUntil({ id }: Refund, status: Refund['status']): Promise<Refund> {
  return eventually(`the refund is ${status}`, async () => {
    const refund = await world.refundOf(id)
    if (refund.status === status) return refund
    await world.clock.advance(minuteMs)
    await world.sendRefunds()
    return undefined
  })
}

const typesOf = async (id: string) => (await world.eventsOf(id)).map(({ type }) => type)
const refuseOnce = () =>
  bank.control('POST', '/faults', {
    match: { method: 'PUT', path: '/devolucao/' },
    action: 'status',
    status: 422,
    times: 1,
  })

async function returnsOf(txid: string): Promise<readonly Json[]> {
  const [charge] = await bank.charges(txid)
  return charge?.pix?.flatMap(({ devolucoes }) => devolucoes ?? []) ?? []
}

test('a refusal of a stalled worker releases nothing after the provider accepted another worker’s request', async () => {
  const { payment, refund } = await refundOf(400)
  const start = await world.balances()
  await refuseOnce()
  const still = stall()
  const { lane, settleKind } = world.core
  const slow = round({
    settle: async (receipts, inquiry) => {
      await still.here()
      return lane.submit(settleKind, { receipts, ...given({ inquiry }) })
    },
  })
  await still.reached
  await world.clock.advance(2 * minuteMs)
  await workUntil(refund, 'COMPLETED')
  still.goOn()
  await slow
  assert.equal((await world.refundOf(refund.id)).status, 'COMPLETED')
  assert.deepEqual(await typesOf(refund.id), ['refund.created', 'refund.completed'])
  const now = await world.balances()
  assert.deepEqual(
    [now.available, now.held, now.provider],
    [start.available, start.held - 400n, start.provider - 400n],
  )
  assert.equal((await returnsOf(await world.txidOf(payment))).length, 1)
})

test('a refusal does not end the refund while another worker holds it; the answer to the last worker does', async () => {
  const { refund } = await refundOf(300)
  await refuseOnce()
  const [early, late] = [stall(), stall()]
  const { lane, settleKind } = world.core
  const settleAfter = (still: typeof early): Partial<RefundSenderDeps> => ({
    settle: async (receipts, inquiry) => {
      await still.here()
      return lane.submit(settleKind, { receipts, ...given({ inquiry }) })
    },
  })
  const first = round(settleAfter(early))
  await early.reached
  await world.clock.advance(2 * minuteMs)
  await refuseOnce()
  const second = round(settleAfter(late))
  await late.reached
  early.goOn()
  await first
  assert.equal((await world.refundOf(refund.id)).status, 'PENDING')
  late.goOn()
  await second
  assert.equal((await world.refundOf(refund.id)).status, 'FAILED')
  assert.deepEqual(await typesOf(refund.id), ['refund.created', 'refund.failed'])
})

/** The rails, with `before` run before each call that refunds a PIX. */
function railsThat(before: () => Promise<void>): Rails {
  const pix = must(world.core.rails.get('PIX'), 'there is PIX')
  const refunds = must(pix.refunds, 'PIX has refunds')
  const send: typeof refunds.send = async (order, again) => {
    await before()
    return refunds.send(order, again)
  }
  return new Map([['PIX', { ...pix, refunds: { ...refunds, send } }]])
}

test('a worker that was stalled before its call requests a refund that is done already: the money goes back once', async () => {
  const { payment, refund } = await refundOf(200)
  const still = stall()
  const slow = round({ rails: railsThat(still.here) })
  await still.reached
  await world.clock.advance(2 * minuteMs)
  await workUntil(refund, 'COMPLETED')
  still.goOn()
  await slow
  assert.equal((await returnsOf(await world.txidOf(payment))).length, 1)
  assert.deepEqual(await typesOf(refund.id), ['refund.created', 'refund.completed'])
})

test('a stalled worker does not postpone a refund that another one has claimed', async () => {
  const { refund } = await refundOf(100)
  const [still, busy] = [stall(), stall()]
  const cut = () => Promise.reject(new Error('cut off'))
  const slow = round({ rails: railsThat(() => still.here().then(cut)) })
  await still.reached
  await world.clock.advance(2 * minuteMs)
  const other = round({ rails: railsThat(() => busy.here()) })
  await busy.reached
  const dueAt = async () => {
    const [row] = await world.core.sql<{ at: string }[]>`
      select due_at::text as at from refund_due where refund_id = ${refund.id}`
    return row?.at
  }
  const before = await dueAt()
  still.goOn()
  await slow
  assert.equal(await dueAt(), before)
  busy.goOn()
  await other
  await workUntil(refund, 'COMPLETED')
})

test('a claim that sent nothing is counted as such, even if another worker has claimed the refund since', async () => {
  const { refund } = await refundOf(100)
  const [still, busy] = [stall(), stall()]
  const neverLeft = () => Promise.reject(new ProviderError('unavailable', 'nothing was sent'))
  const slow = round({ rails: railsThat(() => still.here().then(neverLeft)) })
  await still.reached
  await world.clock.advance(2 * minuteMs)
  const other = round({ rails: railsThat(() => busy.here().then(neverLeft)) })
  await busy.reached
  const counted = async () => {
    const [row] = await world.core.sql<{ sends: number; unsent: number }[]>`
      select sends, unsent from refund_due where refund_id = ${refund.id}`
    return [row?.sends, row?.unsent]
  }
  assert.deepEqual(await counted(), [2, 0])
  still.goOn()
  await slow
  assert.deepEqual(await counted(), [2, 1])
  busy.goOn()
  await other
  assert.deepEqual(await counted(), [2, 2])
  await workUntil(refund, 'COMPLETED')
})

test('each revocation by the bank counts', async () => {
  const { refund } = await refundOf(500)
  await workUntil(refund, 'COMPLETED')
  const start = await world.balances()
  const reference = refund.id.replaceAll('-', '')
  for (const [status, wanted] of [
    ['NAO_REALIZADO', 'FAILED'],
    ['DEVOLVIDO', 'COMPLETED'],
    ['NAO_REALIZADO', 'FAILED'],
    ['DEVOLVIDO', 'COMPLETED'],
    ['NAO_REALIZADO', 'FAILED'],
  ] as const) {
    await bank.control('POST', `/refunds/${refund.paidRef}/${reference}`, { status, again: true })
    await world.reconcile()
    assert.equal((await world.refundOf(refund.id)).status, wanted)
    // The same report again changes nothing.
    await world.reconcile()
    assert.equal((await world.refundOf(refund.id)).status, wanted)
  }
  const events = (await typesOf(refund.id)).map((type) => type.replace('refund.', ''))
  assert.deepEqual(events, ['created', 'completed', 'failed', 'completed', 'failed', 'completed', 'failed'])
  const now = await world.balances()
  assert.deepEqual([now.available - start.available, now.held], [500n, start.held])
  assert.deepEqual((await world.verify()).faults, [])
})

// Refunds at the bank: whatever happens to a call, the money goes back once, or is the merchant's again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Inquiry } from '#/jobs/claim.ts'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { minuteMs, secondMs } from '#/kernel/time.ts'
import type { Payment } from '#/payments/payment.ts'
import { receiptsOf } from '#/rails/pix/receipts.ts'
import { parsePix } from '#/rails/pix/wire.ts'
import type { Refunder } from '#/rails/rail.ts'
import { insertSignals } from '#/settlement/inbox-queries.ts'
import { drainOnce } from '#/settlement/inbox.ts'
import type { Json } from '../../simulators/kit/harness.ts'
import { eventually } from '../../test/eventually.ts'
import { inquireNow } from '../../test/inquiry.ts'
import { operatorOf } from '../../test/operator.ts'
import { openPixWorld, type PixWorld } from '../../test/pix-world.ts'
import { startPixBank, type PixBank } from '../../test/rails/pix/bank.ts'
import type { Refund } from './refund.ts'
import { sendDueRefunds } from './send.ts'

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

async function refundOf(minor: number): Promise<{ payment: Payment; refund: Refund }> {
  const { payment } = await world.create()
  const pix = await bank.pay(await world.txidOf(payment), { webhook: 'lose' })
  await world.callback({ pix })
  const verdict = await world.refund(payment, { amount: minor, reason: 'broken' })
  assert.ok(verdict.kind === 'created')
  return { payment, refund: verdict.refund }
}

/** Sends with a fast clock until the refund has left PENDING. */
function untilEnded({ id }: Refund): Promise<Refund> {
  return eventually('the end of the refund', async () => {
    await world.clock.advance(minuteMs)
    await world.sendRefunds()
    const refund = await world.refundOf(id)
    return refund.status !== 'PENDING' && refund
  })
}

/** When the bank is asked. */
const inquire = () => inquireNow(world.core.sql)

/** What the bank reports of a refund in this status. */
async function reportOf({ payment, refund }: { payment: Payment; refund: Refund }, status: string) {
  const id = refund.id.replaceAll('-', '')
  const horario = '2026-11-21T12:00:00.000Z'
  const valor = `${refund.amountMinor / 100n}.00`
  const devolucoes = [{ id, valor, status, natureza: 'ORIGINAL', horario: { solicitacao: horario } }]
  const txid = await world.txidOf(payment)
  const sent = { endToEndId: refund.paidRef, txid, valor: '10.00', horario, devolucoes }
  return receiptsOf(world.connection, parsePix(sent), Buffer.from(JSON.stringify(sent)))
}

/** The returns that the bank has made of this payment's money. */
async function returnsOf(payment: Payment): Promise<readonly Json[]> {
  const [charge] = await bank.charges(await world.txidOf(payment))
  return charge?.pix?.flatMap(({ devolucoes }) => devolucoes ?? []) ?? []
}

const typesOf = async (id: string) => (await world.eventsOf(id)).map(({ type }) => type)
const fault = (method: string, action: string, more: Json = {}) =>
  bank.control('POST', '/faults', { match: { method, path: '/devolucao/' }, action, times: 1, ...more })

async function assertDone({ payment, refund }: { payment: Payment; refund: Refund }): Promise<void> {
  const ended = await untilEnded(refund)
  assert.equal(ended.status, 'COMPLETED')
  assert.ok(ended.completedAt !== undefined)
  const returns = await returnsOf(payment)
  assert.deepEqual(
    returns.map(({ id, status }) => [id, status]),
    [[refund.id.replaceAll('-', ''), 'DEVOLVIDO']],
  )
  assert.deepEqual(await typesOf(refund.id), ['refund.created', 'refund.completed'])
  assert.equal((await world.balances()).held, 0n)
}

test('a refund is sent, held while the bank works, and debited when it is done', async () => {
  const made = await refundOf(400)
  await world.clock.advance(secondMs)
  await world.sendRefunds()
  assert.equal((await world.refundOf(made.refund.id)).status, 'PENDING')
  assert.equal((await world.balances()).held, 400n)
  const [sent] = await returnsOf(made.payment)
  assert.deepEqual([sent?.['valor'], sent?.['descricao']], ['4.00', 'broken'])
  await assertDone(made)
  const { available, provider } = await world.balances()
  assert.deepEqual([available, provider], [600n, 600n])
})

for (const { what, break: spoil } of [
  { what: 'carried out before the line was cut', break: () => fault('PUT', 'drop_response') },
  { what: 'carried out, with half of an answer', break: () => fault('PUT', 'truncate') },
  { what: 'cut off before the bank received it', break: () => fault('PUT', 'reset') },
  { what: 'answered with 500', break: () => fault('PUT', 'status', { status: 500 }) },
  { what: 'answered with 503', break: () => fault('PUT', 'status', { status: 503 }) },
  {
    what: 'carried out without an answer, and cannot be looked up at first',
    break: async () => {
      await fault('PUT', 'drop_response')
      await fault('GET', 'status', { status: 500, times: 2 })
    },
  },
]) {
  test(`a refund whose call was ${what} is made once`, async () => {
    const made = await refundOf(100)
    await spoil()
    await assertDone(made)
    await bank.control('DELETE', '/faults')
  })
}

test('a refund whose worker died before the answer is made once', async () => {
  const made = await refundOf(100)
  const { id, attemptId, connection, paidRef, merchantId, paymentId } = made.refund
  const refunder = must(world.core.rails.get('PIX')?.refunds, 'PIX has refunds')
  await refunder.send(
    {
      id,
      attempt: { id: attemptId, merchantId, paymentId },
      connection,
      paidRef,
      amount: { minor: 100n, currency: 'BRL' },
    },
    false,
  )
  await assertDone(made)
})

test('two concurrent workers send a refund once', async () => {
  const made = await refundOf(100)
  await world.clock.advance(secondMs)
  const claimed = await Promise.all([world.sendRefunds(), world.sendRefunds(), world.sendRefunds()])
  assert.equal(
    claimed.reduce((sum, each) => sum + each, 0),
    1,
  )
  await assertDone(made)
})

test('while the bank is away a refund waits, and is done when it is back', async () => {
  const made = await refundOf(100)
  await bank.kill()
  await world.clock.advance(secondMs)
  await world.sendRefunds()
  assert.equal((await world.refundOf(made.refund.id)).status, 'PENDING')
  assert.deepEqual(await typesOf(made.refund.id), ['refund.created'])
  await bank.start()
  await assertDone(made)
})

for (const { what, refuse } of [
  { what: 'refuses', refuse: () => fault('PUT', 'status', { status: 422 }) },
  {
    what: 'accepts and does not carry out',
    refuse: () => bank.control('POST', '/refunds', { mode: 'fail' }),
  },
]) {
  test(`a refund that the bank ${what} is FAILED, and the money is the merchant’s again`, async () => {
    const made = await refundOf(250)
    const before = await world.balances()
    await refuse()
    const ended = await untilEnded(made.refund)
    await bank.control('POST', '/refunds', { mode: 'done' })
    assert.equal(ended.status, 'FAILED')
    assert.ok(ended.failure !== undefined && ended.failure.message.length > 0)
    const now = await world.balances()
    assert.deepEqual([now.held, now.available - before.available], [before.held - 250n, 250n])
    assert.equal(now.provider, before.provider)
    const payment = await world.payment(made.payment.id)
    assert.deepEqual([payment.refundedMinor, payment.status], [0n, 'PAID'])
    assert.deepEqual(await typesOf(made.refund.id), ['refund.created', 'refund.failed'])
    // The same money can be refunded by another request.
    const again = await world.refund(payment, { amount: 1_000 })
    assert.ok(again.kind === 'created')
    assert.equal((await untilEnded(again.refund)).status, 'COMPLETED')
  })
}

test('a refund that the bank leaves open stays PENDING, is looked up less and less often, and ends when the bank ends it', async () => {
  const made = await refundOf(100)
  await bank.control('POST', '/refunds', { mode: 'pending' })
  const claims: number[] = []
  for (let second = 0; second < 130; second++) {
    await world.clock.advance(secondMs)
    claims.push(await world.sendRefunds())
  }
  const times = claims.filter((count) => count > 0).length
  assert.ok(times >= 5 && times <= 10, `${times} times`)
  assert.equal((await world.refundOf(made.refund.id)).status, 'PENDING')
  await bank.control('POST', '/refunds', { mode: 'done' })
  const id = made.refund.id.replaceAll('-', '')
  await bank.control('POST', `/refunds/${made.refund.paidRef}/${id}`, { status: 'DEVOLVIDO' })
  await assertDone(made)
})

test('each revocation by the bank counts, and each change has one event', async () => {
  const { payment, refund } = await refundOf(300)
  const start = await world.balances()
  const early = await inquire()
  const say = async (status: string, inquiry?: Inquiry) =>
    world.settle(await reportOf({ payment, refund }, status), inquiry ?? (await inquire()))
  await say('DEVOLVIDO')
  assert.equal((await world.refundOf(refund.id)).status, 'COMPLETED')
  await say('NAO_REALIZADO')
  const failed = await world.refundOf(refund.id)
  assert.deepEqual([failed.status, failed.completedAt], ['FAILED', undefined])
  const back = await world.balances()
  assert.deepEqual([back.held, back.available], [0n, start.available + 300n])
  assert.equal((await world.payment(payment.id)).refundedMinor, 0n)
  // A repeated report counts once, and so does an answer that was on its way for a long time.
  await say('NAO_REALIZADO')
  await say('DEVOLVIDO', early)
  await say('NAO_REALIZADO', early)
  assert.deepEqual(await typesOf(refund.id), ['refund.created', 'refund.completed', 'refund.failed'])
  assert.deepEqual(await world.balances(), back)
})

for (const first of ['DEVOLVIDO', 'NAO_REALIZADO'])
  test(`two answers that contradict each other, ${first} booked first, are decided by asking the bank again`, async () => {
    const made = await refundOf(300)
    const second = first === 'DEVOLVIDO' ? 'NAO_REALIZADO' : 'DEVOLVIDO'
    const atBank = 'NAO_REALIZADO'
    const { sql, lane, settleKind, rails } = world.core
    const pix = must(rails.get('PIX'), 'there is PIX')
    const booked = Promise.withResolvers<void>()
    const sentBodies = new Set<string>()
    const read = async ({ body }: { readonly body: Buffer }) => {
      const sent = String(body)
      if (sentBodies.has(sent)) return reportOf(made, atBank)
      sentBodies.add(sent)
      // Both are asked before one is booked.
      if (sent === second) await booked.promise
      return reportOf(made, sent)
    }
    const log = silentLog
    const deps = { sql, lane, kind: settleKind, log, rails: new Map([['PIX', { ...pix, read }] as const]) }
    const { connection } = world
    const signals = [first, second].map((sent) => ({
      method: 'PIX' as const,
      connection,
      body: Buffer.from(sent),
    }))
    await insertSignals(sql, signals, world.clock.now())
    const drained = drainOnce(deps)
    await eventually('one is booked', async () => (await world.refundOf(made.refund.id)).status !== 'PENDING')
    booked.resolve()
    await drained
    const waiting = async () => [...(await sql<{ tries: number }[]>`select tries from inbox`)]
    assert.deepEqual(await waiting(), [{ tries: 1 }])
    const status = first === 'DEVOLVIDO' ? 'COMPLETED' : 'FAILED'
    assert.equal((await world.refundOf(made.refund.id)).status, status, 'nobody knows yet')
    await world.clock.advance(minuteMs)
    await drainOnce(deps)
    assert.deepEqual(await waiting(), [])
    assert.equal((await world.refundOf(made.refund.id)).status, 'FAILED')
    const ends = first === 'DEVOLVIDO' ? ['refund.completed', 'refund.failed'] : ['refund.failed']
    assert.deepEqual(await typesOf(made.refund.id), ['refund.created', ...ends])
  })

test('money that a bank refunded twice is the merchant’s debt, and an alarm', async () => {
  const { payment, refund } = await refundOf(800)
  const say = async (made: Refund, status: string) =>
    world.settle(await reportOf({ payment, refund: made }, status), await inquire())
  await say(refund, 'NAO_REALIZADO')
  const second = await world.refund(payment, { amount: 800 })
  assert.ok(second.kind === 'created')
  await say(second.refund, 'DEVOLVIDO')
  const before = await world.balances()
  assert.deepEqual(await say(refund, 'DEVOLVIDO'), ['repeated', 'differs'])
  const after = await world.balances()
  assert.equal(after.provider, before.provider - 800n)
  assert.equal(after.available - after.receivable, before.available - before.receivable - 800n)
  assert.equal((await world.refundOf(refund.id)).status, 'COMPLETED')
  const shown = await world.shown(payment.id)
  assert.deepEqual(
    [shown['amountReceived'], shown['amountRefunded'], shown['refundStatus']],
    [1_000, 1_600, 'FULL'],
  )
  assert.ok(world.logged.some(({ level, outcome }) => level === 50 && outcome === 'refunded'))
})

test('while money is frozen no refund is accepted or sent; after that each is made once', async () => {
  const operator = operatorOf(world.appUrl)
  const [first, second] = [await refundOf(100), await refundOf(200)]
  await operator.freeze('merchant', world.merchant.id)
  const refusal = await world.refund(first.payment, { amount: 50 })
  assert.equal(refusal.kind, 'frozen')
  for (let minute = 0; minute < 3; minute++) {
    await world.clock.advance(minuteMs)
    assert.equal(await world.sendRefunds(), 0)
  }
  assert.deepEqual([await returnsOf(first.payment), await returnsOf(second.payment)], [[], []])
  await operator.unfreeze('merchant', world.merchant.id)
  // No time has passed, and they are due.
  assert.equal(await world.sendRefunds(), 2)
  // Each refund holds its money until it ends.
  for (const { refund } of [first, second]) await untilEnded(refund)
  for (const made of [first, second]) await assertDone(made)
})

test('a refund that was claimed before the freeze is not sent, and is due at once after it', async () => {
  const operator = operatorOf(world.appUrl)
  const made = await refundOf(100)
  const { sql, rails, log } = world.core
  const pix = must(rails.get('PIX'), 'there is PIX')
  const refunds = must(pix.refunds, 'PIX has refunds')
  const send: Refunder['send'] = async (order, again) => {
    await operator.freeze('all')
    return refunds.send(order, again)
  }
  const slow = new Map([...rails, ['PIX', { ...pix, refunds: { ...refunds, send } }] as const])
  await world.clock.advance(secondMs)
  assert.equal(await sendDueRefunds({ sql, rails: slow, log, settle: world.settle }), 1)
  assert.deepEqual(await returnsOf(made.payment), [])
  assert.equal(await world.sendRefunds(), 0)
  await operator.unfreeze('all')
  assert.equal(await world.sendRefunds(), 1)
  await assertDone(made)
})

test('a refund that may be at the bank is looked up while money is frozen, and not sent again', async () => {
  const operator = operatorOf(world.appUrl)
  const [arrived, unreceived] = [await refundOf(100), await refundOf(200)]
  for (const [action, { refund }] of [
    ['drop_response', arrived],
    ['reset', unreceived],
  ] as const) {
    const path = `/devolucao/${refund.id.replaceAll('-', '')}`
    await bank.control('POST', '/faults', { match: { method: 'PUT', path }, action, times: 1 })
  }
  // It cannot be looked up at once either.
  await fault('GET', 'status', { status: 500, times: 2 })
  await world.clock.advance(secondMs)
  await world.sendRefunds()
  await operator.freeze('rail', 'PIX')
  assert.equal((await untilEnded(arrived.refund)).status, 'COMPLETED')
  for (let minute = 0; minute < 6; minute++) {
    await world.clock.advance(minuteMs)
    await world.sendRefunds()
  }
  assert.deepEqual(await returnsOf(unreceived.payment), [])
  await operator.unfreeze('rail', 'PIX')
  await assertDone(unreceived)
  await bank.control('DELETE', '/faults')
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await world.verify()).faults, [])
})

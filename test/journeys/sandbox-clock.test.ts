// The clock of a sandbox: cards, PIX, and the simulated providers move together. The sandbox may have been used before.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { soakTest } from '../counts.ts'
import { eventually } from '../eventually.ts'
import type { Installation } from './installation.ts'
import type { Json } from './merchant.ts'
import { sharedInstallation } from './shared-installation.ts'
import { openShop, type Shop } from './shop.ts'

const dayMs = 24 * 3_600_000

let installation: Installation
let shop: Shop
before(async () => {
  installation = await sharedInstallation()
  const card = { amount: 1990, currency: 'EUR', paymentMethods: ['CREDIT_CARD'] }
  shop = await openShop(card)
})
after(() => shop[Symbol.asyncDispose]())

const pix = { amount: 4990, currency: 'BRL', paymentMethods: ['PIX'] }
const msOf = (instant: unknown) => new Date(String(instant)).getTime()

async function request(advance: string): Promise<unknown> {
  const { status, body } = await shop.api('POST', '/v1/sandbox/clock', { advance })
  assert.equal(status, 202, JSON.stringify(body))
  return body['id']
}

const untilDone = (id: unknown) =>
  eventually(
    'the clock is done',
    async () => {
      const { data } = await shop.get('/v1/sandbox/clock')
      const found = (data as readonly Json[]).find((each) => each['id'] === id)
      return found?.['status'] === 'DONE' && found
    },
    120_000,
  )

const advance = async (span: string) => untilDone(await request(span))

/** What waits to be released, and what is free, in euros. */
async function euros(): Promise<readonly [pending: number, free: number]> {
  const { data } = await shop.get('/v1/wallets/balance')
  const found = (data as readonly Json[]).find((each) => each['currency'] === 'EUR')
  return [Number(found?.['pendingBalance'] ?? 0), Number(found?.['balance'] ?? 0)]
}

test('money of a card is released when its settlement delay has passed, and a dispute’s date comes closer', async () => {
  await shop.asOperator(
    (sql) => sql`
      update connection
         set settings = settings || '{"settlementDelaySeconds": 604800}', changed_at = clock_timestamp()
       where method = 'CREDIT_CARD'`,
  )
  // The program reads changed connections each second.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  const [, free] = await euros()
  await shop.paid()
  assert.deepEqual(await euros(), [1990, free])
  const disputed = await shop.create()
  await shop.pay(disputed, 'dispute')
  const { data: opened } = await shop.notified(disputed, 'dispute.opened')
  const short = await advance('P5D')
  assert.deepEqual([short['providersBehind'], short['stillDue']], [undefined, undefined])
  assert.equal((await euros())[1], free)
  const dispute = await shop.get(`/v1/disputes/${String(opened['id'])}`)
  assert.equal(msOf(opened['evidenceDueAt']) - msOf(dispute['evidenceDueAt']), 5 * dayMs)
  const disputes = (await shop.stateOf('acquirer'))['disputes'] as readonly {
    evidence_details: { due_by: number }
  }[]
  // The provider has disputes of other accounts too.
  const dueAtProvider = disputes.map(({ evidence_details: details }) => details.due_by * 1_000)
  const due = msOf(dispute['evidenceDueAt'])
  assert.ok(
    dueAtProvider.some((each) => Math.abs(each - due) < 2_000),
    `${due}, at the provider: ${dueAtProvider.join()}`,
  )
  await advance('P3D')
  // Less the fee of the dispute.
  assert.deepEqual(await euros(), [0, free + 490])
})

test('an open session and an open charge end with their payments, at the provider too', async () => {
  const card = await shop.create()
  const page = await fetch(String(card['cardRedirectUrl']))
  assert.equal(page.status, 200)
  const charge = await shop.create(pix)
  await advance('P2D')
  for (const payment of [card, charge]) {
    assert.equal((await shop.get(`/v1/payments/${payment.id}`))['status'], 'EXPIRED')
    assert.equal((await shop.events(payment)).filter((type) => type === 'payment.expired').length, 1)
  }
  const sessions = (await shop.stateOf('acquirer'))['sessions'] as readonly (Json & { metadata: Json })[]
  const own = sessions.filter(({ metadata }) => metadata['payment_id'] === card.id)
  assert.deepEqual(
    own.map(({ status }) => status),
    ['expired'],
  )
  const { status } = await shop.api('POST', `/v1/sandbox/payments/${charge.id}/pay`, { scenario: 'exact' })
  assert.equal(status, 409)
})

test('an MB WAY push that nobody answers has expired after four minutes, at the provider too', async () => {
  const payment = await shop.create({ paymentMethods: ['MB_WAY'], customerPhone: '+351912345678' })
  const lifetimeMs = msOf(payment['expiresAt']) - msOf(payment['createdAt'])
  assert.equal(lifetimeMs, 240_000)
  await shop.pay(payment, 'leave')
  await advance('PT3M')
  assert.equal((await shop.get(`/v1/payments/${payment.id}`))['status'], 'WAITING_PAYMENT')
  await advance('PT2M')
  assert.equal((await shop.get(`/v1/payments/${payment.id}`))['status'], 'EXPIRED')
  const intents = (await shop.stateOf('acquirer'))['paymentIntents'] as readonly (Json & { metadata: Json })[]
  const own = intents.filter(({ metadata }) => metadata['payment_id'] === payment.id)
  assert.equal(own.length, 1)
  assert.notEqual(own[0]?.['status'], 'requires_action')
})

// The law of the clock kills its workers in the quick run.
soakTest(
  'a server that is killed in the middle of an advance finishes it, and a PIX can be returned for 90 days',
  async () => {
    const paid = await shop.create(pix)
    await shop.pay(paid, 'exact')
    await shop.untilPaid(paid)
    const first = await shop.api('POST', `/v1/payments/${paid.id}/refunds`, { amount: 100 })
    assert.equal(first.status, 201)
    const before = Number((await shop.get('/v1/sandbox/clock'))['advancedSeconds'])
    const id = await request('P91D')
    await eventually('the clock has begun', async () => {
      const { data } = await shop.get('/v1/sandbox/clock')
      return Number((data as readonly Json[])[0]?.['advancedSeconds']) > 0
    })
    await installation.kill()
    await installation.start()
    await untilDone(id)
    assert.equal(Number((await shop.get('/v1/sandbox/clock'))['advancedSeconds']) - before, 91 * 86_400)
    const late = await shop.api('POST', `/v1/payments/${paid.id}/refunds`, { amount: 100 })
    assert.deepEqual([late.status, late.body['code']], [422, 'refund_exceeds_payment'])
    const fresh = await shop.create(pix)
    await shop.pay(fresh, 'exact')
    await shop.untilPaid(fresh)
    assert.equal((await shop.api('POST', `/v1/payments/${fresh.id}/refunds`, { amount: 100 })).status, 201)
  },
)

test('the books and all that merchants were notified of are sound after it', async () => {
  const { code, output } = await installation.run('verify')
  assert.equal(code, 0, output)
})

// Explanations over HTTP: what happened, in order, as causes and as sentences.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { selectAttempts } from '#/payments/attempt-queries.ts'
import { endKind } from '#/payments/end.ts'
import type { RefundOrder } from '#/rails/rail.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { createDeliverer } from '#/webhooks/deliver.ts'
import { eventually } from '../eventually.ts'
import { assertPaymentExplained } from '../explained.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { startReceiver } from '../receiver.ts'
import { doneReceipt, openRefundWorld, stranger, type Row } from '../refund-world.ts'
import { loopbackPolicy } from '../webhooks.ts'
import { paymentBody, type Tenant } from './world.ts'

const world = openForTests(openRefundWorld)
const tenant = makeForTests(() => world.base.openTenant())

type Step = Row & { readonly cause: string; readonly text: string }

async function explained(path: string, id: unknown, query = '', from: Pick<Tenant, 'key'> = tenant) {
  const { status, body } = await world.ask(from, 'GET', `${path}/{id}/explain${query}`, { id: String(id) })
  assert.equal(status, 200)
  return body as Row & {
    readonly steps: readonly Step[]
    readonly summary: string
    readonly nextCursor?: string
  }
}

const ofPayment = (id: PaymentId, query?: string) => explained('/v1/payments', id, query)
/** The causes of a text, with blanks between them. */
const each = (text: string): readonly string[] => text.split(' ')
const causesOf = ({ steps }: { readonly steps: readonly Step[] }) => steps.map(({ cause }) => cause)
const textOf = ({ steps }: { readonly steps: readonly Step[] }, cause: string) =>
  must(
    steps.find((step) => step.cause === cause),
    cause,
  ).text.replaceAll('\u00a0', ' ')

const requestedAndChosen = ['PAYMENT_REQUESTED', 'METHOD_CHOSEN']

/** What a provider reports of the payment's first attempt. */
async function report(
  paymentId: PaymentId,
  outcome: Outcome,
  providerRef: string,
  more: Partial<Receipt> = {},
): Promise<void> {
  const attempts = await selectAttempts(world.base.sql, [{ merchantId: tenant.id, paymentId }])
  const { id, method, connection } = must(
    attempts.find((one) => one.method === (more.method ?? 'CRYPTO')),
    'an attempt',
  )
  await world.settle([
    {
      method,
      attempt: { merchantId: tenant.id, paymentId, id },
      connection,
      providerRef,
      outcome,
      occurrence: 1,
      amount: { minor: 1_234n, currency: 'USDT' },
      happenedAt: systemClock.now(),
      evidence: Buffer.from(`${providerRef} ${outcome}`),
      ...more,
    },
  ])
}

const whole = (id: PaymentId) => assertPaymentExplained(world.base.sql, { merchantId: tenant.id, id })

describe('a payment', () => {
  test('that is underpaid twice: each report, what it changed, and what was booked', async () => {
    const id = await world.payment(tenant)
    for (const minor of [400n, 300n, 534n]) await world.arrive(tenant, id, { by: 'CRYPTO', minor })
    const found = await ofPayment(id)
    assert.deepEqual(causesOf(found), [
      ...requestedAndChosen,
      ...each('DEPOSIT_FINAL PAID_TOO_LITTLE CREDITED'),
      ...each('DEPOSIT_FINAL PAID_TOO_LITTLE CREDITED'),
      ...each('DEPOSIT_FINAL PAID_IN_FULL CREDITED'),
    ])
    assert.deepEqual([found['kind'], found['status'], found['language']], ['PAYMENT', 'PAID', 'en'])
    assert.equal(found.summary.replaceAll('\u00a0', ' '), 'Paid: 12.34 USDT of 12.34 USDT received.')
    const second = must(found.steps[6], 'the second underpayment')
    assert.equal(
      second.text.replaceAll('\u00a0', ' '),
      'Received so far: 7.00 USDT. 5.34 USDT is missing, and the payment stays open.',
    )
    assert.deepEqual([second['received'], second['missing'], second['currency']], [700, 534, 'USDT'])
    const credited = must(found.steps[4], 'the first credit')
    const [outside, available] = credited['entries'] as readonly Row[]
    assert.deepEqual(outside, { account: 'OUTSIDE', amount: 400 })
    assert.deepEqual([available?.['account'], available?.['amount']], ['AVAILABLE', 400])
    assert.equal(typeof available?.['walletId'], 'string')
    await whole(id)
  })

  test('that comes late', async () => {
    const id = await world.payment(tenant)
    const end = { merchantId: tenant.id, paymentId: id, event: 'expired', early: true } as const
    await world.base.lane.submit(endKind(world.rails), end)
    await world.arrive(tenant, id, { by: 'CRYPTO', minor: 1_234n, agoMs: -1_000 })
    const found = await ofPayment(id)
    assert.deepEqual(causesOf(found), [
      ...requestedAndChosen,
      'TIME_RAN_OUT',
      'DEPOSIT_FINAL',
      'PAID_LATE',
      'CREDITED',
    ])
    assert.equal(textOf(found, 'PAID_LATE'), 'Payment confirmed late: 12.34 USDT.')
  })

  test('whose deposit leaves the chain and comes back', async () => {
    const id = await world.payment(tenant)
    const [first, second] = [{ pendingRef: `${id}-1` }, { pendingRef: `${id}-2` }]
    await report(id, 'seen', `${id}-1`, first)
    await report(id, 'orphaned', `${id}-1`, first)
    await report(id, 'seen', `${id}-2`, second)
    await report(id, 'paid', `0x${id.replaceAll('-', '').repeat(2)}:0`, second)
    const found = await ofPayment(id)
    assert.deepEqual(causesOf(found), [
      ...requestedAndChosen,
      ...each('DEPOSIT_SEEN ANNOUNCED DEPOSIT_VANISHED NO_LONGER_ANNOUNCED DEPOSIT_SEEN ANNOUNCED'),
      ...each('DEPOSIT_FINAL PAID_IN_FULL NO_LONGER_ANNOUNCED CREDITED'),
    ])
    const final = must(
      found.steps.find(({ cause }) => cause === 'DEPOSIT_FINAL'),
      'the deposit',
    )
    assert.equal(final['txHash'], `0x${id.replaceAll('-', '').repeat(2)}`)
    await whole(id)
  })

  test('that is disputed, and the dispute is won', async () => {
    const id = await world.payment(tenant)
    const paidRef = await world.arrive(tenant, id, { by: 'PARTNER_PAY', minor: 1_234n })
    const dispute = { method: 'PARTNER_PAY', dispute: { paidRef, kind: 'CHARGEBACK' } } as const
    for (const outcome of ['dispute_opened', 'dispute_taken', 'dispute_won'] as const)
      await report(id, outcome, `dp-${id}`, dispute)
    const found = await ofPayment(id)
    assert.deepEqual(causesOf(found), [
      ...requestedAndChosen,
      'METHOD_CHOSEN',
      ...each('MONEY_REPORTED PAID_IN_FULL CREDITED'),
      ...each('DISPUTE_REPORTED DISPUTE_OPENED HELD_FOR_DISPUTE'),
      ...each('DISPUTE_TAKING_REPORTED HELD_MONEY_LEFT'),
      ...each('DISPUTE_WIN_REPORTED DISPUTE_WON DISPUTED_MONEY_CAME_BACK DISPUTED_MONEY_FREED'),
    ])
    const about = found.steps.slice(6).map((step) => step['disputeId'])
    assert.equal(new Set(about).size, 1, 'each says which dispute it is about')
    assert.ok(typeof about[0] === 'string')
    await whole(id)
  })

  test('that is paid by two methods', async () => {
    const id = await world.payment(tenant)
    await world.arrive(tenant, id, { by: 'CRYPTO', minor: 600n })
    await world.arrive(tenant, id, { by: 'PARTNER_PAY', minor: 634n })
    const found = await ofPayment(id)
    assert.deepEqual(causesOf(found), [
      ...requestedAndChosen,
      ...each('DEPOSIT_FINAL PAID_TOO_LITTLE CREDITED'),
      'METHOD_CHOSEN',
      ...each('MONEY_REPORTED PAID_IN_FULL CREDITED'),
    ])
    assert.equal(textOf(found, 'MONEY_REPORTED'), 'The wallet app reported that 6.34 USDT arrived.')
    await whole(id)
  })

  test('whose refund failed after it was done; the refund’s own explanation says the same', async () => {
    const id = await world.payment(tenant)
    await world.arrive(tenant, id, { by: 'PARTNER_PAY', minor: 1_234n })
    const orders: RefundOrder[] = []
    world.sending.partner = async (order) => {
      orders.push(order)
      return [doneReceipt(order)]
    }
    const { body: refund } = await world.refund(tenant, id, { amount: 500 })
    await world.work()
    const failure = { code: 'account_closed', message: 'The payer’s account is closed.' }
    const order = must(orders[0], 'it was sent')
    await world.settle([
      { ...doneReceipt(order), outcome: 'refund_failed', failure, evidence: Buffer.from(`no ${order.id}`) },
    ])
    const life = [
      ...each('REFUND_REQUESTED HELD_FOR_REFUND'),
      ...each('REFUND_REPORTED REFUND_DONE HELD_MONEY_LEFT'),
      ...each('REFUND_FAILURE_REPORTED REFUND_CAME_BACK REFUND_MONEY_BACK'),
    ]
    const found = await ofPayment(id)
    assert.deepEqual(causesOf(found).slice(6), life)
    assert.deepEqual(new Set(found.steps.slice(6).map((step) => step['refundId'])), new Set([refund['id']]))
    const own = await explained('/v1/refunds', refund['id'])
    assert.deepEqual(causesOf(own), life)
    assert.deepEqual([own['kind'], own['status']], ['REFUND', 'FAILED'])
    assert.equal(
      textOf(own, 'REFUND_CAME_BACK'),
      'The refund of 5.00 USDT was completed and has failed since: The payer’s account is closed.',
    )
    await whole(id)
  })

  test('whose refund waits for a second person, who rejects it', async () => {
    const id = await world.payment(tenant)
    await world.arrive(tenant, id, { by: 'CRYPTO', minor: 1_234n })
    const { body: refund } = await world.refund(tenant, id, { amount: 100, cryptoAddress: stranger })
    const approver = await world.base.issue(tenant.id, ['withdrawals:approve'])
    await world.act(approver, 'reject', refund['id'])
    const life = ['REFUND_NEEDS_APPROVAL', 'HELD_FOR_REFUND', 'REFUND_REJECTED', 'REFUND_MONEY_BACK']
    assert.deepEqual(causesOf(await explained('/v1/refunds', refund['id'])), life)
    assert.deepEqual(causesOf(await ofPayment(id)).slice(-4), life)
    const { body: other } = await world.refund(tenant, id, { amount: 100, cryptoAddress: stranger })
    await world.act(approver, 'approve', other['id'])
    const approved = await explained('/v1/refunds', other['id'])
    assert.deepEqual(causesOf(approved), ['REFUND_NEEDS_APPROVAL', 'HELD_FOR_REFUND', 'REFUND_APPROVED'])
    assert.equal(approved.steps[2]?.['keyId'], approver.id)
  })
})

describe('the answer', () => {
  test('is in the language of the query, else of the header, else in English', async () => {
    const id = await world.payment(tenant)
    await world.arrive(tenant, id, { by: 'CRYPTO', minor: 1_234n })
    const say = async (query: string, accept?: string) => {
      const headers = accept === undefined ? {} : { 'accept-language': accept }
      const answer = await world.ask(tenant, 'GET', `/v1/payments/{id}/explain${query}`, { id, headers })
      assert.equal(answer.headers.get('content-language'), answer.body['language'])
      return [answer.body['language'], String(answer.body['summary']).replaceAll('\u00a0', ' ')]
    }
    const english = ['en', 'Paid: 12.34 USDT of 12.34 USDT received.']
    const portuguese = ['pt-BR', 'Pago: 12,34 USDT de 12,34 USDT recebidos.']
    const spanish = ['es', 'Pagado: 12,34 USDT de 12,34 USDT recibidos.']
    assert.deepEqual(await say(''), english)
    assert.deepEqual(await say('?language=pt-BR'), portuguese)
    assert.deepEqual(await say('', 'de, es-MX;q=0.8, en;q=0.5'), spanish)
    assert.deepEqual(await say('?language=en', 'pt-BR'), english)
    assert.deepEqual(await say('', 'de'), english)
    const wrong = await world.ask(tenant, 'GET', '/v1/payments/{id}/explain?language=de', { id })
    assert.deepEqual([wrong.status, wrong.body['code']], [400, 'invalid_request'])
  })

  test('has pages that hold each step once, and refuses a cursor of another list', async () => {
    const id = await world.payment(tenant)
    for (let nth = 0; nth < 6; nth++) await world.arrive(tenant, id, { by: 'CRYPTO', minor: 300n })
    const all = await ofPayment(id)
    assert.ok(!('nextCursor' in all))
    const read: Step[] = []
    let query = '?limit=2'
    for (let pages = 0; pages < 20; pages++) {
      const page = await ofPayment(id, query)
      read.push(...page.steps)
      if (page.nextCursor === undefined) break
      query = `?limit=2&cursor=${page.nextCursor}`
    }
    assert.deepEqual(read, all.steps)
    const listed = await world.ask(tenant, 'GET', '/v1/payments?limit=1')
    const foreign = [
      listed.body['nextCursor'],
      'x',
      Buffer.from('["done","x","","","","",""]').toString('base64url'),
    ]
    for (const cursor of foreign) {
      const answer = await world.ask(tenant, 'GET', `/v1/payments/{id}/explain?cursor=${String(cursor)}`, {
        id,
      })
      assert.deepEqual([answer.status, answer.body['code']], [400, 'invalid_request'], String(cursor))
    }
  })

  test('is for the merchant alone, with the scope that reads the record', async () => {
    const id = await world.payment(tenant)
    const other = await world.base.openTenant()
    for (const path of ['/v1/payments', '/v1/refunds', '/v1/withdrawals']) {
      const foreign = await world.ask(other, 'GET', `${path}/{id}/explain`, { id })
      assert.deepEqual([foreign.status, foreign.body['code']], [404, 'not_found'], path)
    }
    const reader = await world.base.issue(tenant.id, ['withdrawals:read'])
    const refusedCall = await world.ask(reader, 'GET', '/v1/payments/{id}/explain', { id })
    assert.deepEqual([refusedCall.status, refusedCall.body['code']], [403, 'forbidden'])
  })

  test('shows where an event goes: to the payment’s URL, and to each endpoint that takes it', async () => {
    const shop = await world.base.openTenant()
    const endpoint = (path: string, eventTypes: readonly string[]) =>
      world.ask(shop, 'POST', '/v1/webhook-endpoints', {
        body: { url: `http://127.0.0.1:9/${path}`, eventTypes },
      })
    const taking = await endpoint('taking', ['payment.completed'])
    await endpoint('other', ['refund.completed'])
    const body = paymentBody({ webhookUrl: 'http://127.0.0.1:9/payment' })
    const { body: payment } = await world.ask(shop, 'POST', '/v1/payments', { body })
    const id = payment['id'] as PaymentId
    await world.arrive(shop, id, { by: 'CRYPTO', minor: 1_234n })
    const { body: explained } = await world.ask(shop, 'GET', '/v1/payments/{id}/explain', { id })
    const deliveries = (explained['steps'] as readonly Row[]).flatMap(({ delivery, eventType }) =>
      eventType === 'payment.completed' ? [delivery as Row] : [],
    )
    assert.deepEqual(
      deliveries.map(({ url, endpointId }) => [url, endpointId]),
      [
        ['http://127.0.0.1:9/payment', undefined],
        ['http://127.0.0.1:9/taking', taking.body['id']],
      ],
    )
  })

  test('says whether your server got the event, and what it answered', async (t) => {
    let isUp = false
    await using receiver = await startReceiver(() => ({ status: isUp ? 200 : 503 }))
    const body = paymentBody({ webhookUrl: `${receiver.origin}/hooks` })
    const { body: payment } = await world.ask(tenant, 'POST', '/v1/payments', { body })
    const id = payment['id'] as PaymentId
    await world.arrive(tenant, id, { by: 'CRYPTO', minor: 1_234n })
    const delivery = async () => {
      const found = (await ofPayment(id)).steps.at(-1)
      return [found?.cause, found?.['delivery'] as Row | undefined] as const
    }
    const [waiting, first] = await delivery()
    assert.deepEqual([waiting, first?.['attempts']], ['DELIVERY_PENDING', 0])
    const stop = new AbortController()
    const deliverer = createDeliverer({
      sql: world.base.sql,
      clock: systemClock,
      secretsOf: async () => [Buffer.alloc(32, 1)],
      openSecret: () => Buffer.alloc(32, 2),
      policy: { LIVE: loopbackPolicy, SANDBOX: loopbackPolicy },
      log: silentLog,
      pollMs: 20,
    })
    const running = deliverer.run(stop.signal)
    t.after(async () => {
      stop.abort()
      await running
    })
    const failed = await eventually('the first attempt', async () => {
      const [cause, found] = await delivery()
      return found?.['responseStatus'] === 503 ? { cause, found } : undefined
    })
    assert.deepEqual([failed.cause, failed.found['status']], ['DELIVERY_PENDING', 'PENDING'])
    isUp = true
    await world.base.sql`update delivery_due set due_at = now() - interval '1 second'`
    const sent = await eventually('the delivery', async () => {
      const [cause, found] = await delivery()
      return cause === 'DELIVERED' ? found : undefined
    })
    assert.equal(sent['responseStatus'], 200)
  })
})

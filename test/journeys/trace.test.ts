// W3C Trace Context through a whole installation: a request names a trace, and the bank and the merchant's server get it with all that
// follows from that request, also from the worker, later.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect, type Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import { eventually } from '../eventually.ts'
import { callsOf } from '../rails/pix/bank.ts'
import { startReceiver, type Receiver } from '../receiver.ts'
import type { Installation } from './installation.ts'
import type { Json } from './merchant.ts'
import { sharedInstallation } from './shared-installation.ts'

/** Each request has a trace of its own. */
const traceOf = (nth: number) => `00-${String(nth).padStart(32, 'a')}-${String(nth).padStart(16, 'b')}-01`

let installation: Installation
let bank: ReturnType<typeof callsOf>
let receiver: Receiver
let sql: Sql
let nth = 0

async function post(path: string, body: Json, traceparent?: string): Promise<Json> {
  const { apiUrl, apiKey } = installation.sandbox()
  const headers = {
    apikey: apiKey,
    'content-type': 'application/json',
    ...given({ traceparent }),
  }
  const answer = await fetch(apiUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  assert.ok(answer.ok, `${path}: ${text}`)
  return JSON.parse(text) as Json
}

function pay(traceparent?: string): Promise<Json> {
  nth += 1
  const webhookUrl = `${receiver.origin}/hook`
  const terms = { amount: 10_000, currency: 'BRL', paymentMethods: ['PIX'], webhookUrl }
  return post('/v1/payments', { ...terms, idempotencyKey: `trace-${nth}` }, traceparent)
}

/** Until it is booked: what is refunded and paid out is there. */
async function arrive({ id }: Json): Promise<void> {
  await post(`/v1/sandbox/payments/${String(id)}/pay`, { scenario: 'exact' })
  await eventually(`${String(id)} is paid`, async () => {
    const [row] = await sql<{ status: string }[]>`select status from payment where id = ${String(id)}`
    return row?.status === 'PAID'
  })
}

/** The headers with which the bank was called at paths with this name. */
async function traceAtBank(name: string): Promise<unknown> {
  const called = await eventually(`the bank is called for ${name}`, async () => {
    const { events } = await bank.control('GET', '/events?limit=10000')
    const calls = (events as readonly Json[]).filter(
      ({ type, path }) => type === 'call.spoiled' && String(path).includes(name),
    )
    return calls.length > 0 && calls
  })
  assert.equal(new Set(called.map(({ traceparent }) => traceparent)).size, 1, name)
  return called[0]?.['traceparent']
}

/** The headers of the webhooks about the resource, when this type of event has come. */
async function traceAtMerchant(id: unknown, type: string): Promise<unknown> {
  const parsed = () =>
    receiver.calls.flatMap(({ headers, body }) => {
      const event = JSON.parse(body.toString()) as { readonly type: string; readonly data: Json }
      return event.data['id'] === id ? [{ type: event.type, trace: headers['traceparent'] }] : []
    })
  const told = await eventually(`${type} of ${String(id)}`, () => {
    const all = parsed()
    return all.some((each) => each.type === type) && all
  })
  assert.equal(new Set(told.map(({ trace }) => trace)).size, 1, type)
  return told[0]?.trace
}

/** As our reference at the bank: without its hyphens. */
const named = (id: unknown) => String(id).replaceAll('-', '')

describe('the trace of a request', () => {
  before(async () => {
    installation = await sharedInstallation()
    bank = callsOf(installation.sandbox().simulators.pixBank)
    receiver = await startReceiver()
    sql = connect(await installation.databaseUrl(), { max: 1 })
    // They change nothing but that the bank writes down the header of each call.
    for (const path of ['/cob/', '/devolucao/', '/gn/pix/'])
      await bank.control('POST', '/faults', { match: { method: 'PUT', path }, action: 'delay', delayMs: 0 })
  })
  after(async () => {
    await bank.control('DELETE', '/faults')
    await sql.end({ timeout: 1 })
    await receiver[Symbol.asyncDispose]()
  })

  test('a payment keeps the trace of its request, and the bank and the webhooks get it', async () => {
    const payment = await pay(traceOf(1))
    const [kept] = await sql<{ trace: string; attempt: string }[]>`
      select trace, (select id from attempt where payment_id = payment.id) as attempt
        from payment where id = ${String(payment['id'])}`
    assert.equal(kept?.trace, traceOf(1))
    assert.equal(await traceAtBank(`/cob/${named(kept.attempt)}`), traceOf(1))
    await arrive(payment)
    assert.equal(await traceAtMerchant(payment['id'], 'payment.completed'), traceOf(1))
  })

  test('a header that cannot be read is ignored, and so is none', async () => {
    for (const header of [undefined, traceOf(2).slice(1), '0'.repeat(55)]) {
      const payment = await pay(header)
      await arrive(payment)
      assert.equal(await traceAtMerchant(payment['id'], 'payment.completed'), undefined, String(header))
    }
  })

  test('a refund carries the trace of its own request, and without one that of its payment', async () => {
    const payment = await pay(traceOf(3))
    await arrive(payment)
    const path = `/v1/payments/${String(payment['id'])}/refunds`
    for (const [header, expected] of [
      [traceOf(4), traceOf(4)],
      [undefined, traceOf(3)],
    ] as const) {
      const refund = await post(path, { amount: 1_000 }, header)
      assert.equal(await traceAtBank(`/devolucao/${named(refund['id'])}`), expected)
      assert.equal(await traceAtMerchant(refund['id'], 'refund.completed'), expected)
    }
    // Its own webhooks are as before.
    assert.equal(await traceAtMerchant(payment['id'], 'payment.completed'), traceOf(3))
  })

  test('a withdrawal carries the trace of its request, alone and in a batch; without one it has none', async () => {
    await arrive(await pay())
    const terms = { type: 'PIX', amount: 100, currency: 'BRL', pixKeyType: 'EMAIL' }
    const webhookUrl = `${receiver.origin}/hook`
    for (const [pixKey, header] of [
      ['traced@sim.pix', traceOf(5)],
      ['plain@sim.pix', undefined],
    ] as const) {
      const withdrawal = await post('/v1/withdrawals', { ...terms, pixKey, webhookUrl }, header)
      const [row] = await sql<{ reference: string }[]>`
        select reference from withdrawal where id = ${String(withdrawal['id'])}`
      assert.equal(await traceAtBank(`/gn/pix/${row?.reference}`), header)
      assert.equal(await traceAtMerchant(withdrawal['id'], 'withdrawal.completed'), header)
    }
    const withdrawals = ['one@sim.pix', 'two@sim.pix'].map((pixKey) => ({ ...terms, pixKey, webhookUrl }))
    const batch = await post('/v1/withdrawal-batches', { idempotencyKey: 'traced', withdrawals }, traceOf(6))
    const rows = await sql<{ id: string; reference: string }[]>`
      select id, reference from withdrawal where batch_id = ${String(batch['id'])}`
    assert.equal(rows.length, 2)
    for (const { id, reference } of rows) {
      assert.equal(await traceAtBank(`/gn/pix/${reference}`), traceOf(6))
      assert.equal(await traceAtMerchant(id, 'withdrawal.completed'), traceOf(6))
    }
  })
})

// Withdrawals by PIX, from the outside: HTTP, the bank with all its test recipients, and a merchant's own server.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../eventually.ts'
import type { Installation } from './installation.ts'
import { call, startWebhookServer, type Json, type WebhookServer } from './merchant.ts'
import { sharedInstallation } from './shared-installation.ts'

const paidIn = 100_000

describe('a withdrawal by PIX', () => {
  let installation: Installation
  let hooks: WebhookServer
  /** The balance and the number of payouts that earlier files of this process left at the installation. */
  let earlier: { readonly balance: number; readonly payouts: number }
  let startedAt: string

  before(async () => {
    installation = await sharedInstallation()
    hooks = await startWebhookServer(installation.sandbox().webhookSecret)
    earlier = { balance: Number((await wallet())['balance']), payouts: (await payoutsAtBank()).length }
    const payment = await api('POST', '/v1/payments', {
      amount: paidIn,
      currency: 'BRL',
      paymentMethods: ['PIX'],
      idempotencyKey: 'money',
    })
    const sent = await api('POST', `/v1/sandbox/payments/${String(payment.body['id'])}/pay`, {
      scenario: 'exact',
    })
    assert.equal(sent.status, 202, JSON.stringify(sent.body))
    startedAt = String(payment.body['createdAt'])
    await eventually('money', async () => (await wallet())['balance'] === earlier.balance + paidIn)
  })
  after(() => hooks[Symbol.asyncDispose]())

  const api = (method: string, path: string, body?: unknown) =>
    call(installation.sandbox(), method, path, body)
  const get = async (path: string) => (await api('GET', path)).body
  const wallet = async (): Promise<Json> => {
    const { data } = await get('/v1/wallets/balance')
    return (data as readonly Json[]).find((each) => each['currency'] === 'BRL') ?? {}
  }
  const withdraw = async (pixKey: string, more: Json = {}) => {
    const body = {
      type: 'PIX',
      amount: 100,
      currency: 'BRL',
      pixKey,
      pixKeyType: 'EMAIL',
      webhookUrl: hooks.url,
    }
    const answer = await api('POST', '/v1/withdrawals', { ...body, ...more })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return String(answer.body['id'])
  }
  const until = (id: string, what: string, isSo: (withdrawal: Json) => boolean) =>
    eventually(`${what} of ${id}`, async () => {
      const withdrawal = await get(`/v1/withdrawals/${id}`)
      return isSo(withdrawal) && withdrawal
    })
  const end = (id: string, status: string) => until(id, status, (each) => each['status'] === status)
  const bank = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await fetch(`${installation.sandbox().simulators.pixBank.controlUrl}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${path}: ${text}`)
    return text === '' ? {} : (JSON.parse(text) as Json)
  }
  const payoutsAtBank = async () => {
    const { events } = await bank('GET', '/_sim/events?limit=10000')
    return (events as readonly Json[]).filter((each) => each['type'] === 'payout.accepted')
  }
  const notifiedOf = (id: string, types: readonly string[]) =>
    eventually(`the webhooks ${types.join()} of ${id}`, async () => {
      const notified = new Set(hooks.received.filter(({ data }) => data['id'] === id).map(({ type }) => type))
      return types.every((type) => notified.has(type)) && [...notified]
    })

  const paid = ['withdrawal.created', 'withdrawal.processing', 'withdrawal.completed']
  const failed = ['withdrawal.created', 'withdrawal.processing', 'withdrawal.failed']

  test('ends for every recipient as the bank reports, with its events, and the books agree', async () => {
    const good = [
      'ana@example.com',
      'ok@sim.pix',
      'timeout@sim.pix',
      '500then@sim.pix',
      '429@sim.pix',
      'lost@sim.pix',
    ]
    const bad = ['ac03', 'ac06', 'ac07', 'be01', 'ds04', 'frad', 'dupl', 'ed05', 'ab03', 'am02']
    const refusals: readonly (readonly [string, string])[] = [
      ...bad.map((code) => [`${code}@sim.pix`, code.toUpperCase()] as const),
      ['notfound@sim.pix', 'pix_key_not_found'],
      ['night@sim.pix', 'provider_limit'],
    ]
    await Promise.all([
      ...good.map(async (key) => {
        const id = await withdraw(key)
        const { endToEndId, providerRef } = await end(id, 'COMPLETED')
        assert.match(String(endToEndId), /^E\w{31}$/)
        assert.match(String(providerRef), /^[0-9a-f]{32}$/)
        assert.deepEqual((await notifiedOf(id, paid)).toSorted(), paid.toSorted())
      }),
      ...refusals.map(async ([key, code]) => {
        const id = await withdraw(key)
        const { failureCode, failureMessage } = await end(id, 'FAILED')
        assert.equal(failureCode, code)
        assert.match(String(failureMessage), /^[A-Z].*\.$/)
        assert.deepEqual((await notifiedOf(id, failed)).toSorted(), failed.toSorted())
      }),
      (async () => {
        const id = await withdraw('returned@sim.pix')
        const { status } = await until(id, 'the return', (each) => each['amountReturned'] === 100)
        assert.equal(status, 'COMPLETED')
        await notifiedOf(id, [...paid, 'withdrawal.returned'])
      })(),
      (async () => {
        const id = await withdraw('approve@sim.pix')
        const { providerRef } = await until(id, 'its name', (each) => each['providerRef'] !== undefined)
        await bank('POST', `/_sim/payouts/${String(providerRef)}`, { status: 'REALIZADO' })
        await end(id, 'COMPLETED')
      })(),
    ])
    const { balance, heldBalance } = await wallet()
    // Seven were paid; the money of the others is available again.
    assert.deepEqual([balance, heldBalance], [earlier.balance + paidIn - (good.length + 1) * 100, 0])
    const accepted = (await payoutsAtBank()).slice(earlier.payouts)
    assert.equal(accepted.length, good.length + bad.length + 2)
    assert.equal(new Set(accepted.map((each) => each['idEnvio'])).size, accepted.length)
  })

  test('the same key is the same payout, also while the bank does not answer', async () => {
    const before = (await payoutsAtBank()).length
    await bank('POST', '/_sim/faults', { match: { method: 'PUT' }, action: 'drop_response', times: 2 })
    const more = { idempotencyKey: 'once' }
    const ids = await Promise.all(Array.from({ length: 20 }, () => withdraw('ana@example.com', more)))
    const id = ids[0] ?? ''
    assert.deepEqual([...new Set(ids)], [id])
    await end(id, 'COMPLETED')
    await withdraw('ana@example.com', more)
    assert.equal((await payoutsAtBank()).length, before + 1)
  })

  test('is canceled before it was sent, and not afterwards', async () => {
    await bank('POST', '/_sim/faults', { match: { method: 'PUT' }, action: 'delay', delayMs: 500, times: 1 })
    const id = await withdraw('ana@example.com')
    const { status, body } = await api('POST', `/v1/withdrawals/${id}/cancel`)
    if (status === 200) assert.equal(body['status'], 'CANCELED')
    else assert.equal(body['code'], 'invalid_state')
    await end(id, status === 200 ? 'CANCELED' : 'COMPLETED')
    await bank('DELETE', '/_sim/faults')
  })

  test('an operator ends a payout that the bank never ends, and gives a reason', async () => {
    const before = await wallet()
    const id = await withdraw('approve@sim.pix')
    await until(id, 'PROCESSING', (each) => each['providerRef'] !== undefined)
    const command = await installation.run(
      'withdrawal',
      'resolve',
      id,
      'refused',
      '--reason',
      'The bank wrote so',
      '--json',
    )
    assert.equal(command.code, 0, command.output)
    const { failureCode } = await end(id, 'FAILED')
    assert.equal(failureCode, 'resolved_by_operator')
    assert.deepEqual(await wallet(), before)
  })

  test('the books agree with the bank, also when the bank pays what an operator had recorded as refused', async () => {
    const agreed = await installation.run('balances', '--json')
    assert.equal(agreed.code, 0, agreed.output)
    const stuck = (await payoutsAtBank()).findLast((each) => each['to'] === 'approve@sim.pix')
    await bank('POST', `/_sim/payouts/${String(stuck?.['idEnvio'])}`, { status: 'REALIZADO' })
    await eventually('it is COMPLETED after all', async () => {
      const { data } = await get('/v1/withdrawals?status=FAILED&limit=100')
      return (data as readonly Json[]).every((each) => each['pixKey'] !== 'approve@sim.pix')
    })
    const { code, output } = await installation.run('balances')
    assert.equal(code, 0, output)
  })

  test('verify finds no fault in the end', async () => {
    const { balance } = await wallet()
    const { data } = await get(`/v1/withdrawals?status=COMPLETED&limit=100&from=${startedAt}`)
    const completed = data as readonly Json[]
    const gone = completed.reduce(
      (sum, each) => sum + Number(each['amount']) - Number(each['amountReturned'] ?? 0),
      0,
    )
    assert.equal(balance, earlier.balance + paidIn - gone)
    const { code, output } = await installation.run('verify')
    assert.equal(code, 0, output)
  })
})

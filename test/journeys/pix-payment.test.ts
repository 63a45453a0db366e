// PIX, from the outside: HTTP, the bank with its faults, and a merchant's own server.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils'
import { soakTest } from '../counts.ts'
import { eventually } from '../eventually.ts'
import type { Installation } from './installation.ts'
import { call, startWebhookServer, type Json, type WebhookServer } from './merchant.ts'
import { sharedInstallation } from './shared-installation.ts'
import { playSplit } from './split.ts'

describe('a PIX payment', () => {
  let installation: Installation
  let hooks: WebhookServer
  let keys = 0

  before(async () => {
    installation = await sharedInstallation()
    hooks = await startWebhookServer(installation.sandbox().webhookSecret)
  })
  after(() => hooks[Symbol.asyncDispose]())

  const api = (method: string, path: string, body?: unknown) =>
    call(installation.sandbox(), method, path, body)
  const request = (more: Json = {}): Json => ({
    amount: 1234,
    paymentMethods: ['PIX'],
    idempotencyKey: `pix-${++keys}`,
    webhookUrl: hooks.url,
    ...more,
  })
  const create = async (more: Json = {}) => {
    const answer = await api('POST', '/v1/payments', request(more))
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }
  const pay = async (id: unknown, scenario: string) => {
    const answer = await api('POST', `/v1/sandbox/payments/${String(id)}/pay`, { scenario })
    assert.equal(answer.status, 202, JSON.stringify(answer.body))
    return answer.body['endToEndIds'] as readonly string[]
  }
  const get = async (path: string) => (await api('GET', path)).body
  const until = (id: unknown, what: string, isSo: (payment: Json) => boolean) =>
    eventually(what, async () => {
      const payment = await get(`/v1/payments/${String(id)}`)
      return isSo(payment) && payment
    })
  const notified = (id: unknown, type: string) =>
    eventually(`the webhook ${type}`, async () =>
      hooks.received.find(
        (each) => each.type === type && (each.data['id'] === id || each.data['paymentId'] === id),
      ),
    )
  const paidOne = async () => {
    const { id } = await create()
    await pay(id, 'exact')
    await until(id, 'PAID', (payment) => payment['status'] === 'PAID')
    return id
  }
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
  const wallet = async () => {
    const { data } = await get('/v1/wallets/balance')
    return (data as readonly Json[]).find((each) => each['currency'] === 'BRL') ?? {}
  }
  const chargesAtBank = async () =>
    ((await bank('GET', '/_sim/charges?limit=500'))['charges'] as readonly Json[]).length

  test('is answered with its code at once, by default in BRL, and GET repeats it', async () => {
    const created = await create({
      description: 'Pedido A-1',
      customerTaxId: '529.982.247-25',
      customerName: 'Ana',
    })
    assert.equal(created['status'], 'WAITING_PAYMENT')
    assert.equal(created['currency'], 'BRL')
    assert.ok(getPixPayloadInfo(String(created['pixCopyPaste'])) !== null, 'the code is valid')
    assert.ok(isPng(String(created['pixQrCode'])), 'the picture is a PNG')
    const shown = await get(`/v1/payments/${String(created['id'])}`)
    assert.equal(shown['pixCopyPaste'], created['pixCopyPaste'])
    assert.equal(shown['pixQrCode'], created['pixQrCode'])
    assert.equal(shown['customerTaxId'], '52998224725')
    const { data } = await get('/v1/payments?limit=1')
    const [listed] = data as readonly Json[]
    assert.equal(listed?.['pixCopyPaste'], created['pixCopyPaste'])
    assert.equal(listed?.['pixQrCode'], undefined)
  })

  test('with a wrong tax id or in another currency is refused', async () => {
    const wrong = await api('POST', '/v1/payments', request({ customerTaxId: '529.982.247-26' }))
    assert.equal(wrong.status, 400)
    const euro = await api('POST', '/v1/payments', request({ currency: 'EUR' }))
    assert.equal(euro.status, 422)
    assert.equal(euro.body['code'], 'currency_not_supported')
  })

  for (const { scenario, status, received, exceptions, event } of [
    { scenario: 'exact', status: 'PAID', received: 1234, exceptions: [], event: 'payment.completed' },
    {
      scenario: 'under',
      status: 'WAITING_PAYMENT',
      received: 617,
      exceptions: ['UNDERPAID'],
      event: 'payment.underpaid',
    },
    {
      scenario: 'over',
      status: 'PAID',
      received: 1357,
      exceptions: ['OVERPAID'],
      event: 'payment.completed',
    },
    {
      scenario: 'twice',
      status: 'PAID',
      received: 2468,
      exceptions: ['DUPLICATE'],
      event: 'payment.received_after_close',
    },
    { scenario: 'late', status: 'PAID', received: 1234, exceptions: ['LATE'], event: 'payment.completed' },
    { scenario: 'lost_webhook', status: 'PAID', received: 1234, exceptions: [], event: 'payment.completed' },
    {
      scenario: 'repeated_webhook',
      status: 'PAID',
      received: 1234,
      exceptions: [],
      event: 'payment.completed',
    },
  ]) {
    test(`in the scenario ${scenario} ends ${status} with ${received} received`, async () => {
      const before = Number((await wallet())['balance'])
      const { id } = await create()
      const names = await pay(id, scenario)
      const event_ = await notified(id, event)
      assert.equal(event_.data['pixQrCode'], undefined)
      const payment = await until(id, scenario, (each) => each['amountReceived'] === received)
      assert.equal(payment['status'], status)
      assert.deepEqual(payment['exceptions'], exceptions)
      assert.deepEqual(new Set(payment['endToEndIds'] as string[]), new Set(names))
      assert.equal(Number((await wallet())['balance']) - before, received)
    })
  }

  test('that the payer’s bank takes back for fraud becomes a lost dispute, and stays PAID', async () => {
    const before = Number((await wallet())['balance'])
    const { id } = await create()
    await pay(id, 'med')
    const opened = await notified(id, 'dispute.opened')
    await notified(id, 'dispute.lost')
    assert.equal(opened.data['kind'], 'MED')
    const payment = await get(`/v1/payments/${String(id)}`)
    assert.equal(payment['status'], 'PAID')
    const dispute = await get(`/v1/disputes/${String(opened.data['id'])}`)
    assert.equal(dispute['status'], 'LOST')
    assert.equal(Number((await wallet())['balance']), before)
  })

  test('that the payer’s bank claims back is held during the dispute, and available again when the dispute is won', async () => {
    const id = await paidOne()
    const { endToEndIds } = await get(`/v1/payments/${String(id)}`)
    const [endToEndId] = endToEndIds as readonly string[]
    const before = Number((await wallet())['balance'])
    const med = await bank('POST', '/_sim/med', { endToEndId, outcome: 'EM_PROCESSAMENTO' })
    await notified(id, 'dispute.opened')
    assert.equal(Number((await wallet())['balance']), before - 1234)
    assert.equal(Number((await wallet())['heldBalance']), 1234)
    await bank('POST', `/_sim/refunds/${endToEndId}/${String(med['id'])}`, { status: 'NAO_REALIZADO' })
    await notified(id, 'dispute.won')
    assert.equal(Number((await wallet())['balance']), before)
    assert.equal(Number((await wallet())['heldBalance']), 0)
  })

  test('is refunded in parts, never beyond what came, and each part once', async () => {
    const id = await paidOne()
    const before = Number((await wallet())['balance'])
    const path = `/v1/payments/${String(id)}/refunds`
    const key = `refund-${String(id)}`
    const first = await api('POST', path, { amount: 500, reason: 'one item', idempotencyKey: key })
    assert.equal(first.status, 201)
    assert.equal(first.body['status'], 'PENDING')
    const again = await api('POST', path, { amount: 500, reason: 'one item', idempotencyKey: key })
    assert.equal(again.body['id'], first.body['id'])
    assert.equal((await api('POST', path, { amount: 501, idempotencyKey: key })).status, 409)
    const tooMuch = await api('POST', path, { amount: 735 })
    assert.equal(tooMuch.status, 422)
    assert.equal(tooMuch.body['code'], 'refund_exceeds_payment')
    assert.equal(tooMuch.body['refundable'], 734)
    const rest = await api('POST', path)
    assert.equal(rest.body['amount'], 734)
    assert.equal((await api('POST', path)).status, 422)
    await eventually('both are done', async () => {
      const { data } = await get(`/v1/refunds?paymentId=${String(id)}`)
      return (data as readonly Json[]).every((each) => each['status'] === 'COMPLETED')
    })
    await notified(id, 'refund.completed')
    const listed = await get(`/v1/refunds?paymentId=${String(id)}`)
    const [refund] = listed['data'] as readonly { readonly id: string; readonly amount: number }[]
    const shown = await installation.run('refund', 'show', String(refund?.id), '--json')
    assert.equal((JSON.parse(shown.output) as { readonly id: string }).id, refund?.id)
    const payment = await get(`/v1/payments/${String(id)}`)
    assert.deepEqual(
      [payment['status'], payment['refundStatus'], payment['amountRefunded']],
      ['PAID', 'FULL', 1234],
    )
    assert.equal(Number((await wallet())['balance']), before - 1234)
  })

  test('is not reduced when the bank refuses its refund', async () => {
    const id = await paidOne()
    const before = Number((await wallet())['balance'])
    await bank('POST', '/_sim/refunds', { mode: 'fail' })
    try {
      const refund = await api('POST', `/v1/payments/${String(id)}/refunds`, { amount: 100 })
      const failed = await notified(id, 'refund.failed')
      assert.equal(failed.data['id'], refund.body['id'])
      assert.ok(String(failed.data['failureCode']).length > 0)
      assert.equal(Number((await wallet())['balance']), before)
      const payment = await get(`/v1/payments/${String(id)}`)
      assert.deepEqual([payment['amountRefunded'], payment['refundStatus']], [0, 'NONE'])
    } finally {
      await bank('POST', '/_sim/refunds', { mode: 'done' })
    }
  })

  test('created while the bank is down waits, and the same key leads to one charge', async () => {
    const charges = await chargesAtBank()
    const body = request()
    await bank('POST', '/_sim/down', { down: true })
    const refused = await api('POST', '/v1/payments', body)
    await bank('POST', '/_sim/down', { down: false })
    assert.equal(refused.status, 503)
    assert.equal(refused.body['code'], 'provider_unavailable')
    const kept = await get(`/v1/payments/${String(refused.body['paymentId'])}`)
    assert.equal(kept['status'], 'PENDING')
    const again = await api('POST', '/v1/payments', body)
    assert.equal(again.status, 201, JSON.stringify(again.body))
    assert.equal(again.body['id'], refused.body['paymentId'])
    assert.equal(again.body['status'], 'WAITING_PAYMENT')
    assert.equal(await chargesAtBank(), charges + 1)
  })

  test('is still one charge if the charge was stored and the bank’s answer was cut off', async () => {
    const charges = await chargesAtBank()
    await bank('POST', '/_sim/faults', {
      match: { method: 'PUT', path: '/cob/' },
      action: 'drop_response',
      times: 1,
    })
    const created = await create()
    assert.equal(created['status'], 'WAITING_PAYMENT')
    assert.equal(await chargesAtBank(), charges + 1)
  })

  test('requested a hundred times at once with one key is one payment and one charge', async () => {
    const charges = await chargesAtBank()
    const body = request()
    const answers = await Promise.all(Array.from({ length: 100 }, () => api('POST', '/v1/payments', body)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.equal(new Set(answers.map(({ body: each }) => JSON.stringify(each))).size, 1)
    assert.equal(await chargesAtBank(), charges + 1)
  })

  test('that is canceled has its charge removed at the bank', async () => {
    const { id } = await create()
    assert.equal((await api('POST', `/v1/payments/${String(id)}/cancel`)).status, 200)
    const charge = await eventually('the charge is removed', async () => {
      const { charges } = await bank('GET', '/_sim/charges?limit=500')
      return (charges as readonly Json[]).find((each) => each['status'] === 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
    })
    assert.ok(charge !== undefined)
  })

  test('that we did not request stays in suspense and changes no wallet', async () => {
    const before = await wallet()
    const { charges } = await bank('GET', '/_sim/charges?limit=500')
    const pixKey = (charges as readonly Json[])[0]?.['pixKey'] ?? (charges as readonly Json[])[0]?.['chave']
    await bank('POST', '/_sim/pay-key', { pixKey, amount: '7.77' })
    await eventually('it is in suspense', async () => {
      const { output } = await installation.run('suspense', 'list', '--json')
      return output.includes('777')
    })
    assert.deepEqual(await wallet(), before)
  })

  // The quick run kills server and bank in pix-away.
  soakTest('is credited once although the server was killed meanwhile', async () => {
    const { id } = await create()
    await installation.kill()
    const { id: other } = await (async () => {
      await installation.start()
      return create()
    })()
    await pay(id, 'lost_webhook')
    await pay(other, 'repeated_webhook')
    for (const each of [id, other]) {
      const payment = await until(each, 'PAID', (one) => one['status'] === 'PAID')
      assert.equal(payment['amountReceived'], 1234)
    }
  })

  test('that is split in three adds up to the cent, and a sub-account that cannot give its share back owes it', () =>
    playSplit({ installation, api, get, create, pay, until, notified, bank, wallet }))

  test('leaves correct books: verify finds no fault', async () => {
    const { code, output } = await installation.run('verify')
    assert.equal(code, 0, output)
  })
})

/** A PNG whose pixels can be read. */
function isPng(dataUrl: string): boolean {
  const [, base64 = ''] = /^data:image\/png;base64,(.+)$/.exec(dataUrl) ?? []
  const bytes = Buffer.from(base64, 'base64')
  const at = bytes.indexOf('IDAT')
  return (
    bytes.subarray(1, 4).toString() === 'PNG' &&
    inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4))).length > 0
  )
}

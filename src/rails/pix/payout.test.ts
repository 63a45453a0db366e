import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test, type TestContext } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, minuteMs, sleep, systemClock, type Clock } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import type { PayoutOrder, PayoutResult } from '#/rails/payout-rail.ts'
import { eventually } from '../../../test/eventually.ts'
import { startPixBank, type PixBank } from '../../../test/rails/pix/bank.ts'
import {
  heldBy,
  openPayingAccount,
  payoutRailOf,
  type PayingAccount,
} from '../../../test/rails/pix/payout.ts'
import { pemSecrets, startTestPsp, type PspCall } from '../../../test/rails/pix/psp.ts'
import { connectionOf } from '../../../test/rails/pix/rail.ts'
import type { Reply } from '../../../test/rails/provider.ts'
import { errorOf, merchantId } from '../../../test/rails/rail.ts'
import { openPayingConnections } from './payout-connections.ts'
import { payoutMethod, type PixPayoutRail } from './payout.ts'

function order(connection: ConnectionId, pixKey = 'ana@example.com', minor = 12_34n): PayoutOrder {
  return {
    id: newId<'withdrawal'>(),
    merchantId,
    reference: randomBytes(16).toString('hex'),
    connection,
    amount: { minor, currency: 'BRL' },
    destination: { pixKey },
    description: 'Invoice 77',
  }
}

/** Sends again, as the worker does, until it is no longer under way. */
function endOf(rail: PixPayoutRail, what: PayoutOrder): Promise<PayoutResult> {
  return eventually('the end of the payout', async () => {
    const result = await rail.send(what, true)
    return result.state !== 'sent' && result
  })
}

const request = {
  mode: 'SANDBOX',
  merchantId,
  currency: 'BRL',
  pixKey: 'Ana@Example.com',
  pixKeyType: 'EMAIL',
} as const

describe('a route', () => {
  test('has the normal form of the key and the connection that sends, without its credentials', (t) => {
    const connection = connectionOf({ pixKey: 'k' }, {}, { method: payoutMethod, refundSecrets: undefined })
    const rail = payoutRailOf(t, [connectionOf({}, {}), connection])
    assert.deepEqual(rail.route(request), {
      ok: true,
      connection: connection.id,
      currency: 'BRL',
      destination: { text: 'ana@example.com', fields: { pixKey: 'ana@example.com', pixKeyType: 'EMAIL' } },
    })
  })

  test('reports what is wrong with the request, and where', (t) => {
    const connection = connectionOf({ pixKey: 'k' }, {}, { method: payoutMethod })
    const rail = payoutRailOf(t, [connection])
    const pointerOf = (more: object) => {
      const routing = rail.route({ ...request, ...more })
      return routing.ok ? undefined : [routing.code, routing.pointer]
    }
    assert.deepEqual(pointerOf({ currency: 'EUR' }), ['currency_not_supported', '/currency'])
    assert.deepEqual(pointerOf({ pixKeyType: 'CPF' }), ['invalid_request', '/pixKey'])
    assert.deepEqual(pointerOf({ pixKeyType: 'IBAN' }), ['invalid_request', '/pixKeyType'])
    assert.deepEqual(pointerOf({ mode: 'LIVE' }), ['method_not_available', '/type'])
  })

  test('money leaves from the account for which another connection receives it', (t) => {
    const account = connectionOf({}, {})
    const sending = connectionOf({ pixKey: 'k' }, {}, { method: payoutMethod })
    const shared = connectionOf({ pixKey: 'k', account: account.id }, {}, { method: payoutMethod })
    const rail = payoutRailOf(t, [account, sending, shared])
    assert.deepEqual(rail.source(sending.id), { at: 'PROVIDER' })
    assert.deepEqual(rail.source(shared.id), { at: 'PROVIDER', account: account.id })
  })
})

describe('at the bank of the sandbox', () => {
  let bank: PixBank
  let account: PayingAccount
  let connection: ProviderConnection
  before(async () => {
    bank = await startPixBank({ magic: true })
    account = await openPayingAccount(bank)
    connection = account.connection
  })
  after(async () => {
    await account.stop()
    await bank[Symbol.asyncDispose]()
  })

  /** The payouts that the bank has sent with this reference. */
  async function sentBy({ reference }: PayoutOrder): Promise<readonly unknown[]> {
    const { events } = await bank.control('GET', '/events?limit=10000')
    return (events as readonly Record<string, unknown>[]).filter(
      (each) => each['type'] === 'payout.accepted' && each['idEnvio'] === reference,
    )
  }

  test('a payout is under way, then done, and then always the same', async (t) => {
    const rail = payoutRailOf(t, [connection])
    const what = order(connection.id)
    const first = await rail.send(what, false)
    assert.equal(first.state, 'sent')
    assert.equal(first.providerRef, what.reference)
    assert.match(must(first.endToEndId, 'a name'), /^E\d{8}\d{12}\w{11}$/)
    const end = await endOf(rail, what)
    assert.deepEqual([end.state, end.endToEndId], ['done', first.endToEndId])
    assert.ok(end.evidence.toString().includes(what.reference))
    for (const again of [false, true]) assert.equal((await rail.send(what, again)).state, 'done')
    assert.equal((await sentBy(what)).length, 1)
  })

  for (const code of ['AC03', 'AC06', 'AC07', 'BE01', 'DS04', 'FRAD', 'DUPL', 'ED05', 'AB03', 'AM02']) {
    test(`a late ${code} is a refusal in our words`, async (t) => {
      const rail = payoutRailOf(t, [connection])
      const what = order(connection.id, `${code.toLowerCase()}@sim.pix`)
      assert.equal((await rail.send(what, false)).state, 'sent')
      const end = await endOf(rail, what)
      assert.ok(end.state === 'refused')
      assert.equal(end.code, code)
      assert.match(end.message, /\.$/)
    })
  }

  test('an unknown key and an exceeded night limit are refused at once, and nothing is sent', async (t) => {
    const rail = payoutRailOf(t, [connection])
    for (const [key, code] of [
      ['notfound@sim.pix', 'pix_key_not_found'],
      ['night@sim.pix', 'provider_limit'],
    ]) {
      const what = order(connection.id, key)
      const result = await rail.send(what, false)
      assert.ok(result.state === 'refused')
      assert.equal(result.code, code)
      assert.equal((await sentBy(what)).length, 0)
    }
  })

  test('an answer that is cut off, or a 500, is looked up at once', async (t) => {
    const rail = payoutRailOf(t, [connection])
    for (const key of ['timeout@sim.pix', '500then@sim.pix']) {
      const what = order(connection.id, key)
      assert.match((await rail.send(what, false)).state, /^(?:sent|done)$/, key)
      assert.equal((await endOf(rail, what)).state, 'done')
      assert.equal((await sentBy(what)).length, 1)
    }
  })

  test('a 429 means that it was not sent, and may be sent again at once', async (t) => {
    const rail = payoutRailOf(t, [connection])
    const what = order(connection.id, '429@sim.pix')
    for (let i = 0; i < 2; i++) assert.equal((await errorOf(rail.send(what, false))).outcome, 'unavailable')
    assert.equal((await rail.send(what, false)).state, 'sent')
    assert.equal((await endOf(rail, what)).state, 'done')
  })

  test('a returned payout is reported with its amount', async (t) => {
    const rail = payoutRailOf(t, [connection])
    const what = order(connection.id, 'returned@sim.pix', 5_00n)
    await rail.send(what, false)
    const result = await eventually('the money comes back', async () => {
      const found = await rail.check(what)
      return found?.state === 'returned' && found
    })
    assert.equal(result.returned, 5_00n)
  })

  test('a call that is cut off is unknown, and not sent again while it may still arrive', async (t) => {
    let late = 0
    const clock: Clock = { now: () => addMs(systemClock.now(), late) }
    const rail = payoutRailOf(t, [connection], { clock })
    const what = order(connection.id)
    await bank.control('POST', '/faults', { match: { method: 'PUT' }, action: 'reset', times: 1 })
    assert.equal((await errorOf(rail.send(what, false))).outcome, 'unknown')
    const requested = { ...what, lastSentAt: systemClock.now() }
    const error = await errorOf(rail.send(requested, true))
    assert.deepEqual([error.outcome, (await sentBy(what)).length], ['unavailable', 0])
    late = 2 * minuteMs
    assert.equal((await rail.send(requested, true)).state, 'sent')
    assert.equal((await sentBy(what)).length, 1)
  })

  test('a payout that another worker may have claimed is not sent, nor one whose worker stood still meanwhile', async (t) => {
    const rail = payoutRailOf(t, [connection])
    const what = order(connection.id)
    const late = { ...what, sendBefore: systemClock.now() }
    const slow = { sendBefore: addMs(systemClock.now(), 50), mayLeave: () => sleep(100).then(() => true) }
    for (const each of [late, { ...what, ...slow }]) {
      const { outcome } = await errorOf(rail.send(each, false))
      assert.deepEqual([outcome, (await sentBy(what)).length], ['unavailable', 0])
    }
  })

  test('a payout that may not leave now is not sent, and an existing one is still reported', async (t) => {
    const rail = payoutRailOf(t, [connection])
    const what = order(connection.id)
    const kept = { ...what, mayLeave: async () => false }
    for (const again of [false, true])
      assert.equal((await errorOf(rail.send(kept, again))).outcome, 'unavailable')
    assert.equal((await sentBy(what)).length, 0)
    await rail.send(what, false)
    assert.equal((await endOf(rail, kept)).state, 'done')
  })

  test('while the bank is away the payout is unavailable and nothing is sent', async (t) => {
    const rail = payoutRailOf(t, [connection])
    const what = order(connection.id)
    await bank.control('POST', '/down', { down: true })
    await errorOf(rail.send(what, false))
    assert.equal((await errorOf(rail.send(what, true))).outcome, 'unavailable')
    await bank.control('POST', '/down', { down: false })
    assert.equal((await rail.send(what, false)).state, 'sent')
  })

  test('the list of a span contains every payout with its end, and the balance their cost', async (t) => {
    const payingAccount = await openPayingAccount(bank)
    t.after(() => payingAccount.stop())
    const { connection } = payingAccount
    const rail = payoutRailOf(t, [connection])
    const before = await heldBy(rail, connection.id)
    const from = systemClock.now()
    const [good, bad] = [
      order(connection.id, 'ana@example.com', 2_00n),
      order(connection.id, 'ac03@sim.pix', 3_00n),
    ]
    for (const each of [good, bad]) await rail.send(each, false)
    for (const each of [good, bad]) await endOf(rail, each)
    const found = new Map<string, string>()
    for await (const page of must(rail.list, 'it lists')(connection.id, { from, to: systemClock.now() }))
      for (const { reference, result } of page) found.set(reference, result.state)
    assert.equal(found.get(good.reference), 'done')
    assert.equal(found.get(bad.reference), 'refused')
    assert.equal(before - (await heldBy(rail, connection.id)), 2_00n)
  })

  test('a process without the credentials sends nothing', async (t) => {
    const { refundSecrets: _none, ...rest } = connection
    const rail = payoutRailOf(t, [rest])
    assert.equal((await errorOf(rail.send(order(connection.id), false))).outcome, 'unavailable')
  })

  test('the same reference with another amount is unknown and not paid', async (t) => {
    const rail = payoutRailOf(t, [connection])
    const what = order(connection.id)
    await rail.send(what, false)
    const other = { ...what, amount: { minor: 99_99n, currency: 'BRL' as const } }
    for (const again of [false, true])
      assert.equal((await errorOf(rail.send(other, again))).outcome, 'unknown')
    assert.equal((await sentBy(what)).length, 1)
  })
})

describe('at a PSP with bad answers', () => {
  async function railAt(t: TestContext, reply: (call: PspCall) => Reply | undefined) {
    const psp = await startTestPsp((call) => (call.path === '/oauth/token' ? undefined : reply(call)))
    t.after(() => psp.stop())
    const urls = { baseUrl: psp.url, tokenUrl: `${psp.url}/oauth/token`, ca: psp.ca }
    const more = { method: payoutMethod, provider: 'efi', refundSecrets: pemSecrets }
    const connection = connectionOf({ ...urls, pixKey: 'k' }, {}, more)
    const puts = () => psp.calls.filter(({ method }) => method === 'PUT').length
    return { rail: payoutRailOf(t, [connection]), what: order(connection.id), puts }
  }

  const sends = (reply: Reply) => (call: PspCall) => (call.method === 'PUT' ? reply : undefined)

  for (const [status, body] of [
    [400, { nome: 'json_invalido' }],
    [404, { nome: 'chave_nao_encontrada' }],
    [422, { title: 'wörtlich' }],
  ] as const) {
    test(`${status} with a reason is a refusal in our words when the PSP has no such payout`, async (t) => {
      const { rail, what } = await railAt(t, sends({ status, body }))
      const refused = await rail.send(what, false)
      assert.ok(refused.state === 'refused')
      assert.ok(
        ['There is no such PIX key.', 'The bank that pays did not take the payout.'].includes(
          refused.message,
        ),
        refused.message,
      )
      assert.match(refused.evidence.toString(), /nome|wörtlich/)
    })
  }

  for (const reply of [
    { status: 400, body: '<html>' },
    { status: 404 },
    { status: 409, body: { nome: 'id_envio_duplicado' } },
    { status: 405, body: {} },
    { status: 500 },
    { status: 503 },
    { status: 504 },
    { status: 302 },
    { status: 201, body: '' },
    { status: 201, body: { idEnvio: 'x' } },
    { status: 201, body: { idEnvio: 'f'.repeat(32), valor: '12.34', status: 'REALIZADO' } },
    { status: 201, cut: true },
  ] satisfies Reply[]) {
    test(`${JSON.stringify(reply)} leaves it unknown`, async (t) => {
      const { rail, what } = await railAt(t, sends(reply))
      assert.equal((await errorOf(rail.send(what, false))).outcome, 'unknown')
    })
  }

  for (const status of [401, 403, 429]) {
    test(`${status} means that nothing was sent`, async (t) => {
      const { rail, what } = await railAt(t, sends({ status }))
      assert.equal((await errorOf(rail.send(what, false))).outcome, 'unavailable')
    })
  }

  test('an unknown status is under way; a missing one is an unknown result', async (t) => {
    let status: string | undefined = 'NOVO'
    const { rail, what } = await railAt(t, ({ path }) => ({
      status: 200,
      body: { idEnvio: path.split('/').at(-1), valor: '12.34', status },
    }))
    assert.equal((await rail.send(what, true)).state, 'sent')
    status = undefined
    await errorOf(rail.send(what, true))
  })

  test('a refusal does not count while the payout cannot be looked up', async (t) => {
    const reply = ({ method }: PspCall) =>
      method === 'PUT' ? { status: 422, body: { nome: 'x' } } : { status: 500 }
    const { rail, what } = await railAt(t, reply)
    assert.equal((await errorOf(rail.send(what, false))).outcome, 'unknown')
  })

  test('concurrent payouts are sent to this PSP one at a time, in order', async (t) => {
    const connection = connectionOf(
      { baseUrl: 'https://psp.example', tokenUrl: 'https://psp.example/token', pixKey: 'k' },
      {},
      { method: payoutMethod, provider: 'efi', refundSecrets: pemSecrets },
    )
    const connections = { of: () => [], find: () => connection, all: () => [connection] }
    const open = openPayingConnections({ connections, clock: systemClock, log: silentLog })
    t.after(() => open.close())
    let running = 0
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        open.sending(connection.id).inTurn(async () => {
          running += 1
          assert.equal(running, 1)
          await new Promise((resolve) => setImmediate(resolve))
          order.push(nth)
          running -= 1
        }),
      ),
    )
    assert.deepEqual(order, [...Array(20).keys()])
  })
})

test('a callback names payouts by our references only, and a limited number of them', (t) => {
  const rail = payoutRailOf(t, [])
  const item = (idEnvio: unknown, tipo = 'SOLICITACAO') => ({
    tipo,
    status: 'REALIZADO',
    gnExtras: { idEnvio },
  })
  const hear = (body: unknown) =>
    must(
      rail.hints,
      'it hears',
    )({
      connection: 'a1-x' as ConnectionId,
      receivedAt: systemClock.now(),
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    })
  const ours = 'ab'.repeat(16)
  const body = {
    pix: [
      item(ours),
      item(ours),
      item('x'),
      item(7),
      item('cd'.repeat(16), 'RECEBIMENTO'),
      null,
      { endToEndId: 'E1' },
    ],
  }
  assert.deepEqual(hear(body), [ours])
  for (const junk of ['', 'x', '[]', '{"pix":1}', 'null']) assert.deepEqual(hear(junk), [])
  const many = { pix: Array.from({ length: 500 }, () => item(randomBytes(16).toString('hex'))) }
  assert.equal(hear(many).length, 100)
})

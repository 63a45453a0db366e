import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { AttemptId, ConnectionId } from '#/kernel/id.ts'
import { addMs, systemClock } from '#/kernel/time.ts'
import { startPixBank, type PixBank } from '../../../test/rails/pix/bank.ts'
import {
  cancel,
  cobOf,
  connectionOf,
  open,
  opening,
  railAtPsp,
  railOf,
  shopAt,
} from '../../../test/rails/pix/rail.ts'
import { errorOf, merchantId } from '../../../test/rails/rail.ts'
import { parseBrCode } from './br-code.ts'

describe('a route', () => {
  const request = { mode: 'SANDBOX', merchantId } as const

  test('is in BRL, also by default', (t) => {
    const connection = connectionOf({}, {})
    const rail = railOf(t, [connection])
    const offered = { ok: true, connection: connection.id, currency: 'BRL' }
    assert.deepEqual(rail.route(request), offered)
    assert.deepEqual(rail.route({ ...request, currency: 'BRL' }), offered)
  })

  test('is refused in another currency, and where PIX is not connected', (t) => {
    const rail = railOf(t, [connectionOf({}, {})])
    const other = rail.route({ ...request, currency: 'EUR' })
    assert.deepEqual(
      [!other.ok && other.code, !other.ok && other.pointer],
      ['currency_not_supported', '/currency'],
    )
    const live = rail.route({ ...request, mode: 'LIVE' })
    assert.equal(!live.ok && live.code, 'method_not_available')
  })
})

describe('at the bank of the sandbox', () => {
  let bank: PixBank
  before(async () => {
    bank = await startPixBank({ magic: true })
  })
  after(() => bank[Symbol.asyncDispose]())

  test('an attempt is opened as one charge with its id, amount, time and payer', async (t) => {
    const { rail, id, pixKey, chargesOf } = await shopAt(bank, t)
    const attempt = opening(id, 12_34n, {
      description: `Pão ${'🍞'.repeat(100)}`,
      customerName: 'Ana',
      customerTaxId: '529.982.247-25',
    })
    const opened = await open(rail, attempt)
    assert.ok(opened.ok)
    const code = parseBrCode(String(opened.artifacts['copyPaste']))
    assert.ok(code.ok && code.code.kind === 'DYNAMIC' && code.code.url === opened.artifacts['location'])
    assert.equal(opened.artifacts['pixKey'], pixKey)
    assert.deepEqual((await open(rail, attempt)).ok, true)
    const [charge, ...more] = await chargesOf(attempt)
    assert.equal(more.length, 0)
    assert.deepEqual(charge?.['valor'], { original: '12.34' })
    assert.deepEqual(charge?.['devedor'], { cpf: '52998224725', nome: 'Ana' })
    const { expiracao } = must(charge, 'it')['calendario'] as { expiracao: number }
    assert.ok(expiracao > 3_590 && expiracao <= 3_600)
    assert.ok(String(charge?.['solicitacaoPagador']).length <= 140)
  })

  test('the payer’s name or tax id alone is not sent, and a lifetime that is over is one second', async (t) => {
    const { rail, id, chargesOf } = await shopAt(bank, t)
    const attempt = opening(id, 100n, {
      customerTaxId: '52998224725',
      expiresAt: addMs(systemClock.now(), -5_000),
    })
    await open(rail, attempt)
    const [charge] = await chargesOf(attempt)
    assert.equal(charge?.['devedor'], undefined)
    assert.deepEqual((must(charge, 'it')['calendario'] as { expiracao: number }).expiracao, 1)
  })

  test('stored and then cut off: the same single charge is found and shown', async (t) => {
    const { rail, id, chargesOf } = await shopAt(bank, t)
    const attempt = opening(id, 50_12n)
    const opened = await open(rail, attempt)
    assert.ok(opened.ok && parseBrCode(String(opened.artifacts['copyPaste'])).ok)
    assert.deepEqual(await open(rail, attempt), opened)
    assert.equal((await chargesOf()).length, 1)
  })

  test('503 twice: nothing was done, and the third call succeeds', async (t) => {
    const { rail, id, chargesOf } = await shopAt(bank, t)
    const attempt = opening(id, 50_11n)
    for (let i = 0; i < 2; i++) assert.equal((await errorOf(open(rail, attempt))).outcome, 'unavailable')
    assert.ok((await open(rail, attempt)).ok)
    assert.equal((await chargesOf()).length, 1)
  })

  test('cut off before it was stored: unknown, and the next call creates it', async (t) => {
    const { rail, id, chargesOf } = await shopAt(bank, t)
    const attempt = opening(id)
    await bank.control('POST', '/faults', {
      match: { method: 'PUT', path: '/cob/' },
      action: 'reset',
      times: 1,
    })
    assert.equal((await errorOf(open(rail, attempt))).outcome, 'unknown')
    assert.ok((await open(rail, attempt)).ok)
    assert.equal((await chargesOf()).length, 1)
  })

  test('concurrent openings of several attempts are one charge each', async (t) => {
    const { rail, id, chargesOf } = await shopAt(bank, t)
    const attempts = Array.from({ length: 10 }, () => opening(id))
    const opened = await Promise.all([...attempts, ...attempts].map((each) => open(rail, each)))
    assert.ok(opened.every(({ ok }) => ok))
    for (const attempt of attempts) assert.equal((await chargesOf(attempt)).length, 1)
    assert.equal((await chargesOf()).length, 10)
  })

  test('an attempt that was paid meanwhile is shown unchanged; one that was removed is refused for good', async (t) => {
    const { rail, id, paid } = await shopAt(bank, t)
    const [one, other] = [opening(id), opening(id)]
    await paid(one)
    assert.ok((await open(rail, one)).ok)
    await open(rail, other)
    await cancel(rail, other)
    assert.deepEqual(await open(rail, other), {
      ok: false,
      code: 'removed_by_provider',
      message: 'The charge was removed at the bank.',
    })
  })

  test('a charge that the bank will never accept is refused in our words, with the bank’s beside them', async (t) => {
    const { settings, secrets } = await bank.customer()
    const connection = connectionOf({ ...settings, pixKey: 'somebody@else.example' }, secrets)
    const opened = await open(railOf(t, [connection]), opening(connection.id))
    assert.equal(!opened.ok && opened.code, 'refused_by_provider')
    assert.equal(opened.ok ? '' : opened.message, 'The provider does not take this payment.')
    assert.match(opened.ok ? '' : (opened.said ?? ''), /HTTP 400 .*chave/)
  })

  test('an amount that API Pix cannot write is refused without a call', async (t) => {
    const { rail } = await shopAt(bank, t)
    const routing = (amountMinor: bigint) => rail.route({ mode: 'SANDBOX', merchantId, amountMinor })
    assert.equal(routing(999_999_999_999n).ok, true)
    const above = routing(1_000_000_000_000n)
    assert.deepEqual(!above.ok && [above.code, above.pointer, above.fault?.code], [
      'limit_exceeded',
      '/amount',
      'too_large',
    ])
  })

  test('a canceled charge cannot be paid; canceling a paid, removed or never opened one succeeds', async (t) => {
    const { rail, id, paid, chargesOf } = await shopAt(bank, t)
    const attempt = opening(id)
    await open(rail, attempt)
    for (let i = 0; i < 2; i++) await cancel(rail, attempt)
    assert.equal((await chargesOf(attempt))[0]?.['status'], 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
    const done = opening(id)
    await paid(done)
    await cancel(rail, done)
    await cancel(rail, opening(id))
  })

  test('new credentials of a connection are used from the next call on', async (t) => {
    const { settings, secrets } = await bank.customer()
    const connections = [connectionOf(settings, { ...secrets, clientSecret: 'wrong' })]
    const rail = railOf(t, connections)
    const { id } = must(connections[0], 'it')
    assert.equal((await errorOf(open(rail, opening(id)))).outcome, 'unavailable')
    connections[0] = { ...must(connections[0], 'it'), secrets }
    assert.ok((await open(rail, opening(id))).ok)
  })
})

describe('at a PSP with scripted answers', () => {
  const built =
    '00020101021226450014br.gov.bcb.pix2523pix.example.com/qr/v2/15204000053039865802BR5904Loja6009Sao Paulo62070503***6304'

  test('a code that is missing, broken or not the charge’s is built from the location', async (t) => {
    const stat =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D'
    for (const pixCopiaECola of [undefined, null, 'broken', stat]) {
      const attempt = opening('' as ConnectionId)
      const { rail, id } = await railAtPsp(t, () => cobOf(attempt, { pixCopiaECola }))
      const opened = await open(rail, { ...attempt, connection: id })
      assert.ok(opened.ok && String(opened.artifacts['copyPaste']).startsWith(built))
    }
  })

  test('another charge, another amount, or neither code nor location is unknown', async (t) => {
    for (const more of [
      { txid: 'f'.repeat(32) },
      { valor: { original: '12.01' } },
      { location: undefined },
      { location: 'x' },
    ]) {
      const attempt = opening('' as ConnectionId)
      const { rail, id } = await railAtPsp(t, () => cobOf(attempt, more))
      assert.equal((await errorOf(open(rail, { ...attempt, connection: id }))).outcome, 'unknown')
    }
  })

  test('when a PSP refuses a txid that it has, its charge is read', async (t) => {
    const attempt = opening('' as ConnectionId)
    const { rail, id, calls } = await railAtPsp(t, ({ method }) =>
      method === 'PUT'
        ? { status: 409, body: { nome: 'txid_duplicado', mensagem: 'usado' } }
        : cobOf(attempt),
    )
    assert.ok((await open(rail, { ...attempt, connection: id })).ok)
    assert.deepEqual(
      calls().map(({ method }) => method),
      ['PUT', 'GET'],
    )
  })

  test('neither 401, 403, 429 nor any 5xx refuses a charge', async (t) => {
    for (const [status, outcome] of [
      [401, 'unavailable'],
      [403, 'unavailable'],
      [429, 'unavailable'],
      [503, 'unavailable'],
      [500, 'unknown'],
      [504, 'unknown'],
    ] as const) {
      const { rail, id } = await railAtPsp(t, ({ method }) => ({ status: method === 'PUT' ? status : 404 }))
      assert.equal((await errorOf(open(rail, opening(id)))).outcome, outcome, String(status))
    }
  })
})

describe('the fields of the record', () => {
  const shown = (id: string, artifacts?: Record<string, unknown>, ...paidRefs: string[]) => ({
    id: id as AttemptId,
    ...given({ artifacts }),
    paidRefs,
  })

  test('are the code of the latest attempt that has one, its picture except in lists, and all end-to-end ids', (t) => {
    const { show } = railOf(t, []).record
    const attempts = [
      shown('1', { copyPaste: 'old' }, 'E1'),
      shown('2', { copyPaste: 'new' }, 'E2', 'E3'),
      shown('3'),
    ]
    const full = show(attempts, 'full')
    assert.deepEqual(Object.keys(full), ['pixCopyPaste', 'pixQrCode', 'endToEndIds'])
    assert.match(String(full['pixQrCode']), /^data:image\/png;base64,/)
    assert.deepEqual(show(attempts, 'brief'), { pixCopyPaste: 'new', endToEndIds: ['E1', 'E2', 'E3'] })
    assert.deepEqual(show([shown('1')], 'full'), {})
  })
})

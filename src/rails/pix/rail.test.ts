import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { newId, type AttemptId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import type { Opening, ProviderConnection, Receipt, RefundOrder } from '#/rails/rail.ts'
import { parseBrCode } from './br-code.ts'
import { createPixRail, type PixRail } from './rail.ts'
import { toReference } from './receipts.ts'
import { pemSecrets, startTestBank, startTestPsp, type Call, type Reply, type TestBank } from './test-bank.ts'

const merchantId = newId<'merchant'>()

function connectionOf(
  settings: ProviderConnection['settings'],
  secrets: ProviderConnection['secrets'],
  more = {},
): ProviderConnection {
  return {
    id: `00-${newId()}` as ConnectionId,
    mode: 'SANDBOX',
    method: 'PIX',
    provider: 'bacen',
    settings,
    secrets,
    refundSecrets: secrets,
    ...more,
  }
}

/** A rail over these connections, which may be changed while it runs. */
function railOf(t: TestContext, connections: ProviderConnection[]): PixRail {
  const rail = createPixRail({
    connections: {
      of: ({ mode }) => connections.filter((each) => each.mode === mode),
      find: (id) => connections.find((each) => each.id === id),
      all: () => connections,
    },
    clock: systemClock,
    log: silentLog,
  })
  t.after(() => rail.stop())
  return rail
}

function opening(connection: ConnectionId, minor = 12_00n, more: Partial<Opening> = {}): Opening {
  return {
    id: newId<'attempt'>(),
    merchantId,
    paymentId: newId<'payment'>(),
    method: 'PIX',
    connection,
    amount: { minor, currency: 'BRL' },
    expiresAt: addMs(systemClock.now(), hourMs),
    ...more,
  }
}

const brief = ({ outcome, attempt, providerRef, amount }: Receipt) => [
  outcome,
  attempt?.id,
  providerRef,
  amount.minor,
]
const open = (rail: PixRail, what: Opening) => must(rail.open, 'it opens')(what)
const close = (rail: PixRail, what: Opening) => must(rail.close, 'it closes')(what)

function read(rail: PixRail, connection: ConnectionId, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return Promise.resolve(rail.read({ connection, receivedAt: systemClock.now(), body: Buffer.from(text) }))
}

async function errorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ProviderError, String(error))
  return error
}

describe('an offer', () => {
  const wish = { mode: 'SANDBOX', merchantId } as const

  test('is of BRL, which need not be said', (t) => {
    const connection = connectionOf({}, {})
    const rail = railOf(t, [connection])
    const offered = { ok: true, connection: connection.id, currency: 'BRL' }
    assert.deepEqual(rail.offer(wish), offered)
    assert.deepEqual(rail.offer({ ...wish, currency: 'BRL' }), offered)
  })

  test('is refused in another currency, and where PIX is not connected', (t) => {
    const rail = railOf(t, [connectionOf({}, {})])
    const other = rail.offer({ ...wish, currency: 'EUR' })
    assert.deepEqual(
      [!other.ok && other.code, !other.ok && other.pointer],
      ['currency_not_supported', '/currency'],
    )
    const live = rail.offer({ ...wish, mode: 'LIVE' })
    assert.equal(!live.ok && live.code, 'method_not_available')
  })
})

describe('at the bank of the sandbox', () => {
  let bank: TestBank
  before(async () => {
    bank = await startTestBank()
  })
  after(() => bank.stop())

  async function shop(t: TestContext, more: Partial<ProviderConnection> = {}) {
    const { settings, secrets } = await bank.application()
    const connection = connectionOf(settings, secrets, more)
    const rail = railOf(t, [connection])
    const charges = async () =>
      (await bank.control('GET', '/charges?limit=1000'))['charges'] as readonly Record<string, unknown>[]
    const chargesOf = async (attempt: Opening) =>
      (await charges()).filter(({ txid }) => txid === toReference(attempt.id))
    const paid = async (attempt: Opening, wish = {}) => {
      await open(rail, attempt)
      return must((await bank.pay(toReference(attempt.id), wish))[0], 'it was paid')
    }
    return { rail, connection, id: connection.id, pixKey: settings.pixKey, chargesOf, paid }
  }

  test('an attempt is opened as one charge with its id, amount, time and payer', async (t) => {
    const { rail, id, pixKey, chargesOf } = await shop(t)
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
    assert.deepEqual(charge?.['valor'], { original: '12.34', modalidadeAlteracao: 0 })
    assert.deepEqual(charge?.['devedor'], { cpf: '52998224725', nome: 'Ana' })
    const { expiracao } = charge?.['calendario'] as { expiracao: number }
    assert.ok(expiracao > 3_590 && expiracao <= 3_600)
    assert.ok(String(charge?.['solicitacaoPagador']).length <= 140)
  })

  test('one of the payer’s name and tax id alone is not sent, and a life that is over is a second', async (t) => {
    const { rail, id, chargesOf } = await shop(t)
    const attempt = opening(id, 100n, {
      customerTaxId: '52998224725',
      expiresAt: addMs(systemClock.now(), -5_000),
    })
    await open(rail, attempt)
    const [charge] = await chargesOf(attempt)
    assert.equal(charge?.['devedor'], undefined)
    assert.equal((charge?.['calendario'] as { expiracao: number }).expiracao, 1)
  })

  test('stored and then cut off: the same single charge is found and shown', async (t) => {
    const { rail, id, chargesOf } = await shop(t)
    const attempt = opening(id, 10_12n)
    const opened = await open(rail, attempt)
    assert.ok(opened.ok && parseBrCode(String(opened.artifacts['copyPaste'])).ok)
    assert.deepEqual(await open(rail, attempt), opened)
    assert.equal((await chargesOf(attempt)).length, 1)
  })

  test('503 twice: nothing was done, and the third time goes on', async (t) => {
    const { rail, id, chargesOf } = await shop(t)
    const attempt = opening(id, 10_11n)
    for (let i = 0; i < 2; i++) assert.equal((await errorOf(open(rail, attempt))).outcome, 'unavailable')
    assert.ok((await open(rail, attempt)).ok)
    assert.equal((await chargesOf(attempt)).length, 1)
  })

  test('cut off before it was stored: unknown, and the next time makes it', async (t) => {
    const { rail, id, chargesOf } = await shop(t)
    const attempt = opening(id)
    await bank.control('POST', '/faults', {
      match: { method: 'PUT', path: '/cob/' },
      action: 'reset',
      times: 1,
    })
    assert.equal((await errorOf(open(rail, attempt))).outcome, 'unknown')
    assert.ok((await open(rail, attempt)).ok)
    assert.equal((await chargesOf(attempt)).length, 1)
  })

  test('many at once by many callers are one charge each', async (t) => {
    const { rail, id, chargesOf } = await shop(t)
    const attempts = Array.from({ length: 10 }, () => opening(id))
    const opened = await Promise.all([...attempts, ...attempts].map((each) => open(rail, each)))
    assert.ok(opened.every(({ ok }) => ok))
    for (const attempt of attempts) assert.equal((await chargesOf(attempt)).length, 1)
  })

  test('an attempt that was paid meanwhile is shown as it was; one that was removed is refused for good', async (t) => {
    const { rail, id, paid } = await shop(t)
    const [one, other] = [opening(id), opening(id)]
    await paid(one)
    assert.ok((await open(rail, one)).ok)
    await open(rail, other)
    await close(rail, other)
    assert.deepEqual(await open(rail, other), {
      ok: false,
      code: 'removed_by_provider',
      message: 'The charge was removed at the bank.',
    })
  })

  test('what the bank will never take is refused in its words', async (t) => {
    const { settings, secrets } = await bank.application()
    const connection = connectionOf({ ...settings, pixKey: 'somebody@else.example' }, secrets)
    const opened = await open(railOf(t, [connection]), opening(connection.id))
    assert.equal(!opened.ok && opened.code, 'refused_by_provider')
    assert.match(opened.ok ? '' : opened.message, /HTTP 400 .*chave/)
  })

  test('a hint becomes the money that the bank knows of, and the hint’s own words count for nothing', async (t) => {
    const { rail, id, paid } = await shop(t)
    const attempt = opening(id, 12_00n)
    const endToEndId = await paid(attempt, { amount: '11.00' })
    const lie = { endToEndId, txid: 'f'.repeat(32), valor: '9999.00', horario: '1999-01-01T00:00:00Z' }
    const receipts = await read(rail, id, { pix: [lie, lie, { endToEndId }] })
    assert.deepEqual(receipts.map(brief), [['paid', attempt.id, endToEndId, 11_00n]])
    assert.ok(receipts[0]?.evidence.toString().includes(endToEndId))
    assert.deepEqual(
      await read(rail, id, { pix: [{ txid: toReference(attempt.id) }] }).then((all) => all.map(brief)),
      receipts.map(brief),
    )
  })

  test('a hint of money that is not there, and junk, are nothing', async (t) => {
    const { rail, id } = await shop(t)
    await open(rail, opening(id))
    for (const body of [
      { pix: [{ endToEndId: 'E'.padEnd(32, '9'), txid: 'a'.repeat(32) }] },
      { pix: [] },
      'junk',
      '',
    ]) {
      assert.deepEqual(await read(rail, id, body), [])
    }
  })

  test('a hint cannot be followed while the bank is away, and can be afterwards', async (t) => {
    const { rail, id, paid } = await shop(t)
    const endToEndId = await paid(opening(id))
    await bank.control('POST', '/down', { down: true })
    await errorOf(read(rail, id, { pix: [{ endToEndId }] }))
    await bank.control('POST', '/down', { down: false })
    assert.equal((await read(rail, id, { pix: [{ endToEndId }] })).length, 1)
  })

  test('looking through a span finds every Pix of the connection: paid, twice, too much, and of nobody', async (t) => {
    const { rail, id, pixKey, paid } = await shop(t)
    const from = systemClock.now()
    const [one, two] = [opening(id), opening(id)]
    const first = await paid(one)
    const [again = ''] = await bank.pay(toReference(one.id), { force: true })
    const over = await paid(two, { amount: '13.00' })
    const { pix } = await bank.control('POST', '/pay-key', { pixKey, amount: '5.00' })
    const [{ endToEndId: stray }] = pix as readonly [{ endToEndId: string }]
    const found: Receipt[] = []
    for await (const page of must(rail.list, 'it lists')(id, { from, to: systemClock.now() }))
      found.push(...page)
    const order = (rows: readonly unknown[][]) =>
      rows.toSorted((a, b) => (String(a[2]) < String(b[2]) ? -1 : 1))
    assert.deepEqual(
      order(found.map(brief)),
      order([
        ['paid', one.id, first, 12_00n],
        ['paid', one.id, again, 12_00n],
        ['paid', two.id, over, 13_00n],
        ['paid', undefined, stray, 5_00n],
      ]),
    )
  })

  test('money that the payer’s bank takes back is a dispute that nobody asked for', async (t) => {
    const { rail, id, paid } = await shop(t)
    const attempt = opening(id)
    const endToEndId = await paid(attempt)
    const med = (wish: object) => bank.control('POST', '/med', { endToEndId, ...wish })
    const begun = await med({ outcome: 'EM_PROCESSAMENTO', amount: '4.00' })
    const told = () => read(rail, id, { pix: [{ endToEndId }] })
    const ref = `${endToEndId}:${String(begun['id'])}`
    assert.deepEqual((await told()).slice(1).map(brief), [['dispute_opened', attempt.id, ref, 4_00n]])
    await med({ id: begun['id'], outcome: 'DEVOLVIDO' })
    assert.deepEqual(
      (await told())
        .slice(1)
        .map(({ outcome, providerRef, dispute }) => [outcome, providerRef, dispute?.paidRef]),
      ['dispute_opened', 'dispute_taken', 'dispute_lost'].map((outcome) => [outcome, ref, endToEndId]),
    )
  })

  test('closing a charge keeps it from being paid; paid, gone and never opened are fine', async (t) => {
    const { rail, id, paid, chargesOf } = await shop(t)
    const attempt = opening(id)
    await open(rail, attempt)
    for (let i = 0; i < 2; i++) await close(rail, attempt)
    assert.equal((await chargesOf(attempt))[0]?.['status'], 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
    const done = opening(id)
    await paid(done)
    await close(rail, done)
    await close(rail, opening(id))
  })

  describe('a refund', () => {
    async function order(t: TestContext, more: Partial<ProviderConnection> = {}) {
      const { rail, id, paid } = await shop(t, more)
      const attempt = opening(id)
      const paidRef = await paid(attempt)
      const wish: RefundOrder = {
        id: newId<'refund'>(),
        attempt: { id: attempt.id, merchantId, paymentId: attempt.paymentId },
        connection: id,
        paidRef,
        amount: { minor: 5_00n, currency: 'BRL' },
        reason: 'Troca',
      }
      const send = (what = wish, again = false) => must(rail.refunds, 'it refunds').send(what, again)
      return { rail, id, wish, send, paidRef }
    }
    const mode = (wish: 'done' | 'pending' | 'fail') => bank.control('POST', '/refunds', { mode: wish })

    test('goes back once, however often it is sent, and is told the same by looking', async (t) => {
      const { rail, id, wish, send, paidRef } = await order(t)
      assert.equal(rail.refunds?.windowMs, 90 * 24 * 3_600_000)
      await mode('done')
      await send()
      const ended = await untilSome(() => send(wish, true))
      const expected = ['refunded', wish.attempt.id, `${paidRef}:${toReference(wish.id)}`, 5_00n]
      assert.deepEqual(ended.map(brief), [expected])
      assert.equal(ended[0]?.refund, wish.id)
      // Without knowing of the first call: the bank refuses the id that it has, and is asked what it has.
      assert.deepEqual((await send()).map(brief), [expected])
      const [, refund, ...more] = await read(rail, id, { pix: [{ endToEndId: paidRef }] })
      assert.deepEqual([refund && brief(refund), refund?.refund, more.length], [expected, wish.id, 0])
    })

    test('under way says nothing, and ends badly when the bank says so', async (t) => {
      const { wish, send, paidRef } = await order(t)
      await mode('pending')
      assert.deepEqual(await send(), [])
      assert.deepEqual(await send(wish, true), [])
      await mode('done')
      await bank.control('POST', `/refunds/${paidRef}/${toReference(wish.id)}`, { status: 'NAO_REALIZADO' })
      const [failed] = await send(wish, true)
      assert.deepEqual([failed?.outcome, failed?.failure?.code], ['refund_failed', 'refused_by_bank'])
    })

    test('that the bank never took is refused, after it was asked whether it has it', async (t) => {
      const { wish, send } = await order(t)
      const [failed] = await send({ ...wish, amount: { minor: 99_00n, currency: 'BRL' } })
      assert.deepEqual(
        [failed?.outcome, failed?.refund, failed?.amount.minor],
        ['refund_failed', wish.id, 99_00n],
      )
      assert.equal(failed?.failure?.code, 'refused_by_provider')
      assert.match(failed?.failure?.message ?? '', /HTTP 400/)
      assert.match(failed?.evidence.toString() ?? '', /PixDevolucaoInvalida/)
    })

    test('stored and then cut off is unknown, and found by looking', async (t) => {
      const { wish, send } = await order(t)
      await bank.control('POST', '/faults', {
        match: { method: 'PUT', path: '/devolucao/' },
        action: 'drop_response',
        times: 1,
      })
      assert.equal((await errorOf(send())).outcome, 'unknown')
      assert.equal((await untilSome(() => send(wish, true)))[0]?.outcome, 'refunded')
    })

    test('cut off before it was stored is made by the next call', async (t) => {
      const { wish, send } = await order(t)
      await bank.control('POST', '/faults', {
        match: { method: 'PUT', path: '/devolucao/' },
        action: 'reset',
        times: 1,
      })
      assert.equal((await errorOf(send())).outcome, 'unknown')
      assert.equal((await untilSome(() => send(wish, true)))[0]?.outcome, 'refunded')
    })

    test('is not made by a process without the means', async (t) => {
      const { settings, secrets } = await bank.application()
      const { refundSecrets: _none, ...connection } = connectionOf(settings, secrets)
      const rail = railOf(t, [connection])
      const attempt = { id: newId<'attempt'>(), merchantId, paymentId: newId<'payment'>() }
      const wish = {
        id: newId<'refund'>(),
        attempt,
        connection: connection.id,
        paidRef: 'E1',
        amount: { minor: 1n, currency: 'BRL' },
      } as const
      assert.equal((await errorOf(must(rail.refunds, 'it refunds').send(wish, false))).outcome, 'unavailable')
    })
  })

  test('new credentials of a connection are used from the next call on', async (t) => {
    const { settings, secrets } = await bank.application()
    const connections = [connectionOf(settings, { ...secrets, clientSecret: 'wrong' })]
    const rail = railOf(t, connections)
    const { id } = must(connections[0], 'it')
    assert.equal((await errorOf(open(rail, opening(id)))).outcome, 'unavailable')
    connections[0] = { ...must(connections[0], 'it'), secrets }
    assert.ok((await open(rail, opening(id))).ok)
  })
})

describe('at a PSP that says what we want', () => {
  async function psp(t: TestContext, reply: (call: Call) => Reply | undefined) {
    const started = await startTestPsp((call) => (call.path === '/oauth/token' ? undefined : reply(call)))
    t.after(() => started.stop())
    const urls = { baseUrl: started.url, tokenUrl: `${started.url}/oauth/token`, ca: started.ca }
    const connection = connectionOf(
      { ...urls, pixKey: 'k', receiverName: 'Loja', receiverCity: 'São Paulo' },
      pemSecrets,
    )
    const calls = () => started.calls.filter(({ path }) => path !== '/oauth/token')
    return { rail: railOf(t, [connection]), id: connection.id, calls }
  }
  const cob = (attempt: Opening, more: object = {}) => ({
    status: 201,
    body: {
      txid: toReference(attempt.id),
      status: 'ATIVA',
      valor: { original: '12.00' },
      location: 'pix.example.com/qr/v2/1',
      ...more,
    },
  })
  const built =
    '00020101021226450014br.gov.bcb.pix2523pix.example.com/qr/v2/15204000053039865802BR5904Loja6009Sao Paulo62070503***6304'

  test('a code that is missing, broken or not the charge’s is built from the location', async (t) => {
    const stat =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D'
    for (const pixCopiaECola of [undefined, null, 'broken', stat]) {
      const attempt = opening('' as ConnectionId)
      const { rail, id } = await psp(t, () => cob(attempt, { pixCopiaECola }))
      const opened = await open(rail, { ...attempt, connection: id })
      assert.ok(opened.ok && String(opened.artifacts['copyPaste']).startsWith(built))
    }
  })

  test('another charge, another amount, or neither code nor location make no sense', async (t) => {
    for (const more of [
      { txid: 'f'.repeat(32) },
      { valor: { original: '12.01' } },
      { location: undefined },
      { location: 'x' },
    ]) {
      const attempt = opening('' as ConnectionId)
      const { rail, id } = await psp(t, () => cob(attempt, more))
      assert.equal((await errorOf(open(rail, { ...attempt, connection: id }))).outcome, 'unknown')
    }
  })

  test('a PSP that refuses a txid that it has is asked what it has', async (t) => {
    const attempt = opening('' as ConnectionId)
    const { rail, id, calls } = await psp(t, ({ method }) =>
      method === 'PUT' ? { status: 409, body: { nome: 'txid_duplicado', mensagem: 'usado' } } : cob(attempt),
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
      const { rail, id } = await psp(t, ({ method }) => ({ status: method === 'PUT' ? status : 404 }))
      assert.equal((await errorOf(open(rail, opening(id)))).outcome, outcome, String(status))
    }
  })

  test('a hint whose Pix is not shown yet is followed by its charge', async (t) => {
    const attempt = opening('' as ConnectionId)
    const txid = toReference(attempt.id)
    const pix = [{ endToEndId: 'E1', txid, valor: '12.00', horario: '2026-01-02T03:04:05Z' }]
    const { rail, id, calls } = await psp(t, ({ path }) =>
      path.startsWith('/pix/') ? { status: 404 } : cob(attempt, { pix }),
    )
    const receipts = await read(rail, id, { pix: [{ endToEndId: 'E1', txid }] })
    assert.deepEqual(receipts.map(brief), [['paid', attempt.id, 'E1', 12_00n]])
    assert.deepEqual(
      receipts.map(({ evidence }) => evidence.toString()),
      [JSON.stringify(pix[0])],
    )
    assert.deepEqual(
      calls().map(({ path }) => path),
      ['/pix/E1', `/cob/${txid}`],
    )
  })

  test('a callback stuffed with hints asks a hundred times at most', async (t) => {
    const { rail, id, calls } = await psp(t, () => ({ status: 404 }))
    const pix = Array.from({ length: 500 }, (_, i) => ({ endToEndId: `E${i % 300}` }))
    assert.deepEqual(await read(rail, id, { pix }), [])
    assert.equal(calls().length, 100)
  })

  test('a refund answered with another id or amount makes no sense', async (t) => {
    const attempt = { id: newId<'attempt'>(), merchantId, paymentId: newId<'payment'>() }
    const wish = {
      id: newId<'refund'>(),
      attempt,
      paidRef: 'E1',
      amount: { minor: 100n, currency: 'BRL' },
    } as const
    for (const more of [{ id: 'f'.repeat(32) }, { valor: '1.01' }]) {
      const body = { id: toReference(wish.id), valor: '1.00', status: 'DEVOLVIDO', ...more }
      const { rail, id } = await psp(t, () => ({ status: 201, body }))
      assert.equal(
        (await errorOf(must(rail.refunds, 'it').send({ ...wish, connection: id }, false))).outcome,
        'unknown',
      )
    }
  })
})

describe('what is shown', () => {
  const shown = (id: string, artifacts?: Record<string, unknown>, ...paidRefs: string[]) => ({
    id: id as AttemptId,
    ...(artifacts === undefined ? {} : { artifacts }),
    paidRefs,
  })

  test('is the code of the latest attempt that has one, its picture except in lists, and all end-to-end ids', (t) => {
    const show = must(railOf(t, []).show, 'it shows')
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

/** Asks again until there is something. */
async function untilSome(ask: () => Promise<readonly Receipt[]>): Promise<readonly Receipt[]> {
  for (let i = 0; i < 200; i++) {
    const found = await ask()
    if (found.length > 0) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return assert.fail('nothing came')
}

import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { testClock, type Clock } from '#/kernel/time.ts'
import { p12Secrets, pemSecrets, startTestPsp, type PspCall } from '../../../test/rails/pix/psp.ts'
import { all, clientOf } from '../../../test/rails/pix/rail.ts'
import type { Reply } from '../../../test/rails/provider.ts'
import { errorOf } from '../../../test/rails/rail.ts'
import { PixError } from './client.ts'
import { findProfile, type PspProfile } from './profile.ts'

describe('against a PSP with scripted answers', () => {
  async function psp(
    t: TestContext,
    reply: (path: string, call: PspCall) => Reply | undefined,
    more: { profile?: Partial<PspProfile>; clock?: Clock; name?: string; secrets?: typeof p12Secrets } = {},
  ) {
    const started = await startTestPsp((call) => reply(call.path, call))
    const settings = {
      profile: more.name ?? 'bacen',
      baseUrl: `${started.url}/api/`,
      tokenUrl: `${started.url}/oauth/token`,
      pixKey: 'ana@example.com',
      receiverName: 'Ana',
      receiverCity: 'Recife',
      ca: started.ca,
    }
    const client = clientOf(t, settings, more.secrets ?? pemSecrets, more)
    t.after(() => started.stop())
    const tokens = () => started.calls.filter(({ path }) => path === '/oauth/token')
    return { client, calls: started.calls, tokens }
  }

  const charge = { txid: 'a'.repeat(32), amount: 1_050n, expiresInSeconds: 3600, pixKey: 'ana@example.com' }
  const cob = {
    txid: charge.txid,
    status: 'ATIVA',
    valor: { original: '10.50' },
    location: 'pix.example.com/x',
  }

  test('a PKCS #12 file is as good as PEM', async (t) => {
    const { client, calls } = await psp(
      t,
      (path) => (path.includes('/cob/') ? { status: 201, body: cob } : undefined),
      {
        secrets: p12Secrets,
      },
    )
    assert.equal((await client.putCharge(charge)).value.amount, 1_050n)
    assert.deepEqual(
      calls.map(({ method, path }) => `${method} ${path}`),
      ['POST /oauth/token', `PUT /api/cob/${charge.txid}`],
    )
    assert.deepEqual(JSON.parse(calls[1]?.body ?? ''), {
      calendario: { expiracao: 3600 },
      valor: { original: '10.50' },
      chave: 'ana@example.com',
    })
  })

  test('concurrent calls request one token, and another one when four fifths of its lifetime are over', async (t) => {
    const clock = testClock(new Date(0))
    const { client, tokens, calls } = await psp(
      t,
      (path) => (path.includes('/cob/') ? { status: 200, body: cob } : undefined),
      { clock },
    )
    await Promise.all(Array.from({ length: 20 }, () => client.getCharge(charge.txid)))
    clock.advance(2_879_000)
    await client.getCharge(charge.txid)
    assert.equal(tokens().length, 1)
    clock.advance(2_000)
    await client.getCharge(charge.txid)
    assert.equal(tokens().length, 2)
    assert.notEqual(calls.at(-1)?.headers['authorization'], calls.at(-3)?.headers['authorization'])
  })

  for (const [auth, tokenBody, header, body] of [
    ['basic', 'form', 'Basic c2hvcDpodXNoOmh1c2g=', 'grant_type=client_credentials&scope=cob.read'],
    ['basic', 'json', 'Basic c2hvcDpodXNoOmh1c2g=', '{"grant_type":"client_credentials","scope":"cob.read"}'],
    [
      'body',
      'form',
      undefined,
      'grant_type=client_credentials&scope=cob.read&client_id=shop&client_secret=hush%3Ahush',
    ],
    ['body_no_secret', 'form', undefined, 'grant_type=client_credentials&scope=cob.read&client_id=shop'],
  ] as const) {
    test(`authenticates as ${auth} in ${tokenBody}`, async (t) => {
      const scopes = { collect: 'cob.read', refund: 'pix.write', webhook: 'webhook.write' }
      const { client, tokens } = await psp(t, () => undefined, { profile: { auth, tokenBody, scopes } })
      await client.getCharge(charge.txid)
      assert.deepEqual([tokens()[0]?.headers['authorization'], tokens()[0]?.body], [header, body])
      await client.getReturn('E1', 'a')
      await client.getReceived('E1')
      assert.equal(tokens().length, 2)
    })
  }

  test('without a token nothing is sent, for any failure of the token endpoint', async (t) => {
    for (const reply of [
      { status: 401, body: { error: 'invalid_client' } },
      { status: 500 },
      { status: 200, body: '{}' },
      { status: 200, cut: true },
    ]) {
      const { client, calls } = await psp(t, () => reply)
      assert.equal((await errorOf(client.putCharge(charge))).outcome, 'unavailable')
      assert.equal(calls.length, 1)
    }
  })

  test('a second 401 is unavailable: the charge is not refused', async (t) => {
    const { client, calls } = await psp(t, (path) => (path === '/oauth/token' ? undefined : { status: 401 }))
    assert.equal((await errorOf(client.putCharge(charge))).outcome, 'unavailable')
    assert.equal(calls.length, 4)
  })

  test('without the permission every call is denied, and a new token is requested only from time to time', async (t) => {
    const { client, calls } = await psp(t, (path) => (path === '/oauth/token' ? undefined : { status: 403 }))
    for (let i = 0; i < 4; i++) assert.equal((await errorOf(client.putCharge(charge))).outcome, 'unavailable')
    const tokens = calls.filter(({ path }) => path === '/oauth/token')
    assert.deepEqual([tokens.length, calls.length - tokens.length], [2, 5])
  })

  test('calls that are denied with one token wait for one new token, and none of them is refused', async (t) => {
    let ended: string | undefined
    const { client, calls } = await psp(t, (path, { headers }) => {
      if (path === '/oauth/token') return undefined
      ended ??= headers['authorization'] as string
      return headers['authorization'] === ended
        ? { status: 403 }
        : {
            status: 201,
            body: cob,
          }
    })
    await Promise.all([1, 2, 3, 4].map(() => client.putCharge(charge)))
    assert.equal(calls.filter(({ path }) => path === '/oauth/token').length, 2)
  })

  test('a refusal contains the words of every dialect, its bytes, and how long to wait', async (t) => {
    const problem = {
      type: 'x',
      title: 'Cobrança inválida.',
      status: 400,
      violacoes: [{ razao: 'valor demais' }],
    }
    for (const [body, words] of [
      [problem, 'Cobrança inválida. valor demais'],
      [
        { nome: 'txid_duplicado', mensagem: 'Campo txid já utilizado' },
        'txid_duplicado Campo txid já utilizado',
      ],
      [{ statusCode: 400, error: 'Bad Request', message: 'no' }, 'Bad Request no'],
      ['<html>', ''],
    ] as const) {
      const headers = { 'retry-after': '7' }
      const { client } = await psp(t, (path) =>
        path === '/oauth/token' ? undefined : { status: 409, body, headers },
      )
      const error = await errorOf(client.putCharge(charge))
      assert.ok(error instanceof PixError)
      assert.deepEqual([error.outcome, error.retryAfterMs], ['refused', 7_000])
      assert.equal(error.message, `PUT /cob/{txid}: HTTP 409 ${words}`.trim())
      assert.equal(error.raw.toString(), typeof body === 'string' ? body : JSON.stringify(body))
    }
  })

  test('an unreadable answer is unknown: the call arrived', async (t) => {
    for (const body of [
      '',
      '[]',
      { ...cob, valor: { original: 10.5 } },
      { ...cob, valor: { original: '-1.00' } },
    ]) {
      const { client } = await psp(t, (path) => (path === '/oauth/token' ? undefined : { status: 201, body }))
      assert.equal((await errorOf(client.putCharge(charge))).outcome, 'unknown')
    }
  })

  test('dates have milliseconds or not, and pages begin at 0 or 1, as the profile says', async (t) => {
    const span = { from: new Date('2026-01-02T03:04:05.678Z'), to: new Date('2026-01-02T03:04:06.001Z') }
    for (const [profile, from, to, page] of [
      [{}, '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:06.001Z', '0'],
      [{ dateMs: false, pageBase: 1 }, '2026-01-02T03:04:05Z', '2026-01-02T03:04:07Z', '1'],
    ] as const) {
      const { client, calls } = await psp(
        t,
        (path) => (path.includes('/pix') ? { status: 200, body: {} } : undefined),
        { profile },
      )
      await all(client.listReceived(span))
      const query = new URL(`https://x${calls.at(-1)?.path}`).searchParams
      assert.deepEqual(
        [
          query.get('inicio'),
          query.get('fim'),
          query.get('paginacao.paginaAtual'),
          query.get('paginacao.itensPorPagina'),
        ],
        [from, to, page, '100'],
      )
    }
  })

  test('the callback URL is set, shown and removed', async (t) => {
    let url: unknown
    const { client, calls } = await psp(t, (path, { method }) => {
      if (path === '/oauth/token') return undefined
      if (method === 'GET')
        return url === undefined ? { status: 404 } : { status: 200, body: { webhookUrl: url } }
      url = method === 'PUT' ? 'https://shop.example/cb' : undefined
      return { status: method === 'PUT' ? 200 : 204 }
    })
    assert.equal(await client.getWebhook('+5561912345678'), undefined)
    await client.putWebhook('+5561912345678', 'https://shop.example/cb')
    assert.equal(await client.getWebhook('+5561912345678'), 'https://shop.example/cb')
    await client.removeWebhook('+5561912345678')
    assert.equal(await client.getWebhook('+5561912345678'), undefined)
    const put = calls.find(({ method }) => method === 'PUT')
    assert.deepEqual(
      [put?.path, put?.body],
      ['/api/webhook/%2B5561912345678', '{"webhookUrl":"https://shop.example/cb"}'],
    )
  })

  test('no error contains the key, the token or the secret', async (t) => {
    const { client } = await psp(t, (path) =>
      path === '/oauth/token' ? undefined : { status: 500, body: {} },
    )
    const errors = [
      await errorOf(client.getWebhook('ana@example.com')),
      await errorOf(client.getReceived('E123')),
    ]
    for (const { message } of errors) assert.doesNotMatch(message, /ana|hush|token-|E123/)
  })
})

test('every profile states what it was verified against', () => {
  for (const name of ['bacen', 'efi']) assert.match(findProfile(name)?.verifiedAgainst ?? '', /\w+ .*[.]$/)
  assert.equal(findProfile('toString'), undefined)
})

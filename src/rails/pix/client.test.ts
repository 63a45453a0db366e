import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test, type TestContext } from 'node:test'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock, testClock, type Clock } from '#/kernel/time.ts'
import { createPixClient, PixError, type PixClient } from './client.ts'
import { findProfile, type PspProfile } from './profile.ts'
import { checkPixSettings } from './settings.ts'
import {
  p12Secrets,
  pemSecrets,
  startTestBank,
  startTestPsp,
  type Reply,
  type TestBank,
} from './test-bank.ts'
import type { PixPage } from './wire.ts'

const newTxid = () => randomUUID().replaceAll('-', '')

function clientOf(
  t: TestContext,
  settings: Readonly<Record<string, unknown>>,
  secrets: Readonly<Record<string, unknown>>,
  more: { readonly profile?: Partial<PspProfile>; readonly clock?: Clock } = {},
): PixClient {
  const checked = checkPixSettings(settings, secrets)
  assert.ok(checked.ok, JSON.stringify(checked))
  const { profile, baseUrl, tokenUrl, ca } = checked.settings
  const client = createPixClient({
    profile: { ...profile, ...more.profile },
    baseUrl,
    tokenUrl,
    credentials: checked.credentials,
    ...(ca === undefined ? {} : { ca }),
    clock: more.clock ?? systemClock,
    log: silentLog,
  })
  t.after(() => client.close())
  return client
}

async function errorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ProviderError, String(error))
  return error
}

async function all(pages: AsyncIterable<PixPage>): Promise<readonly PixPage[]> {
  const found: PixPage[] = []
  for await (const page of pages) found.push(page)
  return found
}

describe('against the bank of the sandbox', () => {
  let bank: TestBank
  before(async () => {
    bank = await startTestBank('--no-magic')
  })
  after(() => bank.stop())

  async function shop(t: TestContext, profile: Partial<PspProfile> = {}) {
    const { settings, secrets } = await bank.application()
    const client = clientOf(t, settings, secrets, { profile })
    const place = (txid: string, amount = 1_000n) =>
      client.putCharge({ txid, amount, expiresInSeconds: 600, pixKey: settings.pixKey })
    return { client, place }
  }

  test('a charge is made, found, paid and found as money', async (t) => {
    const { client, place } = await shop(t)
    const txid = newTxid()
    assert.equal(await client.getCharge(txid), undefined)
    const made = await place(txid, 12_34n)
    assert.deepEqual([made.value.txid, made.value.status, made.value.amount], [txid, 'ATIVA', 12_34n])
    assert.ok(made.raw.toString().includes(txid))
    const [endToEndId = ''] = await bank.pay(txid)
    const charge = await client.getCharge(txid)
    assert.deepEqual([charge?.value.status, charge?.value.pix[0]?.endToEndId], ['CONCLUIDA', endToEndId])
    const received = await client.getReceived(endToEndId)
    assert.deepEqual([received?.value.amount, received?.value.txid], [12_34n, txid])
    assert.deepEqual(received?.value.sent, JSON.parse(must(received, 'it').raw.toString()))
    assert.equal(await client.getReceived('E'.padEnd(32, '0')), undefined)
  })

  test('a payer, a note and an alphanumeric company are taken', async (t) => {
    const { settings, secrets } = await bank.application()
    const client = clientOf(t, settings, secrets)
    const payer = { taxId: { kind: 'CNPJ', number: '12ABC34501DE35' }, name: 'Padaria São João' } as const
    const wish = {
      txid: newTxid(),
      amount: 500n,
      expiresInSeconds: 60,
      pixKey: settings.pixKey,
      payer,
      note: 'Pão',
    }
    const { raw } = await client.putCharge(wish)
    const sent = JSON.parse(raw.toString()) as Record<string, unknown>
    assert.deepEqual(sent['devedor'], { cnpj: payer.taxId.number, nome: payer.name })
    assert.equal(sent['solicitacaoPagador'], 'Pão')
  })

  test('removing a charge tells what it was', async (t) => {
    const { client, place } = await shop(t)
    const [open, paid] = [newTxid(), newTxid()]
    await place(open)
    await place(paid)
    await bank.pay(paid)
    assert.equal(await client.removeCharge(open), 'removed')
    assert.equal(await client.removeCharge(open), 'gone')
    assert.equal(await client.removeCharge(paid), 'already_paid')
    assert.equal(await client.removeCharge(newTxid()), 'gone')
    const again = await errorOf(place(open))
    assert.deepEqual([again.outcome, again instanceof PixError && again.status], ['refused', 400])
  })

  test('pages of a span give every Pix once', async (t) => {
    const { client, place } = await shop(t, { pageSize: 2 })
    const txids = Array.from({ length: 5 }, newTxid)
    const from = systemClock.now()
    const paid: string[] = []
    for (const txid of txids) {
      await place(txid)
      paid.push(...(await bank.pay(txid)))
    }
    const pages = await all(client.listReceived({ from, to: systemClock.now() }))
    assert.deepEqual(
      pages.map(({ length }) => length),
      [2, 2, 1],
    )
    const found = pages.flatMap(({ pix }) => pix.map((each) => each.endToEndId))
    assert.deepEqual(found.toSorted(), paid.toSorted())
    const before = await all(client.listReceived({ from: new Date(0), to: new Date(1_000) }))
    assert.equal(before.flatMap(({ pix }) => pix).length, 0)
  })

  test('money goes back once for each id', async (t) => {
    const { client, place } = await shop(t)
    const txid = newTxid()
    await place(txid)
    const [endToEndId = ''] = await bank.pay(txid)
    const wish = { endToEndId, id: newTxid(), amount: 400n, note: 'Troca' }
    assert.equal(await client.getReturn(endToEndId, wish.id), undefined)
    const asked = await client.putReturn(wish)
    assert.deepEqual([asked.value.id, asked.value.amount], [wish.id, 400n])
    assert.equal((await errorOf(client.putReturn(wish))).outcome, 'refused')
    assert.equal(
      (await errorOf(client.putReturn({ ...wish, id: newTxid(), amount: 601n }))).outcome,
      'refused',
    )
    const found = await client.getReturn(endToEndId, wish.id)
    assert.deepEqual([found?.value.id, found?.value.amount], [wish.id, 400n])
  })

  test('a token that the bank ended is replaced without anybody noticing', async (t) => {
    const { place } = await shop(t)
    await place(newTxid())
    await bank.control('POST', '/tokens', { revoke: true })
    const txid = newTxid()
    assert.equal((await place(txid)).value.txid, txid)
  })

  for (const [fault, outcome] of [
    [{ action: 'status', status: 503 }, 'unavailable'],
    [{ action: 'status', status: 429 }, 'unavailable'],
    [{ action: 'status', status: 500 }, 'unknown'],
    [{ action: 'status', status: 504 }, 'unknown'],
    [{ action: 'reset' }, 'unknown'],
    [{ action: 'drop_response' }, 'unknown'],
    [{ action: 'truncate' }, 'unknown'],
    [{ action: 'delay', delayMs: 1_000 }, 'unknown'],
  ] as const) {
    test(`${JSON.stringify(fault)} is ${outcome}`, async (t) => {
      const { place } = await shop(t, { timeouts: { connectMs: 2_000, totalMs: 700 } })
      await place(newTxid())
      await bank.control('POST', '/faults', { match: { method: 'PUT', path: '/cob/' }, times: 1, ...fault })
      assert.equal((await errorOf(place(newTxid()))).outcome, outcome)
    })
  }

  test('a bank that is down is unavailable, and works again when it is up', async (t) => {
    const { place } = await shop(t)
    await bank.control('POST', '/down', { down: true })
    assert.equal((await errorOf(place(newTxid()))).outcome, 'unavailable')
    await bank.control('POST', '/down', { down: false })
    await place(newTxid())
  })

  test("another application's certificate with our token is no refusal of the charge", async (t) => {
    const [ours, other] = [await bank.application(), await bank.application()]
    const { certificate, privateKey } = other.secrets
    const client = clientOf(t, ours.settings, { ...ours.secrets, certificate, privateKey })
    const wish = { txid: newTxid(), amount: 1n, expiresInSeconds: 60, pixKey: ours.settings.pixKey }
    assert.equal((await errorOf(client.putCharge(wish))).outcome, 'unavailable')
  })
})

describe('against a PSP that says what we want', () => {
  async function psp(
    t: TestContext,
    reply: (path: string, method: string) => Reply | undefined,
    more: { profile?: Partial<PspProfile>; clock?: Clock; name?: string; secrets?: typeof p12Secrets } = {},
  ) {
    const started = await startTestPsp(({ path, method }) => reply(path, method))
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

  test('many calls at once ask for one token, and for another when four fifths of its life are over', async (t) => {
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
    test(`who we are, told as ${auth} in ${tokenBody}`, async (t) => {
      const scopes = { collect: 'cob.read', refund: 'pix.write', webhook: 'webhook.write' }
      const { client, tokens } = await psp(t, () => undefined, { profile: { auth, tokenBody, scopes } })
      await client.getCharge(charge.txid)
      assert.deepEqual([tokens()[0]?.headers['authorization'], tokens()[0]?.body], [header, body])
      await client.getReturn('E1', 'a')
      await client.getReceived('E1')
      assert.equal(tokens().length, 2)
    })
  }

  test('without a token nothing is sent, whatever the token endpoint did', async (t) => {
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

  test('a second 401 ends it: we are not known, the charge is not refused', async (t) => {
    const { client, calls } = await psp(t, (path) => (path === '/oauth/token' ? undefined : { status: 401 }))
    assert.equal((await errorOf(client.putCharge(charge))).outcome, 'unavailable')
    assert.equal(calls.length, 4)
  })

  test('a refusal carries the words of every dialect, its bytes, and how long to wait', async (t) => {
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
      assert.equal(error.message, `PUT /cob: HTTP 409 ${words}`.trim())
      assert.equal(error.raw.toString(), typeof body === 'string' ? body : JSON.stringify(body))
    }
  })

  test('an answer that makes no sense is unknown: the call was taken', async (t) => {
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

  test('where callbacks go is set, shown and taken away', async (t) => {
    let url: unknown
    const { client, calls } = await psp(t, (path, method) => {
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

  test('no error names the key, the token or the secret', async (t) => {
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

test('every profile says what it was verified against', () => {
  for (const name of ['bacen', 'efi']) assert.match(findProfile(name)?.verifiedAgainst ?? '', /\w+ .*[.]$/)
  assert.equal(findProfile('toString'), undefined)
})

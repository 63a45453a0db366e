// Two cells behind one address: keys, pages, callbacks and host names reach their cell through an HAProxy whose configuration is ours.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { changeCell, listCells } from '#/cells/directory.ts'
import { applyFiles } from '#/cells/proxy.ts'
import { proxyFiles } from '#/cells/proxy-config.ts'
import { systemClock } from '#/kernel/time.ts'
import { newApiKey } from '#/merchants/api-key.ts'
import { eventually } from '../eventually.ts'
import { call } from '../journeys/merchant.ts'
import { root, type Running } from '../journeys/place.ts'
import { freePort } from '../ports.ts'
import { keyLimit, openCellsWorld, type CellCode } from './cells-world.ts'
import { runHaproxy } from './haproxy.ts'

test('two cells behind one address', async (t) => {
  await using stack = new AsyncDisposableStack()
  const world = await openCellsWorld(stack)
  const { directory, proxy, ports, at } = world
  const apiUrl = at(0)
  const a1 = await world.start('a1')
  const a2 = await world.start('a2')
  const keyOf = (code: CellCode) => ({ apiUrl, apiKey: (code === 'a1' ? a1 : a2).sandbox.apiKey })
  const follower = await world.place.launch(root, 'cell proxy')
  await eventually(
    () => `it follows: ${follower.output()}`,
    () => /is kept in/.test(follower.output()),
  )

  await t.test(
    'a cell whose processes are gone: 503 as the API writes it, and the other cell is not touched',
    async () => {
      await changeCell(directory, 'a test', 'a2', { servers: [`127.0.0.1:${world.nowhere}`] })
      await eventually(
        'it is known',
        async () => (await call(keyOf('a2'), 'GET', '/v1/me')).status === 503,
        20_000,
      )
      const gone = await call(keyOf('a2'), 'GET', '/v1/me')
      assert.deepEqual([gone.status, gone.body['code'], gone.body['status']], [503, 'unavailable', 503])
      assert.equal((await call(keyOf('a1'), 'GET', '/v1/me')).status, 200)
    },
  )

  await t.test('a change is in force within a second', async () => {
    const began = performance.now()
    await changeCell(directory, 'a test', 'a2', { servers: [`127.0.0.1:${ports.a2}`] })
    await eventually(
      'calls reach it',
      async () => (await call(keyOf('a2'), 'GET', '/v1/me')).status === 200,
      20_000,
    )
    const ms = performance.now() - began
    t.diagnostic(`from the change in the directory to the first answer: ${Math.round(ms)} ms`)
    assert.ok(ms < 10_000, `${ms} ms`)
  })

  // Stays open through everything that follows, new workers of HAProxy too.
  const page = await openStream(keyOf('a2'))
  stack.defer(page.close)

  await t.test('keys reach their cell', async () => {
    for (const [code, { sandbox }] of [
      ['a1', a1],
      ['a2', a2],
    ] as const) {
      const me = await call(keyOf(code), 'GET', '/v1/me')
      assert.equal(me.status, 200)
      assert.ok(JSON.stringify(me.body).includes(sandbox.merchantId), JSON.stringify(me.body))
    }
  })

  await t.test('an unknown code gets the 401 and the 404 of the default cell', async () => {
    const before = await proxy.sessions()
    const wrong = await call({ apiUrl, apiKey: newApiKey('SANDBOX', 'zz') }, 'GET', '/v1/me')
    assert.deepEqual([wrong.status, wrong.body['code']], [401, 'unauthenticated'])
    assert.equal((await fetch(`${apiUrl}/v1/me`)).status, 401)
    for (const path of [`/c/zz${'x'.repeat(32)}`, `/c/a2${'x'.repeat(32)}`, '/l/nothing'])
      assert.equal((await fetch(at(1) + path)).status, 404, path)
    const after = await proxy.sessions()
    const given = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
    assert.deepEqual(
      [given('api_a1/BACKEND'), given('checkout_a1/BACKEND'), given('checkout_a2/BACKEND')],
      [2, 2, 1],
    )
    assert.equal(
      (
        await fetch(`${apiUrl}/callbacks/credit-card/zz-019aa4c1-7f3e-7c52-9d0b-52a1c7e04b11`, {
          method: 'POST',
        })
      ).status,
      404,
    )
  })

  await t.test('pages open, and callbacks of both kinds come to their cell', async () => {
    for (const [code, { running }] of [
      ['a1', a1],
      ['a2', a2],
    ] as const) {
      const pix = await create(keyOf(code), 'PIX')
      const card = await create(keyOf(code), 'CREDIT_CARD')
      assert.ok(card.page.startsWith(`${at(1)}/c/${code}`), card.page)
      const shown = await fetch(card.page)
      assert.equal(shown.status, 200)
      assert.match(await shown.text(), /<html/)
      const [before, otherBefore] = [running, code === 'a1' ? a2.running : a1.running].map(callbacksIn)
      for (const [{ id }, scenario] of [
        [pix, {}],
        [card, { scenario: 'success' }],
      ] as const) {
        const paid = await call(keyOf(code), 'POST', `/v1/sandbox/payments/${id}/pay`, scenario)
        assert.ok(paid.status < 300, JSON.stringify(paid.body))
        const isPaid = async () =>
          (await call(keyOf(code), 'GET', `/v1/payments/${id}`)).body['status'] === 'PAID'
        await eventually(`${code} is told`, isPaid, 60_000)
      }
      // The addresses that providers have are the proxy's alone.
      await eventually('the callbacks came', () => {
        const now = callbacksIn(running)
        return now.certified > (before?.certified ?? 0) && now.signed > (before?.signed ?? 0)
      })
      assert.deepEqual(callbacksIn(code === 'a1' ? a2.running : a1.running), otherBefore)
    }
  })

  await t.test('X-Forwarded-For of a caller is not believed', async () => {
    const { code, output } = await world.place.runWith(world.settingsOf('a2'), root, [
      'key',
      'create',
      a2.sandbox.merchantId,
      '--cidrs',
      '203.0.113.0/24',
      '--json',
    ])
    assert.equal(code, 0, output)
    const { key } = JSON.parse(output) as { key: string }
    const forged = {
      apikey: key,
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
      'x-real-ip': '203.0.113.9',
    }
    const through = await fetch(`${apiUrl}/v1/me`, { headers: forged })
    assert.deepEqual(
      [through.status, ((await through.json()) as { code: string }).code],
      [403, 'address_not_allowed'],
    )
    // What the proxy is for: the API believes whoever it calls a proxy.
    assert.equal((await fetch(`${a2.running.url}/v1/me`, { headers: forged })).status, 200)
  })

  await t.test('the limits of keys, bodies and headers hold at the proxy', async () => {
    await a1.running.isReady()
    const many = await Promise.all(
      Array.from({ length: 4 * keyLimit }, () => call(keyOf('a1'), 'GET', '/v1/me')),
    )
    const refused = many.filter(({ status }) => status === 429)
    t.diagnostic(`${refused.length} of ${many.length} calls of one key in one second were refused`)
    assert.ok(refused.length > 0)
    assert.ok(many.every(({ status }) => status === 429 || status === 200))
    const [one] = refused
    assert.deepEqual([one?.body['code'], one?.headers.get('retry-after')], ['rate_limited', '1'])
    assert.equal(one?.headers.get('x-request-id'), one?.body['requestId'])
    assert.equal((await call(keyOf('a2'), 'GET', '/v1/me')).status, 200, 'another key is not held up')

    const large = await rawRequest(apiUrl, {
      method: 'POST',
      path: '/v1/payments',
      headers: {
        apikey: keyOf('a2').apiKey,
        'content-type': 'application/json',
        'content-length': '6065537',
      },
    })
    assert.deepEqual(
      [large.status, (JSON.parse(large.text) as { code: string }).code],
      [413, 'payload_too_large'],
    )
    const long = await rawRequest(apiUrl, {
      method: 'GET',
      path: '/v1/me',
      headers: { apikey: keyOf('a2').apiKey, 'x-long': 'x'.repeat(17_000) },
    })
    assert.equal(long.status, 400)
  })

  await t.test('each cell has its dashboard, by its host name', async () => {
    for (const code of ['a1', 'a2'] as const) {
      const before = await proxy.sessions()
      const answer = await rawRequest(at(4), {
        method: 'GET',
        path: '/',
        headers: { host: `${code}.localhost` },
      })
      assert.ok(answer.status < 400, answer.text)
      const after = await proxy.sessions()
      assert.equal((after[`dashboard_${code}/BACKEND`] ?? 0) - (before[`dashboard_${code}/BACKEND`] ?? 0), 1)
    }
  })

  await t.test(
    'one address with https for all: names lead, and client certificates go through to the cell',
    async () => {
      await overTls(world, keyOf('a2'), a2.sandbox.merchantId)
    },
  )

  await t.test('files that HAProxy refuses change nothing', async () => {
    const place = { folder: world.proxyDir, socket: join(world.proxyDir, 'master.sock'), clock: systemClock }
    const file = join(world.proxyDir, 'haproxy.cfg')
    const before = readFileSync(file, 'utf8')
    const broken = {
      id: '0123456789abcdef',
      maps: { keys: '', pages: '', connections: '', callbacks: '', dashboards: '' },
      configuration: `${before}\nnonsense\n`,
    }
    assert.equal(await applyFiles(place, broken), 'REFUSED')
    assert.equal(readFileSync(file, 'utf8'), before)
    assert.equal((await call(keyOf('a2'), 'GET', '/v1/me')).status, 200)
  })

  await t.test(
    'a merchant of a cell is made there and known to the directory; a cell that is drained serves whom it has, and gets no other',
    async () => {
      const make = (code: CellCode, ...more: readonly string[]) =>
        world.place.runWith(world.settingsOf(code), root, [
          'merchant',
          'create',
          'Bea',
          '--cell',
          code,
          ...more,
        ])
      assert.equal((await make('a2', '--json')).code, 0)
      assert.match(await world.cell('drain', 'a2'), /a2 +DRAINING +1 +0/)
      const refused = await make('a2')
      assert.deepEqual([refused.code, /Cell a2 is drained/.test(refused.output)], [1, true], refused.output)
      assert.equal((await make('a1', '--json')).code, 0)
      assert.equal((await call(keyOf('a2'), 'GET', '/v1/me')).status, 200)
      assert.ok((await create(keyOf('a2'), 'PIX')).id)
    },
  )

  await t.test(
    'an event stream stays open while HAProxy is reloaded, and tells what happens afterwards',
    async () => {
      assert.equal(page.isOpen(), true)
      const before = page.text().length
      const paid = await call(keyOf('a2'), 'POST', `/v1/sandbox/payments/${page.id}/pay`, {
        scenario: 'success',
      })
      assert.ok(paid.status < 300, JSON.stringify(paid.body))
      await eventually('the page is told', () => page.text().slice(before).includes('"isFinal":true'), 60_000)
    },
  )
})

/** How many callbacks of both kinds the process answered with 200, by its log. */
function callbacksIn({ output }: Running) {
  const lines = output()
    .split('\n')
    .filter((line) => /"msg":"request"/.test(line) && /"status":200/.test(line))
  const count = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length
  return { certified: count(/"server":"callbacks"/), signed: count(/"route":"\/callbacks\/credit-card/) }
}

/** A payment. `page`: its page, where it has one. */
async function create(
  api: { readonly apiUrl: string; readonly apiKey: string },
  method: 'PIX' | 'CREDIT_CARD',
) {
  const { status, body } = await call(api, 'POST', '/v1/payments', {
    amount: 1_000,
    currency: 'BRL',
    paymentMethods: [method],
    idempotencyKey: `cells-${process.hrtime.bigint()}`,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return { id: String(body['id']), page: String(body['cardRedirectUrl']) }
}

async function openStream(api: { readonly apiUrl: string; readonly apiKey: string }) {
  const { id, page } = await create(api, 'CREDIT_CARD')
  const ending = new AbortController()
  const answer = await fetch(`${page}/events`, {
    headers: { accept: 'text/event-stream' },
    signal: ending.signal,
  })
  assert.equal(answer.status, 200)
  let [text, isOpen] = ['', true]
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const part of answer.body ?? []) text += decoder.decode(part as Uint8Array, { stream: true })
  })()
    .catch(() => {})
    .finally(() => (isOpen = false))
  const close = async () => {
    ending.abort()
    await reading
  }
  return { id, text: () => text, isOpen: () => isOpen, close }
}

type Raw = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** A request whose headers are sent as they are, and whose body never comes. */
function rawRequest(url: string, { method, path, headers }: Raw, tls?: { readonly servername: string }) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly status: number
    readonly text: string
  }>()
  const { hostname, port } = new URL(url)
  const begin = tls === undefined ? httpRequest : httpsRequest
  const sent = begin(
    {
      host: hostname,
      port,
      method,
      path,
      headers,
      agent: false,
      ...(tls === undefined ? {} : { ...tls, rejectUnauthorized: false }),
    },
    (answer) => {
      let text = ''
      answer.on('data', (part: Buffer) => (text += part.toString('utf8')))
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, text })
        sent.destroy()
      })
    },
  )
  sent.on('error', reject)
  if (headers['content-length'] === undefined) sent.end()
  else sent.flushHeaders()
  return promise
}

/** A second HAProxy for the same cells, with all public URLs on one port. */
async function overTls(
  { folder, directory, at }: Awaited<ReturnType<typeof openCellsWorld>>,
  key: { readonly apiKey: string },
  merchantId: string,
): Promise<void> {
  const own = join(folder, 'tls')
  mkdirSync(own)
  const [keyFile, certificateFile, certificate] = ['key.pem', 'cert.pem', 'both.pem'].map((name) =>
    join(own, name),
  ) as [string, string, string]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      keyFile,
      '-out',
      certificateFile,
      '-days',
      '2',
      '-subj',
      '/CN=the proxy',
    ],
    { stdio: 'ignore' },
  )
  writeFileSync(certificate, readFileSync(certificateFile, 'utf8') + readFileSync(keyFile, 'utf8'))
  const port = await freePort()
  const url = (name: string) => `https://${name}.example.com:${port}`
  const urls = {
    api: url('api'),
    checkout: url('pay'),
    partner: url('partner'),
    dashboard: url('dashboard'),
    callbacks: url('pix'),
  }
  const files = proxyFiles(await listCells(directory), {
    folder: own,
    address: '127.0.0.1',
    urls,
    certificate,
  })
  const place = { folder: own, socket: join(own, 'master.sock'), clock: systemClock }
  assert.equal(await applyFiles(place, files), 'ABSENT')
  await using proxy = await runHaproxy(join(own, 'haproxy.cfg'), place.socket)
  const ask = (name: string, path: string, headers: Raw['headers'] = {}) =>
    rawRequest(
      `https://127.0.0.1:${port}`,
      { method: 'GET', path, headers: { host: name, ...headers } },
      { servername: name },
    )
  const me = await ask('api.example.com', '/v1/me', { apikey: key.apiKey })
  assert.ok(me.status === 200 && me.text.includes(merchantId), me.text)
  assert.equal((await ask('pay.example.com', '/c/nothing')).status, 404)
  assert.ok((await ask('a2.localhost', '/')).status < 400)
  const sessions = await proxy.sessions()
  assert.deepEqual(
    ['api_a2', 'checkout_a1', 'dashboard_a2'].map((name) => sessions[`${name}/BACKEND`]),
    [1, 1, 1],
  )
  const subjectAt = (servername: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const socket = connectTls({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      resolve(JSON.stringify(socket.getPeerCertificate().subject))
      socket.destroy()
    })
    socket.on('error', reject)
    return promise
  }
  assert.match(await subjectAt('api.example.com'), /the proxy/)
  assert.doesNotMatch(await subjectAt('localhost'), /the proxy/, `${at(3)} shows its own certificate`)
}

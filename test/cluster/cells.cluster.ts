// Two cells behind one address: keys, pages, callbacks and host names reach their cell through an HAProxy whose configuration is ours.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addCell, changeCell } from '#/cells/directory.ts'
import { applyFiles } from '#/cells/proxy.ts'
import { sleep, systemClock } from '#/kernel/time.ts'
import { newApiKey } from '#/merchants/api-key.ts'
import { eventually } from '../eventually.ts'
import { call } from '../journeys/merchant.ts'
import { root } from '../journeys/place.ts'
import {
  callbacksIn,
  create,
  openCutter,
  openSilent,
  openStream,
  overTls,
  rawRequest,
} from './cells-calls.ts'
import { keyLimit, openCellsWorld, type CellCode } from './cells-world.ts'

/** The best of so many changes shows how fast a change is; each may take this long, in milliseconds. */
const changes = 3
const changeMsMax = 10_000
/** More than the 75 s that any other answer may take. */
const silentMs = 80_000

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
  const isThere = async () => (await call(keyOf('a2'), 'GET', '/v1/me')).status === 200
  const goAway = async () => {
    await changeCell(directory, 'a test', 'a2', { servers: [`127.0.0.1:${world.nowhere}`] })
    await eventually(
      'it is known',
      async () => (await call(keyOf('a2'), 'GET', '/v1/me')).status === 503,
      20_000,
    )
  }

  await t.test(
    'a cell whose processes are gone: 503 as the API writes it, and the other cell is not touched',
    async () => {
      await goAway()
      const gone = await call(keyOf('a2'), 'GET', '/v1/me')
      assert.deepEqual([gone.status, gone.body['code'], gone.body['status']], [503, 'unavailable', 503])
      assert.ok(gone.body['requestId'])
      assert.equal(gone.headers.get('x-request-id'), gone.body['requestId'])
      assert.equal(gone.headers.get('content-type'), 'application/problem+json')
      assert.equal(gone.headers.get('retry-after'), '1')
      assert.equal((await call(keyOf('a1'), 'GET', '/v1/me')).status, 200)
    },
  )

  await t.test('a change is in force within a second', async () => {
    const times: number[] = []
    for (let tries = 0; tries < changes; tries += 1) {
      if (tries > 0) await goAway()
      const began = performance.now()
      await changeCell(directory, 'a test', 'a2', { servers: [`127.0.0.1:${ports.a2}`] })
      await eventually('calls reach it', isThere, changeMsMax)
      times.push(Math.round(performance.now() - began))
    }
    t.diagnostic(`from the change in the directory to the first answer: ${times.join(', ')} ms`)
    // A machine that does other things too may be slow three times in a row: then this says how slow.
    assert.ok(Math.min(...times) <= 1_000, `${times.join(', ')} ms`)
  })

  // Stays open through everything that follows, new workers of HAProxy too.
  const page = await openStream(keyOf('a2'))
  stack.defer(page.close)
  const silent = await openSilent(silentMs)
  stack.defer(silent.close)
  await addCell(directory, 'a test', { code: 'a4', servers: [`127.0.0.1:${silent.port}`] })

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

  await t.test('a key after the word Bearer reaches its cell', async () => {
    for (const code of ['a1', 'a2'] as const) {
      const headers = { authorization: `bearer ${keyOf(code).apiKey}` }
      assert.equal((await fetch(`${apiUrl}/v1/me`, { headers })).status, 200, code)
      const twice = await fetch(`${apiUrl}/v1/me`, { headers: { ...headers, apikey: keyOf(code).apiKey } })
      assert.deepEqual(
        [twice.status, ((await twice.json()) as { code: string }).code],
        [400, 'invalid_request'],
      )
    }
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
    const withHeader = (bytes: number) =>
      rawRequest(apiUrl, {
        method: 'GET',
        path: '/v1/me',
        headers: { apikey: keyOf('a2').apiKey, 'x-long': 'x'.repeat(bytes) },
      })
    const long = await withHeader(17_000)
    const refusal = JSON.parse(long.text) as Readonly<Record<string, unknown>>
    assert.deepEqual([long.status, refusal['code'], refusal['status']], [431, 'headers_too_large', 431])
    assert.match(String(refusal['requestId']), /^[0-9a-f-]{36}$/)
    // HAProxy's parser has no other text: decision 159.
    const longer = await withHeader(40_000)
    assert.deepEqual([longer.status, longer.text.startsWith('<html>')], [400, true])
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

  await t.test('what a process may have read is never sent again', async () => {
    const cutters = await Promise.all([openCutter(), openCutter()])
    for (const { close } of cutters) stack.defer(close)
    const servers = cutters.map(({ port }) => `127.0.0.1:${port}`)
    await addCell(directory, 'a test', { code: 'a3', servers })
    const key = { apiUrl, apiKey: newApiKey('LIVE', 'a3') }
    const send = () => call(key, 'POST', '/v1/payments', { amount: 1 })
    const cut = () => cutters.reduce((sum, each) => sum + each.cut(), 0)
    // Until HAProxy has the cell, the default one answers with 401.
    await eventually('the cell is there', async () => (await send()).status !== 401, 20_000)
    const before = cut()
    const answer = await send()
    assert.deepEqual([answer.status, answer.body['code']], [502, 'unavailable'])
    assert.equal(cut() - before, 1)
  })

  await t.test('a stream may be silent for longer than any other answer may take', async () => {
    const ask = (accept: string) =>
      fetch(`${apiUrl}/v1/events`, { headers: { accept, apikey: newApiKey('LIVE', 'a4') } })
    const streams = () => ask('text/event-stream')
    // Until HAProxy has the cell, the default one answers.
    const stream = await eventually('the cell is there', async () => {
      const answer = await streams()
      return answer.headers.get('content-type') === 'text/event-stream' && answer
    })
    const began = performance.now()
    const [text, other] = await Promise.all([stream.text(), ask('application/json')])
    t.diagnostic(`a stream was silent for ${Math.round((performance.now() - began) / 1_000)} s`)
    assert.match(text, /first[^]*last/)
    assert.equal(other.status, 504)
    assert.equal(((await other.json()) as { code: string }).code, 'unavailable')
  })

  await t.test('no call fails while the directory changes', async () => {
    const ending = new AbortController()
    let calls = 0
    const failed: number[] = []
    const calling = (['a1', 'a2'] as const).map(async (code) => {
      while (!ending.signal.aborted) {
        const { status } = await call(keyOf(code), 'GET', '/v1/me')
        calls += 1
        if (status !== 200) failed.push(status)
        // Below the limit of a key.
        await sleep(1_500 / keyLimit)
      }
    })
    const loaded = () => [...proxy.output().matchAll(/Loading success/g)].length
    for (const name of ['x', 'y', 'z', 'a2']) {
      const before = loaded()
      await changeCell(directory, 'a test', 'a2', { dashboardHost: `${name}.localhost` })
      await eventually('it is loaded', () => loaded() > before, 20_000)
    }
    ending.abort()
    await Promise.all(calling)
    t.diagnostic(`${calls} calls during four changes, ${failed.length} failed`)
    assert.deepEqual(failed, [])
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

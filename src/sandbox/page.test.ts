import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { test } from 'node:test'
import {
  exampleDelivery,
  examplePayment,
  exampleWebhook,
  startWelcomeServer,
} from '../../test/browser/welcome-server.ts'
import { eventually } from '../../test/eventually.ts'
import { toHtml } from '../../web/live/markup.ts'

/** A request with a Host header of our choice, which fetch does not allow. */
async function get(url: string, path: string, host?: string) {
  const request = http.get(url + path, { headers: host === undefined ? {} : { host }, agent: false })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const body = Buffer.concat(await Array.fromAsync<Buffer>(response)).toString('utf8')
  return { status: response.statusCode, headers: response.headers, body }
}

test('the page shows the key, the calls, the latest payments and webhooks, without any script', async () => {
  await using server = await startWelcomeServer()
  const payment = examplePayment(90, { status: 'PAID', amountMinor: 123_456_789n, exceptions: ['LATE'] })
  server.payments.push(payment)
  server.payments.push(
    examplePayment(91, { status: 'PAID', currency: 'BRL', receivedMinor: 1_000n, refundedMinor: 1_000n }),
    examplePayment(92, { status: 'PAID', receivedMinor: 1_000n, refundedMinor: 1n, disputedMinor: 999n }),
    examplePayment(93, { status: 'PENDING', currency: 'BRL' }),
  )
  server.webhooks.push(exampleWebhook(30, payment.id))
  const { status, headers, body } = await get(server.url, '/')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  for (const part of [
    server.sandbox.apiKey,
    '1,234,567.89 USDT',
    'Paid, paid late',
    '10.00 BRL',
    'Paid, refunded',
    'Paid, partially refunded, disputed',
    '<span>Created</span>',
    '<a href="http://127.0.0.1:4011">the bank’s page</a>',
    payment.id,
    '1m ago',
    'payment.completed',
    'Verified',
    '30s ago',
  ]) {
    assert.ok(body.includes(part), part)
  }
  assert.match(body, /<noscript><a class="refresh" href="\/">Refresh<\/a><\/noscript>/)
  assert.ok(!/<script(?! src=)| style=| on[a-z]+=/.test(body), 'nothing inline')
})

test('it links to the API reference, to the page of every simulator and of every payer, and has a step for each method', async () => {
  await using server = await startWelcomeServer()
  const page = { url: 'http://127.0.0.1:4001/c/a1token' }
  server.payments.push(examplePayment(3, { method: 'CREDIT_CARD', page }))
  const { body } = await get(server.url, '/')
  const { pixBank, acquirer, partnerWallet, sepaBank } = server.sandbox.simulators
  for (const url of [
    '/openapi.json',
    pixBank.controlUrl,
    acquirer.controlUrl,
    partnerWallet.controlUrl,
    sepaBank.controlUrl,
    page.url,
  ])
    assert.ok(body.includes(`href="${url}"`), url)
  assert.match(body, />API reference</)
  assert.match(body, /<a href="\/docs\/">Documents</)
  for (const part of ['CRYPTO', 'PIX', 'CREDIT_CARD', 'PARTNER_PAY', 'SEPA_TRANSFER'])
    assert.ok(body.includes(`[&quot;${part}&quot;]`), part)
  assert.ok(body.includes('&quot;checkout&quot;: &quot;default&quot;'))
})

test('each payment shows whether its server was notified, and attempts to reach a server are listed apart from the inbox', async () => {
  await using server = await startWelcomeServer()
  const [silent, waiting, unreachable, notified, inbox, lost] = [1, 2, 3, 4, 5, 6].map((secondsAgo) =>
    examplePayment(secondsAgo, secondsAgo === 1 ? { request: {} } : {}),
  )
  assert.ok(silent && waiting && unreachable && notified && inbox && lost)
  server.payments.push(silent, waiting, unreachable, notified, inbox, lost)
  const ownUrl = 'http://127.0.0.1:8080/webhooks'
  const at = new Date('2026-11-21T14:03:10.000Z')
  const answered = (responseStatus: number) => ({ at, durationMs: 12, responseStatus, error: null })
  server.deliveries.push(
    exampleDelivery(3, unreachable.id),
    exampleDelivery(4, notified.id, { status: 'DELIVERED', attempts: [answered(200), answered(500)] }),
    exampleDelivery(5, inbox.id, {
      url: `${server.sandbox.apiUrl}/sandbox/inbox`,
      status: 'DELIVERED',
      attempts: [answered(204)],
    }),
    exampleDelivery(6, lost.id, { status: 'EXHAUSTED', attempts: [answered(503)] }),
  )
  const { body } = await get(server.url, '/')
  const rows = body.slice(body.indexOf('id="payments"'), body.indexOf('id="webhooks"')).split('<li')
  const rowOf = ({ id }: { readonly id: string }) => rows.find((row) => row.includes(id)) ?? ''
  assert.match(rowOf(silent), /No webhookUrl: no server is notified/)
  assert.match(rowOf(waiting), /No event yet/)
  assert.match(rowOf(unreachable), /Webhook failed, will be retried/)
  assert.match(rowOf(notified), /Webhook delivered/)
  assert.match(rowOf(inbox), /Webhook delivered/)
  assert.match(rowOf(lost), /Webhook given up/)
  const sent = body.slice(body.indexOf('id="sent"'))
  assert.equal(sent.split(ownUrl).length - 1, 3)
  assert.ok(!sent.includes('/sandbox/inbox'), 'the inbox has a section of its own')
  for (const part of [
    '2026-11-21 14:03:17 UTC: connection refused, after 3 ms',
    '2026-11-21 14:03:10 UTC: answered 200, after 12 ms',
    'answered 500',
    'answered 503',
  ])
    assert.ok(sent.includes(part), part)
})

test('the key is shown only to requests for this machine by its own names or for the published host', async () => {
  await using server = await startWelcomeServer()
  for (const host of ['127.0.0.1:4000', 'localhost', 'LOCALHOST:1', '127.8.9.1', '[::1]:4000']) {
    assert.equal((await get(server.url, '/', host)).status, 200, host)
  }
  const strangers = [
    'evil.example',
    'evil.example:4000',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '10.0.0.7',
    'a b',
    'evil.example@127.0.0.1',
  ]
  for (const host of strangers) {
    for (const path of ['/', '/sandbox/state', '/sandbox/live']) {
      const { status, body } = await get(server.url, path, host)
      assert.ok(status === 421 || status === 400, `${host} ${path} ${status}`)
      assert.ok(!body.includes(server.sandbox.apiKey))
    }
  }
})

test('the policy of the page allows nothing inline, nothing foreign and no eval', async () => {
  await using server = await startWelcomeServer()
  const { headers } = await get(server.url, '/')
  const policy = String(headers['content-security-policy'])
  assert.ok(!policy.includes('unsafe'))
  assert.deepEqual(policy.match(/https?:|data:|\*/g), null)
  for (const part of [
    `default-src 'none'`,
    `script-src 'self'`,
    `require-trusted-types-for 'script'`,
    `frame-ancestors 'none'`,
  ]) {
    assert.ok(policy.includes(part), part)
  }
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
})

test('the files have a hash in their path and may be cached for ever', async () => {
  await using server = await startWelcomeServer()
  const { body } = await get(server.url, '/')
  const paths = new Set(body.match(/\/sandbox\/assets\/[0-9a-f]{12}\/(?:page|live)\.(?:css|js|svg)/g))
  assert.equal(paths.size, 4)
  const [script = ''] = [...paths].filter((path) => path.endsWith('page.js'))
  paths.add(script.replace('page.js', 'live.js'))
  for (const path of paths) {
    const { status, headers } = await get(server.url, path)
    assert.equal(status, 200)
    assert.match(String(headers['cache-control']), /immutable/)
  }
})

test('what a stranger posted is shown as text', async () => {
  await using server = await startWelcomeServer()
  const attack = '<script>alert(1)</script>"\'&'
  server.webhooks.push(
    exampleWebhook(1, 'x', {
      verified: false,
      body: Buffer.from(JSON.stringify({ type: attack, data: { id: attack } })),
    }),
  )
  server.webhooks.push(exampleWebhook(1, 'x', { verified: false, body: Buffer.from(attack) }))
  server.webhooks.push(exampleWebhook(1, 'x', { verified: false, body: Buffer.from('[null]') }))
  const { body } = await get(server.url, '/')
  assert.ok(!body.includes('<script>'))
  assert.ok(body.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'))
  assert.equal(body.split('Not verified').length - 1, 3)
})

test('the stream sends the whole live part at once and again when something changes, and ends with the server', async () => {
  const server = await startWelcomeServer()
  const response = await fetch(`${server.url}/sandbox/live`)
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  assert.match(String(response.headers.get('content-security-policy')), /default-src 'none'/)
  const events = eventsOf(response)
  assert.match(await nextOf(events), /None yet/)
  server.payments.push(examplePayment(1, { amountMinor: 4242n }))
  assert.match(await nextOf(events), /42\.42 USDT/)
  const state = await (await fetch(`${server.url}/sandbox/state`)).text()
  assert.match(state, /42\.42 USDT/)
  await server[Symbol.asyncDispose]()
  assert.equal((await events.next()).done, true)
})

test('streams above the limit are refused, and a closed stream makes room', async () => {
  await using server = await startWelcomeServer()
  const leaving = new AbortController()
  const streams = await Promise.all(
    Array.from({ length: 32 }, () => fetch(`${server.url}/sandbox/live`, { signal: leaving.signal })),
  )
  assert.ok(streams.every(({ status }) => status === 200))
  const refused = await fetch(`${server.url}/sandbox/live`)
  assert.equal(refused.status, 503)
  await refused.text()
  leaving.abort()
  await eventually('a place becomes free', async () => {
    const again = await fetch(`${server.url}/sandbox/live`)
    await again.body?.cancel()
    return again.status === 200
  })
})

test('markup escapes every text and attribute', () => {
  assert.equal(
    toHtml(['p', { title: `"'<&>` }, '<b>', ['br', {}], ['i', {}, '&']]),
    '<p title="&quot;&#39;&lt;&amp;&gt;">&lt;b&gt;<br><i>&amp;</i></p>',
  )
})

/** The data of each event, in order. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (rest + chunk).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) if (part.startsWith('data: ')) yield part.slice(6)
  }
}

async function nextOf(events: AsyncGenerator<string>): Promise<string> {
  return String((await events.next()).value)
}

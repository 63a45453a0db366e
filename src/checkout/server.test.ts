import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { clientSecret, merchantName, openCheckoutWorld } from '../../test/checkout-world.ts'
import { eventually } from '../../test/eventually.ts'
import type { PageState } from './page-state.ts'

const stateIn = (html: string) => {
  const [, json] = /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(html) ?? []
  return JSON.parse(json ?? 'null') as PageState
}

test('the page carries its state, its scripts and styles by hashed names, and a refresh for browsers without scripts', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment()
  const page = await world.get(world.path(payment), { 'accept-language': 'es' })
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  const html = await page.text()
  assert.match(html, /^<!doctype html><html lang="es" dir="ltr" data-theme="auto"><head>/)
  assert.match(html, /<title>Pague con tarjeta · Livraria &amp; Café &lt;Ana&gt;<\/title>/)
  assert.match(html, /<script type="module" src="\/assets\/checkout-abc\.js"><\/script>/)
  assert.match(html, /<noscript><meta http-equiv="refresh" content="10"><\/noscript>/)
  const [, sheet = ''] = /href="(\/t\/[^"]+)"/.exec(html) ?? []
  const css = await world.get(sheet)
  assert.deepEqual(
    [css.status, css.headers.get('content-type'), css.headers.get('cache-control')],
    [200, 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
  )
  const script = await world.get('/assets/checkout-abc.js')
  assert.deepEqual([script.status, await script.text()], [200, 'export {}'])
  const state = stateIn(html)
  assert.equal(state.step, 'waiting')
  assert.equal(state.merchant.name, merchantName)
  assert.deepEqual(await world.state(payment, '/es'), { ...state, now: state.now })
})

test('nothing is inline or foreign, pages are neither framed nor cached, and no address leaks to other sites', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment()
  const { headers } = await world.get(world.path(payment))
  assert.equal(
    headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self' https://js.provider.example https://hooks.provider.example; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('referrer-policy'), 'same-origin')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.match(headers.get('permissions-policy') ?? '', /camera=\(\)/)
  for (const path of ['/nowhere', '/c/short', `${world.path(payment)}/state`]) {
    const other = await world.get(path)
    assert.match(
      other.headers.get('content-security-policy') ?? '',
      /form-action 'self'; frame-ancestors 'none'/,
    )
    assert.equal(other.headers.get('cache-control'), 'no-store')
  }
})

test('the frame’s page is the only one with the provider’s script, and only our pages may frame it', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment()
  await world.get(world.path(payment))
  const frame = await world.get(`${world.path(payment)}/frame`)
  assert.equal(
    frame.headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self' https://js.provider.example; style-src 'self'; frame-src https://js.provider.example https://hooks.provider.example; connect-src https://js.provider.example https://hooks.provider.example; form-action 'none'; frame-ancestors 'self'; base-uri 'none'",
  )
  const html = await frame.text()
  const [, json = ''] = /id="frame-data">(.*?)<\/script>/s.exec(html) ?? []
  assert.ok(!json.includes('<'))
  assert.deepEqual(JSON.parse(json), {
    scriptUrl: 'https://js.provider.example/v1/script.js',
    publishableKey: 'pk_test_1',
    clientSecret,
    locale: 'en',
  })
  const [, script = ''] = /src="(\/assets\/frame\.[0-9a-f]{12}\.js)"/.exec(html) ?? []
  assert.equal((await world.get(script)).status, 200)
  const page = await (await world.get(world.path(payment))).text()
  assert.ok(!page.includes('cs_secret'), 'the page around knows no secret of the session')
  const partner = await world.newPayment({ method: 'PARTNER_PAY', currency: 'USDT' })
  assert.equal((await world.get(`${world.path(partner)}/frame`)).status, 404)
})

test('any unknown token gets a friendly page in the browser’s language', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment()
  const token = world.path(payment).slice('/c/'.length)
  for (const wrong of [
    `${token.slice(0, -1)}~`,
    `a1${'x'.repeat(32)}`,
    `${token}x`,
    "a'--",
    '%00',
    '%ff',
    'x'.repeat(600),
  ]) {
    const answer = await world.get(`/c/${wrong}`, { 'accept-language': 'pt' })
    assert.ok([400, 404, 414].includes(answer.status), `${wrong} ${answer.status}`)
    const html = await answer.text()
    assert.match(html, /<html lang="pt-BR"/, wrong)
    assert.match(html, /class="page notice".*class="seal".*<h1>.*class="ours"/s, wrong)
    if (answer.status === 404) assert.match(html, /Pagamento não encontrado/)
  }
  for (const path of ['/state', '/events', '/frame']) {
    assert.equal((await world.get(`/c/a1${'x'.repeat(32)}${path}`)).status, 404)
  }
  assert.equal((await world.post(`/c/a1${'x'.repeat(32)}/choose`, { method: 'PIX' })).status, 404)
})

test('the language is that of the link, kept in a cookie that no script reads; else of the cookie, else of the browser', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment()
  const path = world.path(payment)
  const linked = await world.get(`${path}?lang=pt`, { 'accept-language': 'es' })
  assert.match(await linked.text(), /<html lang="pt-BR"/)
  const cookie = linked.headers.get('set-cookie') ?? ''
  assert.match(cookie, /^vintem_lang=pt-BR; .*HttpOnly; SameSite=Lax$/)
  const kept = await world.get(path, { 'accept-language': 'es', cookie: cookie.split(';')[0] ?? '' })
  assert.match(await kept.text(), /<html lang="pt-BR"/)
  assert.equal(kept.headers.get('set-cookie'), null)
  assert.match(await (await world.get(path, { 'accept-language': 'es-AR,en' })).text(), /<html lang="es"/)
  const unknown = await world.get(`${path}?lang=xx`)
  assert.match(await unknown.text(), /<html lang="en"/)
  assert.equal(unknown.headers.get('set-cookie'), null)
})

test('markup in a name or a description stays text, on the page and in its state', async () => {
  await using world = await openCheckoutWorld()
  const evil = `</script><img src=x onerror=alert(1)>"'&`
  const fields = { ...world.template.fields, name: 'optional' } as const
  world.template = { ...world.template, fields, texts: { en: { title: evil, note: evil } } }
  const unchosen = await world.newPayment({
    isUnchosen: true,
    status: 'PENDING',
    request: {
      amount: 1_000,
      checkout: 'default',
      customerName: evil,
      customerEmail: evil,
      description: evil,
    },
  })
  const html = await (await world.get(world.path(unchosen))).text()
  assert.ok(!html.includes('<img'))
  const state = stateIn(html)
  assert.equal(state.description, evil)
  assert.equal(state.title, evil)
  assert.equal(state.fields.find(({ name }) => name === 'name')?.value, evil)
})

test('no page holds data that is not for the payer', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment({
    request: {
      amount: 1_000,
      customerTaxId: '39053344705',
      webhookUrl: 'https://planted.example/hook',
      metadata: { planted: 'metadata-planted' },
    },
    feeMinor: 777_777n,
    lastError: { code: 'card_declined', message: 'planted words of the bank' },
  })
  const path = world.path(payment)
  const bodies = [
    await (await world.get(path)).text(),
    await (await world.get(`${path}/state`)).text(),
    await (await world.get(`${path}/frame`)).text(),
  ]
  const planted = ['39053344705', 'planted', '777777', payment.merchantId, 'walletId', 'metadata']
  for (const body of bodies) for (const each of planted) assert.ok(!body.includes(each), each)
  assert.ok(bodies[1]?.includes('Your bank declined the card'))
})

test('neither tokens nor what payers type are logged', async () => {
  await using world = await openCheckoutWorld()
  world.providers.isAway = true
  const request = {
    amount: 1_000,
    checkout: 'default',
    customerName: 'Ana Planted',
    customerEmail: 'planted@example.com',
  }
  const payment = await world.newPayment({ request, methods: ['CREDIT_CARD', 'PIX'] })
  await world.get(`${world.path(payment)}?s=planted-return`)
  await world.post(`${world.path(payment)}/choose`, { method: 'PIX', name: 'Ana Planted' })
  await world.get('/c/%')
  const log = world.logged.join('')
  assert.ok(log.length > 0, 'something was logged')
  for (const each of [world.path(payment).slice(3), 'Planted', 'planted'])
    assert.ok(!log.includes(each), each)
})

test('too many requests for one page wait, and other pages do not', async () => {
  await using world = await openCheckoutWorld({ limit: { perMinute: 1, burst: 3 } })
  const [first, second] = [await world.newPayment(), await world.newPayment()]
  for (let count = 0; count < 3; count += 1)
    assert.equal((await world.get(`${world.path(first)}/state`)).status, 200)
  const refused = await world.get(world.path(first), { 'accept-language': 'pt-BR' })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.match(await refused.text(), /Muitas tentativas/)
  assert.equal((await world.get(`${world.path(second)}/state`)).status, 200)
})

test('links that lead nowhere are limited for their address, and a valid link never waits for them', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment()
  const statuses: number[] = []
  for (let count = 0; count < 35; count += 1) {
    const token = count % 2 === 0 ? `a1${randomBytes(24).toString('base64url')}` : 'none'
    const answer = await world.get(`/c/${token}`)
    if (answer.status === 429) assert.ok(Number(answer.headers.get('retry-after')) > 0)
    statuses.push(answer.status)
  }
  assert.deepEqual(
    statuses.slice(0, 30),
    Array.from({ length: 30 }, () => 404),
  )
  assert.deepEqual(new Set(statuses.slice(-3)), new Set([429]))
  assert.equal((await world.get(world.path(payment))).status, 200)
})

test('HEAD works where GET does, other methods get 405 with the allowed ones, robots are refused, and each answer has an id', async () => {
  await using world = await openCheckoutWorld()
  const path = world.path(await world.newPayment())
  const request = (method: string, at: string) => fetch(world.url + at, { method })
  for (const at of [path, `${path}/state`, `${path}/events`, '/robots.txt', '/c/none']) {
    const head = await request('HEAD', at)
    assert.equal(head.status, at === '/c/none' ? 404 : 200, at)
    assert.equal(await head.text(), '')
    assert.ok(head.headers.get('x-request-id'), at)
  }
  assert.equal(await (await request('GET', '/robots.txt')).text(), 'User-agent: *\nDisallow: /\n')
  for (const [method, at, allowed] of [
    ['DELETE', path, 'GET, HEAD'],
    ['OPTIONS', `${path}/state`, 'GET, HEAD'],
    ['PUT', '/robots.txt', 'GET, HEAD'],
    ['QUERY', path, 'GET, HEAD'],
  ] as const) {
    const answer = await request(method, at)
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allowed], `${method} ${at}`)
    assert.ok(answer.headers.get('x-request-id'))
  }
  assert.equal((await request('DELETE', '/nothing')).status, 404)
})

test('the provider is asked once for all tabs when the page is opened, and a slow one does not delay the page', async () => {
  await using world = await openCheckoutWorld()
  world.providers.openMs = 1_200
  const payment = await world.newPayment()
  const path = world.path(payment)
  const tabs = await Promise.all([world.get(path), world.get(path), world.get(path)])
  for (const tab of tabs) {
    const html = await tab.text()
    assert.equal(stateIn(html).step, 'preparing')
    assert.match(html, /<noscript><meta http-equiv="refresh" content="3"><\/noscript>/)
  }
  await eventually('the provider answers', async () => (await world.state(payment)).step === 'waiting')
  assert.equal(world.providers.openings.length, 1)
  assert.equal(world.providers.openings[0]?.pageUrl, payment.page?.url)
})

test('the page says that its provider is away, and the next view asks it again', async () => {
  await using world = await openCheckoutWorld()
  world.providers.isAway = true
  const payment = await world.newPayment()
  const { step, problem } = await world.state(payment)
  assert.equal(step, 'preparing')
  assert.equal(problem, 'The payment processor isn’t responding. Nothing was charged. Try again in a moment.')
  // A provider that is down is not asked more often because of reloads.
  await world.state(payment)
  assert.equal(world.providers.openings.length, 1)
})

test('a return from the provider proves nothing: the provider is queried, at most every 2 s', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment()
  await world.state(payment)
  const back = await world.get(`${world.path(payment)}?s=success&status=paid`)
  assert.equal(stateIn(await back.text()).step, 'waiting')
  assert.equal(world.providers.checks, 1)
  await world.state(payment, '?check=1')
  assert.equal(world.providers.checks, 1, 'it has just been queried')
  const other = await world.newPayment()
  await world.state(other)
  world.providers.onCheck = () => world.change(other, { status: 'PAID', receivedMinor: 1_000n })
  assert.equal((await world.state(other, '?check=1')).step, 'paid')
  await world.get(`${world.path(payment)}?lang=es`)
  assert.equal(world.providers.checks, 2, 'a language is no return')
  const third = await world.newPayment()
  await world.state(third)
  for (const [from, checks] of [
    ['none', 2],
    ['same-origin', 2],
    ['cross-site', 3],
  ] as const) {
    await world.get(world.path(third), { 'sec-fetch-site': from })
    assert.equal(world.providers.checks, checks, from)
  }
  // A payer who went on to the provider's own page may have paid there, or in the frame of another tab.
  const fourth = await world.newPayment()
  await world.state(fourth)
  await world.post(`${world.path(fourth)}/provider`, {})
  await world.state(fourth, '?check=1')
  assert.equal(world.providers.checks, 5)
})

test('the merchant’s logo is served with its own media type, from our own origin', async () => {
  await using world = await openCheckoutWorld()
  const bytes = Buffer.from('89504e470d0a1a0a', 'hex')
  world.template = { ...world.template, logo: { type: 'image/png', bytes } }
  const payment = await world.newPayment()
  const { merchant } = await world.state(payment)
  const logo = await world.get(merchant.logoUrl ?? '')
  assert.equal(logo.headers.get('content-type'), 'image/png')
  assert.deepEqual(Buffer.from(await logo.arrayBuffer()), bytes)
  assert.equal((await world.get(`${world.path(payment)}/logo/0.png`)).status, 404)
})

// The edges of the dashboard's server: what needs a second factor, what only its own pages may call, and what is not there.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { urlOf } from '#/dashboard/server.ts'
import { routes as apiRoutes } from '#/http/routes.ts'
import { newId } from '#/kernel/id.ts'
import { needsFactor } from '#/people/concern.ts'
import { shownBy } from './shown.ts'
import { openDashboardWorld, type DashboardWorld } from './world.ts'

const html = '<!doctype html><title>Vintem</title><script type="module" src="/assets/index.js"></script>'
const script = { plain: Buffer.from('1'), br: Buffer.from('br'), gzip: Buffer.from('gzip') }

let world: DashboardWorld
before(async () => {
  const files = new Map([['assets/index.js', { type: 'text/javascript', ...script }]])
  world = await openDashboardWorld({
    shows: shownBy['edges.test.ts'],
    pages: () => ({ state: 'built', htmlOf: () => html, files }),
  })
})
after(() => world.close())

/** Every route of a merchant or of the operator that needs a second factor. */
const guarded: readonly { readonly method: string; readonly url: string }[] = [
  ...apiRoutes
    .filter(needsFactor)
    .map(({ method, path }) => ({ method, url: `/api/m/:merchant${path.slice('/v1'.length)}` })),
  ...dashboardRoutes
    .filter((route) => needsFactor(route) && route.access !== 'user')
    .map((route) => ({ method: route.method, url: urlOf(route) })),
]

test('with real money every guarded route refuses without a second factor, before it reads the body', async () => {
  assert.ok(guarded.length >= 30, `${guarded.length} routes`)
  const { id } = await world.base.openTenant('LIVE')
  const owner = await world.person([{ merchantId: id, role: 'OWNER' }], { isOperator: true })
  for (const { method, url } of guarded) {
    const path = url.replace(':merchant', id).replace(/:id|\{id\}/, newId())
    for (const headers of [{}, { 'idempotency-key': newId() }, { 'x-http-method-override': 'GET' }]) {
      const answer = await owner.ask(method, path, {}, headers)
      assert.deepEqual(
        [answer.status, answer.body['code']],
        [403, 'second_factor_needed'],
        `${method} ${url}: ${answer.text}`,
      )
    }
  }
})

test('each act says what it concerns, or why it concerns nothing, and what only reads says nothing', () => {
  const all = [...apiRoutes, ...dashboardRoutes]
  assert.deepEqual(
    all.filter(({ concern }) => concern === undefined).map(({ operationId }) => operationId),
    all.filter(({ method }) => method === 'GET').map(({ operationId }) => operationId),
  )
  // An act that says nothing is not let through.
  assert.ok(needsFactor({ method: 'POST' }))
  assert.ok(!needsFactor({ method: 'GET' }))
})

test('these concern money, people, payers or events, whatever the tables become', () => {
  const concerns = new Map(
    [...apiRoutes, ...dashboardRoutes].map(({ operationId, concern }) => [operationId, concern]),
  )
  for (const [operationId, concern] of [
    ['setTemplate', 'payers'],
    ['switchTemplate', 'payers'],
    ['deleteWebhookEndpoint', 'events'],
    ['changeWebhookEndpoint', 'events'],
    ['retryWithdrawal', 'money'],
    ['retryRefund', 'money'],
    ['beginUpload', 'money'],
    ['createWithdrawal', 'money'],
    ['changeMember', 'people'],
    ['createApiKey', 'people'],
  ] as const)
    assert.equal(concerns.get(operationId), concern)
})

test('a payment or a link that sends events or payers to an address of its own asks for the factor; another does not', async () => {
  const { id } = await world.base.openTenant('LIVE')
  const owner = await world.person([{ merchantId: id, role: 'OWNER' }])
  const order = { amount: 100, currency: 'USDT', paymentMethods: ['CRYPTO'] }
  for (const [path, name] of [
    ['payments', {}],
    ['payment-links', { name: 'Shop' }],
  ] as const)
    for (const more of [
      { webhookUrl: 'https://elsewhere.example/hook' },
      { returnUrl: 'https://elsewhere.example/back' },
    ]) {
      const body = { ...order, ...name, ...more, idempotencyKey: newId() }
      const answer = await owner.ask('POST', `/api/m/${id}/${path}`, body)
      assert.deepEqual([answer.status, answer.body['code']], [403, 'second_factor_needed'], answer.text)
    }
  const plain = await owner.ask('POST', `/api/m/${id}/payments`, { ...order, idempotencyKey: newId() })
  assert.notEqual(plain.body['code'], 'second_factor_needed', plain.text)
})

test('a capture of real money asks for a second factor; in a sandbox it asks who has one', async () => {
  for (const mode of ['LIVE', 'SANDBOX'] as const) {
    const { id } = await world.base.openTenant(mode)
    const owner = await world.person([{ merchantId: id, role: 'OWNER' }])
    const capture = () => owner.ask('POST', `/api/m/${id}/payments/${newId()}/capture`)
    const { body } = await capture()
    assert.equal(body['code'], mode === 'LIVE' ? 'second_factor_needed' : 'not_found', mode)
    if (mode === 'LIVE') assert.match(String(body['detail']), /^Add a passkey/)
    await world.enrol(owner)
    assert.equal((await capture()).body['code'], 'not_found', mode)
    await world.base.sql`update user_session set second_factor_at = null where user_id = ${owner.userId}`
    const { body: late } = await capture()
    assert.equal(late['code'], 'second_factor_needed', mode)
    assert.match(String(late['detail']), /^Confirm with your second factor/)
  }
})

test('an address that is written in another way is the same address: only pages of this origin may call it', async () => {
  const { id } = await world.base.openTenant()
  const person = await world.person([{ merchantId: id, role: 'OWNER' }])
  const cookie = { cookie: person.cookie }
  for (const path of [
    '/%61pi/session',
    '/ap%69/session',
    `/%61pi/m/${id}/payments`,
    `/api/%6d/${id}/payments`,
  ]) {
    for (const headers of [cookie, { ...cookie, 'sec-fetch-site': 'same-site' }]) {
      const answer = await world.ask('GET', path, { headers })
      assert.deepEqual([answer.status, answer.body['code']], [403, 'cross_site'], path)
    }
    const post = await world.ask('POST', path, { headers: { ...cookie, 'sec-fetch-site': 'same-site' } })
    assert.ok([403, 404].includes(post.status), `${path}: ${post.status}`)
  }
  // What is no address of the API is a page, whoever asks.
  for (const path of ['/api%2Fsession', '//api/session', '/API/session']) {
    const answer = await world.ask('GET', path, { headers: cookie })
    assert.equal(answer.text, html, path)
  }
})

test('below /api nothing is a page: what is not there is a problem in JSON', async () => {
  const paths = [
    '/api',
    '/api/',
    '/api/nothing',
    '/api/m',
    '/api/session/nothing',
    '/api/m/x/payments/y/z',
    '/api/%6eothing',
  ]
  for (const path of paths) {
    const answer = await world.ask('GET', path, { headers: world.ownPage })
    assert.equal(answer.status, 404, path)
    assert.equal(answer.headers.get('content-type'), 'application/problem+json', path)
    assert.equal(answer.body['code'], 'not_found')
  }
  for (const path of ['/api/nothing', '/nothing', '/assets/nothing.js']) {
    const answer = await world.ask('POST', path, { body: {}, headers: world.ownPage })
    assert.equal(answer.body['code'], 'not_found', path)
  }
  const lost = await world.ask('GET', '/assets/nothing.js')
  assert.deepEqual([lost.status, lost.body['code']], [404, 'not_found'])
})

test('a method that an address does not take is 405, with those that it takes', async () => {
  for (const [method, path, allow] of [
    ['PUT', '/api/session', 'DELETE, GET, HEAD'],
    ['GET', '/api/session/password', 'POST'],
    ['PATCH', '/api/step-up', 'POST'],
    ['OPTIONS', '/api/session', 'DELETE, GET, HEAD'],
  ] as const) {
    const answer = await world.ask(method, path, { headers: world.ownPage })
    assert.deepEqual([answer.status, answer.body['code']], [405, 'method_not_allowed'], `${method} ${path}`)
    assert.equal(answer.headers.get('allow'), allow)
    // No other origin is let in.
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  }
})

test('HEAD is GET without the body, behind the same checks', async () => {
  const { id } = await world.base.openTenant()
  const person = await world.person([{ merchantId: id, role: 'OWNER' }])
  for (const path of ['/api/session', `/api/m/${id}/payments`, `/api/m/${id}/overview`]) {
    const answer = await person.ask('HEAD', path)
    assert.deepEqual([answer.status, answer.text], [200, ''], path)
    assert.equal((await world.ask('HEAD', path, { headers: world.ownPage })).status, 401, path)
    assert.equal((await world.ask('HEAD', path, { headers: { cookie: person.cookie } })).status, 403, path)
  }
  const page = await world.ask('HEAD', '/m/anything')
  assert.deepEqual([page.status, page.text], [200, ''])
})

test('a body that is too large, not JSON or compressed is refused', async () => {
  const { id } = await world.base.openTenant()
  const person = await world.person([{ merchantId: id, role: 'OWNER' }])
  const large = { email: 'a@example.com', password: 'x'.repeat(70_000) }
  const answer = await world.ask('POST', '/api/session/password', { body: large, headers: world.ownPage })
  assert.deepEqual([answer.status, answer.body['code']], [413, 'payload_too_large'], answer.text)
  const payment = await person.ask('POST', `/api/m/${id}/payments`, { description: 'x'.repeat(70_000) })
  assert.equal(payment.status, 413, payment.text)
  const template = await person.ask('PUT', `/api/m/${id}/templates/own`, { logo: 'x'.repeat(5_000_000) })
  assert.equal(template.status, 413)
  const text = await person.ask('POST', `/api/m/${id}/payments`, {}, { 'content-type': 'text/plain' })
  assert.deepEqual([text.status, text.body['code']], [415, 'unsupported_media_type'])
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const posted = await world.ask('POST', '/api/session/password', {
    body: {},
    headers: { ...world.ownPage, ...form },
  })
  assert.equal(posted.status, 415)
  const packed = await person.ask('POST', `/api/m/${id}/payments`, {}, { 'content-encoding': 'gzip' })
  assert.equal(packed.status, 415)
})

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

test('a page may run only what comes from this origin, stands in no frame, and is not kept', async () => {
  for (const path of ['/', '/sign-in', `/m/${newId()}/payments?q=<script>`]) {
    const { status, headers, text } = await world.ask('GET', path)
    assert.deepEqual([status, text], [200, html])
    for (const [name, value] of [
      ['content-security-policy', policy],
      ['referrer-policy', 'same-origin'],
      ['x-content-type-options', 'nosniff'],
      ['cross-origin-opener-policy', 'same-origin'],
      ['cache-control', 'no-store'],
      ['content-type', 'text/html; charset=utf-8'],
    ] as const)
      assert.equal(headers.get(name), value, `${path}: ${name}`)
    assert.equal(headers.get('set-cookie'), null)
  }
  const file = await world.ask('GET', '/assets/index.js', { headers: { 'accept-encoding': 'identity' } })
  assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(file.headers.get('x-content-type-options'), 'nosniff')
})

test('no answer of the API is kept by a browser or a proxy', async () => {
  const person = await world.person([])
  for (const path of ['/api/session', '/api/me/sessions', '/api/nothing'])
    assert.equal((await person.ask('GET', path)).headers.get('cache-control'), 'no-store', path)
})

test('the merchant’s own webhook secret is rolled by a member: shown once, the one before is kept beside it, and the audit log says who', async () => {
  const { id } = await world.base.openTenant()
  const secretsOf = async () => {
    const [row] = await world.base.sql<{ current: Buffer; previous: Buffer | null }[]>`
      select webhook_secret as current, webhook_secret_previous as previous from merchant where id = ${id}`
    return row ?? assert.fail('the merchant is there')
  }
  const [owner, support] = [
    await world.person([{ merchantId: id, role: 'OWNER' }]),
    await world.person([{ merchantId: id, role: 'SUPPORT' }]),
  ]
  const before = await secretsOf()
  assert.equal((await support.ask('POST', `/api/m/${id}/webhook-secret/roll`, {})).status, 403)
  const rolled = await owner.ask('POST', `/api/m/${id}/webhook-secret/roll`, {})
  assert.equal(rolled.status, 200, rolled.text)
  assert.match(String(rolled.body['secret']), /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/)
  const after = await secretsOf()
  assert.deepEqual(after.previous, before.current)
  assert.notDeepEqual(after.current, before.current)
  const audit = await owner.ask('GET', `/api/m/${id}/audit?action=merchant.rotate-webhook-secret`)
  const rows = audit.body['data'] as readonly Readonly<Record<string, unknown>>[]
  assert.deepEqual(
    rows.map(({ actorKind, actorId, subject }) => [actorKind, actorId, subject]),
    [['USER', owner.userId, `merchant:${id}`]],
  )
  assert.ok(!audit.text.includes(String(rolled.body['secret'])))
})

test('a LIVE merchant’s webhook secret is rolled only with a fresh second factor', async () => {
  const { id } = await world.base.openTenant('LIVE')
  const owner = await world.person([{ merchantId: id, role: 'OWNER' }])
  const roll = () => owner.ask('POST', `/api/m/${id}/webhook-secret/roll`, {})
  const refused = await roll()
  assert.deepEqual([refused.status, refused.body['code']], [403, 'second_factor_needed'])
  await world.enrol(owner)
  assert.equal((await roll()).status, 200)
})

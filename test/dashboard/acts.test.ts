// What people do at the dashboard: who is written down for it, who may approve it, what needs a second factor, and how a session ends.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { writeLimit } from '#/money-out/queries.ts'
import { withdrawalBody, type Tenant } from '../contract/world.ts'
import { eventually } from '../eventually.ts'
import { openForTests } from '../open-for-tests.ts'
import { shownBy } from './shown.ts'
import { openDashboardWorld, type Person } from './world.ts'

type Row = Readonly<Record<string, unknown>>

const world = openForTests(() => openDashboardWorld({ shows: shownBy['acts.test.ts'] }))

const below = ({ id }: Tenant, path: string) => `/api/m/${id}/${path}`

/** A merchant with money whose withdrawals wait for a second person, an owner, and an administrator. */
async function openShop(mode: 'SANDBOX' | 'LIVE' = 'SANDBOX') {
  const tenant = await world.base.openTenant(mode)
  await world.base.fund(tenant, 10_000n)
  await writeLimit(world.base.sql, {
    merchantId: tenant.id,
    type: 'PIX',
    currency: 'BRL',
    eachMinor: null,
    dayMinor: null,
    approvalAboveMinor: 0n,
    listedOnly: false,
  })
  const owner = await world.person([{ merchantId: tenant.id, role: 'OWNER' }])
  const admin = await world.person([{ merchantId: tenant.id, role: 'ADMIN' }])
  return { tenant, owner, admin }
}

async function auditOf(person: Person, tenant: Tenant): Promise<readonly Row[]> {
  const { status, body, text } = await person.ask('GET', below(tenant, 'audit?limit=100'))
  assert.equal(status, 200, text)
  return body['data'] as readonly Row[]
}

test('who did it is the person, with address and request, in one row for each change', async () => {
  const { tenant, owner } = await openShop()
  const requestId = newId()
  const made = await owner.ask('POST', below(tenant, 'withdrawals'), withdrawalBody(), {
    'x-request-id': requestId,
  })
  assert.equal(made.status, 201, made.text)
  const wallet = await owner.ask('POST', below(tenant, 'wallets'), {
    currency: 'BRL',
    walletType: 'SPENDABLE',
    label: 'Second',
  })
  assert.equal(wallet.status, 201, wallet.text)
  const payment = await owner.ask('POST', below(tenant, 'payments'), {
    amount: 1_000,
    currency: 'USDT',
    paymentMethods: ['CRYPTO'],
    idempotencyKey: newId(),
  })
  assert.equal(payment.status, 201, payment.text)
  const canceled = await owner.ask('POST', below(tenant, `payments/${String(payment.body['id'])}/cancel`))
  assert.equal(canceled.status, 200, canceled.text)
  const rows = await auditOf(owner, tenant)
  const acts = rows.filter((row) => row['actorId'] === owner.userId)
  assert.deepEqual(acts.map((row) => [row['action'], row['subject']]).toReversed(), [
    ['withdrawal.create', `withdrawal:${String(made.body['id'])}`],
    ['wallet.create', `wallet:${String(wallet.body['id'])}`],
    ['payment.create', `payment:${String(payment.body['id'])}`],
    ['payment.cancel', `payment:${String(payment.body['id'])}`],
  ])
  const [first] = acts.toReversed()
  assert.deepEqual(
    [first?.['actorKind'], first?.['address'], first?.['requestId']],
    ['USER', '127.0.0.1', requestId],
  )
})

test('what is sent again with its key, and what is refused, leaves no second row', async () => {
  const { tenant, owner } = await openShop()
  const body = withdrawalBody({ idempotencyKey: newId() })
  for (let nth = 0; nth < 2; nth += 1)
    assert.equal((await owner.ask('POST', below(tenant, 'withdrawals'), body)).status, 201)
  const tooMuch = withdrawalBody({ amount: 1_000_000 })
  assert.equal((await owner.ask('POST', below(tenant, 'withdrawals'), tooMuch)).status, 422)
  const rows = await auditOf(owner, tenant)
  assert.equal(rows.filter((row) => row['action'] === 'withdrawal.create').length, 1)
})

test('nobody approves their own, also not with a key that they made; another person does', async () => {
  const { tenant, owner, admin } = await openShop()
  const made = await owner.ask('POST', below(tenant, 'withdrawals'), withdrawalBody())
  assert.equal(made.body['status'], 'PENDING_APPROVAL', made.text)
  const id = String(made.body['id'])
  const approval = below(tenant, `withdrawals/${id}/approve`)
  assert.equal((await owner.ask('POST', approval)).status, 403)

  const key = await owner.ask('POST', below(tenant, 'keys'), {
    name: 'mine',
    scopes: ['withdrawals:read', 'withdrawals:approve'],
  })
  assert.equal(key.status, 201, key.text)
  const api = await world.base.openApi()
  const byKey = await api.ask('POST', `/v1/withdrawals/${id}/approve`, { key: String(key.body['key']) })
  assert.equal(byKey.status, 403, byKey.text)

  const approved = await admin.ask('POST', approval)
  assert.equal(approved.status, 200, approved.text)
  assert.equal(approved.body['status'], 'PENDING')
  const rows = await auditOf(owner, tenant)
  const approvals = rows.filter((row) => row['action'] === 'withdrawal.approve')
  assert.deepEqual(
    approvals.map((row) => [row['actorKind'], row['actorId']]),
    [['USER', admin.userId]],
  )
})

test('a key that the operator gave to the same person counts as them', async () => {
  const { tenant, owner } = await openShop()
  const made = await owner.ask('POST', below(tenant, 'withdrawals'), withdrawalBody())
  const { key } = await world.base.issue(tenant.id, ['withdrawals:approve'], undefined, {
    person: owner.email,
  })
  const api = await world.base.openApi()
  const answer = await api.ask('POST', `/v1/withdrawals/${String(made.body['id'])}/approve`, { key })
  assert.equal(answer.status, 403, answer.text)
})

test('a person rolls a key that another made, and holds the new one', async () => {
  const { tenant, owner } = await openShop()
  const rolled = await owner.ask('POST', below(tenant, `keys/${tenant.keyId}/roll`))
  assert.equal(rolled.status, 201, rolled.text)
  assert.equal(rolled.body['person'], owner.email)
  const api = await world.base.openApi()
  const key = String(rolled.body['key'])
  const request = await api.ask('POST', '/v1/withdrawals', { key, body: withdrawalBody() })
  assert.equal(request.status, 201, request.text)
  const approval = below(tenant, `withdrawals/${String(request.body['id'])}/approve`)
  assert.equal((await owner.ask('POST', approval)).status, 403)
})

test('a refused change of a member says by a code why, so that pages can say it in any language', async () => {
  const { tenant, owner } = await openShop()
  const admin = await world.person([{ merchantId: tenant.id, role: 'ADMIN' }])
  const place = below(tenant, `members/${owner.userId}`)
  const refusals = [
    await owner.ask('DELETE', place),
    await owner.ask('PATCH', place, { role: 'VIEWER' }),
    await admin.ask('PATCH', place, { role: 'VIEWER' }),
    await admin.ask('DELETE', place),
  ]
  assert.deepEqual(
    refusals.map(({ status, body }) => [status, body['code'], body['reason']]),
    [
      [409, 'invalid_state', 'last_owner'],
      [409, 'invalid_state', 'last_owner'],
      [403, 'forbidden', 'more_than_own'],
      [403, 'forbidden', 'more_than_own'],
    ],
  )
})

test('the seat of a member is no key: it is not listed, and nobody changes, rolls or revokes it', async () => {
  const { tenant, owner } = await openShop()
  const members = await owner.ask('GET', below(tenant, 'members'))
  const seat = (members.body['data'] as readonly Row[]).find((each) => each['userId'] === owner.userId)?.[
    'keyId'
  ]
  assert.equal(typeof seat, 'string')
  const keys = await owner.ask('GET', below(tenant, 'keys'))
  assert.ok((keys.body['data'] as readonly Row[]).every((each) => each['id'] !== seat))
  for (const [method, path, body] of [
    ['GET', `keys/${String(seat)}`, undefined],
    ['PATCH', `keys/${String(seat)}`, { name: 'taken' }],
    ['POST', `keys/${String(seat)}/roll`, {}],
    ['POST', `keys/${String(seat)}/revoke`, {}],
  ] as const)
    assert.equal((await owner.ask(method, below(tenant, path), body)).status, 404, path)
})

test('with real money, what moves it or shows a secret needs a second factor of the last five minutes', async () => {
  const { tenant, owner } = await openShop('LIVE')
  const acts = [
    ['withdrawals', withdrawalBody()],
    ['keys', { name: 'mine', scopes: ['payments:read'] }],
    ['webhook-endpoints', { url: 'https://shop.example/hooks' }],
  ] as const
  for (const [path, body] of acts) {
    const answer = await owner.ask('POST', below(tenant, path), body)
    assert.deepEqual(
      [answer.status, answer.body['code'], answer.body['methods']],
      [403, 'second_factor_needed', []],
      path,
    )
  }
  const next = await world.enrol(owner)
  const key = await owner.ask('POST', below(tenant, 'keys'), acts[1][1])
  assert.equal(key.status, 201, key.text)

  await world.base
    .sql`update user_session set second_factor_at = second_factor_at - interval '6 minutes' where user_id = ${owner.userId}`
  const late = await owner.ask('POST', below(tenant, 'keys'), acts[1][1])
  assert.deepEqual(
    [late.status, late.body['code'], late.body['methods']],
    [403, 'second_factor_needed', ['totp', 'recovery_code']],
  )
  assert.equal((await owner.ask('POST', '/api/step-up', { totp: '000000' })).status, 403)
  const stepped = await owner.ask('POST', '/api/step-up', { totp: next() })
  assert.equal(stepped.status, 200, stepped.text)
  assert.equal((await owner.ask('POST', below(tenant, 'keys'), acts[1][1])).status, 201)
})

test('in a sandbox the second factor is needed by who has one', async () => {
  const { tenant, owner } = await openShop()
  const body = { name: 'mine', scopes: ['payments:read'] }
  assert.equal((await owner.ask('POST', below(tenant, 'keys'), body)).status, 201)
  await world.enrol(owner)
  await world.base.sql`update user_session set second_factor_at = null where user_id = ${owner.userId}`
  assert.equal((await owner.ask('POST', below(tenant, 'keys'), body)).body['code'], 'second_factor_needed')
})

test('a sign-in by password with a factor can do nothing before the factor is given, and its token changes then', async () => {
  const { tenant, owner } = await openShop()
  const password = `correct horse ${randomBytes(6).toString('hex')}`
  const set = await owner.ask('POST', '/api/me/password', { password })
  assert.equal(set.status, 204, set.text)
  const own = await world.signIn(owner.userId, owner.email)
  const next = await world.enrol(own)

  const passwordGiven = await world.ask('POST', '/api/session/password', {
    body: { email: owner.email.toUpperCase(), password },
    headers: world.ownPage,
  })
  assert.deepEqual(
    [passwordGiven.status, passwordGiven.body['next']],
    [200, 'second_factor'],
    passwordGiven.text,
  )
  const half = { ...world.ownPage, cookie: cookieOf(passwordGiven.headers) }
  assert.equal((await world.ask('GET', '/api/session', { headers: half })).status, 401)
  assert.equal((await world.ask('GET', below(tenant, 'payments'), { headers: half })).status, 401)
  const done = await world.ask('POST', '/api/session/second-factor', {
    body: { totp: next() },
    headers: half,
  })
  assert.equal(done.status, 200, done.text)
  const whole = { ...world.ownPage, cookie: cookieOf(done.headers) }
  assert.notEqual(whole.cookie, half.cookie)
  assert.equal((await world.ask('GET', '/api/session', { headers: whole })).status, 200)
  assert.equal((await world.ask('GET', '/api/session', { headers: half })).status, 401)
})

function cookieOf(headers: Headers): string {
  const cookie = headers.get('set-cookie') ?? assert.fail('no cookie')
  assert.match(cookie, /; Path=\/; HttpOnly; SameSite=Strict$/)
  return cookie.split(';')[0] ?? ''
}

test('the live stream tells nothing of records that the role does not see, from the next change of the role on', async () => {
  const { tenant, owner } = await openShop()
  const endpoint = await owner.ask('POST', below(tenant, 'webhook-endpoints'), { url: 'http://127.0.0.1:9/' })
  const ping = below(tenant, `webhook-endpoints/${String(endpoint.body['id'])}/ping`)
  const finance = await world.person([{ merchantId: tenant.id, role: 'FINANCE' }])
  const stream = await fetch(`http://127.0.0.1:${world.port}${below(tenant, 'live')}`, {
    headers: { ...world.ownPage, cookie: finance.cookie },
  })
  const reader: ReadableStreamDefaultReader<Uint8Array> = (stream.body ?? assert.fail('a body')).getReader()
  let text = ''
  const until = (what: string) =>
    eventually(what, async () => {
      const { value } = await reader.read()
      text += new TextDecoder().decode(value)
      return text.includes(what)
    })
  assert.equal((await owner.ask('POST', ping)).status, 202)
  assert.equal((await owner.ask('POST', below(tenant, 'withdrawals'), withdrawalBody())).status, 201)
  await until('"withdrawal.created"')
  assert.doesNotMatch(text, /webhook_endpoint/)
  const changed = await owner.ask('PATCH', below(tenant, `members/${finance.userId}`), { role: 'DEVELOPER' })
  assert.equal(changed.status, 204, changed.text)
  assert.equal((await owner.ask('POST', ping)).status, 202)
  await until('"webhook_endpoint.ping"')
  await reader.cancel()
})

test('an invitation is accepted once, gives its role and no more, and a removed member is out at once', async () => {
  const { tenant, owner, admin } = await openShop()
  const over = await admin.ask('POST', below(tenant, 'invitations'), {
    email: 'new@example.com',
    role: 'OWNER',
  })
  assert.equal(over.status, 403, over.text)
  const email = `${randomBytes(6).toString('hex')}@example.com`
  const made = await owner.ask('POST', below(tenant, 'invitations'), { email, role: 'VIEWER' })
  assert.equal(made.status, 201, made.text)
  const token = String(made.body['url']).split('#')[1]
  const request = { token, name: 'New', password: `correct horse ${randomBytes(6).toString('hex')}` }
  const both = await Promise.all(
    [1, 2].map(() => world.ask('POST', '/api/links/accept', { body: request, headers: world.ownPage })),
  )
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 410],
  )
  const accepted = both.find(({ status }) => status === 200) ?? assert.fail('one was accepted')
  const headers = { ...world.ownPage, cookie: cookieOf(accepted.headers) }
  const session = await world.ask('GET', '/api/session', { headers })
  const [merchant] = session.body['merchants'] as readonly Row[]
  assert.deepEqual([merchant?.['id'], merchant?.['role']], [tenant.id, 'VIEWER'])
  const userId = String((session.body['user'] as Row)['id'])
  assert.equal((await world.ask('GET', below(tenant, 'payments'), { headers })).status, 200)
  assert.equal((await owner.ask('DELETE', below(tenant, `members/${userId}`))).status, 204)
  assert.equal((await world.ask('GET', below(tenant, 'payments'), { headers })).status, 404)
})

test('a template is checked, published as a revision, and its faults name the field', async () => {
  const { tenant, owner } = await openShop()
  const got = await owner.ask('GET', below(tenant, 'templates/default'))
  assert.equal(got.status, 200, got.text)
  const document = got.body['document'] as Row
  const bad = { ...document, brand: { radius: 500 } }
  const checked = await owner.ask('POST', below(tenant, 'templates/check'), bad)
  assert.equal((checked.body['faults'] as readonly Row[])[0]?.['pointer'], '/brand/radius', checked.text)
  const refused = await owner.ask('PUT', below(tenant, 'templates/default'), bad)
  assert.equal(refused.status, 400)
  const own = { ...document, name: 'Ours' }
  const first = await owner.ask('PUT', below(tenant, 'templates/shop'), own)
  assert.equal(first.status, 200, first.text)
  assert.deepEqual([(first.body['template'] as Row)['revision'], first.body['isNew']], [1, true])
  const again = await owner.ask('PUT', below(tenant, 'templates/shop'), own)
  assert.equal(again.body['isNew'], false)
  const revisions = await owner.ask('GET', below(tenant, 'templates/shop/revisions'))
  assert.deepEqual(
    (revisions.body['data'] as readonly Row[]).map((each) => each['number']),
    [1],
  )
})

test('the overview has figures for every span, without what the role may not see', async () => {
  const { tenant, owner } = await openShop()
  for (const span of ['today', '7d', '30d', '90d']) {
    const { status, body, text } = await owner.ask('GET', below(tenant, `overview?span=${span}`))
    assert.equal(status, 200, text)
    assert.equal(body['span'], span)
    assert.ok((body['wallets'] as readonly Row[]).length > 0)
    // What came in and went out is shown of one day.
    const history = (body['balanceHistory'] as Row)['data'] as readonly Row[]
    assert.ok(history.length > 0 && history.every((day) => 'inflow' in day === (span === 'today')), span)
  }
  const support = await world.person([{ merchantId: tenant.id, role: 'SUPPORT' }])
  const { body } = await support.ask('GET', below(tenant, 'overview'))
  assert.equal('wallets' in body, false)
  assert.equal('withdrawals' in (body['attention'] as Row), false)
})

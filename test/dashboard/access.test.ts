// Who may call what: every endpoint with every role, with another merchant's id, from another page, and without a session.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { urlOf } from '#/dashboard/server.ts'
import { routes as apiRoutes } from '#/http/routes.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { permissionsOf, roles } from '#/people/roles.ts'
import { openDashboardWorld, type DashboardWorld } from './world.ts'

let world: DashboardWorld
before(async () => {
  world = await openDashboardWorld()
})
after(() => world.close())

type Endpoint = {
  readonly method: string
  /** Below a merchant, with `:id` where an id stands. */
  readonly url: string
  readonly permission: string | undefined
}

/** Every endpoint of a merchant. */
const endpoints: readonly Endpoint[] = [
  ...apiRoutes
    .filter(({ operationId }) => operationId !== 'getMe')
    .map(({ method, path, scope }) => ({
      method,
      url: `/api/m/:merchant${path.slice('/v1'.length).replace('{id}', ':id')}`,
      permission: scope,
    })),
  ...dashboardRoutes.flatMap((route) =>
    route.access === 'member'
      ? [{ method: route.method, url: urlOf(route), permission: route.permission }]
      : [],
  ),
  // Each member follows what changes; live.ts leaves out what their role does not see.
  { method: 'GET', url: '/api/m/:merchant/live', permission: undefined },
]

function pathOf(url: string, merchantId: MerchantId): string {
  return url.replace(':merchant', merchantId).replace(':id', newId())
}

test('each endpoint of a merchant asks for a permission or is for every member', () => {
  assert.ok(endpoints.length > 80, `${endpoints.length} endpoints`)
  const free = endpoints.filter(({ permission }) => permission === undefined)
  // The catalogue of event types is the same for everybody.
  assert.deepEqual(
    free.map(({ url }) => url),
    ['/api/m/:merchant/event-types', '/api/m/:merchant/live'],
  )
})

test('no route of a merchant is beside the walk: those of the server are the endpoints, and the previews', () => {
  const served = world.routes().filter((each) => each.includes(':merchant') && !each.startsWith('HEAD '))
  const known = endpoints.map(({ method, url }) => `${method} ${url}`)
  // preview.test.ts walks it.
  assert.deepEqual(served.toSorted(), [...known, 'POST /preview/:merchant'].toSorted())
})

for (const role of roles)
  test(`${role}: what the role lacks is 403, and the rest gets past the check of the role`, async () => {
    const { id } = await world.base.openTenant()
    const person = await world.person([{ merchantId: id, role }])
    const has = new Set<string>(permissionsOf(role))
    for (const { method, url, permission } of endpoints) {
      const isRead = method === 'GET'
      const answer = await person.ask(method, pathOf(url, id), isRead ? undefined : {})
      const lacks = permission !== undefined && !has.has(permission)
      const isRefused = answer.status === 403 && answer.body['permission'] === permission
      assert.equal(
        isRefused,
        lacks,
        `${role} ${method} ${url}: ${answer.status} ${answer.text.slice(0, 200)}`,
      )
      assert.ok(answer.status < 500, `${method} ${url}: ${answer.text.slice(0, 300)}`)
    }
  })

test('another’s merchant is 404 at every endpoint, whatever the role at one’s own', async () => {
  const [own, other] = [await world.base.openTenant(), await world.base.openTenant('LIVE')]
  const person = await world.person([{ merchantId: own.id, role: 'OWNER' }], { isOperator: true })
  for (const { method, url } of endpoints) {
    const answer = await person.ask(method, pathOf(url, other.id), method === 'GET' ? undefined : {})
    assert.equal(answer.status, 404, `${method} ${url}: ${answer.text.slice(0, 200)}`)
  }
})

test('records of another merchant are 404 under one’s own merchant', async () => {
  const [own, other] = [await world.base.openTenant(), await world.base.openTenant()]
  const person = await world.person([{ merchantId: own.id, role: 'OWNER' }])
  const others = await world.person([{ merchantId: other.id, role: 'OWNER' }])
  const made = await others.ask('POST', `/api/m/${other.id}/payments`, {
    amount: 1_000,
    currency: 'USDT',
    paymentMethods: ['CRYPTO'],
    idempotencyKey: newId(),
  })
  assert.equal(made.status, 201, made.text)
  const paymentId = String(made.body['id'])
  for (const [method, path] of [
    ['GET', `payments/${paymentId}`],
    ['GET', `payments/${paymentId}/explain`],
    ['POST', `payments/${paymentId}/cancel`],
    ['POST', `payments/${paymentId}/refunds`],
  ] as const) {
    const body = path.endsWith('refunds')
      ? { amount: 100, idempotencyKey: newId() }
      : method === 'GET'
        ? undefined
        : {}
    const answer = await person.ask(method, `/api/m/${own.id}/${path}`, body)
    assert.equal(answer.status, 404, `${path}: ${answer.text}`)
  }
})

test('without a session everything but signing in is 401; with one that has ended too', async () => {
  const { id } = await world.base.openTenant()
  const person = await world.person([{ merchantId: id, role: 'OWNER' }])
  await person.ask('DELETE', '/api/session')
  const rest = dashboardRoutes.filter(({ access }) => access !== 'anyone')
  for (const { method, url } of [
    ...endpoints,
    ...rest.map((route) => ({ method: route.method, url: urlOf(route) })),
  ]) {
    const path = pathOf(url, id)
    const body = method === 'GET' ? undefined : {}
    assert.equal(
      (await world.ask(method, path, { body, headers: world.ownPage })).status,
      401,
      `${method} ${url}`,
    )
    assert.equal((await person.ask(method, path, body)).status, 401, `${method} ${url}`)
  }
})

test('an API key does not work here, and a session not at the API', async () => {
  const { id, key } = await world.base.openTenant()
  const person = await world.person([{ merchantId: id, role: 'OWNER' }])
  const withKey = await world.ask('GET', `/api/m/${id}/payments`, {
    headers: { ...world.ownPage, apikey: key },
  })
  assert.equal(withKey.status, 401)
  const api = await world.base.openApi()
  const withCookie = await api.ask('GET', '/v1/payments', { headers: { cookie: person.cookie } })
  assert.equal(withCookie.status, 401)
})

test('only pages of this origin may call: the cookie alone is not enough', async () => {
  const { id } = await world.base.openTenant()
  const person = await world.person([{ merchantId: id, role: 'OWNER' }])
  const cookie = { cookie: person.cookie }
  const { origin } = world
  for (const [method, headers] of [
    ['GET', cookie],
    ['GET', { ...cookie, 'sec-fetch-site': 'same-site' }],
    ['GET', { ...cookie, 'sec-fetch-site': 'cross-site' }],
    ['GET', { ...cookie, 'sec-fetch-site': 'none' }],
    ['POST', { ...cookie, 'sec-fetch-site': 'same-origin' }],
    ['POST', { ...cookie, 'sec-fetch-site': 'same-origin', origin: 'http://localhost:1' }],
    ['POST', { ...cookie, 'sec-fetch-site': 'same-site', origin }],
  ] as const) {
    const body = method === 'GET' ? undefined : {}
    const answer = await world.ask(method, `/api/m/${id}/payments`, { body, headers })
    assert.equal(answer.status, 403, JSON.stringify(headers))
    assert.equal(answer.body['code'], 'cross_site')
  }
  // A browser says the origin where something may change, and not where a page only reads.
  for (const [method, headers] of [
    ['GET', { ...cookie, 'sec-fetch-site': 'same-origin' }],
    ['HEAD', { ...cookie, 'sec-fetch-site': 'same-origin' }],
    ['DELETE', { ...cookie, 'sec-fetch-site': 'same-origin', origin }],
  ] as const) {
    const answer = await world.ask(method, method === 'DELETE' ? '/api/session' : `/api/m/${id}/payments`, {
      headers,
    })
    assert.equal(answer.status, method === 'DELETE' ? 204 : 200, method)
  }
})

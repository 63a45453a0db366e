// Which key may do what: keys, scopes, tenants, and how soon an ended key is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { scopes } from '#/contract/keys.ts'
import { connect } from '#/db/client.ts'
import type { Route } from '#/http/route.ts'
import { routes } from '#/http/routes.ts'
import { given } from '#/kernel/given.ts'
import { silentLog } from '#/kernel/log.ts'
import { newApiKey } from '#/merchants/api-key.ts'
import { createAuthenticator } from '#/merchants/authenticator.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented, at } from './document.ts'
import { possessionsOf, subAccountOf } from './possessions.ts'
import { openApiWorld, paymentBody, type Answer } from './world.ts'

const base = openForTests(openApiWorld)
const api = makeForTests(() => base.openApi())
const tenant = makeForTests(() => base.openTenant())

/** A body that the route accepts. */
const bodies: Readonly<Record<string, () => unknown>> = {
  changeWebhookEndpoint: () => ({ description: 'other' }),
  createPayment: () => paymentBody(),
  addDisputeEvidenceFile: () => ({ kind: 'RECEIPT', name: 'receipt.pdf', content: 'JVBERi0=' }),
  submitDisputeEvidence: () => ({ version: 1 }),
  createSubAccountKey: () => ({ name: 'shop', scopes: ['payments:read'] }),
  changeSubAccount: () => ({ name: 'Bia' }),
  createTransferGrant: () => ({ currency: 'EUR', maxAmount: 1 }),
  createWallet: () => ({ currency: 'BRL', walletType: 'RESERVE', label: 'Taxes' }),
}

function call(
  each: Route,
  key: string | undefined,
  id = '019aa3c2-7b1e-7c4d-9f00-5a1b2c3d4e5f',
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const body = each.method === 'GET' ? undefined : (bodies[each.operationId]?.() ?? {})
  return api.ask(each.method, each.path.replace('{id}', id), {
    ...given({ key, body, headers }),
  })
}

test('every route refuses a call without a key', async () => {
  for (const each of routes) {
    const answer = await call(each, undefined)
    assert.equal(answer.status, 401, each.operationId)
    assert.equal(answer.headers.get('www-authenticate'), 'ApiKey realm="vintem", Bearer realm="vintem"')
    assertDocumented(each.method, each.path, answer)
  }
})

test('every route takes the key after the word Bearer too, and never twice', async () => {
  const { key } = await base.issue(tenant.id, scopes)
  const authorization = `Bearer ${key}`
  for (const each of routes) {
    const answer = await call(each, undefined, undefined, { authorization })
    assert.ok(![401, 403].includes(answer.status), `${each.operationId} answers ${answer.status}`)
    for (const apikey of [key, '']) {
      const twice = await call(each, undefined, undefined, { authorization, apikey })
      assert.deepEqual([twice.status, twice.body['code']], [400, 'invalid_request'], each.operationId)
      assert.match(String(twice.body['detail']), /carries a key twice.*not in both/)
      assertDocumented(each.method, each.path, twice)
    }
  }
})

test('the word Bearer is read in any capitals, and other schemes are left to proxies', async () => {
  const { key } = await base.issue(tenant.id, scopes)
  const statusOf = async (headers: Readonly<Record<string, string>>) => {
    const { status, body } = await api.ask('GET', '/v1/me', { headers })
    return [status, body['code']]
  }
  for (const authorization of [`bearer ${key}`, `BEARER   ${key}`])
    assert.deepEqual(await statusOf({ authorization }), [200, undefined])
  assert.deepEqual(await statusOf({ authorization: 'Basic YTpi', apikey: key }), [200, undefined])
  for (const authorization of [
    key,
    'Bearer',
    'Bearer ',
    `Basic ${key}`,
    `Bearer${key}`,
    `Bearer ${key}, Bearer ${key}`,
    `Bearer ${key.slice(0, -1)}`,
  ])
    assert.deepEqual(await statusOf({ authorization }), [401, 'unauthenticated'], authorization)
})

test('every route refuses a key that has every scope but its own, and accepts one that has only its own', async () => {
  for (const each of routes) {
    const { scope: own } = each
    if (own === undefined) continue
    const without = await base.issue(
      tenant.id,
      scopes.filter((scope) => scope !== own),
    )
    const refused = await call(each, without.key)
    assert.equal(refused.status, 403, each.operationId)
    assert.equal(refused.body['scope'], own)
    assertDocumented(each.method, each.path, refused)
    const only = await base.issue(tenant.id, [own])
    const accepted = await call(each, only.key)
    assert.ok(![401, 403].includes(accepted.status), `${each.operationId} answers ${accepted.status}`)
  }
})

/** The parent reads the grants that its sub-account gave it, and gets their events. */
const readsGrants = /GET \/v1\/transfer-grants/

for (const [whose, to, make] of [
  [
    "another merchant's",
    'a stranger',
    async () => ({ owner: await base.openTenant(), other: await base.openTenant() }),
  ],
  [
    "its parent's",
    'a sub-account',
    async () => {
      const owner = await base.openTenant()
      return { owner, other: await subAccountOf({ base, api }, owner) }
    },
  ],
  [
    "its sub-account's",
    'a parent',
    async () => {
      const other = await base.openTenant()
      return { owner: await subAccountOf({ base, api }, other), other }
    },
  ],
  [
    "its sibling's",
    'a sub-account',
    async () => {
      const parent = await base.openTenant()
      return {
        owner: await subAccountOf({ base, api }, parent),
        other: await subAccountOf({ base, api }, parent),
      }
    },
  ],
] as const)
  test(`${whose} ids are not found by ${to} on any route, and lists do not show them`, async () => {
    const { owner, other } = await make()
    const isOfParent = whose === "its sub-account's"
    const kind = isOfParent || whose === "its sibling's" ? 'SUB_ACCOUNT' : 'MERCHANT'
    const { ids, idOf } = await possessionsOf({ base, api }, owner, kind)
    let probed = 0
    for (const each of routes.filter(({ path }) => path.includes('{id}'))) {
      const id = idOf(each.path)
      // Of a kind that this owner cannot have.
      if (id === undefined) continue
      const found = await call(each, owner.key, id)
      assert.notEqual(found.status, 404, `${each.operationId} finds its own`)
      if (isOfParent && readsGrants.test(`${each.method} ${each.path}`)) continue
      const foreign = await call(each, other.key, id)
      assert.equal(foreign.status, 404, each.operationId)
      assertDocumented(each.method, each.path, foreign)
      probed += 1
    }
    assert.ok(probed >= 40, `${probed} routes were probed`)
    const walletId = String(ids.get('/wallets/'))
    const foreignWallet = await api.ask('GET', `/v1/wallets/statement?walletId=${walletId}`, {
      key: other.key,
    })
    assert.equal(foreignWallet.status, 404)
    const hidden = [...ids]
      .filter(([part]) => !(isOfParent && part === '/transfer-grants/'))
      .map(([, id]) => id)
    for (const { method, path, scope } of routes) {
      if (method !== 'GET' || path.includes('{id}') || scope === undefined) continue
      const { text } = await api.ask('GET', path, { key: other.key })
      for (const id of hidden) assert.ok(!text.includes(id), `${path} shows ${id}`)
    }
    // Its own events begin with the first one, whoever else has some.
    const { body } = await api.ask('GET', '/v1/events?limit=100', { key: other.key })
    const sequences = (body['data'] as readonly { readonly sequence: number }[]).map(
      ({ sequence }) => sequence,
    )
    assert.deepEqual(
      sequences.toSorted((x, y) => x - y),
      [...sequences.keys()].map((nth) => nth + 1),
    )
  })

test('a revoked key is refused by every process within a second, while it is in use and after a pause', async () => {
  const second = await base.openApi()
  for (const pauseMs of [0, 700]) {
    const issued = await base.issue(tenant.id, ['wallets:read'])
    const use = async () =>
      Promise.all([api, second].map((each) => each.ask('GET', '/v1/wallets', { key: issued.key })))
    for (let tries = 0; tries < 20; tries += 1) {
      assert.deepEqual(
        (await use()).map((each) => each.status),
        [200, 200],
      )
      await wait(20)
    }
    await wait(pauseMs)
    await base.revoke(tenant.id, issued.id)
    await wait(1_000)
    assert.deepEqual(
      (await use()).map((each) => each.status),
      [401, 401],
    )
  }
})

test('an expired key is refused at once', async () => {
  const issued = await base.issue(tenant.id, ['wallets:read'], new Date(Date.now() + 1_500))
  assert.equal((await api.ask('GET', '/v1/wallets', { key: issued.key })).status, 200)
  await wait(1_550)
  assert.equal((await api.ask('GET', '/v1/wallets', { key: issued.key })).status, 401)
})

test('a rotated key works beside the new one, with the same scopes', async () => {
  const old = await base.issue(tenant.id, ['wallets:read'])
  const next = await base.rotate(tenant.id, old.id)
  for (const { key } of [old, next]) {
    assert.equal((await api.ask('GET', '/v1/wallets', { key })).status, 200)
    assert.equal((await api.ask('GET', '/v1/payments', { key })).status, 403)
  }
  const [row] = await base.sql<{ hours: number }[]>`
    select extract(epoch from expires_at - clock_timestamp()) / 3600 as hours from api_key where id = ${old.id}`
  assert.ok(Math.abs(Number(row?.hours) - 24) < 0.1)
  await base.revoke(tenant.id, old.id)
  await assert.rejects(base.rotate(tenant.id, old.id), { code: 'invalid_state' })
})

test("a key is stored as a digest alone, and another merchant's keys cannot be ended", async () => {
  const other = await base.openTenant()
  const rows = await base.sql<{ text: string }[]>`select api_key::text as text from api_key`
  for (const { text } of rows) assert.ok(!text.includes('vtm_'))
  await assert.rejects(base.revoke(other.id, tenant.keyId), { code: 'not_found' })
  await assert.rejects(base.rotate(other.id, tenant.keyId), { code: 'not_found' })
})

test('wrong keys are refused with a wait, and never lock out a valid one, however long it was idle', async () => {
  const ownApi = await base.openApi()
  const statuses: number[] = []
  for (let tries = 0; tries < 25; tries += 1) {
    const answer = await ownApi.ask('GET', '/v1/wallets', { key: newApiKey('SANDBOX', 'a1') })
    statuses.push(answer.status)
    if (answer.status === 429) assert.ok(Number(answer.headers.get('retry-after')) >= 1)
  }
  assert.deepEqual(statuses, [
    ...Array.from({ length: 20 }, () => 401),
    ...Array.from({ length: 5 }, () => 429),
  ])
  // This process has not met it before: as good as idle for ever.
  const issued = await base.issue(tenant.id, ['wallets:read'])
  for (const key of [tenant.key, issued.key])
    assert.equal((await ownApi.ask('GET', '/v1/wallets', { key })).status, 200)
  // Wrong keys of other kinds are counted separately: malformed ones, and keys of the other mode.
  for (const key of ['guess', newApiKey('LIVE', 'a1')])
    assert.equal((await ownApi.ask('GET', '/v1/wallets', { key })).status, 401)
})

test('a revoked key that goes on polling locks out no other, and costs one query a second at most', async () => {
  const ownApi = await base.openApi()
  const revoked = await base.issue(tenant.id, ['wallets:read'])
  await base.revoke(tenant.id, revoked.id)
  for (let tries = 0; tries < 30; tries += 1)
    assert.notEqual((await ownApi.ask('GET', '/v1/wallets', { key: revoked.key })).status, 200)
  assert.equal((await ownApi.ask('GET', '/v1/wallets', { key: tenant.key })).status, 200)
})

test('an unnamed proxy is logged once, because without its name all callers have one address', async () => {
  const warnings = async (trustProxy?: readonly string[]) => {
    const lines: unknown[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    const ownApi = await base.openApi({ log, ...given({ trustProxy }) })
    for (const headers of [{}, { 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }])
      await ownApi.ask('GET', '/health/live', { headers })
    return lines.map((line) => at(line, 'msg'))
  }
  assert.match(String(await warnings()), /^[^,]*VINTEM_TRUSTED_PROXIES[^,]*$/)
  assert.match(String(await warnings(['10.0.0.0/8'])), /VINTEM_TRUSTED_PROXIES/)
  assert.deepEqual(await warnings(['127.0.0.1']), [])
})

test('a key beyond its rate is refused, and the answer says how long to wait', async () => {
  const slow = await base.openApi({ rateLimit: { perSecond: 2, burst: 4 } })
  const answers: Answer[] = []
  for (let tries = 0; tries < 6; tries += 1)
    answers.push(await slow.ask('GET', '/v1/wallets', { key: tenant.key }))
  assert.deepEqual(
    answers.slice(0, 4).map((each) => each.status),
    [200, 200, 200, 200],
  )
  const last = answers.at(-1) ?? assert.fail()
  assert.equal(last.status, 429)
  assert.equal(last.headers.get('retry-after'), '1')
  assert.equal(last.headers.get('ratelimit-policy'), '"default";q=4;w=2')
  assert.match(last.headers.get('ratelimit') ?? '', /^"default";r=0;t=2$/)
  assertDocumented('GET', '/v1/wallets', last)
  const other = await base.openTenant()
  assert.equal((await slow.ask('GET', '/v1/wallets', { key: other.key })).status, 200)
  await wait(1_000)
  assert.equal((await slow.ask('GET', '/v1/wallets', { key: tenant.key })).status, 200)
})

test('when the database is away no key is accepted for longer than a second, and nothing is a 500', async (t) => {
  const away = connect('postgres://nobody@127.0.0.1:9/none', { max: 1 })
  let reachable = true
  const there = createAuthenticator({
    sql: base.sql,
    pepper: base.pepper,
    log: silentLog,
  })
  const gone = createAuthenticator({ sql: away, pepper: base.pepper, log: silentLog })
  t.after(async () => {
    await Promise.all([there.close(), gone.close()])
    await away.end({ timeout: 0 })
  })
  const switching = {
    recall: (key: string) => (reachable ? there : gone).recall(key),
    authenticate: (key: string) => (reachable ? there : gone).authenticate(key),
    noteUse: () => {},
    close: async () => {},
  }
  const ownApi = await base.openApi({ authenticator: switching })
  assert.equal((await ownApi.ask('GET', '/v1/wallets', { key: tenant.key })).status, 200)
  reachable = false
  const answer = await ownApi.ask('GET', '/v1/wallets', { key: tenant.key })
  assert.equal(answer.status, 503)
  assert.equal(answer.body['code'], 'unavailable')
  assert.ok(Number(answer.headers.get('retry-after')) >= 1)
})
